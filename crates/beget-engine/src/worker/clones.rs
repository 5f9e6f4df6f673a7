//! Calls on clones of a structure.

use std::any::Any;

use beget_finding::Problem;
use beget_guard::{PanicReport, guarded, last_panic};
use beget_suite::{Frame, TypeIdx};

use super::{Calls, FrameError, Mark, Parent, Worker, attempts};
use crate::reconstruct::drop_frame;
use crate::report::clone_problem;

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
        let given_up = self.call_on_clones_of(&original, calls, parents);
        drop_frame(original);
        match given_up {
            None => Ok(()),
            Some(why) => self.give_up_cloning(why, undo, calls, parents),
        }
    }

    /// Makes the calls on clones of `original`, or says why clones are not to be used.
    fn call_on_clones_of(
        &mut self,
        original: &Frame,
        calls: Calls<'e>,
        parents: &[Parent<'_>],
    ) -> Option<CloneFault> {
        let probe = match self.clone_frame(original, &calls.group.types) {
            Ok(clone) => clone,
            Err(given_up) => return Some(given_up),
        };
        // A sound `Clone` may give up what the form tells of, such as whether a short vector lies
        // on the heap; calls on it would then be calls on another structure.
        let is_alike = self.is_as_made(&probe, parents);
        drop_frame(probe);
        if !is_alike {
            let is_intact = self.is_as_made(original, parents);
            return Some(if is_intact { CloneFault::Differs } else { CloneFault::Shares });
        }
        for attempt in attempts(self.shared, calls) {
            match self.clone_frame(original, &calls.group.types) {
                Ok(clone) => self.call(attempt, parents, clone),
                Err(given_up) => return Some(given_up),
            }
        }
        self.current.set_no_call();
        (!self.is_as_made(original, parents)).then_some(CloneFault::Shares)
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
        let problem = match why {
            CloneFault::Shares => Some(Problem::clone_shares()),
            CloneFault::Panics(report) => Some(clone_problem(report)),
            CloneFault::Differs => None,
        };
        match (problem, parents.first()) {
            (Some(problem), Some(parent)) => self.report(problem, parent.id),
            _ => self.result.notes.push(CLONE_DIFFERS.to_owned()),
        }
        self.run_reconstructed(calls, parents)
    }

    fn clone_frame(&self, original: &Frame, types: &[TypeIdx]) -> Result<Frame, CloneFault> {
        let clone_of = |(value, ty): (&Option<Box<dyn Any>>, &TypeIdx)| {
            let clone = self.plan().suite.types[ty.0].clone.expect("cloning was chosen");
            value.as_ref().map(|value| clone(&**value))
        };
        let mut clone = Frame { arguments: Vec::with_capacity(types.len()), results: Vec::new() };
        for pair in original.arguments.iter().zip(types) {
            match guarded(|| clone_of(pair)) {
                Ok(value) => clone.arguments.push(value),
                Err(_) => {
                    let report = last_panic();
                    drop_frame(clone);
                    return Err(CloneFault::Panics(report));
                }
            }
        }
        Ok(clone)
    }
}

/// Why clones are not used any more.
enum CloneFault {
    /// Cloning or calls on a clone changed the original.
    Shares,
    /// A clone walks to another form than its original.
    Differs,
    Panics(PanicReport),
}

const CLONE_DIFFERS: &str = "clones are not used: one walks to another form than its original";
