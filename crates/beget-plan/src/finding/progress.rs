//! The progress of a run, and the function that receives it.

use crate::finding::StopReason;

/// The progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Calls, or candidates of a search from a repOK, so far.
    pub explored: u64,
    /// The calls that failed; 0 if failures are not counted.
    pub failures: u64,
    /// Structures so far.
    pub structures: u64,
    /// Bytes held by the store.
    pub store_bytes: u64,
    /// The level being explored; `None` for a search without levels.
    pub level: Option<LevelProgress>,
}

/// The progress of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelProgress {
    /// The level, or the round of a closure.
    pub number: u32,
    /// The completed share of its work, in thousandths.
    pub done: u32,
}

/// A function to which a run reports its progress from time to time. It can return a reason to stop
/// the run.
pub type Control<'c> = dyn FnMut(Progress) -> Option<StopReason> + 'c;
