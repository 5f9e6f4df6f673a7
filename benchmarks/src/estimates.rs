//! How often the error bars of `beget estimate` hold, on the rows of Table 1 of the BEAPI paper.
//!
//! Each row is estimated from the rows of its class with a smaller k ([`Row`]); then the truth is
//! looked up. Many classes grow alike, since a list is a list: they are one growth, counted once
//! where it matters. What the factor of the bars would be without a growth, and whether the bars of
//! that growth hold then, is asked too, because the factor was chosen on these very rows.
//!
//! [`markdown`] writes the table. The numbers are those of `benchmarks/results/table1.csv` and
//! `estimate.json`, and what is written is equal for equal numbers.

pub mod beyond;
pub mod elsewhere;
pub mod markdown;

use std::collections::BTreeMap;

use beget_search::estimate::{CONFIDENCE, CountGrowth, ErrorBar, FACTOR};
use beget_search::run::{CountedScope, ScopeEstimate};
use serde::Deserialize;
use thiserror::Error;

use beyond::Answer;
use elsewhere::Trial;

/// A class of Table 1 with what is known of its scopes.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// Its suite.
    pub suite: String,
    /// The scopes by k; without time and memory where they were not run.
    pub scopes: Vec<CountedScope>,
    /// The growth that it shares with others: a number.
    pub growth: usize,
}

/// The output of `beget estimate`, as in the file `estimate.json`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Printed {
    /// Of rows that were not run.
    pub beyond: Vec<Answer>,
    /// Of suites that are not in Table 1.
    pub elsewhere: Vec<Trial>,
}

/// A row with what is said of it by the rows before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its scope, and the truth.
    pub truth: CountedScope,
    /// By how much its k exceeds the last one before it.
    pub steps: u32,
    /// How many rows before it have structures.
    pub n_known: usize,
    /// The estimate. `None`: there is too little to go on.
    pub estimate: Option<ScopeEstimate>,
}

/// Of how many bars some hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Those that hold.
    pub hold: usize,
    /// All.
    pub all: usize,
}

/// Why a text is not `table1.csv`.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CsvError {
    /// A column is missing.
    #[error("there is no column {0:?}")]
    NoColumn(&'static str),
    /// A line has no number where there should be one.
    #[error("line {line}: no number in column {column:?}")]
    NoNumber {
        /// The line, from 1.
        line: usize,
        /// The column.
        column: &'static str,
    },
}

impl Coverage {
    /// Counts truths that lie in their range, and all.
    pub fn of(bars: impl IntoIterator<Item = (ErrorBar, f64)>) -> Coverage {
        bars.into_iter().fold(Coverage::default(), |sum, (range, truth)| Coverage {
            hold: sum.hold + usize::from(range.contains(truth)),
            all: sum.all + 1,
        })
    }

    fn plus(self, other: Coverage) -> Coverage {
        Coverage { hold: self.hold + other.hold, all: self.all + other.all }
    }
}

/// Reads `table1.csv`, as the binary `table1` writes it. Counts that were not measured are the
/// published ones.
///
/// # Errors
/// If a column or a number is missing.
pub fn classes(csv: &str) -> Result<Vec<Class>, CsvError> {
    let mut lines = csv.lines().enumerate();
    let names: Vec<&str> =
        lines.next().map_or_else(Vec::new, |(_, head)| head.split(',').collect());
    let mut classes: Vec<Class> = Vec::new();
    for (at, line) in lines {
        let cells = cells(line);
        let line = CsvLine { number: at + 1, names: &names, cells: &cells };
        let suite = line.text("suite")?;
        if classes.last().is_none_or(|class| class.suite != suite) {
            let growth = classes.len();
            classes.push(Class { suite: suite.to_owned(), scopes: Vec::new(), growth });
        }
        let scopes = &mut classes.last_mut().expect("it was pushed").scopes;
        scopes.push(line.scope()?);
    }
    share_growths(&mut classes);
    Ok(classes)
}

/// The cells of a line, those in quotes without them. Nothing that is read here has quotes inside.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            _ => cells.last_mut().expect("there is one").push(letter),
        }
    }
    cells
}

struct CsvLine<'l> {
    number: usize,
    names: &'l [&'l str],
    cells: &'l [String],
}

impl CsvLine<'_> {
    fn text(&self, column: &'static str) -> Result<&str, CsvError> {
        let at = self.names.iter().position(|name| *name == column);
        let at = at.ok_or(CsvError::NoColumn(column))?;
        Ok(self.cells.get(at).map_or("", String::as_str))
    }

    /// The first of these columns that is not empty.
    fn number(&self, columns: &[&'static str]) -> Result<f64, CsvError> {
        for column in columns {
            let text = self.text(column)?;
            if !text.is_empty() {
                let wrong = |_| CsvError::NoNumber { line: self.number, column };
                return text.parse().map_err(wrong);
            }
        }
        Ok(0.0)
    }

    fn scope(&self) -> Result<CountedScope, CsvError> {
        let generated = self.number(&["generated", "published_generated"])? as u64;
        Ok(CountedScope {
            k: self.number(&["k"])? as u32,
            generated,
            stored: generated,
            explored: self.number(&["explored", "published_explored"])? as u64,
            cpu_seconds: self.number(&["cpu_seconds"])?,
            store_bytes: self.number(&["store_bytes"])? as u64,
        })
    }
}

