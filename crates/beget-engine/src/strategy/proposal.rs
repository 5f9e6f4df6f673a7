//! Strategies: they choose the next calls, and learn from their results.
//!
//! A strategy makes no calls and changes no store. The [`Executor`](crate::Executor) requests
//! blocks of calls from it, makes them, commits their results, and passes these to it, until it has
//! nothing more to propose.

use std::ops::Range;

use beget_plan::finding::StopReason;
use beget_plan::scope::Plan;

use crate::data::block::Block;
use crate::data::calls::CallTable;
use crate::data::report::Level;
use crate::store::{Store, StoreError};
use crate::worker::BlockResult;
use crate::worker::explorer::Explorer;

/// The approximate number of calls of one block: small enough to balance threads, large enough to
/// be worth a task. Within little memory it is smaller, because a batch is held at once; that takes
/// up to 2 % more instructions.
pub(crate) fn block_calls(plan: &Plan) -> u64 {
    match plan.budget.max_memory_mib {
        Some(mib) if mib < LITTLE_MEMORY_MIB => 1 << 13,
        _ => 1 << 15,
    }
}

/// The least memory of a run that can hold a batch of the usual size, which takes some 30 MiB.
const LITTLE_MEMORY_MIB: u64 = 128;

/// The number of blocks of one batch, held at once between calling and storing.
pub(crate) const BATCH_BLOCKS: usize = 16;

/// The input of a strategy's choice.
#[derive(Debug)]
pub struct Situation<'s, S> {
    /// The possible calls.
    pub explorer: &'s Explorer<'s>,
    /// The structures so far.
    pub store: &'s S,
    /// Calls made so far.
    pub explored: u64,
    /// The number of calls that the budgets allow at once; or the budget that is spent. Each
    /// candidate that the store has not decided on counts as a structure.
    ///
    /// If a budget is spent, a strategy must stop if it can; one that must finish a unit of work
    /// does that first.
    pub allowed: Result<u64, StopReason>,
    /// True if a call so far has shown a failure.
    pub has_failed: bool,
}

impl<S> Situation<'_, S> {
    /// The plan.
    pub(crate) fn plan(&self) -> &Plan {
        self.explorer.plan()
    }
}

/// The proposal of a strategy.
#[derive(Debug)]
pub enum Proposal {
    /// Makes these calls. Their results are committed together, in order.
    Calls(Batch),
    /// Makes the store [settle](Store::settle) first, because the next choice depends on what is
    /// new.
    Settle,
    /// Ends. Only [`StopReason::Exhausted`] means that no calls are left.
    Stop(StopReason),
}

/// Blocks that are made together, and the progress of the search after them.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The calls.
    pub blocks: Vec<Block>,
    /// Their level or round.
    pub level: u32,
    /// No later call is made on structures below this number.
    pub passed: u64,
    /// The share of the level that is done after them, in thousandths.
    pub level_done: u32,
}

/// The results of a batch.
#[derive(Debug)]
pub struct Lesson<'l, S> {
    /// The numbering of the calls.
    pub calls: &'l CallTable,
    /// The structures, including those of the batch.
    pub store: &'l S,
    /// The new structures, in order.
    pub new: Range<u64>,
    /// The results of the batch's blocks.
    pub results: &'l [BlockResult],
}

/// Chooses calls. Equal situations and lessons must lead to equal proposals.
pub trait Strategy<S: Store> {
    /// The next calls.
    ///
    /// # Errors
    /// If the store cannot read what the choice needs.
    fn propose(&mut self, situation: &Situation<'_, S>) -> Result<Proposal, StoreError>;

    /// Learns the results of the calls proposed last.
    fn learn(&mut self, lesson: &Lesson<'_, S>);

    /// Returns whether lessons must show what is new: then the store settles after each batch.
    fn needs_lessons(&self) -> bool {
        true
    }

    /// Returns whether a level has ended: a good moment to [save](Store::save) the run.
    fn is_between_levels(&self) -> bool {
        false
    }

    /// The memory of the strategy, for [`restore`](Strategy::restore); `None` if it cannot be
    /// serialized.
    fn state(&self) -> Option<Vec<u8>> {
        None
    }

    /// Continues from a state. The store is the same as then.
    ///
    /// # Errors
    ///
    /// If the bytes are invalid.
    fn restore(&mut self, state: &[u8]) -> Result<(), StoreError> {
        let _ = state;
        Err(StoreError::Failed("this search cannot go on from a saved state".to_owned()))
    }

    /// The levels so far, including the one begun last, if the strategy has levels.
    fn levels(&self, _store: &S, _explored: u64) -> Vec<Level> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::{plan, suite};

    #[test]
    fn blocks_are_smaller_within_less_than_128_mib() {
        let calls = |mib| {
            let plan = plan(suite(), &["new"], 1);
            block_calls(&plan.with(|draft| draft.budget.max_memory_mib = mib))
        };
        assert_eq!(calls(None), 1 << 15);
        assert_eq!([Some(127), Some(128), Some(129)].map(calls), [1 << 13, 1 << 15, 1 << 15]);
    }
}
