//! Calls on threads that are left if a call would have ended the process, or does not return.
//!
//! It is for runs in a process that others share, such as a test's. The note of a thread identifies
//! its call. The block is cut there, and another thread repeats the calls before it, because their
//! results are lost, and makes those after it. Each end removes a call, so this terminates. The
//! damage by the thread is unknown: nothing is confirmed in a fresh process.

use std::cell::RefCell;
use std::io;

use beget_engine::store::Recipes;
use beget_engine::{Block, BlockResult, CallPlace, Explorer, named_by_work};
use beget_plan::finding::{Kind, Problem};
use beget_process::guard::{CallInProgress, LeavableThread, ThreadStop, run_leavable};

use crate::waiting::ThreadLooks;

/// Recipes are as deep as structures.
const STACK: usize = 64 << 20;

/// Makes blocks on threads that can be left.
pub struct LeavingThreads<'r> {
    /// Returns the reason to leave the thread of a call in progress, if any.
    pub give_up: &'r dyn Fn(&CallInProgress) -> Option<String>,
    /// The possible calls.
    pub explorer: &'r Explorer<'r>,
    /// The origins of the blocks' structures.
    pub recipes: &'r dyn Recipes,
    /// Is called now and then while calls are made.
    pub wait: &'r mut dyn FnMut(),
}

impl std::fmt::Debug for LeavingThreads<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LeavingThreads").finish_non_exhaustive()
    }
}

/// The place where a thread was left, and the reason.
struct LeftCall {
    call: CallInProgress,
    problem: Problem,
}

/// The reason why a block has no result.
enum UnmadeBlock {
    Left(Box<LeftCall>),
    NoThread(io::Error),
}

impl LeavingThreads<'_> {
    /// The results of `blocks`, in their order.
    pub fn run_all(mut self, blocks: &[Block]) -> Vec<BlockResult> {
        blocks.iter().map(|block| self.make(block)).collect()
    }

    /// Makes a block, whatever its calls do to their thread.
    fn make(&mut self, block: &Block) -> BlockResult {
        if block.is_empty() {
            return BlockResult::default();
        }
        match self.try_make(block) {
            // The usual case; a result made of several is copied.
            Ok(result) => result,
            Err(UnmadeBlock::Left(left)) => self.make_around(block, left),
            Err(UnmadeBlock::NoThread(error)) => no_thread(&error),
        }
    }

    /// Makes a block in which a thread was left for the first time.
    fn make_around(&mut self, block: &Block, first: Box<LeftCall>) -> BlockResult {
        let mut made = BlockResult::default();
        let (mut rest, mut left) = (block.clone(), Some(first));
        while !rest.is_empty() && !made.is_cut_short() {
            let tried = match left.take() {
                Some(left) => Err(UnmadeBlock::Left(left)),
                None => self.try_make(&rest),
            };
            let LeftCall { call, problem } = *match tried {
                Ok(result) => {
                    made.append(result);
                    break;
                }
                Err(UnmadeBlock::Left(left)) => left,
                Err(UnmadeBlock::NoThread(error)) => return no_thread(&error),
            };
            let place = CallPlace::of(&call);
            let Some(pieces) = rest.cut(self.explorer, place) else {
                let reason = format!("a thread was left at no call of its block: {problem}");
                return BlockResult::unmade(reason);
            };
            let endless = place.endless_method(&problem);
            made.append(self.make(&pieces.before));
            made.append(self.what_is_left_of(&pieces.at, place, problem));
            rest = pieces.after;
            spare(&mut rest, place);
            if let Some(method) = endless {
                made.append(rest.note_hang(self.explorer, method));
            }
        }
        made
    }

    /// The result of a call at which a thread was left: it has failed, unless it was over and
    /// repeated by an audit.
    fn what_is_left_of(&mut self, at: &Block, place: CallPlace, problem: Problem) -> BlockResult {
        let (Some(_), Some(method)) = (place.audit(), place.method()) else {
            return at.fails(self.explorer, self.recipes, place, problem);
        };
        let mut spared = at.clone();
        spared.spare_audits(method);
        let mut made = self.make(&spared);
        made.append(at.shows(self.explorer, self.recipes, place, problem));
        made
    }

    fn try_make(&mut self, block: &Block) -> Result<BlockResult, UnmadeBlock> {
        let (explorer, recipes) = (self.explorer, self.recipes);
        let left = RefCell::new(None);
        let mut looks = ThreadLooks::default();
        let ran = run_leavable(STACK, || explorer.run_block(block, recipes), &mut |thread| {
            let mut left = left.borrow_mut();
            match &mut *left {
                None => *left = self.call_to_leave(thread),
                // It is stuck in this call.
                Some(left) => left.call = self.ended_call().unwrap_or_else(|| left.call.clone()),
            }
            if left.is_some() {
                explorer.tell_ends();
            }
            if looks.count() {
                (self.wait)();
            }
        });
        match ran.map_err(UnmadeBlock::NoThread)? {
            Ok(result) => Ok(result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))),
            Err(ThreadStop) => {
                let left = left.into_inner().expect("it was told to stop");
                Err(UnmadeBlock::Left(Box::new(left)))
            }
        }
    }

    fn ended_call(&self) -> Option<CallInProgress> {
        self.explorer.calls_in_progress().into_iter().find(|call| call.end.is_some())
    }

    /// The call at which a thread must be left. One that does not return is stopped.
    fn call_to_leave(&self, thread: &LeavableThread<'_>) -> Option<LeftCall> {
        let calls = self.explorer.calls_in_progress().into_iter();
        let mut given_up = calls.filter_map(|call| Some(((self.give_up)(&call)?, call)));
        let (reason, call) = given_up.next()?;
        let culprit = self.explorer.culprit(&call);
        let is_no_call = call.is_own_work || call.method.is_none();
        let problem = match call.end {
            Some(_) => Problem::new(Kind::Crash, format!("{culprit} {reason}")),
            None if is_no_call => Problem::left_out(&culprit),
            None => Problem::new(Kind::Hang, format!("{culprit} {reason}")),
        };
        if call.end.is_none() {
            thread.stop();
        }
        let problem = named_by_work(self.explorer.plan(), problem, &call);
        Some(LeftCall { problem, call })
    }
}

