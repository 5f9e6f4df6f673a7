//! Evaluating the result of a call: its outcome, and the structures that become candidates.

use std::any::Any;

use beget_heap::{Form, FormRef, PassedBound};
use beget_plan::finding::{Kind, Problem};
use beget_plan::scope::{ErrorRule, PlannedIdx};
use beget_process::alloc::{After, KeptPlace};
use beget_process::guard::{CaughtPanic, PanicReport, guarded, last_panic};
use beget_suite::{Frame, Outcome, TypeIdx};

use super::{Attempt, Parent, Worker};
use crate::data::ledger::{BoundCount, ExpectedPanic};
use crate::data::sightings::{ChangeNote, ChangedBy, panic_problem};
use crate::store::{Candidate, StructureId};
use crate::worker::reencode::Reencoding;

/// The fate of the structures that a call left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PushOutcome {
    /// They are candidates.
    InScope,
    /// There were none, or only known ones.
    NothingNew,
    OutOfScope,
}

/// A structure that a call may have left, by the number of the output.
#[derive(Clone, Copy)]
struct CallOutput<'f> {
    number: u32,
    slot: &'f Option<Box<dyn Any>>,
    ty: TypeIdx,
    /// The form of an argument before the call.
    before: Option<FormRef<'f>>,
}

impl<'f> CallOutput<'f> {
    /// The arguments of a call as it left them, from output `first` on.
    fn of_arguments(
        first: u32,
        slots: &'f [Option<Box<dyn Any>>],
        types: &'f [TypeIdx],
        parents: &'f [Parent<'_>],
    ) -> impl Iterator<Item = CallOutput<'f>> {
        let typed = (first..).zip(slots.iter().zip(types));
        typed.zip(parents).map(|((number, (slot, &ty)), parent)| {
            let before = Some(parent.form);
            CallOutput { number, slot, ty, before }
        })
    }
}

/// The shortcuts for the results of a method's calls on one image.
#[derive(Clone, Copy)]
pub(super) struct WayToTell<'p, 'b> {
    /// The structure that they are made on, if it is the only one and nothing else depends on their
    /// results.
    parent: Option<&'p Parent<'b>>,
    /// The place for kept walks, if any.
    kept_at: Option<KeptPlace>,
}

