//! The result of a check: a run of calls, and what oracles say of its structures.

use beget_engine::Corpus;
use beget_engine::store::{Store, StructureId};
use beget_oracle::ContractTally;
use beget_plan::finding::{Finding, StopReason};

/// A run of a plan, and the results of contracts and repOKs for its structures.
#[derive(Debug)]
pub struct CheckRun<S = Box<dyn Store>> {
    /// The structures, and the results of the calls.
    pub corpus: Corpus<S>,
    /// The number of structures of the main type on which the repOKs ran.
    pub checked: u64,
    /// The repOKs.
    pub rep_oks: Vec<RepOkTally>,
    /// For each repOK and clause the first rejected structure, whose recipe is as short as any of
    /// these; shortest first.
    pub rejections: Vec<Rejection>,
    /// The contracts that apply.
    pub contracts: Vec<ContractTally>,
    /// The broken contracts, each once for a type, with a shortest witness.
    pub breaches: Vec<Finding>,
    /// The reason for the end: while calls were made or while structures were checked.
    pub stop_reason: StopReason,
}

/// The result of one repOK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepOkTally {
    /// Its name.
    pub name: &'static str,
    /// The number of structures it rejects.
    pub rejected: u64,
}

/// A structure that represents those that a clause of a repOK rejects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The repOK.
    pub rep_ok: &'static str,
    /// The clause, or the end of the repOK if it gave no answer.
    pub clause: String,
    /// The structure's number.
    pub id: StructureId,
    /// Calls of its recipe.
    pub calls: u32,
    /// The problem, with the structure as its witness.
    pub finding: Finding,
}

impl<S: Store> CheckRun<S> {
    /// A run of calls without any checks.
    pub fn of_calls(corpus: Corpus<S>) -> Self {
        CheckRun {
            stop_reason: corpus.report.stop_reason,
            corpus,
            checked: 0,
            rep_oks: Vec::new(),
            rejections: Vec::new(),
            contracts: Vec::new(),
            breaches: Vec::new(),
        }
    }

    /// Returns whether a call failed, a contract is broken, or a repOK rejects a structure.
    pub fn has_findings(&self) -> bool {
        self.findings().next().is_some()
    }

    /// The findings of the calls, then those of the contracts, then those of the repOKs.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        let of_rep_oks = self.rejections.iter().map(|rejection| &rejection.finding);
        self.corpus.report.findings.iter().chain(&self.breaches).chain(of_rep_oks)
    }
}
