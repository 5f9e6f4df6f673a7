//! The tables of what builders are worth to random runs.

use std::fmt::Write as _;

use super::cases::Case;
use super::{Arm, Budgets, FILTERS, Filter, LeftByRun, Runs};
use crate::table::grouped;

/// The relatives here of the paper's case studies with `size` and `equals`.
const OF_PAPER: [&str; 15] = [
    "apache::ncl",
    "kiasan::bst",
    "roops::bintree",
    "fajita::bintree",
    "roops::binheap",
    "fajita::binheap",
    "korat::binheap",
    "roops::fibheap",
    "korat::fibheap",
    "kiasan::treemap",
    "roops::rbt",
    "fajita::rbt",
    "korat::rbt",
    "kiasan::disjsets",
    "kiasan::disjsets_fast",
];

/// How a quantity of one arm stands to that of others.
struct Compared {
    /// By case: the mean over seeds of the builders, divided by that of the other arm.
    ratios: Vec<f64>,
    /// The cases in which that is more than one.
    n_more: usize,
    /// The cases in which that is one.
    n_equal: usize,
}

/// The runs of a case with one filter.
struct Row<'r> {
    case: &'r Case,
    api: &'r Runs,
    builders: &'r Runs,
    api_plus: &'r Runs,
    /// Whether objects tell sizes apart; bytes do if not.
    has_objects: bool,
}

impl<'r> Row<'r> {
    fn of(&self, arm: Arm) -> &'r Runs {
        match arm {
            Arm::Api => self.api,
            Arm::Builders => self.builders,
            Arm::ApiPlus => self.api_plus,
        }
    }

    fn structures(runs: &Runs) -> f64 {
        mean(runs, |left| left.structures)
    }

    fn largest(&self, runs: &Runs) -> f64 {
        mean(runs, |left| if self.has_objects { left.objects } else { left.bytes })
    }
}

fn mean(runs: &Runs, of: impl Fn(&LeftByRun) -> u64) -> f64 {
    runs.left.iter().map(of).sum::<u64>() as f64 / runs.left.len() as f64
}

fn compare(rows: &[Row<'_>], of: &dyn Fn(&Row<'_>) -> f64) -> Compared {
    let ratios: Vec<f64> = rows.iter().map(of).collect();
    let n_more = ratios.iter().filter(|&&ratio| ratio > 1.0).count();
    let n_equal = ratios.iter().filter(|&&ratio| ratio == 1.0).count();
    Compared { ratios, n_more, n_equal }
}

impl Compared {
    /// The average and the median of how many per cent more there are, and in how many cases.
    fn show(&self) -> String {
        let n = self.ratios.len();
        if n == 0 {
            return "– |".to_owned();
        }
        let more = |ratio: f64| format!("{:+.0} %", (ratio - 1.0) * 100.0);
        let average = self.ratios.iter().sum::<f64>() / n as f64;
        let mut sorted = self.ratios.clone();
        sorted.sort_by(f64::total_cmp);
        let median = f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2]);
        let Compared { n_more, n_equal, .. } = self;
        let equal = if *n_equal > 0 { format!(", {n_equal} as many") } else { String::new() };
        format!("{}, median {} | {n_more} of {n}{equal}", more(average), more(median))
    }
}

/// The rows of a filter, as far as there are runs.
fn rows<'r>(cases: &'r [Case], all: &'r [Runs], filter: Filter) -> Vec<Row<'r>> {
    let row = |case: &'r Case| {
        let of_arm = |arm: Arm| {
            all.iter()
                .find(|runs| (&runs.suite, runs.filter, runs.arm) == (&case.suite, filter, arm))
        };
        let of_case = || all.iter().filter(|runs| runs.suite == case.suite);
        let mut objects = of_case().flat_map(|runs| &runs.left).map(|left| left.objects);
        let first = objects.next();
        Some(Row {
            case,
            api: of_arm(Arm::Api)?,
            builders: of_arm(Arm::Builders)?,
            api_plus: of_arm(Arm::ApiPlus)?,
            has_objects: objects.any(|other| Some(other) != first),
        })
    };
    cases.iter().filter_map(row).collect()
}

