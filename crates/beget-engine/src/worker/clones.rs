//! Calls on clones of a structure.
//!
//! If a form holds everything about a value, a call that does not change its clone passes it on to
//! the next call, because a new clone would be the same. Most calls on trees do so.

use std::any::Any;

use beget_plan::finding::Problem;
use beget_process::guard::{PanicReport, guarded, last_panic};
use beget_suite::{Frame, TypeIdx};

use super::{Attempt, Calls, FrameError, Mark, Parent, Worker, attempts};
use crate::rebuild::reconstruct::{drop_frame, empty_frame};

impl<'e> Worker<'e> {
    pub(super) fn run_on_clones(
        &mut self,
        calls: Calls<'e>,
        parents: &[Parent<'_>],
    ) -> Result<(), FrameError> {
        let original = self.make_frame(parents)?;
        if self.must_check(parents) {
            self.check_made(&original, parents);
        }
        let undo = self.mark();
        match self.call_on_clones_of(original, calls, parents) {
            Ok(()) => Ok(()),
            Err(why) => self.give_up_cloning(why, undo, calls, parents),
        }
    }

    /// Makes the calls on clones of `original`, the last one on itself, or returns the reason why
    /// clones must not be used.
    fn call_on_clones_of(
        &mut self,
        mut original: Frame,
        calls: Calls<'e>,
        parents: &[Parent<'_>],
    ) -> Result<(), CloneFault> {
        let mut attempts = attempts(self.shared, calls);
        // If calls are compared with those on rebuilt structures, all are made on clones.
        let mut last = if self.is_compared(parents) { None } else { attempts.next() };
        let mut cloner = Cloner { clone: Frame::default(), is_alike: false };
        let mut intact_after = None;
        for next in attempts {
            let attempt = match &mut last {
                Some(last) => std::mem::replace(last, next),
                None => next,
            };
            if intact_after.is_none()
                && let Err(fault) = self.clone_frame(&original, calls, parents, &mut cloner)
            {
                drop_frame(original);
                return Err(fault);
            }
            match self.call_on_clone(attempt, parents, &mut cloner.clone) {
                Ok(leaves_intact) => intact_after = leaves_intact.then_some(attempt),
                Err(fault) => {
                    drop_frame(original);
                    return Err(fault);
                }
            }
        }
        let mut drops_quietly =
            intact_after.is_none_or(|attempt| self.empty(&mut cloner.clone, attempt, parents));
        // A later call would notice changes made by calls on clones.
        let is_intact = !cloner.is_alike || self.is_as_made(&original, parents);
        self.current.set_no_call();
        if !is_intact {
            drop_frame(original);
            return Err(CloneFault::Shares);
        }
        match last {
            Some(attempt) => drops_quietly &= self.call(attempt, parents, &mut original),
            None => drop(drop_frame(original)),
        }
        if drops_quietly { Ok(()) } else { Err(CloneFault::DropPanics) }
    }

    /// Makes a call on a clone; returns whether the clone passes on to the next call. If not, the
    /// frame is empty, and an error says that a destructor panicked.
    fn call_on_clone(
        &mut self,
        attempt: Attempt,
        parents: &[Parent<'_>],
        clone: &mut Frame,
    ) -> Result<bool, CloneFault> {
        self.leaves_intact = Some(false);
        self.call_and_inspect(attempt, parents, clone);
        let leaves_intact = self.leaves_intact.take() == Some(true);
        // A replayed value may have more than its form.
        let copy_strategies = self.shared.reconstructor.copy_strategies;
        let tells_all = parents.iter().all(|parent| !copy_strategies.replays(parent.ty));
        if leaves_intact && tells_all {
            return Ok(true);
        }
        match self.empty(clone, attempt, parents) {
            true => Ok(false),
            false => Err(CloneFault::DropPanics),
        }
    }

    fn give_up_cloning(
        &mut self,
        why: CloneFault,
        undo: Mark,
        calls: Calls<'e>,
        parents: &[Parent<'_>],
    ) -> Result<(), FrameError> {
        self.undo(undo);
        self.result.lost.clone = true;
        match (why, parents.first()) {
            (CloneFault::Shares, Some(parent)) => self.report(Problem::clone_shares(), parent.id),
            // Calls do not clone, so this is no finding here: a contract of `check` covers it.
            (CloneFault::Panics(report), _) => {
                self.result.ledger.notes.push(format!("clones are not used: `Clone` {report}"));
            }
            // A clone that passes on is dropped once, not after each call.
            (CloneFault::DropPanics, _) => {
                self.result.ledger.notes.push(DROP_PANICS.to_owned());
            }
            (CloneFault::Shares | CloneFault::Differs, _) => {
                self.result.ledger.notes.push(CLONE_DIFFERS.to_owned());
            }
        }
        self.run_reconstructed(calls, parents)
    }

    /// Clones `original`. The first clone is compared with it: a sound `Clone` may lose details
    /// that the form shows, such as whether a short vector lies on the heap, and calls on it would
    /// then be calls on another structure.
    fn clone_frame(
        &mut self,
        original: &Frame,
        calls: Calls<'_>,
        parents: &[Parent<'_>],
        cloner: &mut Cloner,
    ) -> Result<(), CloneFault> {
        self.current.set_no_call();
        let Cloner { clone, is_alike } = cloner;
        let clone_of = |(value, ty): (&Option<Box<dyn Any>>, &TypeIdx)| {
            let clone = self.plan().suite.types[ty.index()].clone.expect("cloning was chosen");
            value.as_ref().map(|value| clone(&**value))
        };
        for pair in original.arguments.iter().zip(&calls.group.types) {
            match guarded(|| clone_of(pair)) {
                Ok(value) => clone.arguments.push(value),
                Err(_) => {
                    let report = last_panic();
                    empty_frame(clone);
                    return Err(CloneFault::Panics(report));
                }
            }
        }
        if !*is_alike && !self.is_as_made(clone, parents) {
            empty_frame(clone);
            let is_intact = self.is_as_made(original, parents);
            return Err(if is_intact { CloneFault::Differs } else { CloneFault::Shares });
        }
        *is_alike = true;
        Ok(())
    }
}

/// The clones of one structure, or of several.
struct Cloner {
    /// Reused for each clone.
    clone: Frame,
    /// True if a clone has the form of its original.
    is_alike: bool,
}

/// The reason why clones are not used any more.
enum CloneFault {
    /// Cloning or calls on a clone changed the original.
    Shares,
    /// A clone walks to another form than its original.
    Differs,
    Panics(PanicReport),
    /// A destructor panicked after a call.
    DropPanics,
}

const DROP_PANICS: &str = "clones are not used: a destructor panicked";
const CLONE_DIFFERS: &str = "clones are not used: one walks to another form than its original";
