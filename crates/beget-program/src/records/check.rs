//! A run with the verdicts of contracts and repOKs on its structures.

use std::fmt;

use beget_engine::store::{Store, StoreError};
use beget_plan::finding::{Finding, Kind};
use beget_run::{CheckRun, ContractTally, Depth, Rejection};
use beget_suite::Suite;
use serde::{Deserialize, Serialize};

use crate::records::text::{grouped, write_section};
use crate::records::{FindingRecord, Header, Summary, TextSummary, Verbosity, WitnessRecord};

/// The result of a check, the JSON of `--summary json`: the fields of the run's summary and these.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckSummary {
    /// The run.
    #[serde(flatten)]
    pub summary: Summary,
    /// The structures of the main type that repOKs were checked on.
    pub checked: u64,
    /// The repOKs.
    pub repoks: Vec<CheckedRepok>,
    /// The contracts that apply.
    pub contracts: Vec<CheckedContract>,
    /// For each repOK and clause, the first structure that is rejected by it: one with the shortest
    /// recipe of those. Shortest first.
    pub witnesses: Vec<RejectionRecord>,
    /// The depth reached, if no k was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deepening: Option<DeepeningRecord>,
    /// The reasons why the run shows little, if its space is almost empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thin: Vec<String>,
    /// Warnings: mistakes more often than not, though they break no promise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The depth that a check at k = 1, 2, 3, ... reached.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeepeningRecord {
    /// The last k that was exhausted.
    pub reached: Option<u32>,
    /// The reason why there is no further one: `found`, `finite`, `refused`, or a stop reason.
    pub ended_by: String,
    /// The predicted seconds for the next k.
    pub next_estimate_seconds: Option<f64>,
    /// The time limit for all runs together, in seconds.
    pub budget_seconds: f64,
    /// The least k to exhaust.
    pub at_least: u32,
    /// The fields of a scope whose bounds are wider than those of the default scope, if any are.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub widened: String,
    /// The same in a sentence.
    pub message: String,
}

impl From<&Depth> for DeepeningRecord {
    fn from(depth: &Depth) -> Self {
        DeepeningRecord {
            reached: depth.reached,
            ended_by: depth.end_name().to_owned(),
            next_estimate_seconds: depth.next().and(depth.next_seconds),
            budget_seconds: depth.budget_seconds,
            at_least: depth.at_least,
            widened: depth.widened.to_string(),
            message: depth.to_string(),
        }
    }
}

/// The result of one repOK.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedRepok {
    /// Its name.
    pub name: String,
    /// The number of structures that it rejects.
    pub rejected: u64,
}

/// The result of one contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedContract {
    /// Its name.
    pub name: String,
    /// The number of structures, pairs or triples that it was checked on.
    pub asked: u64,
    /// The number of these that break it.
    pub broken: u64,
}

impl From<&ContractTally> for CheckedContract {
    fn from(&ContractTally { name, asked, broken }: &ContractTally) -> Self {
        CheckedContract { name: name.to_owned(), asked, broken }
    }
}

/// A structure that stands for those that a clause of a repOK rejects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RejectionRecord {
    /// The repOK.
    pub repok: String,
    /// The structure's number.
    pub id: u64,
    /// Calls of its recipe.
    pub calls: u32,
    /// The changes of the last call, one line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// The structure.
    #[serde(flatten)]
    pub witness: WitnessRecord,
}

impl CheckSummary {
    /// Makes the summary of a check, without measures.
    ///
    /// # Errors
    /// If the store cannot read the structure of a finding.
    pub fn of<S: Store>(run: &CheckRun<S>) -> Result<CheckSummary, StoreError> {
        let suite = &run.corpus.plan.suite;
        let findings = FindingRecord::all(&run.corpus.plan, run.findings());
        let changed: Vec<Vec<String>> = run
            .rejections
            .iter()
            .map(|one| {
                let at = run.findings().position(|finding| *finding == one.finding);
                at.map(|at| findings[at].changed.clone()).unwrap_or_default()
            })
            .collect();
        let summary = Summary {
            header: Header::new(&run.corpus.plan, run.stop_reason),
            ..Summary::with_findings(&run.corpus, findings)?
        };
        let repoks = run
            .rep_oks
            .iter()
            .map(|rep_ok| CheckedRepok { name: rep_ok.name.to_owned(), rejected: rep_ok.rejected });
        let witnesses = run.rejections.iter().zip(changed);
        Ok(CheckSummary {
            summary,
            checked: run.checked,
            repoks: repoks.collect(),
            contracts: run.contracts.iter().map(CheckedContract::from).collect(),
            witnesses: witnesses
                .filter_map(|(one, changed)| RejectionRecord::of(suite, one, changed))
                .collect(),
            deepening: None,
            thin: Vec::new(),
            warnings: Vec::new(),
        })
    }

