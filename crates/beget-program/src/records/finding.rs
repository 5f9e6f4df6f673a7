//! Findings of every command, in one shape.

use std::collections::BTreeSet;

use beget_plan::finding::{Finding, Kind};
use beget_plan::scope::Plan;
use beget_run::FilmMaker;
use beget_suite::{MethodIdx, Sequence, Suite};
use serde::{Deserialize, Serialize};

use crate::records::StepRecord;

/// A problem of the code under test, with the calls that show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingRecord {
    /// The kind of problem: `panic`, `repok`, `nondeterministic`, ...
    #[serde(with = "kind_name")]
    pub kind: Kind,
    /// The contract or clause that does not hold, if any.
    pub name: Option<String>,
    /// The method that was called last; `None` if no call shows it.
    pub method: Option<String>,
    /// The message.
    pub message: String,
    /// The place in the source, as `file:line:column`, if it is known.
    pub place: Option<String>,
    /// The number of cases that this finding stands for.
    pub witnesses: u64,
    /// The calls that show it, as Rust statements; none if no call does.
    pub recipe: Vec<String>,
    /// The structures before the last call if an invariant rejects its result, one line per object.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// The structures after the last call, one line per object.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
    /// The changes of the last call, one line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// The methods in the recipe, each once, in suite order.
    pub methods: Vec<String>,
    /// The number of calls in the recipe.
    pub calls: usize,
    /// The calls, each with what it left.
    #[serde(default)]
    pub steps: Vec<StepRecord>,
    /// The reason why steps lack a heap, if some do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps_note: Option<String>,
    /// The number of the first witness among the explored candidates, from 1, if no call shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<u64>,
    /// The first witness, one line per object, if no call shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate: Option<Vec<String>>,
}

impl FindingRecord {
    /// The records of findings of a run of `plan`. The calls of each are repeated, to record what
    /// they leave.
    pub fn all<'f>(plan: &Plan, findings: impl IntoIterator<Item = &'f Finding>) -> Vec<Self> {
        let mut films = FilmMaker::new(plan);
        let record = |finding| {
            let film = films.film(finding);
            FindingRecord {
                after: film.after(),
                changed: film.changed(),
                steps_note: film.gap.map(|gap| gap.to_string()),
                steps: film.steps.iter().map(StepRecord::of).collect(),
                ..FindingRecord::of(&plan.suite, finding)
            }
        };
        findings.into_iter().map(record).collect()
    }

    /// The record of `finding`, whose recipe calls methods of `suite`, without steps.
    pub fn of(suite: &Suite, finding: &Finding) -> Self {
        let (problem, witness) = (&finding.problem, &finding.witness);
        let calls = witness.calls(suite);
        let calls = calls.as_deref();
        let source = calls.map(|calls| calls.to_source(suite).0).unwrap_or_default();
        let last = calls.and_then(|calls| calls.statements.last());
        let method = last.map(|last| suite.method(last.method).name.to_owned());
        let candidate = witness.candidate.as_ref();
        FindingRecord {
            kind: problem.kind.clone(),
            name: problem.name.clone(),
            method,
            message: problem.to_string(),
            place: problem.place.clone(),
            witnesses: finding.count,
            recipe: source.lines().map(str::to_owned).collect(),
            before: witness.text_before().lines().map(str::to_owned).collect(),
            methods: calls.map(|calls| methods_in(suite, calls)).unwrap_or_default(),
            calls: calls.map_or(0, |calls| calls.statements.len()),
            after: Vec::new(),
            changed: Vec::new(),
            steps: Vec::new(),
            steps_note: None,
            first: candidate.and(witness.number),
            candidate: candidate.map(|text| text.lines().map(str::to_owned).collect()),
        }
    }
}

/// A kind in files: its name.
mod kind_name {
    use beget_plan::finding::Kind;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(kind: &Kind, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(kind.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Kind, D::Error> {
        String::deserialize(deserializer).map(Kind::new)
    }
}

/// The methods that a sequence calls, each once, in suite order.
fn methods_in(suite: &Suite, calls: &Sequence) -> Vec<String> {
    let called: BTreeSet<MethodIdx> = calls.statements.iter().map(|call| call.method).collect();
    let used = suite.method_idxs().filter(|idx| called.contains(idx));
    used.map(|idx| suite.method(idx).name.to_owned()).collect()
}
