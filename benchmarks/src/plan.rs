//! What to measure: a list of commands, read from RON.
//!
//! A plan knows nothing of the engines behind its commands. A row for another engine is one more
//! entry, provided the program prints its counters as JSON on standard output.

use serde::Deserialize;
use thiserror::Error;

/// Commands to run, each as often.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Heading of the table.
    pub title: String,
    /// How often each command runs. Invariant after parsing: at least 1.
    pub repeats: u32,
    /// The commands, in the order of the table.
    pub rows: Vec<Row>,
    /// Whose published times stand behind the rows of the same scope.
    #[serde(default)]
    pub published: Option<PublishedTimes>,
}

/// A subject of the table of published times.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedTimes {
    /// Path of the data file, see [`crate::table1::published`].
    pub table: String,
    /// The suite that stands for the subject there.
    pub suite: String,
}

/// One command, with what its output must say.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// First column of the table.
    pub name: String,
    /// Program and arguments. Invariant after parsing: not empty.
    pub command: Vec<String>,
    /// The scope of the run. Rows of the same scope are compared with the first of them.
    #[serde(default)]
    pub k: Option<u32>,
    /// Where the counters are in the JSON printed.
    #[serde(default)]
    pub counters: Counters,
    /// The counters without which a measurement is void.
    #[serde(default)]
    pub expect: Option<Counts>,
}

/// JSON pointers (RFC 6901) to the counters of a run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counters {
    /// Points to the number of structures generated.
    pub generated: String,
    /// Points to the number of calls explored.
    pub explored: String,
}

impl Default for Counters {
    fn default() -> Self {
        Self { generated: "/generated".to_owned(), explored: "/explored".to_owned() }
    }
}

/// The counters of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Structures generated.
    pub generated: u64,
    /// Calls explored.
    pub explored: u64,
}

/// Why a text is not a plan.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The text is not RON, or not of the form of a [`Plan`].
    #[error("the plan does not parse: {0}")]
    Syntax(#[from] Box<ron::error::SpannedError>),
    /// Nothing would run.
    #[error("the plan repeats its rows 0 times; ask for at least 1")]
    NoRepeats,
    /// A row has an empty command.
    #[error("row {0:?} has an empty command; give a program and its arguments")]
    NoCommand(String),
}

impl Plan {
    /// Reads a plan.
    ///
    /// # Errors
    /// If the text does not parse or would run nothing.
    pub fn parse(text: &str) -> Result<Self, PlanError> {
        let options = ron::Options::default()
            .with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
        let plan: Self = options.from_str(text).map_err(Box::new)?;
        if plan.repeats == 0 {
            return Err(PlanError::NoRepeats);
        }
        match plan.rows.iter().find(|row| row.command.is_empty()) {
            Some(row) => Err(PlanError::NoCommand(row.name.clone())),
            None => Ok(plan),
        }
    }
}

impl Row {
    /// The command with `{bin}` replaced, so that plans do not name a target directory.
    #[must_use]
    pub fn command_in(&self, bin_dir: &str) -> Vec<String> {
        self.command.iter().map(|word| word.replace("{bin}", bin_dir)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_without_counters_uses_the_names_of_the_rivals() {
        let text = r#"(title: "t", repeats: 2, rows: [(name: "a", command: ["{bin}/x", "-k", "3"],
            expect: (generated: 18, explored: 114))])"#;
        let plan = Plan::parse(text).expect("a plan");
        let row = &plan.rows[0];
        assert_eq!(row.counters, Counters::default());
        assert_eq!(row.expect, Some(Counts { generated: 18, explored: 114 }));
        assert_eq!(row.command_in("/b"), ["/b/x", "-k", "3"]);
    }

    #[test]
    fn plans_that_would_run_nothing_are_refused() {
        let no_repeats = Plan::parse(r#"(title: "t", repeats: 0, rows: [])"#);
        assert!(matches!(no_repeats, Err(PlanError::NoRepeats)));
        let no_command =
            Plan::parse(r#"(title: "t", repeats: 1, rows: [(name: "a", command: [])])"#);
        assert!(matches!(no_command, Err(PlanError::NoCommand(name)) if name == "a"));
    }

    #[test]
    fn unknown_fields_are_errors() {
        let plan = Plan::parse(r#"(title: "t", repeat: 3, repeats: 1, rows: [])"#);
        assert!(matches!(plan, Err(PlanError::Syntax(_))));
    }
}
