//! The data file: what is published about each class and scope.

use serde::Deserialize;
use thiserror::Error;

/// The data file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The classes, in the order of the table. Invariant after parsing: each has another suite.
    pub subjects: Vec<Subject>,
}

/// A class and its scopes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// The benchmark that it is from.
    pub benchmark: String,
    /// Its suite.
    pub suite: String,
    /// Path of its scope file, from the root of the repository.
    pub scope: String,
    /// The class, as published.
    pub class: String,
    /// Calls of constructors that are repeated in each round.
    pub constructors: Constructors,
    /// What holds for all of its rows.
    #[serde(default)]
    pub note: Option<String>,
    /// Its scopes. Invariant after parsing: at least one, by increasing `k`.
    pub rows: Vec<Row>,
}

/// How many calls of constructors the published tool makes in each round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Constructors {
    /// One constructor without parameters.
    One,
    /// One constructor with an integer, which is called with each literal.
    EachLiteral,
}

/// One scope of a class.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The scope.
    pub k: u32,
    /// Structures that the API builds.
    #[serde(default)]
    pub generated: Option<u64>,
    /// Calls, in the published way of counting.
    #[serde(default)]
    pub explored: Option<u64>,
    /// Where these two come from.
    pub mark: Mark,
    /// What is printed about BEAPI.
    #[serde(default)]
    pub beapi: Beapi,
    /// What is printed about Korat.
    #[serde(default)]
    pub korat: Korat,
    /// What holds for this row only; misprints, for instance.
    #[serde(default)]
    pub note: Option<String>,
}

/// Where the counts of the API come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Mark {
    /// Printed in the table for this class.
    Printed,
    /// Printed, and an independent enumeration or a closed form gave the same.
    PrintedAndVerified,
    /// Not printed; an independent enumeration gave them.
    Verified,
    /// Not printed and never enumerated: from a closed form or another count, or not known.
    Inferred,
}

/// What the table says about BEAPI at a scope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
pub enum Beapi {
    /// The scope is not in the table.
    #[default]
    NotListed,
    /// It ended within the limit of 60 minutes.
    Finished {
        /// The time printed.
        published_seconds: Option<f64>,
    },
    /// It did not.
    TimedOut,
    /// Only Korat's result is known.
    NoResult,
}

/// What the table says about Korat at a scope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
pub enum Korat {
    /// The scope is not in the table.
    #[default]
    NotListed,
    /// It ended within the limit of 60 minutes.
    Finished {
        /// Structures that the repOK admits.
        generated: u64,
        /// Candidates.
        explored: u64,
        /// The time printed.
        published_seconds: Option<f64>,
    },
    /// It did not.
    TimedOut,
    /// Only BEAPI's result is known.
    NoResult,
}

/// Why a text is not a data file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// The text is not RON, or not of the form of a [`Table`].
    #[error("the table does not parse: {0}")]
    Syntax(#[from] Box<ron::error::SpannedError>),
    /// A class stands twice.
    #[error("suite {0:?} stands twice; put its rows together")]
    Twice(String),
    /// The rows of a class are missing or not in order.
    #[error("suite {0:?} needs rows by increasing k, at least one")]
    Order(String),
}

impl Table {
    /// Reads a data file.
    ///
    /// # Errors
    /// If the text does not parse, names a suite twice, or has rows out of order.
    pub fn parse(text: &str) -> Result<Self, TableError> {
        let options = ron::Options::default()
            .with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
        let table: Self = options.from_str(text).map_err(Box::new)?;
        for (at, subject) in table.subjects.iter().enumerate() {
            if table.subjects[..at].iter().any(|before| before.suite == subject.suite) {
                return Err(TableError::Twice(subject.suite.clone()));
            }
            if subject.rows.is_empty() || !subject.rows.is_sorted_by(|a, b| a.k < b.k) {
                return Err(TableError::Order(subject.suite.clone()));
            }
        }
        Ok(table)
    }

