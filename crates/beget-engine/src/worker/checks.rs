//! Checks of the worker's assumptions: that reconstruction is faithful, calls are deterministic,
//! clones share nothing, and nothing outlives a call.

use std::any::Any;

use beget_plan::finding::Problem;
use beget_process::guard::guarded;
use beget_suite::Frame;

use super::{Calls, Parent, Worker};
use crate::rebuild::reconstruct::{drop_frame, drop_guarded};
use crate::store::StructureId;

/// The number of first structures that are checked more thoroughly, besides a sample of the others.
pub(crate) const THOROUGH: u64 = 128;
const SAMPLE: u64 = 1024;

/// The number of first structures, decoded by a promise, that are compared with replayed ones,
/// besides a sample of the others. Each replay makes all calls of a recipe.
const REPLAYED: u64 = 32;

/// The number of newest structures that are checked, too: those of a level, or of a round.
const OF_NEWEST: u64 = 8;

/// Returns whether a structure is also made by its recipe, for comparison.
pub(crate) fn is_sampled(id: StructureId) -> bool {
    id.number() < THOROUGH || id.number().is_multiple_of(SAMPLE)
}

impl Worker<'_> {
    /// Returns whether calls on copies of these structures are compared with calls on rebuilt ones.
    pub(super) fn is_compared(&self, parents: &[Parent<'_>]) -> bool {
        let newest = self.newest..self.newest.saturating_add(OF_NEWEST);
        parents.iter().all(|parent| is_sampled(parent.id) || newest.contains(&parent.id.number()))
    }

    /// Returns whether decoding these structures relies on a promise that is checked: calls on them
    /// are compared with calls on replayed ones.
    pub(super) fn is_promise_checked(&self, calls: Calls<'_>, parents: &[Parent<'_>]) -> bool {
        let copy_strategies = self.shared.reconstructor.copy_strategies;
        let is_replayed = |parent: &Parent<'_>| {
            parent.id.number() < REPLAYED || parent.id.number().is_multiple_of(SAMPLE)
        };
        copy_strategies.doubts_decoding(&calls.group.types) && parents.iter().all(is_replayed)
    }

    /// Returns whether reconstructed structures are checked against their forms. Replays always
    /// are, because nothing else would notice that a recipe now gives a different result.
    pub(super) fn must_check(&self, parents: &[Parent<'_>]) -> bool {
        let copy_strategies = self.shared.reconstructor.copy_strategies;
        let replays = |parent: &Parent<'_>| copy_strategies.replays(parent.ty);
        parents.iter().any(|parent| is_sampled(parent.id) || replays(parent))
    }

    /// Compares new structures with their forms and, for a sample, with the results of their
    /// recipes.
    pub(super) fn check_made(&mut self, frame: &Frame, parents: &[Parent<'_>]) {
        for (slot, parent) in frame.arguments.iter().zip(parents) {
            let Some(value) = slot else { continue };
            // What is left of addresses in memory is another thing each time, and no part of forms.
            if !self.plan().is_repeatable(parent.ty) {
                continue;
            }
            let decodes = !self.shared.reconstructor.copy_strategies.replays(parent.ty);
            if !self.walks_to(&**value, parent) {
                let problem = self.why_it_differs(parent, decodes);
                self.report(problem, parent.id);
            } else if decodes && is_sampled(parent.id) && !self.replays_to_itself(parent) {
                self.report(Problem::nondeterministic(), parent.id);
            }
        }
    }

    /// The problem of a reconstructed structure with another form.
    fn why_it_differs(&mut self, parent: &Parent<'_>, decodes: bool) -> Problem {
        if self.needs_others(parent) {
            Problem::owned_elsewhere()
        } else if decodes {
            Problem::decode_differs()
        } else {
            Problem::nondeterministic()
        }
    }

    /// Returns whether the structure depends on the lifetime of its calls' arguments.
    fn needs_others(&mut self, parent: &Parent<'_>) -> bool {
        let mut others = Vec::new();
        let Ok(value) =
            self.shared.reconstructor.replay_beside(parent.id, &mut |frame| others.push(frame))
        else {
            return false;
        };
        let is_whole_beside_them = self.walks_to(&*value, parent);
        for frame in others {
            drop_frame(frame);
        }
        let needs = is_whole_beside_them && !self.walks_to(&*value, parent);
        drop_guarded(value);
        needs
    }

    fn replays_to_itself(&mut self, parent: &Parent<'_>) -> bool {
        match self.shared.reconstructor.replay(parent.id) {
            Ok(value) => {
                let same = self.walks_to(&*value, parent);
                drop_guarded(value);
                same
            }
            Err(_) => false,
        }
    }

    pub(super) fn is_as_made(&mut self, frame: &Frame, parents: &[Parent<'_>]) -> bool {
        self.current.set_no_call();
        self.current.set_own_work();
        let mut pairs = frame.arguments.iter().zip(parents);
        pairs.all(|(slot, parent)| {
            slot.as_ref().is_some_and(|value| self.walks_to(&**value, parent))
        })
    }

    fn walks_to(&mut self, value: &dyn Any, parent: &Parent<'_>) -> bool {
        let walk = self.plan().suite.types[parent.ty.index()].walk;
        self.encoder.begin(parent.ty.index() as u64);
        if guarded(|| walk(value, &mut self.encoder)).is_err() {
            return false;
        }
        let Ok(form) = self.encoder.finish() else { return false };
        form == parent.form
    }
}
