//! The reasons why runs end.

use std::fmt;
use std::time::Duration;

use crate::scope::Budget;

/// The reason why a run ended. Only [`StopReason::Exhausted`] means that the space was explored
/// completely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// Everything was tried.
    Exhausted,
    /// The budget of calls, or of runs of a repOK, was spent.
    MaxCalls(u64),
    /// The budget of structures was spent.
    MaxStructures(u64),
    /// The time limit was reached. Not reproducible.
    MaxSeconds(Duration),
    /// The memory limit was reached, in MiB. Not reproducible.
    MaxMemory(u64),
    /// The budget of levels was spent.
    MaxLevels(u32),
    /// The level with the first failure is complete, and the run was to end with it.
    FailureFound,
    /// The user interrupted the run. Not reproducible.
    Interrupted,
    /// The store is full. The structure at which that happens depends on hashes, which differ
    /// between machines.
    StoreFull,
    /// The store failed; the notes have the operation.
    StoreFailed,
    /// A call has left a structure whose form may have been dropped.
    FormDropped,
    /// Calls on copies differ from calls on rebuilt structures: the results may be wrong.
    CopiesDiffer,
    /// Everything was tried, but forms leave out doubted memory: structures that differ only in it
    /// were merged.
    Doubted,
    /// Everything else was tried: some calls, or results of calls, were left out, because calls of
    /// their method do not return, or because copying or walking passed a limit. Not reproducible.
    LeftOut,
    /// A call ended the process or did not return, and the run ended with it. Not reproducible.
    Unreturned,
    /// A call has left a structure whose form is undecided: unordered contents tie, and breaking
    /// the ties would take too long.
    Undecided,
    /// A random run has no call to make: no method can be called.
    NothingToCall,
    /// Everything that heuristics propose was tried, which is not everything possible.
    NothingLeft,
    /// A genetic search has reached its number of generations.
    MaxGenerations(u32),
}