    /// All rows, each with its class.
    pub fn rows(&self) -> impl Iterator<Item = (&Subject, &Row)> {
        let of = |subject| std::iter::repeat(subject);
        self.subjects.iter().flat_map(move |subject| of(subject).zip(&subject.rows))
    }

    /// All rows, those that may need the fewest calls first.
    #[must_use]
    pub fn rows_by_calls(&self) -> Vec<(&Subject, &Row)> {
        let calls =
            |subject: &Subject, row: &Row| subject.likely_explored(row.k).unwrap_or(f64::MAX);
        let mut rows: Vec<_> = self.rows().collect();
        rows.sort_by(|a, b| calls(a.0, a.1).total_cmp(&calls(b.0, b.1)));
        rows
    }
}

impl Constructors {
    /// The calls in a round at scope `k`.
    #[must_use]
    pub fn n_calls(self, k: u32) -> u64 {
        match self {
            Self::One => 1,
            Self::EachLiteral => u64::from(k),
        }
    }
}

impl Subject {
    /// The calls published for scope `k`, or what they are if they go on growing by the last known
    /// factor.
    #[must_use]
    pub fn likely_explored(&self, k: u32) -> Option<f64> {
        likely(self.rows.iter().map(|row| (row.k, row.explored)), k)
    }

    /// As [`Subject::likely_explored`], of structures.
    #[must_use]
    pub fn likely_generated(&self, k: u32) -> Option<f64> {
        likely(self.rows.iter().map(|row| (row.k, row.generated)), k)
    }
}

/// The count at `k`, or what the last two known below it grow to by the same factor for each unit
/// of k.
fn likely(counts: impl Iterator<Item = (u32, Option<u64>)>, k: u32) -> Option<f64> {
    let known: Vec<(u32, f64)> = counts
        .filter(|&(at, _)| at <= k)
        .filter_map(|(at, count)| Some((at, count? as f64)))
        .collect();
    match *known.as_slice() {
        [.., (at, count)] if at == k => Some(count),
        [.., (before, smaller), (at, count)] if smaller > 0.0 => {
            let factor = (count / smaller).powf(1.0 / f64::from(at - before));
            Some(count * factor.powf(f64::from(k - at)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_counts_grow_by_the_last_known_factor() {
        let counts = [(1, Some(7)), (2, Some(10)), (4, Some(40)), (7, None)];
        assert_eq!(likely(counts.into_iter(), 2), Some(10.0));
        assert_eq!(likely(counts.into_iter(), 7), Some(320.0));
        assert_eq!(likely(counts.into_iter(), 0), None);
        assert_eq!(likely([(1, Some(0)), (2, Some(4)), (3, None)].into_iter(), 3), None);
    }

    fn subject(suite: &str, ks: &[u32]) -> String {
        let rows: Vec<String> = ks.iter().map(|k| format!("(k: {k}, mark: Inferred)")).collect();
        format!(
            r#"(benchmark: "B", suite: "{suite}", scope: "s", class: "C", constructors: One, rows: [{}])"#,
            rows.join(", ")
        )
    }

    fn parse(subjects: &[String]) -> Result<Table, TableError> {
        Table::parse(&format!("(subjects: [{}])", subjects.join(", ")))
    }

    #[test]
    fn suites_stand_once_and_rows_in_order() {
        assert!(parse(&[subject("a", &[1, 2]), subject("b", &[1])]).is_ok());
        let twice = parse(&[subject("a", &[1]), subject("a", &[2])]);
        assert!(matches!(twice, Err(TableError::Twice(suite)) if suite == "a"));
        for ks in [&[][..], &[2, 1], &[1, 1]] {
            assert!(matches!(parse(&[subject("a", ks)]), Err(TableError::Order(_))), "{ks:?}");
        }
        assert!(matches!(Table::parse("(subject: [])"), Err(TableError::Syntax(_))));
    }
}
