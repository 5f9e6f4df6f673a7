//! What each option of random runs is worth: runs with it and without, of equal seeds and as many
//! calls, on containers by what they cover of their marks, and on suites by how many different
//! structures they leave.

use std::fmt::Write as _;

use beget_plan::scope::{MethodsOverride, Overrides, Plan};
use beget_run::{Constants, Direction, Matching, RandomOptions};

use crate::builders_random::run;
use crate::containers::{self, CONTAINERS, Container};
use crate::scopes;

/// An option, and how it is given to a run that is without it.
pub struct MeasuredOption {
    /// As the command line calls it.
    pub name: &'static str,
    give: fn(&mut RandomOptions),
}

/// All options that change how sequences are drawn.
pub const OPTIONS: [MeasuredOption; 15] = [
    MeasuredOption { name: "swarm: 100", give: |o| o.swarm = Some(100) },
    MeasuredOption { name: "guided: true", give: |o| o.is_guided = true },
    MeasuredOption { name: "prefer_short: 3", give: |o| o.tries_for_short = 3 },
    MeasuredOption { name: "repeat: (0, 100)", give: |o| o.repetition_rate = 0.0 },
    MeasuredOption { name: "vary_range: true", give: |o| o.narrows_ints = true },
    MeasuredOption { name: "no ints", give: |o| o.fresh_ints = None },
    MeasuredOption { name: "fuzz: 0.1", give: |o| o.fuzz_rate = 0.1 },
    MeasuredOption {
        name: "no ints, fuzz: 0.1",
        give: |o| (o.fresh_ints, o.fuzz_rate) = (None, 0.1),
    },
    MeasuredOption { name: "on_demand: true", give: |o| o.is_on_demand = true },
    MeasuredOption { name: "match: Equality", give: |o| o.matching = Matching::Equality },
    MeasuredOption { name: "match: None", give: |o| o.matching = Matching::None },
    MeasuredOption { name: "none_ratio: 0.5", give: |o| o.none_ratio = 0.5 },
    MeasuredOption { name: "alias_ratio: 0", give: |o| o.alias_ratio = 0.0 },
    MeasuredOption {
        name: "constants: [Paper]",
        give: |o| o.constants = Constants { has_paper: true, ..Constants::default() },
    },
    MeasuredOption {
        name: "constants: [Returned]",
        give: |o| o.constants = Constants { has_returned: true, ..Constants::default() },
    },
];

/// What is run.
enum Measured {
    /// By the predicates that are covered.
    Container(&'static Container),
    /// By the different structures that are left.
    Suite(&'static str, Box<Plan>),
}

const SUITES: [&str; 6] =
    ["roops/ncl", "kiasan/bst", "korat/fibheap", "ours/skewheap", "real/indexmap", "roops/avl"];

/// The literals of the scopes of suites.
const K: u32 = 4;

impl Measured {
    fn all() -> Vec<Measured> {
        let suite = |name| {
            let methods = Some(MethodsOverride::WithLiterals);
            let overrides = Overrides { k: Some(K), methods, ..Overrides::default() };
            let resolution = scopes::input(name).resolve(&overrides);
            let plan = resolution.unwrap_or_else(|error| panic!("\n{error}")).plan;
            Measured::Suite(name, Box::new(plan))
        };
        CONTAINERS.iter().map(Measured::Container).chain(SUITES.map(suite)).collect()
    }

    fn name(&self) -> &'static str {
        match self {
            Measured::Container(container) => container.name,
            Measured::Suite(name, _) => name,
        }
    }

    fn count(&self, options: &RandomOptions) -> u64 {
        match self {
            Measured::Container(container) => {
                // As far as it gets, not only to the published marks.
                let all = Container { blocks: usize::MAX, ..**container };
                containers::run(&all, options).predicates as u64
            }
            Measured::Suite(_, plan) => run(plan, options).structures,
        }
    }
}

/// The options of runs without any of [`OPTIONS`].
#[must_use]
pub fn without(seed: u64, max_calls: u64) -> RandomOptions {
    RandomOptions {
        seed,
        max_calls,
        direction: Direction::Feedback,
        fresh_ints: Some(0..=99),
        is_widening: false,
        ..RandomOptions::default()
    }
}

/// Runs with an option beside those without, by seed.
#[derive(Debug, PartialEq, Eq)]
struct Paired {
    with: Vec<u64>,
    without: Vec<u64>,
}

impl Paired {
    fn ratio(&self) -> f64 {
        self.with.iter().sum::<u64>() as f64 / self.without.iter().sum::<u64>().max(1) as f64
    }

