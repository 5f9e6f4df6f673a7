//! Following calls that panicked: their values are shown, used by one more call and dropped.
//!
//! This happens when all calls of a task are made, outside the region, on values that recipes
//! build, so destructors run as in a program. A second panic is ignored: a method may refuse to
//! work on values left by a panic. A broken invariant or a panicking destructor is a problem,
//! unless it also occurs without the panicking call.
//!
//! # Place and time
//!
//! Panics are followed where the calls are made, because the steps may end the process too: after a
//! task, outside the region, on values by recipes. The steps after a panic depend only on the plan
//! (`crates/beget-engine/src/data/after_panic.rs`), so a number identifies one, in the note of a
//! call and in a sighting. Random runs follow panics on the values of their sequences
//! (`crates/beget-run/src/random/after_panic.rs`).

use std::collections::BTreeMap;

use beget_plan::finding::Problem;
use beget_plan::scope::PlannedIdx;
use beget_process::guard::{PanicReport, last_panic};
use beget_suite::{Frame, Slot, TypeIdx};

use super::checks::THOROUGH;
use super::{Attempt, Parent, Worker, broken_invariant};
use crate::data::after_panic::{
    AfterPanicFault, FollowingCall, PanicStep, look_at_value, steps_after_panic,
};
use crate::data::sightings::Sighting;
use crate::rebuild::reconstruct::{call_guarded, drop_frame, drop_guarded};

/// The number of calls of one method and place in a block that are followed if their structures are
/// among the first ...
const MOST_EARLY: u32 = 8;
/// ... and the number of others.
const MOST_LATER: u32 = 1;

/// The calls of a block that panicked and are followed.
#[derive(Default)]
pub(super) struct PanickedCalls {
    /// The calls of the current task.
    pending: Vec<PanickedCall>,
    /// The numbers of earlier tasks, by method and place.
    n_followed: BTreeMap<PlannedIdx, BTreeMap<String, u32>>,
}

/// A call that panicked.
struct PanickedCall {
    attempt: Attempt,
    place: String,
    /// True if its results become structures of the run, which checks invariants on them.
    is_kept: bool,
}

impl PanickedCall {
    /// Returns whether the run itself reports faults found by inspecting and dropping the values:
    /// it drops the results of each call, or of a sample.
    fn is_told(&self, fault: &AfterPanicFault) -> bool {
        match fault {
            AfterPanicFault::Invariant(_) => self.is_kept,
            AfterPanicFault::Drop(_) => true,
        }
    }
}

impl PanickedCalls {
    pub(super) fn n_pending(&self) -> usize {
        self.pending.len()
    }

    pub(super) fn truncate(&mut self, n_pending: usize) {
        self.pending.truncate(n_pending);
    }

    /// The number of followed calls of a method and place.
    fn n_of(&self, planned: PlannedIdx, place: &str) -> u32 {
        let is_it = |call: &&PanickedCall| call.attempt.planned == planned && call.place == place;
        let pending = self.pending.iter().filter(is_it).count() as u32;
        let before = self.n_followed.get(&planned).and_then(|of| of.get(place));
        pending + before.copied().unwrap_or(0)
    }
}