/// Classes that have the same counts wherever both have some are one growth.
fn share_growths(classes: &mut [Class]) {
    for at in 1..classes.len() {
        let (before, rest) = classes.split_at_mut(at);
        let class = &mut rest[0];
        if let Some(like) = before.iter().find(|other| grow_alike(other, class)) {
            class.growth = like.growth;
        }
    }
}

fn grow_alike(one: &Class, other: &Class) -> bool {
    let of = |k: u32| other.scopes.iter().find(|scope| scope.k == k);
    let mut common = one.scopes.iter().filter_map(|scope| Some((scope, of(scope.k)?))).peekable();
    let counts = |scope: &CountedScope| (scope.generated, scope.explored);
    common.peek().is_some() && common.all(|(one, other)| counts(one) == counts(other))
}

impl Class {
    /// Its rows, each estimated from those before it.
    pub fn rows(&self) -> Vec<Row> {
        let row = |(at, truth): (usize, &CountedScope)| {
            let before = &self.scopes[..at];
            Row {
                truth: *truth,
                steps: truth.k - before.last().map_or(0, |last| last.k),
                n_known: before.iter().filter(|scope| scope.generated > 0).count(),
                estimate: ScopeEstimate::of(before, truth.k),
            }
        };
        self.scopes.iter().enumerate().map(row).collect()
    }

    /// All rows estimated from so many of the first rows, not only from all before: with how many
    /// steps of k there are between, and how many rows they are estimated from.
    fn farther(&self, count: fn(&CountedScope) -> u64) -> Vec<Farther> {
        let mut all = Vec::new();
        for n in 1..self.scopes.len() {
            let known = &self.scopes[..n];
            let growth = CountGrowth::of(known.iter().map(|scope| (scope.k, count(scope))));
            for truth in &self.scopes[n..] {
                let (steps, truth_count) = (truth.k - known[n - 1].k, count(truth) as f64);
                let ranges = growth.at(truth.k).zip(growth.factor_for(truth.k, truth_count));
                all.extend(ranges.map(|(range, factor)| Farther {
                    steps,
                    n_known: growth.n_counts(),
                    range,
                    truth: truth_count,
                    factor,
                }));
            }
        }
        all
    }
}

/// A row that was estimated from some rows with a smaller k.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Farther {
    steps: u32,
    n_known: usize,
    range: ErrorBar,
    truth: f64,
    /// The factor at which the bar just holds.
    factor: f64,
}

impl Row {
    /// The estimate of a count, if there is one.
    fn bar(&self, of: fn(&ScopeEstimate) -> ErrorBar) -> Option<ErrorBar> {
        self.estimate.as_ref().map(of)
    }
}

/// What is counted, by name: how it is estimated, and what it is.
type Counted = (&'static str, fn(&ScopeEstimate) -> ErrorBar, fn(&CountedScope) -> u64);

/// What bars there are on counts.
const COUNTS: [Counted; 2] = [
    ("structures", |one| one.structures, |scope| scope.generated),
    ("calls", |one| one.calls, |scope| scope.explored),
];

/// One class for each growth: that with the most scopes, of equal ones the first.
fn distinct(classes: &[Class]) -> Vec<&Class> {
    let mut by_growth: BTreeMap<usize, &Class> = BTreeMap::new();
    for class in classes {
        let known = by_growth.entry(class.growth).or_insert(class);
        if class.scopes.len() > known.scopes.len() {
            *known = class;
        }
    }
    by_growth.into_values().collect()
}

/// How many bars hold of each growth if their factor is chosen without it: next rows only.
fn left_out(classes: &[Class], count: fn(&CountedScope) -> u64) -> Coverage {
    let classes = distinct(classes);
    let mut sum = Coverage::default();
    for left_out in &classes {
        let others = classes.iter().filter(|class| class.growth != left_out.growth);
        let factor = factor_that_holds(
            others.flat_map(|class| class.next(count)).map(|one| one.factor).collect(),
        );
        let next = left_out.next(count);
        let hold = next.iter().filter(|one| one.factor <= factor).count();
        sum = sum.plus(Coverage { hold, all: next.len() });
    }
    sum
}

impl Class {
    /// As [`Class::farther`], of rows that are estimated from all before them.
    fn next(&self, count: fn(&CountedScope) -> u64) -> Vec<Farther> {
        let estimates = |at: usize| {
            let known = self.scopes[..at].iter().map(|scope| (scope.k, count(scope)));
            let growth = CountGrowth::of(known);
            let (truth, steps) = (&self.scopes[at], self.scopes[at].k - self.scopes[at - 1].k);
            let truth_count = count(truth) as f64;
            let (range, factor) =
                growth.at(truth.k).zip(growth.factor_for(truth.k, truth_count))?;
            Some(Farther { steps, n_known: growth.n_counts(), range, truth: truth_count, factor })
        };
        (1..self.scopes.len()).filter_map(estimates).collect()
    }
}

/// The least factor at which as many bars hold as are to.
fn factor_that_holds(mut factors: Vec<f64>) -> f64 {
    factors.sort_by(f64::total_cmp);
    let at = (CONFIDENCE * factors.len() as f64).ceil() as usize;
    factors.get(at.saturating_sub(1)).copied().unwrap_or(FACTOR)
}
