//! How far a run has come, and the function that it is reported to.

use crate::finding::StopReason;

/// How far a run has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Calls, or candidates of a search from a repOK, so far.
    pub explored: u64,
    /// Of the calls, those that failed; 0 where nobody counts them.
    pub failures: u64,
    /// Structures so far.
    pub structures: u64,
    /// Bytes held by the store.
    pub store_bytes: u64,
    /// The level being explored; `None` for a search without levels.
    pub level: Option<LevelProgress>,
}

/// How far a level has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelProgress {
    /// The level, or the round of a closure.
    pub number: u32,
    /// The share of its work that is done, in thousandths.
    pub done: u32,
}

/// What a run reports its progress to from time to time. It stops the run by giving a reason.
pub type Control<'c> = dyn FnMut(Progress) -> Option<StopReason> + 'c;
