//! A run, and what the repOKs say of its structures.

use std::fmt;

use beget_engine::store::StoreError;
use beget_finding::{Finding, Kind};
use beget_run::{CheckRun, Rejection};
use beget_suite::Suite;
use serde::{Deserialize, Serialize};

use crate::{FindingRecord, Header, Summary, TextSummary, Verbosity, WitnessRecord};

/// The result of a check. Serialized to JSON it is what `--summary json` prints: the fields of the
/// run's summary and these.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckSummary {
    /// The run.
    #[serde(flatten)]
    pub summary: Summary,
    /// Structures of the main type that the repOKs were asked about.
    pub checked: u64,
    /// The repOKs.
    pub repoks: Vec<CheckedRepok>,
    /// For each repOK and clause, the first structure that is rejected by it: one with the shortest
    /// recipe of those. Shortest first.
    pub witnesses: Vec<RejectionRecord>,
}

/// What one repOK says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedRepok {
    /// Its name.
    pub name: String,
    /// How many structures it rejects.
    pub rejected: u64,
}

/// A structure that stands for those that a clause of a repOK rejects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RejectionRecord {
    /// The repOK.
    pub repok: String,
    /// The structure's number.
    pub id: u32,
    /// Calls of its recipe.
    pub calls: u32,
    /// The structure.
    #[serde(flatten)]
    pub witness: WitnessRecord,
}

impl CheckSummary {
    /// What a check came to, without measures.
    ///
    /// # Errors
    /// If the store cannot read what a finding is about.
    pub fn of(run: &CheckRun) -> Result<CheckSummary, StoreError> {
        let suite = &run.corpus.plan.suite;
        let summary = Summary {
            header: Header::new(&run.corpus.plan, run.stop_reason),
            findings: run.findings().map(|finding| FindingRecord::of(suite, finding)).collect(),
            ..Summary::of(&run.corpus)?
        };
        let repoks = run
            .rep_oks
            .iter()
            .map(|rep_ok| CheckedRepok { name: rep_ok.name.to_owned(), rejected: rep_ok.rejected });
        let witnesses = run.rejections.iter();
        Ok(CheckSummary {
            summary,
            checked: run.checked,
            repoks: repoks.collect(),
            witnesses: witnesses.filter_map(|one| RejectionRecord::of(suite, one)).collect(),
        })
    }

    /// The findings of the calls; those of the repOKs come after them.
    pub fn failures(&self) -> &[FindingRecord] {
        let findings = &self.summary.findings;
        let is_of_rep_ok = |finding: &FindingRecord| finding.kind == Kind::REPOK.name();
        let end = findings.iter().position(is_of_rep_ok);
        &findings[..end.unwrap_or(findings.len())]
    }

    /// Whether a call failed or a repOK rejects a structure.
    pub fn has_findings(&self) -> bool {
        self.summary.has_findings() || self.repoks.iter().any(|repok| repok.rejected > 0)
    }
}

impl RejectionRecord {
    /// `None` if the structure could not be reconstructed, because the subject is not
    /// deterministic.
    fn of(suite: &Suite, rejection: &Rejection) -> Option<Self> {
        let Finding { count, witness, .. } = &rejection.finding;
        witness.heap.as_ref()?;
        let clause = Some(rejection.clause.as_str());
        Some(RejectionRecord {
            repok: rejection.rep_ok.to_owned(),
            id: rejection.id.0,
            calls: rejection.calls,
            witness: WitnessRecord::of(suite, clause, *count, witness),
        })
    }
}

/// Displays a check as text: what was rejected, then the run.
#[derive(Clone, Copy, Debug)]
pub struct CheckText<'s> {
    /// The check.
    pub check: &'s CheckSummary,
    /// Its run.
    pub run: TextSummary<'s>,
}

/// Rejections shown without `-v`.
const SHOWN: usize = 5;

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
            writeln!(f, "repOK       {name}: {rejected} of {} structures rejected", check.checked)?;
        }
        write!(f, "{}", self.run)
    }
}

impl fmt::Display for RejectionRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WitnessRecord { clause, count, text, recipe, .. } = &self.witness;
        let plural = if *count == 1 { "" } else { "s" };
        let clause = clause.as_deref().unwrap_or("no clause");
        writeln!(f, "rejected    by {}: {clause} ({count} structure{plural})", self.repok)?;
        let mut lines = recipe.iter().flatten().chain(text);
        lines.try_for_each(|line| writeln!(f, "    {line}"))
    }
}
