//! Strategies: what to call next, and what to learn from what came of it.
//!
//! A strategy makes no calls and changes no store. The [`Executor`](crate::Executor) asks it for
//! blocks of calls, makes them, commits what they left, and tells it what came of them, until it
//! has nothing more to propose.

use std::ops::Range;

use beget_plan::finding::StopReason;
use beget_plan::scope::Plan;

use crate::data::block::Block;
use crate::data::calls::CallTable;
use crate::data::report::Level;
use crate::store::{Store, StoreError};
use crate::worker::BlockResult;
use crate::worker::explorer::Explorer;

/// Calls of one block, about; small enough to balance threads, large enough to be worth a task.
pub(crate) const BLOCK_CALLS: u64 = 1 << 15;

/// Blocks of one batch: what is held at once between calling and storing.
pub(crate) const BATCH_BLOCKS: usize = 16;

/// What a strategy may look at when it chooses.
#[derive(Debug)]
pub struct Situation<'s, S> {
    /// The calls that there are.
    pub explorer: &'s Explorer<'s>,
    /// The structures so far.
    pub store: &'s S,
    /// Calls made so far.
    pub explored: u64,
    /// How many calls the budgets allow at once; or which of them is spent. Each candidate that
    /// the store has not decided on counts as a structure.
    ///
    /// A strategy that can stop here must, if a budget is spent; one that has begun something that
    /// is only right as a whole finishes that first.
    pub allowed: Result<u64, StopReason>,
    /// True if a call so far has shown a failure.
    pub has_failed: bool,
}

impl<S> Situation<'_, S> {
    /// The plan.
    pub fn plan(&self) -> &Plan {
        self.explorer.plan()
    }
}

/// What a strategy proposes.
#[derive(Debug)]
pub enum Proposal {
    /// To make these calls. Their results are committed together, in order.
    Calls(Batch),
    /// To have the store [settle](Store::settle) first: what comes next depends on what is new.
    Settle,
    /// To end. Only [`StopReason::Exhausted`] says that there is nothing left to call.
    Stop(StopReason),
}

/// Blocks that are made together, and how far the search is when they are done.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The calls.
    pub blocks: Vec<Block>,
    /// The level or round that they belong to.
    pub level: u32,
    /// No later call is made on structures below this number.
    pub passed: u32,
    /// The share of the level that is then done, in thousandths.
    pub level_done: u32,
}

/// What came of a batch.
#[derive(Debug)]
pub struct Lesson<'l, S> {
    /// The numbering of the calls.
    pub calls: &'l CallTable,
    /// The structures, those of the batch among them.
    pub store: &'l S,
    /// The structures that were new, in order.
    pub new: Range<u32>,
    /// What the batch's blocks gave, one result for each.
    pub results: &'l [BlockResult],
}

/// Chooses what to call. Equal situations and lessons must lead to equal proposals.
pub trait Strategy<S: Store> {
    /// The next calls.
    ///
    /// # Errors
    /// If the store cannot read what the choice needs.
    fn propose(&mut self, situation: &Situation<'_, S>) -> Result<Proposal, StoreError>;

    /// Learns what came of the calls proposed last.
    fn learn(&mut self, lesson: &Lesson<'_, S>);

    /// Returns whether lessons must tell what is new: then the store settles after each batch.
    fn needs_lessons(&self) -> bool {
        true
    }

    /// Returns whether a level is at its end: a good moment to [save](Store::save) the run.
    fn is_between_levels(&self) -> bool {
        false
    }

    /// All that the strategy has to remember, for [`restore`](Strategy::restore); `None` if it
    /// cannot be written down.
    fn state(&self) -> Option<Vec<u8>> {
        None
    }

    /// Goes on from a state. The store is as it was then.
    ///
    /// # Errors
    /// If the bytes are none.
    fn restore(&mut self, state: &[u8]) -> Result<(), StoreError> {
        let _ = state;
        Err(StoreError::Failed("this search cannot go on from a saved state".to_owned()))
    }

    /// The levels so far, the one that was begun last among them, where the strategy has levels.
    fn levels(&self, _store: &S, _explored: u64) -> Vec<Level> {
        Vec::new()
    }
}