    /// In how many seeds there is more, and less.
    fn seeds(&self) -> (usize, usize) {
        let pairs = || self.with.iter().zip(&self.without);
        (
            pairs().filter(|(with, without)| with > without).count(),
            pairs().filter(|(with, without)| with < without).count(),
        )
    }

    /// Whether more is no chance: in nine of ten seeds.
    fn verdict(&self) -> i32 {
        let (more, less) = self.seeds();
        let most = self.with.len() * 9;
        i32::from(more * 10 >= most) - i32::from(less * 10 >= most)
    }

    fn show(&self) -> String {
        let (more, less) = self.seeds();
        format!("{:.2} ({more}:{less})", self.ratio())
    }
}

/// The table, in Markdown.
///
/// # Panics
/// If a scope file is wrong.
#[must_use]
pub fn table(seeds: u64, calls: u64) -> String {
    let measured = Measured::all();
    let count = |one: &Measured, give: &dyn Fn(&mut RandomOptions)| -> Vec<u64> {
        let of_seed = |seed| {
            let mut options = without(seed, calls);
            give(&mut options);
            one.count(&options)
        };
        (0..seeds).map(of_seed).collect()
    };
    let base: Vec<Vec<u64>> = measured.iter().map(|one| count(one, &|_| {})).collect();
    let mut text = String::from("| option |");
    measured.iter().for_each(|one| text += &format!(" {} |", one.name()));
    text += " more, less on |\n|---|";
    text += &"---|".repeat(measured.len() + 1);
    text += "\n| without any: mean |";
    for counts in &base {
        let _ = write!(text, " {:.0} |", counts.iter().sum::<u64>() as f64 / seeds as f64);
    }
    text += " |\n";
    for option in &OPTIONS {
        let pair = |(one, base): (&Measured, &Vec<u64>)| Paired {
            with: count(one, &option.give),
            without: base.clone(),
        };
        let pairs: Vec<Paired> = measured.iter().zip(&base).map(pair).collect();
        let of = |verdict: i32| pairs.iter().filter(|pair| pair.verdict() == verdict).count();
        let cells: Vec<String> = pairs.iter().map(Paired::show).collect();
        let _ =
            writeln!(text, "| `{}` | {} | {}, {} |", option.name, cells.join(" | "), of(1), of(-1));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_option_has_a_row_with_a_cell_for_each_subject() {
        let text = table(1, 40);
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows.len(), 3 + OPTIONS.len());
        let n_cells = |row: &&str| row.matches('|').count() - 1;
        assert!(rows.iter().all(|row| n_cells(row) == 2 + CONTAINERS.len() + SUITES.len()));
        for (row, option) in rows[3..].iter().zip(&OPTIONS) {
            assert!(row.starts_with(&format!("| `{}` | ", option.name)), "{row}");
        }
    }

    #[test]
    fn nine_of_ten_seeds_decide() {
        let pair = |more: usize, less: usize| {
            let equal = 10 - more - less;
            let with = [vec![3; more], vec![1; less], vec![2; equal]].concat();
            Paired { with, without: vec![2; 10] }
        };
        assert_eq!(pair(9, 1).verdict(), 1);
        assert_eq!(pair(8, 0).verdict(), 0);
        assert_eq!(pair(0, 10).verdict(), -1);
        assert_eq!(pair(5, 5).show(), "1.00 (5:5)");
    }
}
