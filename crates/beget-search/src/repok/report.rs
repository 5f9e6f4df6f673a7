//! The result of a search: its counters, stop reason and findings.

use beget_plan::finding::{Finding, StopReason};

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchReport {
    /// Candidates that the repOK accepts, counted up to isomorphism.
    pub generated: u64,
    /// All candidates.
    pub explored: u64,
    /// Accepted candidates without a value: an object with two owners, a null where the type has
    /// none.
    pub unrepresentable: u64,
    /// A hash of all canonical forms in their order; 0 if none were written.
    pub digest: u64,
    /// The reason for the end.
    pub stop_reason: StopReason,
    /// The ways in which the repOK misbehaved, in the order of occurrence.
    pub findings: Vec<Finding>,
}

impl SearchReport {
    /// Returns whether every candidate was explored, and the repOK answered for each.
    pub fn is_complete(&self) -> bool {
        self.stop_reason.is_exhausted() && self.findings.is_empty()
    }
}
