//! A run whose tests were written.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::records::{Summary, TextSummary};

/// The written tests, the JSON of `--summary json`: the fields of the run's summary and these.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EmitSummary {
    /// The run.
    #[serde(flatten)]
    pub summary: Summary,
    /// Tests in the file.
    pub tests: usize,
    /// Of these, the tests of failures.
    pub failure_tests: usize,
    /// The structures without test or assertion, with reasons.
    pub left_out: Vec<String>,
}

/// Displays the result as text: the tests, then the run.
#[derive(Clone, Copy, Debug)]
pub struct EmitText<'s> {
    /// The written tests.
    pub emitted: &'s EmitSummary,
    /// The run.
    pub run: TextSummary<'s>,
}

impl fmt::Display for EmitText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EmitSummary { tests, failure_tests, .. } = self.emitted;
        let n_structures = tests - failure_tests;
        writeln!(
            f,
            "tests       {tests} = {n_structures} of structures + {failure_tests} of failures"
        )?;
        write!(f, "{}", self.run)
    }
}