impl Worker<'_> {
    /// Notes a panicking call, to be followed if there are not too many like it.
    pub(super) fn note_panicked(
        &mut self,
        attempt: Attempt,
        parents: &[Parent<'_>],
        report: &PanicReport,
        is_kept: bool,
    ) {
        let planned = attempt.planned;
        if !self.shared.follows_panics || self.unfollowed.contains(&planned) {
            return;
        }
        let is_early = parents.iter().all(|parent| parent.id.number() < THOROUGH);
        let most = if is_early { MOST_EARLY } else { MOST_LATER };
        if self.panicked.n_of(planned, &report.location) < most {
            let place = report.location.clone();
            self.panicked.pending.push(PanickedCall { attempt, place, is_kept });
        }
    }

    /// Follows the panicking calls of the task.
    #[cold]
    pub(super) fn follow_panicked(&mut self, parents: &[Parent<'_>]) {
        for call in std::mem::take(&mut self.panicked.pending) {
            self.follow(&call, parents);
            let PanickedCall { attempt, place, .. } = call;
            let followed = self.panicked.n_followed.entry(attempt.planned).or_default();
            *followed.entry(place).or_default() += 1;
        }
        self.current.set_after(0);
    }

    fn follow(&mut self, call: &PanickedCall, parents: &[Parent<'_>]) {
        let Attempt { planned, tuple } = call.attempt;
        let steps = steps_after_panic(self.plan(), planned);
        self.result.ledger.panics.followed += u64::from(!steps.is_empty());
        self.note(call.attempt);
        let mut told: Option<AfterPanicFault> = None;
        for (number, step) in steps {
            self.current.set_after(number.number());
            let Some(fault) = self.fault_of_panic(call.attempt, parents, &step) else { continue };
            if told.as_ref().is_some_and(|told| told.is_like(&fault)) {
                continue;
            }
            if step.next.is_none() && call.is_told(&fault) {
                told = Some(fault);
                continue;
            }
            self.result.ledger.panics.broken += 1;
            let problem = fault.problem(&step.when(self.plan(), planned));
            let id = self.shared.reconstructor.calls.call(planned, 0, tuple);
            let arguments = parents.iter().map(|parent| parent.id).collect();
            let sighting = Sighting::new(problem, id, arguments).after_panic(number);
            return self.found.push(sighting);
        }
    }

    /// The fault that a step shows after the call, but not without it.
    fn fault_of_panic(
        &self,
        panicked: Attempt,
        parents: &[Parent<'_>],
        step: &PanicStep,
    ) -> Option<AfterPanicFault> {
        let found = self.try_step(Some(panicked), parents, step)?;
        let without = self.try_step(None, parents, step);
        without.is_none_or(|without| !found.is_like(&without)).then_some(found)
    }

    /// Builds the structures, makes the panicking call, if there is one, and does the step.
    fn try_step(
        &self,
        panicked: Option<Attempt>,
        parents: &[Parent<'_>],
        step: &PanicStep,
    ) -> Option<AfterPanicFault> {
        let mut frame = Frame::of(self.replay_all(parents.iter())?);
        if let Some(attempt) = panicked {
            let (method, literals) = (self.method_of(attempt), self.literals_of(attempt));
            if call_guarded(method, &mut frame, literals).is_ok() {
                // Random behaviour is reported elsewhere.
                drop_frame(frame);
                return None;
            }
            drop(last_panic());
        }
        let types = parents.iter().map(|parent| parent.ty);
        let Some(next) = &step.next else {
            let broken = self.look_at(&frame, types);
            let dropped = drop_frame(frame).map(AfterPanicFault::Drop);
            return broken.or(dropped);
        };
        // The other arguments of the call end before the next one is made.
        let mut left = frame.arguments[step.argument].take();
        let dropped = drop_frame(frame).map(AfterPanicFault::Drop);
        let others = self.replay_all(next.others.iter().map(|&other| &parents[other]));
        let broken = match others {
            Some(others) => self.call_next(next, &mut left, others),
            None => drop_guarded(left).map(AfterPanicFault::Drop),
        };
        broken.or(dropped)
    }

    /// Structures by their recipes; `None` if one cannot be built.
    pub(super) fn replay_all<'p, 'f: 'p>(
        &self,
        parents: impl Iterator<Item = &'p Parent<'f>>,
    ) -> Option<Vec<Slot>> {
        let mut made = Vec::new();
        for parent in parents {
            match self.shared.reconstructor.replay(parent.id) {
                Ok(value) => made.push(Some(value)),
                Err(_) => {
                    drop_frame(Frame::of(made));
                    return None;
                }
            }
        }
        Some(made)
    }

    /// Shows the values to invariants, and by `Debug` and iteration, whose panics are ignored.
    fn look_at(
        &self,
        frame: &Frame,
        types: impl Iterator<Item = TypeIdx>,
    ) -> Option<AfterPanicFault> {
        let suite = &self.plan().suite;
        let left = frame.arguments.iter().zip(types);
        let left = left.filter_map(|(slot, ty)| Some((slot.as_deref()?, ty)));
        let mut broken = None;
        for (value, ty) in left {
            broken = broken.or_else(|| broken_invariant(&suite.invariants, ty, value));
            look_at_value(&suite.types[ty.index()].traits, value);
        }
        broken.map(AfterPanicFault::Invariant)
    }

    /// Makes a call on the value in a slot, and drops its results.
    fn call_next(
        &self,
        next: &FollowingCall,
        slot: &mut Slot,
        others: Vec<Slot>,
    ) -> Option<AfterPanicFault> {
        let plan = self.plan();
        let arguments = std::iter::once(slot.take()).chain(others).collect();
        let mut frame = Frame::of(arguments);
        let attempt = Attempt { planned: next.planned, tuple: next.tuple };
        let (method, literals) = (self.method_of(attempt), self.literals_of(attempt));
        let returned = call_guarded(method, &mut frame, literals);
        let leaves = returned.is_ok_and(|outcome| outcome.leaves_structures());
        drop(last_panic());
        let structures = plan.planned(next.planned).structures.iter();
        let left = frame.arguments.iter().zip(structures).filter(|_| leaves);
        let broken = left.filter_map(|(slot, ty)| Some((slot.as_deref()?, *ty)));
        let broken = broken
            .fold(None, |broken: Option<Problem>, (value, ty)| {
                broken.or_else(|| broken_invariant(&plan.suite.invariants, ty, value))
            })
            .map(AfterPanicFault::Invariant);
        let dropped = drop_frame(frame).map(AfterPanicFault::Drop);
        broken.or(dropped)
    }
}
