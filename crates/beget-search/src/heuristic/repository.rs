//! The history of a suite's methods: successful calls, failures and repairs of earlier runs. A RON
//! file.
//!
//! It belongs to a suite: its fingerprint covers the methods' names and signatures and the types,
//! so a file is rejected once they have changed.

use std::collections::BTreeMap;

use beget_plan::scope::{Plan, PlannedIdx, SuiteFileError, SuiteFileFormat, suite_fingerprint};
use beget_run::random::{CallStep, with_literals};
use beget_suite::{Pools, Sequence, Suite};
use serde::{Deserialize, Serialize};

use crate::heuristic::literals::literal_of_source;
use crate::heuristic::panics::PanicFamily;
use crate::heuristic::report::{CallReport, FailedCall, MethodReport};
use crate::heuristic::source_literals::literals_of;
use crate::sequence_data::{OperandData, SequenceData};
use crate::suite_file::{SuiteFile, check_suite_file, read_suite_file, write_suite_file};

/// The most successful calls, failures and repairs kept of one method.
const MOST_KEPT: usize = 8;

/// The history of a suite's methods.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Calls", deny_unknown_fields)]
pub struct Repository {
    version: u32,
    suite: String,
    fingerprint: String,
    methods: BTreeMap<String, MethodHistory>,
}

/// The history of a method.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MethodHistory {
    /// Sequences whose last call succeeded, the oldest first.
    pub successes: Vec<SequenceData>,
    /// Causes of failure.
    pub failures: Vec<FailureRecord>,
    /// Repairs that made a call succeed.
    pub repairs: Vec<RepairRecord>,
}

/// A cause of failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailureRecord {
    /// The family of the panic; `None` without a panic.
    pub family: Option<PanicFamily>,
    /// The message, or another problem.
    pub cause: String,
    /// The literals of the call, as source.
    pub literals: Vec<String>,
}

/// A repair that made a call succeed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepairRecord {
    /// The family of the panic; `None` without a panic.
    pub family: Option<PanicFamily>,
    /// The changed part: `message` (arguments, by the numbers of the message), `arguments`,
    /// `state`.
    pub by: String,
}

impl SuiteFile for Repository {
    const FORMAT: &'static SuiteFileFormat = &SuiteFileFormat {
        name: "Calls",
        version: 1,
        noun: "repository of calls",
        nouns: "repositories",
        contents: "these calls are",
        origin: "these calls were made",
        remedy: "name another file, and `beget call` will make them again",
    };

    fn suite(&self) -> &str {
        &self.suite
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }
}

impl Repository {
    /// The empty history of the methods of `suite`.
    pub fn new(suite: &Suite) -> Self {
        Repository {
            version: Self::FORMAT.version,
            suite: suite.name.clone(),
            fingerprint: suite_fingerprint(suite),
            methods: BTreeMap::new(),
        }
    }

    /// Reads a file's text, for the current `suite`.
    ///
    /// # Errors
    ///
    /// The first problem.
    pub fn from_ron(text: &str, suite: &Suite) -> Result<Self, SuiteFileError> {
        let repository: Repository = read_suite_file(text)?;
        check_suite_file(&repository, suite)?;
        Ok(repository)
    }

    /// The file's text.
    pub fn to_ron(&self) -> String {
        write_suite_file(self, "Written by `beget call`, which reads it with `--repository`.")
    }

    /// The history of each method, by name.
    pub fn methods(&self) -> &BTreeMap<String, MethodHistory> {
        &self.methods
    }

    /// Adds the results of a run.
    pub fn learn(&mut self, plan: &Plan, report: &CallReport) {
        for (idx, found) in plan.planned_idxs().zip(&report.methods) {
            if found.attempts > 0 {
                let name = plan.method_name(idx).to_owned();
                self.methods.entry(name).or_default().learn(&plan.suite, found);
            }
        }
    }

    /// The sequences whose last call is of a method and succeeded, if their literals are available.
    pub(crate) fn successes(&self, plan: &Plan, method: PlannedIdx) -> Vec<Vec<CallStep>> {
        let known = self.methods.get(plan.method_name(method));
        let sequences = known.map(|known| known.successes.as_slice()).unwrap_or_default();
        let steps = |data: &SequenceData| steps_of(plan, &data.to_sequence(&plan.suite).ok()?);
        sequences.iter().filter_map(steps).collect()
    }

    /// The plan with the literals of all successful calls in the domains of their methods, for runs
    /// that make every call, and the number of new ones. If the scope sets no ranges for the
    /// integers in structures, the ranges include the new ones.
    pub fn with_literals(&self, plan: Plan) -> (Plan, usize) {
        let count = |plan: &Plan| -> usize {
            plan.methods.iter().flat_map(|method| &method.domains).map(Vec::len).sum()
        };
        let before = count(&plan);
        let successes = plan.planned_idxs().flat_map(|method| self.successes(&plan, method));
        let known: Vec<CallStep> = successes.flatten().collect();
        let plan = with_literals(plan, &known).with(|draft| {
            let Some(derived) = &mut draft.derived_ints else { return };
            let sources = known.iter().flat_map(|step| &step.literals);
            let ints = sources.filter_map(|literal| literals_of(&literal.source).ok()?.ints);
            derived.beside.extend(ints.flatten());
        });
        let n_new = count(&plan) - before;
        (plan, n_new)
    }

    /// The literals of all successful calls, for other runs.
    pub fn literals(&self) -> Pools {
        let sequences = self.methods.values().flat_map(|known| &known.successes);
        let arguments = sequences.flat_map(|data| &data.statements).flat_map(|one| &one.arguments);
        let sources = arguments.filter_map(|argument| match argument {
            OperandData::Literal(source) => Some(source.as_str()),
            OperandData::Variable(_) => None,
        });
        // An unreadable source was written by hand; it is skipped.
        literals_of(&sources.collect::<Vec<_>>().join("\n")).unwrap_or_default()
    }
}

impl MethodHistory {
    fn learn(&mut self, suite: &Suite, found: &MethodReport) {
        for steps in found.sequences() {
            let statements = steps.iter().map(|step| step.statement.clone()).collect();
            let sequence = Sequence { statements, result: None };
            push_new(&mut self.successes, SequenceData::of(suite, &sequence));
        }
        for FailedCall { family, cause, literals, .. } in &found.failures {
            if self.failures.iter().all(|known| known.cause != *cause) {
                let (cause, literals) = (cause.clone(), literals.clone());
                push_new(&mut self.failures, FailureRecord { family: *family, cause, literals });
            }
        }
        if let Some(repair) = found.repair() {
            let by = repair.by.name().to_owned();
            push_new(&mut self.repairs, RepairRecord { family: repair.family, by });
        }
    }
}

fn push_new<T: PartialEq>(known: &mut Vec<T>, one: T) {
    if known.len() < MOST_KEPT && !known.contains(&one) {
        known.push(one);
    }
}

/// The steps of a sequence, with the values of its literals.
fn steps_of(plan: &Plan, sequence: &Sequence) -> Option<Vec<CallStep>> {
    let literal = |method, index: usize, source: &str| {
        let planned = plan.find_planned(method)?;
        let (_, domain) = plan.method(planned).literal_params().nth(index)?;
        literal_of_source(domain, &plan.planned(planned).domains[index], source)
    };
    let literals = sequence.literals(literal).ok()?;
    let steps = sequence.statements.iter().zip(literals);
    let step = |(statement, literals): (&beget_suite::Statement, _)| CallStep {
        statement: statement.clone(),
        literals,
    };
    Some(steps.map(step).collect())
}