impl StopReason {
    /// The name in summaries.
    pub fn name(&self) -> &'static str {
        match self {
            StopReason::Exhausted => "exhausted",
            StopReason::MaxCalls(_) => "max_calls",
            StopReason::MaxStructures(_) => "max_structures",
            StopReason::MaxSeconds(_) => "max_seconds",
            StopReason::MaxMemory(_) => "max_memory",
            StopReason::MaxLevels(_) => "max_levels",
            StopReason::FailureFound => "failure_found",
            StopReason::Interrupted => "interrupted",
            StopReason::StoreFull => "store_full",
            StopReason::StoreFailed => "store_failed",
            StopReason::FormDropped => "form_dropped",
            StopReason::CopiesDiffer => "copies_differ",
            StopReason::Doubted => "doubted",
            StopReason::LeftOut => "left_out",
            StopReason::Unreturned => "unreturned",
            StopReason::Undecided => "undecided",
            StopReason::NothingToCall => "nothing_to_call",
            StopReason::NothingLeft => "nothing_left",
            StopReason::MaxGenerations(_) => "max_generations",
        }
    }

    /// Returns whether everything was tried.
    pub fn is_exhausted(&self) -> bool {
        *self == StopReason::Exhausted
    }

    /// Returns whether the run used up a budget.
    pub fn is_budget(&self) -> bool {
        matches!(
            self,
            StopReason::MaxCalls(_)
                | StopReason::MaxStructures(_)
                | StopReason::MaxSeconds(_)
                | StopReason::MaxMemory(_)
                | StopReason::MaxLevels(_)
        )
    }

    /// Returns whether a scope can declare this end sufficient.
    pub fn can_be_enough(&self) -> bool {
        self.is_budget() || *self == StopReason::Doubted
    }

    /// Returns whether the run is sufficient: everything was tried, or as much as `budget` declares
    /// enough.
    pub fn is_enough(&self, budget: &Budget) -> bool {
        self.is_exhausted() || budget.is_enough && self.can_be_enough()
    }

    /// Returns whether the same run always ends at the same point.
    pub fn is_reproducible(&self) -> bool {
        match self {
            StopReason::Exhausted
            | StopReason::MaxCalls(_)
            | StopReason::MaxStructures(_)
            | StopReason::MaxLevels(_)
            | StopReason::FailureFound
            | StopReason::FormDropped
            | StopReason::CopiesDiffer
            | StopReason::Doubted
            | StopReason::Undecided
            | StopReason::NothingToCall
            | StopReason::NothingLeft
            | StopReason::MaxGenerations(_) => true,
            StopReason::MaxSeconds(_)
            | StopReason::MaxMemory(_)
            | StopReason::Interrupted
            | StopReason::LeftOut
            | StopReason::Unreturned
            | StopReason::StoreFull
            | StopReason::StoreFailed => false,
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopReason::Exhausted => f.write_str("the space is exhausted"),
            StopReason::MaxCalls(n) => write!(f, "the budget of {n} calls is spent"),
            StopReason::MaxStructures(n) => write!(f, "the budget of {n} structures is spent"),
            StopReason::MaxSeconds(most) => {
                write!(f, "the time of {} s is up", most.as_millis() as f64 / 1000.0)
            }
            StopReason::MaxMemory(mib) => write!(f, "the memory of {mib} MiB is used up"),
            StopReason::MaxLevels(n) => write!(f, "all sequences of {n} calls or fewer were made"),
            StopReason::FailureFound => {
                f.write_str("stopped after the first level with a failure")
            }
            StopReason::Interrupted => f.write_str("the run was interrupted"),
            StopReason::Doubted => f.write_str(
                "structures that differ in nothing but what is doubted were taken for one",
            ),
            StopReason::NothingToCall => f.write_str("no method can be called"),
            StopReason::NothingLeft => f.write_str("nothing is left to try"),
            StopReason::MaxGenerations(1) => f.write_str("there was 1 generation"),
            StopReason::MaxGenerations(n) => write!(f, "there were {n} generations"),
            StopReason::StoreFull => f.write_str("the store of structures is full"),
            StopReason::StoreFailed => f.write_str("the store of structures failed"),
            StopReason::FormDropped => f.write_str(
                "a call has left a structure that may be one of those whose forms were dropped; run again without \
                 `--keep none`",
            ),
            StopReason::LeftOut => f.write_str(
                "calls, walks of structures or questions are left out: they took too long, or ended the process; if \
                 they only need more time, `--processes` with more `--call-seconds` gives it to them",
            ),
            StopReason::Unreturned => f.write_str(
                "a call ended the process or did not return, and the run ended with it; with `--processes 1` \
                 it goes on without such calls",
            ),
            StopReason::Undecided => f.write_str(
                "a call has left a structure that cannot be told from others: contents in no order, such as keys of \
                 a hash map that are equal by their address, tie in too many ways; run again with smaller bounds",
            ),
            StopReason::CopiesDiffer => f.write_str(
                "copies of structures cannot be trusted, so what was found may be wrong; run again with other \
                 copies (`--ways remake`)",
            ),
        }
    }
}

/// A search that needs the whole space, such as the one for builders, fails with this reason.
impl std::error::Error for StopReason {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_that_is_enough_does_not_excuse_an_end_for_another_reason() {
        let budget = |is_enough| Budget { is_enough, ..Budget::default() };
        let enough = |reason: StopReason| {
            (
                reason.can_be_enough(),
                [false, true].map(|is_enough| reason.is_enough(&budget(is_enough))),
            )
        };
        assert_eq!(enough(StopReason::Exhausted), (false, [true, true]));
        assert_eq!(enough(StopReason::MaxCalls(5)), (true, [false, true]));
        assert_eq!(enough(StopReason::Doubted), (true, [false, true]));
        assert_eq!(enough(StopReason::Interrupted), (false, [false, false]));
    }
}
