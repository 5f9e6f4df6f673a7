//! Sequences of a random run as observations of test cases.
//!
//! The record is a test case of the observations that Hypothesis publishes
//! (<https://hypothesis.readthedocs.io/en/latest/reference/integrations.html>), so programs such as
//! Tyche open it. `crates/beget-cli/schema/observation.schema.json` has the schema.

use std::collections::BTreeMap;

use beget_run::random::{CallVerdict, EndedSequence};
use beget_suite::Suite;
use serde::Serialize;

/// A sequence of calls as a test case.
#[derive(Clone, Debug, Serialize)]
pub struct ObservationRecord<'s> {
    /// Always `test_case`.
    #[serde(rename = "type")]
    pub ty: &'static str,
    /// The time at which the run began, in seconds since 1970.
    pub run_start: f64,
    /// The suite.
    pub property: &'s str,
    /// `passed`, `failed`, or `gave_up` for a sequence that broke a rule of use or left the scope.
    pub status: &'static str,
    /// The reason for any status but `passed`.
    pub status_reason: String,
    /// The calls as Rust source.
    pub representation: String,
    /// The calls one by one.
    pub arguments: CallList,
    /// The strategy and the seed.
    pub how_generated: &'s str,
    /// The numbers and the methods of the sequence.
    pub features: SequenceFeatures,
    /// Always null: marks in the code are not counted by sequence.
    pub coverage: Option<BTreeMap<String, Vec<u32>>>,
    /// Seconds by what they were spent on.
    pub timing: BTreeMap<&'static str, f64>,
    /// The number of the sequence.
    pub metadata: SequenceNumber,
}

/// The calls of a sequence, in order.
#[derive(Clone, Debug, Serialize)]
pub struct CallList {
    /// One text for each.
    pub calls: Vec<String>,
}

/// The features of a sequence.
#[derive(Clone, Debug, Serialize)]
pub struct SequenceFeatures {
    /// Calls, those of its beginning included.
    pub calls: usize,
    /// Calls that no earlier sequence had made.
    pub new_calls: u64,
    /// Structures that no earlier sequence had left.
    pub new_structures: u64,
    /// The method called last; empty without calls.
    pub last_method: &'static str,
}

/// The position of a sequence in its run.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SequenceNumber {
    /// The number, from 1.
    pub sequence: u64,
}

/// The facts about a run that all its observations share.
#[derive(Clone, Debug)]
pub struct ObservedRun {
    /// The suite.
    pub suite: Suite,
    /// The time at which the run began, in seconds since 1970.
    pub start: f64,
    /// The strategy and the seed.
    pub how_generated: String,
}

impl ObservedRun {
    /// The record of the sequence of that number, which took `seconds`.
    pub fn record<'s>(
        &'s self,
        number: u64,
        ended: &EndedSequence,
        seconds: f64,
    ) -> ObservationRecord<'s> {
        let calls = ended.calls.to_sources(&self.suite);
        let last = ended.calls.statements.last();
        let (status, status_reason) = status(ended);
        ObservationRecord {
            ty: "test_case",
            run_start: self.start,
            property: &self.suite.name,
            status,
            status_reason,
            representation: calls.join("\n"),
            features: SequenceFeatures {
                calls: calls.len(),
                new_calls: ended.n_new_calls,
                new_structures: ended.n_new_structures,
                last_method: last.map_or("", |last| self.suite.method(last.method).name),
            },
            arguments: CallList { calls },
            how_generated: &self.how_generated,
            coverage: None,
            timing: [("execute:calls", seconds)].into(),
            metadata: SequenceNumber { sequence: number },
        }
    }
}

fn status(ended: &EndedSequence) -> (&'static str, String) {
    let reason = match (&ended.problem, ended.cut_by) {
        (Some(problem), _) => problem.to_string(),
        (None, Some(CallVerdict::Misuse)) => "the last call broke a rule of use".to_owned(),
        (None, Some(CallVerdict::OutOfScope)) => "the last call left the scope".to_owned(),
        (None, Some(CallVerdict::Failure)) => {
            "the calls of an earlier sequence left something else when repeated".to_owned()
        }
        (None, _) => String::new(),
    };
    match ended.cut_by {
        Some(CallVerdict::Failure) => ("failed", reason),
        Some(CallVerdict::Misuse | CallVerdict::OutOfScope) => ("gave_up", reason),
        _ => ("passed", reason),
    }
}
