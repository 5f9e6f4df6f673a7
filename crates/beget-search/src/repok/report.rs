//! What a search leaves: its counters, why it stopped, what went wrong.

use beget_plan::finding::{Finding, StopReason};

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchReport {
    /// Candidates that the repOK accepts, isomorphic ones counted once.
    pub generated: u64,
    /// Candidates in all.
    pub explored: u64,
    /// Accepted candidates that no value can be: an object with two owners, a null where the type
    /// has none.
    pub unrepresentable: u64,
    /// A hash of all canonical forms in their order; 0 if none were written.
    pub digest: u64,
    /// Why the search ended.
    pub stop_reason: StopReason,
    /// The ways in which the repOK misbehaved, in the order in which they were met first.
    pub findings: Vec<Finding>,
}

impl SearchReport {
    /// Returns whether every candidate was explored, and the repOK answered each.
    pub fn is_complete(&self) -> bool {
        self.stop_reason.is_exhausted() && self.findings.is_empty()
    }
}