/// The document. `machine` says where it was made, for what it is worth: nothing here is a time.
#[must_use]
pub fn markdown(cases: &[Case], all: &[Runs], budgets: &Budgets, machine: &str) -> String {
    let Budgets { calls, calls_per_second, most_more, seeds } = budgets;
    let [calls, rate, most] = [calls, calls_per_second, most_more].map(|&n| grouped(n));
    let mut text = format!(
        "# Builders in random runs\n\n\
        What `just builders-random` makes, after Ponzio et al. (FASE 2019), section 5. *API* are runs of {calls} calls with all methods, *BLD* as many with the builders \
        alone, *API+* with all methods and as many calls more as finding the builders took: its processor seconds of `builders.csv` at {rate} calls a second, at most {most}. \
        {seeds} seeds; numbers of structures are means. Every number depends on seeds and budgets alone. Made on: {machine}.\n\n\
        ## Together\n\n\
        By how much BLD makes more different structures of the main type (by canonical form) and a larger one, on average over the cases, and in how many cases. The paper: 1280 % more than \
        API, 568 % more than API+, larger in all cases.\n\n"
    );
    for (title, is_meant) in [("The paper's case studies", true), ("All suites", false)] {
        let _ = writeln!(
            text,
            "### {title}\n\n| filter | against | more structures | cases | larger by | cases |\n|---|---|---|---|---|---|"
        );
        for filter in FILTERS {
            let mut rows = rows(cases, all, filter);
            rows.retain(|row| !is_meant || OF_PAPER.contains(&row.case.suite.as_str()));
            text += &together(filter, &rows);
        }
        text.push('\n');
    }
    text += "## By suite\n\n\
        *largest* is the most objects in a structure; of suites whose structures are one object with elements, marked †, the bytes of its canonical form. The range over seeds is in brackets. \
        Builders marked * are the published ones.\n\n";
    for filter in FILTERS {
        text += &by_suite(filter, &rows(cases, all, filter));
    }
    text
}

fn together(filter: Filter, rows: &[Row<'_>]) -> String {
    let line = |arm: Arm| {
        let structures =
            |row: &Row<'_>| Row::structures(row.builders) / Row::structures(row.of(arm));
        let largest = |row: &Row<'_>| row.largest(row.builders) / row.largest(row.of(arm));
        let [structures, largest] = [compare(rows, &structures), compare(rows, &largest)];
        let (filter, arm) = (filter.name(), arm.name());
        format!("| {filter} | {arm} | {} | {} |\n", structures.show(), largest.show())
    };
    [Arm::Api, Arm::ApiPlus].map(line).concat()
}

fn by_suite(filter: Filter, rows: &[Row<'_>]) -> String {
    let mut text = format!(
        "### Filter: {}\n\n\
        | suite | methods | builders | API | BLD | API+ | BLD / API | BLD / API+ | largest: API | BLD | API+ |\n\
        |---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
        filter.name()
    );
    for row in rows {
        let Row { case, api, builders, api_plus, has_objects } = row;
        let [of_api, of_builders, of_plus] =
            [api, builders, api_plus].map(|runs| Row::structures(runs));
        let largest = |runs: &Runs| {
            let sizes = runs.left.iter();
            let sizes = sizes.map(|left| if *has_objects { left.objects } else { left.bytes });
            let (least, most) = (sizes.clone().min().unwrap_or(0), sizes.max().unwrap_or(0));
            format!("{:.0} [{least}, {most}]", row.largest(runs))
        };
        let _ = writeln!(
            text,
            "| `{}`{} | {} | {}{} | {} | {} | {} | {:.2} | {:.2} | {} | {} | {} |",
            case.suite,
            if *has_objects { "" } else { " †" },
            case.api.len(),
            case.builders.join(", "),
            if case.are_published { " *" } else { "" },
            grouped(of_api.round() as u64),
            grouped(of_builders.round() as u64),
            grouped(of_plus.round() as u64),
            of_builders / of_api,
            of_builders / of_plus,
            largest(api),
            largest(builders),
            largest(api_plus),
        );
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_are_over_cases_and_equal_ones_are_counted() {
        let compared = |ratios: &[f64]| {
            let n_more = ratios.iter().filter(|&&ratio| ratio > 1.0).count();
            let n_equal = ratios.iter().filter(|&&ratio| ratio == 1.0).count();
            Compared { ratios: ratios.to_vec(), n_more, n_equal }.show()
        };
        assert_eq!(compared(&[3.0, 1.0, 0.5]), "+50 %, median +0 % | 1 of 3, 1 as many");
        assert_eq!(compared(&[13.8]), "+1280 %, median +1280 % | 1 of 1");
    }
}