impl Worker<'_> {
    /// Determined once for all calls of a method on an image.
    #[inline]
    pub(super) fn way_to_tell<'p, 'b>(
        &self,
        planned: PlannedIdx,
        parents: &'p [Parent<'b>],
    ) -> WayToTell<'p, 'b> {
        let parent = match parents {
            [parent] if !self.shared.has_invariants => Some(parent),
            _ => None,
        };
        let kept_at = match self.shared.reencodes {
            true => self.reencoder.place_of(planned),
            false => None,
        };
        WayToTell { parent, kept_at }
    }

    /// Like [`Worker::inspect`] for changed memory, if comparing memory may suffice: only integers
    /// may have changed since the last walk.
    #[inline]
    pub(super) fn inspect_image(
        &mut self,
        attempt: Attempt,
        parents: &[Parent<'_>],
        way: WayToTell<'_, '_>,
        frame: &Frame,
        returned: Result<Outcome, CaughtPanic>,
        after: After<'_>,
    ) {
        let is_plain = returned == Ok(Outcome::Returned) && frame.results.is_empty();
        let (true, Some(parent), [Some(value)]) = (is_plain, way.parent, &frame.arguments[..])
        else {
            return self.inspect(attempt, parents, frame, returned, true);
        };
        if let Some(place) = way.kept_at {
            match self.reencoder.look(attempt.planned, place, &after, self.plan().layout()) {
                Reencoding::Same => return self.result.ledger.counters.matched += 1,
                Reencoding::OutOfScope => return,
                Reencoding::Form(len, objects) => {
                    return self.push_reencoded(attempt, parent.id, len, objects);
                }
                Reencoding::Unknown => {}
            }
        }
        let kept_at = way.kept_at.map(|place| (place, after));
        let pushed = guarded(|| self.push_only(attempt, parent, &**value, kept_at));
        self.count(pushed, attempt, parents);
    }

    /// Pushes the form that was derived without a walk.
    fn push_reencoded(&mut self, attempt: Attempt, parent: StructureId, len: usize, objects: u16) {
        let candidate = Candidate {
            form: Form { words: &self.reencoder.words, len },
            call: self.shared.reconstructor.calls.call(attempt.planned, 0, attempt.tuple),
            arguments: &[parent],
            objects,
            continues_call: false,
        };
        match self.result.candidates.push_new(candidate, &mut self.recent) {
            true => self.result.ledger.counters.kept += 1,
            false => self.result.ledger.counters.matched += 1,
        }
    }

    /// Counts the calls of a method that were out of scope without a walk. There may be many in a
    /// row that passed the same bound.
    #[inline]
    pub(super) fn count_reencoded(&mut self, planned: PlannedIdx) {
        if let Some((bound, calls)) = self.reencoder.take_passed() {
            self.result.ledger.reach_mut(planned).cut(bound);
            self.result.ledger.passed.push(BoundCount { bound, calls });
            self.result.ledger.counters.out_of_scope += calls;
        }
    }

    /// Walks the only structure that a call left and pushes it. With `kept_at` the walk is kept
    /// there for later calls.
    #[inline]
    fn push_only(
        &mut self,
        attempt: Attempt,
        parent: &Parent<'_>,
        value: &dyn Any,
        kept_at: Option<(KeptPlace, After<'_>)>,
    ) -> PushOutcome {
        let (shared, tag) = (self.shared, parent.ty.index() as u64);
        self.current.set_own_work();
        match &kept_at {
            Some((_, after)) => {
                self.count_reencoded(attempt.planned);
                // A walk kept for siblings of the structure must note all integers.
                let from = if self.siblings.is_next { 0 } else { after.changed_from() };
                self.encoder.begin_recording(tag, from);
            }
            None => self.encoder.begin(tag),
        }
        (shared.reconstructor.plan.suite.types[parent.ty.index()].walk)(value, &mut self.encoder);
        let objects = self.counted_objects();
        let (pushed, len) = match self.encoder.finish() {
            Err(_) => (PushOutcome::OutOfScope, 0),
            Ok(form) => {
                if let Some(leaves_intact) = &mut self.leaves_intact {
                    *leaves_intact = form == parent.form;
                }
                let call = shared.reconstructor.calls.call(attempt.planned, 0, attempt.tuple);
                let arguments = &[parent.id];
                let candidate = Candidate { form, call, arguments, objects, continues_call: false };
                let is_left_out = shared.leaves_out_unchanged && form == parent.form;
                match !is_left_out && self.result.candidates.push_new(candidate, &mut self.recent) {
                    true => (PushOutcome::InScope, form.len),
                    false => (PushOutcome::NothingNew, form.len),
                }
            }
        };
        let is_kept = kept_at.is_some();
        if let Some((place, mut after)) = kept_at {
            self.reencoder.keep(place, &mut self.encoder, len, objects, &mut after);
        }
        if pushed == PushOutcome::OutOfScope {
            let passed = self.note_passed(value, parent.ty, attempt.planned);
            if is_kept {
                self.reencoder.note_passed(passed);
            }
        }
        pushed
    }

    /// The number of objects of the counted class in the last walk.
    #[inline(always)]
    fn counted_objects(&self) -> u16 {
        let counted = self.shared.counted_class;
        let objects = counted.map_or(0, |class| self.encoder.objects_of(class));
        objects.min(u16::MAX.into()) as u16
    }

    #[inline(always)]
    fn count(
        &mut self,
        pushed: Result<PushOutcome, CaughtPanic>,
        attempt: Attempt,
        parents: &[Parent<'_>],
    ) {
        match pushed {
            Ok(PushOutcome::InScope) => self.result.ledger.counters.kept += 1,
            Ok(PushOutcome::NothingNew) => self.result.ledger.counters.matched += 1,
            Ok(PushOutcome::OutOfScope) => self.count_out_of_scope(attempt),
            Err(CaughtPanic) => self.panicked(attempt, parents),
        }
    }

    #[inline(never)]
    fn count_out_of_scope(&mut self, attempt: Attempt) {
        self.result.ledger.counters.out_of_scope += 1;
        if self.method_of(attempt).is_pair() {
            self.note_beyond(attempt);
        }
    }

    /// Evaluates the result of one call. `changed` is false if no argument can have changed.
    pub(super) fn inspect(
        &mut self,
        attempt: Attempt,
        parents: &[Parent<'_>],
        frame: &Frame,
        returned: Result<Outcome, CaughtPanic>,
        changed: bool,
    ) {
        match returned {
            Ok(Outcome::Error) if self.is_misuse(attempt, parents, frame, changed) => {
                self.result.ledger.counters.misuse += 1;
            }
            Ok(Outcome::Misuse) => self.result.ledger.counters.misuse += 1,
            Ok(Outcome::Broken) => self.inspect_broken(attempt, parents, frame),
            Ok(Outcome::LongerList) => self.inspect_longer_list(attempt, parents, frame, changed),
            Ok(Outcome::Returned | Outcome::Error) => {
                if let Some(problem) = self.broken_invariant(attempt, frame, changed) {
                    self.result.ledger.counters.failures += 1;
                    return self.report_call(problem, attempt, parents);
                }
                // Walking also runs the subject's code: hand-written `walk`s, leaked guards.
                let pushed = guarded(|| self.push_outputs(attempt, parents, frame, changed));
                self.count(pushed, attempt, parents);
            }
            Err(CaughtPanic) => self.inspect_panicked(attempt, parents, frame, changed),
        }
    }

    /// Evaluates a call that returned more structures than the method has outputs for: like a
    /// structure out of scope, one that is not taken excludes all.
    #[cold]
    fn inspect_longer_list(
        &mut self,
        attempt: Attempt,
        parents: &[Parent<'_>],
        frame: &Frame,
        changed: bool,
    ) {
        if let Some(problem) = self.broken_invariant(attempt, frame, changed) {
            self.result.ledger.counters.failures += 1;
            return self.report_call(problem, attempt, parents);
        }
        self.result.ledger.passed.push(BoundCount::once(PassedBound::Returned));
        self.result.ledger.reach_mut(attempt.planned).cut(PassedBound::Returned);
        self.result.ledger.counters.out_of_scope += 1;
    }

    /// Evaluates a call that broke a contract.
    #[cold]
    fn inspect_broken(&mut self, attempt: Attempt, parents: &[Parent<'_>], frame: &Frame) {
        let breach = frame.breach().expect("a call that broke a contract says which");
        let expected = breach.panic.as_ref();
        if expected.is_some_and(|message| self.plan().misuse.expects(message)) {
            self.result.ledger.counters.misuse += 1;
            return;
        }
        self.result.ledger.counters.failures += 1;
        let problem = Problem::new(Kind::new(breach.kind), breach.message.clone());
        self.report_call(problem.with_name(breach.name), attempt, parents);
    }

    /// Evaluates a call that panicked.
    #[cold]
    fn inspect_panicked(
        &mut self,
        attempt: Attempt,
        parents: &[Parent<'_>],
        frame: &Frame,
        changed: bool,
    ) {
        let report = last_panic();
        let pattern = self.plan().misuse.pattern_of(&report.message);
        let is_kept = pattern.is_some() && self.plan().misuse.keeps_panicked;
        self.note_panicked(attempt, parents, &report, is_kept);
        let Some(pattern) = pattern else {
            self.result.ledger.counters.failures += 1;
            return self.report_call(panic_problem(report), attempt, parents);
        };
        self.note_expected(pattern, report, attempt);
        // A panicking walk panics again when the result is pushed.
        let is_same = !changed || guarded(|| self.are_unchanged(parents, frame)).unwrap_or(false);
        if is_same || !self.plan().misuse.keeps_panicked {
            if !is_same {
                self.note_change(ChangedBy::Panic, attempt, parents);
            }
            self.result.ledger.counters.misuse += 1;
            return;
        }
        if let Some(problem) = self.broken_invariant(attempt, frame, true) {
            self.result.ledger.counters.failures += 1;
            return self.report_call(problem, attempt, parents);
        }
        let pushed = guarded(|| {
            let first = self.shared.reconstructor.calls.first_panicked(attempt.planned);
            let structures = &self.plan().planned(attempt.planned).structures;
            let outputs = CallOutput::of_arguments(first, &frame.arguments, structures, parents);
            self.push_several(attempt, parents, outputs)
        });
        self.count(pushed, attempt, parents);
    }

    /// Returns whether a call that returned `Err` is misuse.
    #[cold]
    fn is_misuse(
        &mut self,
        attempt: Attempt,
        parents: &[Parent<'_>],
        frame: &Frame,
        changed: bool,
    ) -> bool {
        match self.plan().misuse.errors {
            ErrorRule::Misuse => true,
            ErrorRule::Returned => false,
            // A structure in the error is a result like any other.
            ErrorRule::MisuseUnlessChanged if frame.results.iter().any(Option::is_some) => false,
            ErrorRule::MisuseUnlessChanged if !changed => true,
            ErrorRule::MisuseUnlessChanged => {
                // A panicking walk panics again when the result is pushed.
                let is_same = guarded(|| self.are_unchanged(parents, frame)).unwrap_or(false);
                if !is_same {
                    self.note_change(ChangedBy::Error, attempt, parents);
                }
                is_same
            }
        }
    }

    /// Returns whether the remaining arguments have the same forms as before.
    fn are_unchanged(&mut self, parents: &[Parent<'_>], frame: &Frame) -> bool {
        self.current.set_own_work();
        let mut arguments = parents.iter().zip(&frame.arguments);
        arguments.all(|(parent, slot)| {
            let Some(value) = slot else { return true };
            self.encoder.begin(parent.ty.index() as u64);
            (self.shared.reconstructor.plan.suite.types[parent.ty.index()].walk)(
                &**value,
                &mut self.encoder,
            );
            self.encoder.finish().is_ok_and(|form| form == parent.form)
        })
    }

    /// Keeps the first call of a method that changed an argument but ended like this.
    fn note_change(&mut self, by: ChangedBy, attempt: Attempt, parents: &[Parent<'_>]) {
        let method = attempt.planned;
        let changes = &mut self.result.ledger.changes;
        if !changes.iter().any(|known| (known.by, known.method) == (by, method)) {
            let call = self.shared.reconstructor.calls.call(method, 0, attempt.tuple);
            let arguments = parents.iter().map(|parent| parent.id).collect();
            changes.push(ChangeNote { by, method, call, arguments, text: String::new() });
        }
    }

    /// Handles a panic while a call's result was evaluated.
    #[cold]
    #[inline(never)]
    fn panicked(&mut self, attempt: Attempt, parents: &[Parent<'_>]) {
        let report = last_panic();
        match self.plan().misuse.pattern_of(&report.message) {
            Some(pattern) => {
                self.result.ledger.counters.misuse += 1;
                self.note_expected(pattern, report, attempt);
            }
            None => {
                self.result.ledger.counters.failures += 1;
                self.report_call(panic_problem(report), attempt, parents);
            }
        }
    }

    fn note_expected(&mut self, pattern: usize, report: PanicReport, attempt: Attempt) {
        let (pattern, method) = (pattern as u32, attempt.planned);
        let expected = ExpectedPanic { pattern, place: report.location, method, calls: 1 };
        self.result.ledger.expected.push(expected);
    }

    /// Writes the structures that a call left as candidates; none if one of them is out of scope.
    #[inline]
    fn push_outputs(
        &mut self,
        attempt: Attempt,
        parents: &[Parent<'_>],
        frame: &Frame,
        changed: bool,
    ) -> PushOutcome {
        if frame.results.is_empty() {
            // Most calls are on one structure and return none.
            match (&frame.arguments[..], parents) {
                _ if !changed => return PushOutcome::NothingNew,
                ([slot], [parent]) => {
                    let Some(value) = slot else { return PushOutcome::NothingNew };
                    return self.push_only(attempt, parent, &**value, None);
                }
                _ => {}
            }
        }
        let planned = self.plan().planned(attempt.planned);
        let method = self.plan().suite.method(planned.method);
        let (slots, types) = (&frame.arguments, &planned.structures);
        let arguments = CallOutput::of_arguments(0, slots, types, parents).filter(|_| changed);
        let results = frame.results.iter().zip(&method.outputs);
        let results = (slots.len() as u32..).zip(results).map(|(number, (slot, output))| {
            CallOutput { number, slot, ty: output.ty, before: None }
        });
        self.push_several(attempt, parents, arguments.chain(results))
    }

    /// Several outputs: nothing may be pushed before all are known to be in scope.
    fn push_several<'f>(
        &mut self,
        attempt: Attempt,
        parents: &[Parent<'_>],
        outputs: impl Iterator<Item = CallOutput<'f>>,
    ) -> PushOutcome {
        self.current.set_own_work();
        let present: Vec<_> = outputs
            .filter_map(|output| output.slot.as_ref().map(|value| (output, &**value)))
            .collect();
        if present.len() > 1
            && let Some(&(CallOutput { ty, .. }, value)) =
                present.iter().find(|&&(output, value)| !self.is_in_scope(value, output.ty))
        {
            self.note_passed(value, ty, attempt.planned);
            return PushOutcome::OutOfScope;
        }
        let ids: Vec<StructureId> = parents.iter().map(|parent| parent.id).collect();
        let mut all = PushOutcome::NothingNew;
        for (output, value) in present {
            let continues_call = all == PushOutcome::InScope;
            match self.push_form(attempt, &ids, output, value, continues_call) {
                PushOutcome::NothingNew => {}
                pushed => all = pushed,
            }
        }
        all
    }

    fn is_in_scope(&mut self, value: &dyn Any, ty: TypeIdx) -> bool {
        self.encoder.begin(ty.index() as u64);
        (self.plan().suite.types[ty.index()].walk)(value, &mut self.encoder);
        self.encoder.finish().is_ok()
    }

    fn push_form(
        &mut self,
        attempt: Attempt,
        arguments: &[StructureId],
        output: CallOutput<'_>,
        value: &dyn Any,
        continues_call: bool,
    ) -> PushOutcome {
        let shared = self.shared;
        let CallOutput { number, ty, before, .. } = output;
        self.encoder.begin(ty.index() as u64);
        (shared.reconstructor.plan.suite.types[ty.index()].walk)(value, &mut self.encoder);
        let objects = self.counted_objects();
        let Ok(form) = self.encoder.finish() else {
            self.note_passed(value, ty, attempt.planned);
            return PushOutcome::OutOfScope;
        };
        if shared.leaves_out_unchanged && before.is_some_and(|before| form == before) {
            return PushOutcome::NothingNew;
        }
        let call = shared.reconstructor.calls.call(attempt.planned, number, attempt.tuple);
        let candidate = Candidate { form, call, arguments, objects, continues_call };
        self.result.candidates.push(candidate);
        PushOutcome::InScope
    }

    /// Counts the bound that the last walk, that of `value`, passed.
    #[cold]
    #[inline(never)]
    fn note_passed(&mut self, value: &dyn Any, ty: TypeIdx, planned: PlannedIdx) -> PassedBound {
        let mut passed = self.encoder.passed();
        if passed == Some(PassedBound::Ints) {
            let walk = self.plan().suite.types[ty.index()].walk;
            passed = self.encoder.name_passed(ty.index() as u64, |encoder| walk(value, encoder));
        }
        // A walk that ends differently the second time is not reliable.
        let passed = passed.unwrap_or(PassedBound::Ints);
        self.result.ledger.passed.push(BoundCount::once(passed));
        self.result.ledger.reach_mut(planned).cut(passed);
        passed
    }
}
