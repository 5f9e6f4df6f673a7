//! Values that were matched, kept beside the structures, for probes; and a view of both.

use std::fmt;
use std::ops::Range;

use beget_heap::FormRef;
use beget_plan::scope::Plan;
use beget_suite::{ParamKind, Passing};

use crate::data::block::ReportRule;
use crate::data::calls::{CallParts, CallTable};
use crate::data::merged::MergedValue;
use crate::data::report::Level;
use crate::data::state_bytes::state_from;
use crate::data::wire::{Wire, to_bytes};
use crate::rebuild::reconstruct::merges_values;
use crate::store::{
    Candidate, Candidates, CommitCounts, DroppedForms, Origin, Store, StoreError, StructureId,
    Totals,
};
use crate::strategy::proposal::{Lesson, Proposal, Situation, Strategy};
use crate::worker::BlockResult;

impl MergedValue {
    pub(crate) fn of(candidate: &Candidate<'_>) -> Self {
        MergedValue { form: candidate.form.to_canonical(), origin: Origin::of(candidate) }
    }
}

/// The structures of a store, read only, and the merged values, which are numbered after them.
#[derive(Clone, Copy)]
pub struct StoreView<'s> {
    pub(crate) store: &'s dyn Store,
    pub(crate) merged: &'s [MergedValue],
}

impl StoreView<'_> {
    /// Returns whether there is a structure, or a merged value, with this number.
    pub(crate) fn has(&self, id: StructureId) -> bool {
        id.number() < self.len()
    }

    fn merged(&self, id: StructureId) -> Option<&MergedValue> {
        self.merged.get(id.number().checked_sub(self.store.len())? as usize)
    }
}

impl fmt::Debug for StoreView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoreView").field("len", &self.len()).finish()
    }
}

/// [Finding](Store::find) a form gives the structure that represents it.
impl Store for StoreView<'_> {
    fn commit(&mut self, _: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError> {
        unreachable!("a run writes to its own store")
    }

    fn dropped(&self) -> Option<&DroppedForms> {
        self.store.dropped()
    }

    fn scan(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        let n_stored = self.store.len();
        if ids.start < n_stored {
            self.store.scan(ids.start..ids.end.min(n_stored), visit)?;
        }
        for id in (ids.start.max(n_stored)..ids.end).map(StructureId::new) {
            if let Some(value) = self.merged(id) {
                visit(id, value.form.as_ref());
            }
        }
        Ok(())
    }

    fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        self.store.find(form)
    }

    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        self.merged(id).map_or_else(|| self.store.origin(id), |value| Ok(value.origin.clone()))
    }

    fn totals(&self) -> Totals {
        self.store.totals()
    }

    fn len(&self) -> u64 {
        self.store.len() + self.merged.len() as u64
    }

    fn bytes(&self) -> u64 {
        self.store.bytes()
    }

    fn matches(&self) -> bool {
        self.store.matches()
    }
}

/// The types of a plan whose values may differ although their forms are equal.
pub(crate) struct Likeness<'p> {
    plan: &'p Plan,
    /// By type.
    may_differ: Vec<bool>,
}

impl<'p> Likeness<'p> {
    fn new(plan: &'p Plan) -> Self {
        let may_differ = plan.suite.types.iter().map(|ty| merges_values(ty, plan));
        Likeness { plan, may_differ: may_differ.collect() }
    }

    /// Returns whether the result of a call may differ from the structure with its form. An
    /// argument that was only lent is unchanged.
    pub(crate) fn may_hide(&self, candidate: &Candidate<'_>, calls: &CallTable) -> bool {
        let ty = candidate.form.type_tag(self.plan.tag_bits()) as usize;
        self.may_differ[ty] && !is_lent(self.plan, calls.parts(candidate.call))
    }
}

/// Returns whether a call means a structure that it takes by `&`.
fn is_lent(plan: &Plan, CallParts { planned, output, .. }: CallParts) -> bool {
    let params = plan.method(planned).params.iter();
    let mut passings = params.filter_map(|param| match param.kind {
        ParamKind::Structure { passing, .. } => Some(passing),
        ParamKind::Literal { .. } => None,
    });
    passings.nth(output) == Some(Passing::Ref)
}

/// A strategy, with the values that are matched while it runs.
pub(crate) struct MergedStrategy<'p, St> {
    strategy: St,
    pub(crate) likeness: Likeness<'p>,
    pub(crate) merged: Vec<MergedValue>,
    /// The error of the store, if any.
    failed: Option<StoreError>,
}

impl<'p, St> MergedStrategy<'p, St> {
    /// Keeps nothing if the plan has no probes, or forms hold everything.
    pub(crate) fn new(strategy: St, plan: &'p Plan) -> Self {
        let likeness = Likeness::new(plan);
        MergedStrategy { strategy, likeness, merged: Vec::new(), failed: None }
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.likeness.plan.probe == 0 || !self.likeness.may_differ.contains(&true)
    }

    /// Keeps the values of a block that the store has not taken.
    fn keep<S: Store>(&mut self, result: &BlockResult, lesson: &Lesson<'_, S>) {
        let store = lesson.store;
        if !store.matches() {
            return;
        }
        for candidate in result.candidates.iter() {
            if !self.likeness.may_hide(&candidate, lesson.calls) {
                continue;
            }
            let value = MergedValue::of(&candidate);
            match is_kept(store, &value) {
                Ok(true) => {}
                Ok(false) => self.merged.push(value),
                Err(error) => self.failed = Some(error),
            }
        }
    }
}