fn no_thread(error: &io::Error) -> BlockResult {
    BlockResult::unmade(format!("no thread can be started: {error}"))
}

/// Skips the work after panics of a method, or its audits, in the rest of a block in which a thread
/// was left there: otherwise every such call would lose a thread.
fn spare(rest: &mut Block, place: CallPlace) {
    match (place.audit(), place.method()) {
        (Some(_), Some(method)) => rest.spare_audits(method),
        (None, Some(method)) if place.is_after_panic() => rest.unfollow(method),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use beget_plan::scope::PlannedIdx;

    use super::*;

    /// A death after the panic of a method, or in an audit of its calls.
    #[test]
    fn what_a_method_has_lost_a_thread_to_is_not_done_in_the_rest() {
        let method = PlannedIdx::new(3);
        let spared = |method: Option<u32>, after: u32| {
            let call = CallInProgress {
                run: 0,
                task: 0,
                method,
                tuple: 0,
                is_own_work: false,
                n_made: 0,
                after,
                arguments: None,
                end: None,
            };
            let mut rest = Block::default();
            spare(&mut rest, CallPlace::of(&call));
            rest
        };
        let [mut unfollowed, mut unaudited] = [Block::default(), Block::default()];
        unfollowed.unfollow(method);
        unaudited.spare_audits(method);
        let audit = 1 << 31;
        assert_eq!([spared(Some(3), 1), spared(Some(3), audit)], [unfollowed, unaudited]);
        // The call itself, and no call.
        assert_eq!([spared(Some(3), 0), spared(None, 1)], [Block::default(), Block::default()]);
    }

    #[test]
    fn a_block_without_a_thread_has_no_result() {
        let error = no_thread(&io::Error::other("there are too many"));
        let reason = "no thread can be started: there are too many";
        assert!(error.error().is_some_and(|error| error.to_string().contains(reason)));
    }
}