    /// The findings of the calls and contracts; those of the repOKs come after them.
    pub fn failures(&self) -> &[FindingRecord] {
        let findings = &self.summary.findings;
        let is_of_rep_ok = |finding: &FindingRecord| finding.kind == Kind::RepOk;
        let end = findings.iter().position(is_of_rep_ok);
        &findings[..end.unwrap_or(findings.len())]
    }

    /// Returns whether a call failed, a contract is broken, or a repOK rejects a structure.
    pub fn has_findings(&self) -> bool {
        self.summary.has_findings()
            || self.contracts.iter().any(|contract| contract.broken > 0)
            || self.repoks.iter().any(|repok| repok.rejected > 0)
    }

    /// The number of contracts that hold and the names of the others, in one line; verbosely one
    /// line for each.
    fn write_contracts(&self, f: &mut fmt::Formatter<'_>, all: bool) -> fmt::Result {
        let asked = || self.contracts.iter().filter(|contract| contract.asked > 0);
        let broken: Vec<_> = asked().filter(|contract| contract.broken > 0).collect();
        match asked().count() - broken.len() {
            _ if self.contracts.is_empty() => return Ok(()),
            1 => write!(f, "contracts   1 holds")?,
            n => write!(f, "contracts   {n} hold")?,
        }
        if !broken.is_empty() {
            let broken = broken.iter().map(|contract| contract.name.as_str());
            let broken: Vec<_> = broken.collect();
            write!(f, ", {} broken: {}", broken.len(), broken.join(", "))?;
        }
        writeln!(f)?;
        for CheckedContract { name, asked, broken } in self.contracts.iter().filter(|_| all) {
            writeln!(f, "            {name}: asked {asked} times, broken {broken} times")?;
        }
        Ok(())
    }
}

impl RejectionRecord {
    /// `None` if the structure could not be reconstructed, because the subject is not
    /// deterministic.
    fn of(suite: &Suite, rejection: &Rejection, changed: Vec<String>) -> Option<Self> {
        let Finding { count, witness, .. } = &rejection.finding;
        witness.heap.as_ref()?;
        let clause = Some(rejection.clause.as_str());
        Some(RejectionRecord {
            repok: rejection.rep_ok.to_owned(),
            id: rejection.id.number(),
            calls: rejection.calls,
            changed,
            witness: WitnessRecord::of(suite, clause, *count, witness),
        })
    }
}

/// Displays a check as text: the rejections, then the run.
#[derive(Clone, Copy, Debug)]
pub struct CheckText<'s> {
    /// The check.
    pub check: &'s CheckSummary,
    /// Its run.
    pub run: TextSummary<'s>,
}

/// Rejections shown without `-v`.
const SHOWN: usize = 5;

/// The verdict of a check without findings.
const NO_FAILURE: &str = "no failure found";

impl fmt::Display for CheckText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let check = self.check;
        let all = self.run.verbosity == Verbosity::Verbose;
        let shown = if all { check.witnesses.len() } else { SHOWN };
        check.witnesses.iter().take(shown).try_for_each(|witness| write!(f, "{witness}"))?;
        match check.witnesses.len().saturating_sub(shown) {
            0 => {}
            more => writeln!(f, "            {more} more witnesses with -v or --summary json")?,
        }
        for CheckedRepok { name, rejected } in &check.repoks {
            let (rejected, checked) = (grouped(*rejected), grouped(check.checked));
            writeln!(f, "repOK       {name}: {rejected} of {checked} structures rejected")?;
        }
        check.write_contracts(f, all)?;
        if let Some(deepening) = &check.deepening {
            writeln!(f, "deepened    {}", deepening.message)?;
        }
        let verdict = (!check.has_findings()).then_some(NO_FAILURE);
        write!(f, "{}", TextSummary { verdict, ..self.run })
    }
}

impl fmt::Display for RejectionRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WitnessRecord { clause, count, text, recipe, .. } = &self.witness;
        let plural = if *count == 1 { "" } else { "s" };
        let clause = clause.as_deref().unwrap_or("no clause");
        writeln!(f, "rejected    by {}: {clause} ({count} structure{plural})", self.repok)?;
        let mut lines = recipe.iter().flatten().chain(text);
        lines.try_for_each(|line| writeln!(f, "    {line}"))?;
        write_section(f, "changed by the last call", &self.changed)
    }
}