/// Returns whether a value is the one that represents its form.
fn is_kept<S: Store>(store: &S, value: &MergedValue) -> Result<bool, StoreError> {
    let Some(id) = store.find(value.form.as_ref())? else { return Ok(false) };
    Ok(store.origin(id)? == value.origin)
}

impl<S: Store, St: Strategy<S>> Strategy<S> for MergedStrategy<'_, St> {
    fn propose(&mut self, situation: &Situation<'_, S>) -> Result<Proposal, StoreError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let mut proposal = self.strategy.propose(situation)?;
        if let Proposal::Calls(batch) = &mut proposal
            && !self.is_idle()
        {
            batch.blocks.iter_mut().for_each(|block| block.reported = ReportRule::Every);
        }
        Ok(proposal)
    }

    fn learn(&mut self, lesson: &Lesson<'_, S>) {
        if !self.is_idle() {
            lesson.results.iter().for_each(|result| self.keep(result, lesson));
        }
        self.strategy.learn(lesson);
    }

    fn needs_lessons(&self) -> bool {
        !self.is_idle() || self.strategy.needs_lessons()
    }

    fn is_between_levels(&self) -> bool {
        self.strategy.is_between_levels()
    }

    fn state(&self) -> Option<Vec<u8>> {
        let mut bytes = to_bytes(&self.strategy.state()?);
        self.merged.pack(&mut bytes);
        Some(bytes)
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), StoreError> {
        let (of_strategy, merged): (Vec<u8>, Vec<MergedValue>) = state_from(state)?;
        self.strategy.restore(&of_strategy)?;
        self.merged = merged;
        Ok(())
    }

    fn levels(&self, store: &S, explored: u64) -> Vec<Level> {
        self.strategy.levels(store, explored)
    }
}

#[cfg(test)]
mod tests {
    use beget_heap::Form;
    use beget_plan::scope::PlannedIdx;

    use super::*;
    use crate::common::{plan, suite};
    use crate::store::ExactStore;
    use crate::strategy::levels::Levels;
    use crate::worker::explorer::Explorer;

    /// If a field is left out of forms, values may differ.
    fn plan_of(probe: u32, omits: bool) -> Plan {
        plan(suite(), &["new", "insert", "split"], 2).with(|draft| {
            draft.probe = probe;
            if omits {
                draft.bounds.omitted = [("Tree".to_owned(), "size".to_owned())].into();
            }
        })
    }

    /// Learns or does not, and proposes nothing.
    struct Learner(bool);

    impl<S: Store> Strategy<S> for Learner {
        fn propose(&mut self, _: &Situation<'_, S>) -> Result<Proposal, StoreError> {
            Ok(Proposal::Settle)
        }

        fn learn(&mut self, _: &Lesson<'_, S>) {}

        fn needs_lessons(&self) -> bool {
            self.0
        }
    }

    #[test]
    fn lessons_are_needed_by_the_strategy_or_for_values_that_may_differ() {
        let needs = |learns, probe, omits| {
            let plan = plan_of(probe, omits);
            let run = MergedStrategy::new(Learner(learns), &plan);
            Strategy::<ExactStore>::needs_lessons(&run)
        };
        // Without probes, or if forms hold everything, nothing is kept.
        assert_eq!([needs(false, 0, true), needs(false, 1, false)], [false, false]);
        assert_eq!([needs(false, 1, true), needs(true, 1, true)], [true, true]);
        assert!(needs(true, 0, true) && needs(true, 1, false));
        let plan = plan_of(0, false);
        let levels = MergedStrategy::new(Levels::new(), &plan);
        assert!(!Strategy::<ExactStore>::needs_lessons(&levels));
    }

    #[test]
    fn a_value_may_hide_unless_forms_hold_everything_or_it_was_lent() {
        let may_hide = |omits, method: usize, output| {
            let plan = plan_of(1, omits);
            let calls = CallTable::new(&plan);
            let candidate = Candidate {
                form: Form { words: &[0], len: 1 },
                call: calls.call(PlannedIdx::new(method), output, 0),
                arguments: &[StructureId::new(0)],
                objects: 0,
                continues_call: false,
            };
            Likeness::new(&plan).may_hide(&candidate, &calls)
        };
        // The argument of `insert` by `&mut`; that of `split` by `&`, and its two results.
        assert!(may_hide(true, 1, 0));
        assert_eq!([0, 1, 2].map(|output| may_hide(true, 2, output)), [false, true, true]);
        assert!(!may_hide(false, 1, 0));
    }

    #[test]
    fn merged_values_are_numbered_after_the_structures() {
        let plan = plan_of(1, true);
        let mut store = ExactStore::of(&plan);
        let explorer = Explorer::new(&plan, crate::Settings::default());
        let mut block = crate::Block::default();
        block.add_calls(explorer.alone(PlannedIdx::new(0)).0, &[]);
        let made = explorer.run_block(&block, &store).candidates;
        let merged: Vec<MergedValue> =
            made.iter().chain(made.iter()).map(|left| MergedValue::of(&left)).collect();
        store.commit(&[made]).unwrap();
        let recipes = StoreView { store: &store, merged: &merged };
        let has: Vec<bool> = (0..4).map(|id| recipes.has(StructureId::new(id))).collect();
        assert_eq!(has, [true, true, true, false]);
        assert_eq!(recipes.form(StructureId::new(2)), recipes.form(StructureId::new(0)));
    }
}
