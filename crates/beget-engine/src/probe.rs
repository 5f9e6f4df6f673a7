//! Probes: values that were matched, extended all the same.
//!
//! Where a form does not tell all that a value is (it is seen through an abstraction, or fields are
//! left out), values are matched that calls may tell apart, and only the first is extended. A plan
//! with [`Plan::probe`] has the others extended too, by one call or more, when the levels are over.
//! What these calls leave is no structure, and they have counters of their own: structures, levels,
//! counters and digest are those of the run without them. Failures that it has not met itself are
//! added to its findings. It knows nothing of how calls are made.
//!
//! # How it is kept exact
//!
//! Where a form does not tell all that a value is, a strategy around the levels keeps what the
//! store has not taken, and blocks are not thinned out by what was left not long ago. Merged values
//! are numbered behind the structures (`RunRecipes`), so blocks, workers and recipes take them for
//! structures. Their calls are made by the executor when the levels are over; no store takes what
//! they leave. Whether memory has changed is not asked in such runs, or it would depend on copies
//! which values are merged; what the signature lends by `&` is taken as unchanged. Contracts are
//! asked about structures only.

use std::collections::BTreeMap;

use beget_heap::{CanonicalForm, FormRef};
use beget_plan::finding::{Progress, Sightings, StopReason};
use beget_plan::scope::Plan;
use beget_suite::{ParamKind, Passing, TypeIdx};

use crate::block::{Block, Member};
use crate::calls::{CallGroup, CallParts, CallTable};
use crate::executor::{
    BATCH_BLOCKS, BLOCK_CALLS, BlockRunner, Executor, allowed_calls, store_error,
};
use crate::explorer::Explorer;
use crate::interim::Watcher;
use crate::ledger::Ledger;
use crate::reconstruct::merges_values;
use crate::report::Level;
use crate::sightings::Sighting;
#[cfg(feature = "messages")]
use crate::state;
use crate::store::{Candidate, Origin, Recipes, Store, StoreError, StructureId};
use crate::strategy::{Lesson, Proposal, Situation, Strategy};
use crate::worker::BlockResult;

/// A value that a call left and the store does not keep.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "messages", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct MergedValue {
    #[cfg_attr(feature = "messages", serde(with = "crate::packed::form"))]
    form: CanonicalForm,
    origin: Origin,
}

impl MergedValue {
    fn of(candidate: &Candidate<'_>) -> Self {
        MergedValue { form: candidate.form.to_canonical(), origin: Origin::of(candidate) }
    }
}

/// How structures were made, and the merged values, which are numbered behind them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunRecipes<'r> {
    pub(crate) store: &'r dyn Store,
    pub(crate) merged: &'r [MergedValue],
}

impl RunRecipes<'_> {
    /// Returns whether there is a structure, or a merged value, of this number.
    pub(crate) fn has(&self, id: StructureId) -> bool {
        (id.0 as usize) < self.store.len() as usize + self.merged.len()
    }

    fn merged(&self, id: StructureId) -> Option<&MergedValue> {
        self.merged.get(id.0.checked_sub(self.store.len())? as usize)
    }

    pub(crate) fn form(&self, id: StructureId) -> Result<CanonicalForm, StoreError> {
        self.merged(id).map_or_else(|| self.store.form(id), |value| Ok(value.form.clone()))
    }
}

impl Recipes for RunRecipes<'_> {
    fn origin_of(&self, id: StructureId) -> Result<Origin, StoreError> {
        self.merged(id).map_or_else(|| self.store.origin(id), |value| Ok(value.origin.clone()))
    }
}

/// Which values of a plan may differ though their forms are equal.
struct Likeness<'p> {
    plan: &'p Plan,
    /// By type.
    may_differ: Vec<bool>,
}

impl<'p> Likeness<'p> {
    fn new(plan: &'p Plan) -> Self {
        let may_differ = plan.suite.types.iter().map(|ty| merges_values(ty, plan));
        Likeness { plan, may_differ: may_differ.collect() }
    }

    /// Returns whether what a call left may be another than what has its form. What it was only
    /// lent is as before.
    fn may_hide(&self, candidate: &Candidate<'_>, calls: &CallTable) -> bool {
        let ty = candidate.form.type_tag(self.plan.tag_bits()) as usize;
        self.may_differ[ty] && !is_lent(self.plan, calls.parts(candidate.call))
    }
}

/// Whether a call means a structure that it takes by `&`.
fn is_lent(plan: &Plan, CallParts { planned, output, .. }: CallParts) -> bool {
    let params = plan.method(planned).params.iter();
    let mut passings = params.filter_map(|param| match param.kind {
        ParamKind::Structure { passing, .. } => Some(passing),
        ParamKind::Literal { .. } => None,
    });
    passings.nth(output) == Some(Passing::Ref)
}

/// A strategy, and the values that are matched while it runs.
pub(crate) struct WithMerged<'p, St> {
    strategy: St,
    likeness: Likeness<'p>,
    merged: Vec<MergedValue>,
    /// What the store could not tell.
    failed: Option<StoreError>,
}

impl<'p, St> WithMerged<'p, St> {
    /// Nothing is kept if the plan asks for no probes, or forms tell all.
    pub(crate) fn new(strategy: St, plan: &'p Plan) -> Self {
        let likeness = Likeness::new(plan);
        WithMerged { strategy, likeness, merged: Vec::new(), failed: None }
    }

    fn is_idle(&self) -> bool {
        self.likeness.plan.probe == 0 || !self.likeness.may_differ.contains(&true)
    }

    /// Keeps what a block left besides what the store has taken.
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

/// Whether a value is the one that stands for its form.
fn is_kept<S: Store>(store: &S, value: &MergedValue) -> Result<bool, StoreError> {
    let Some(id) = store.find(value.form.as_ref())? else { return Ok(false) };
    Ok(store.origin(id)? == value.origin)
}

impl<S: Store, St: Strategy<S>> Strategy<S> for WithMerged<'_, St> {
    fn propose(&mut self, situation: &Situation<'_, S>) -> Result<Proposal, StoreError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let mut proposal = self.strategy.propose(situation)?;
        if let Proposal::Calls(batch) = &mut proposal
            && !self.is_idle()
        {
            batch.blocks.iter_mut().for_each(|block| block.is_matched = false);
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

    #[cfg(feature = "messages")]
    fn state(&self) -> Option<Vec<u8>> {
        Some(state::to_bytes(&(self.strategy.state()?, &self.merged)))
    }

    #[cfg(feature = "messages")]
    fn restore(&mut self, state: &[u8]) -> Result<(), StoreError> {
        let (of_strategy, merged): (Vec<u8>, Vec<MergedValue>) = state::from_bytes(state)?;
        self.strategy.restore(&of_strategy)?;
        self.merged = merged;
        Ok(())
    }

    fn levels(&self, store: &S, explored: u64) -> Vec<Level> {
        self.strategy.levels(store, explored)
    }
}

/// What else goes into calls on a merged value: the first structure of each type.
type FirstStructures = Vec<Option<(StructureId, CanonicalForm)>>;

impl<S: Store> Executor<'_, '_, S> {
    /// Extends the values that were matched in a run that ended for `ended`, as the plan asks. Why
    /// that ended, if not because all was done.
    pub(crate) fn probe<St: Strategy<S>>(
        &mut self,
        run: &mut WithMerged<'_, St>,
        ended: StopReason,
        runner: &dyn BlockRunner,
        watcher: &mut dyn Watcher,
    ) -> Option<StopReason> {
        let is_to_probe = ended.is_exhausted()
            || matches!(ended, StopReason::StoreFull)
            || ended.is_budget() && ended.is_reproducible();
        if run.is_idle() || !is_to_probe {
            return None;
        }
        self.merged = std::mem::take(&mut run.merged);
        let mut seen = Sightings::default();
        let probed = self.probe_all(run, &mut seen, runner, watcher);
        self.take_new_sightings(seen);
        probed.err()
    }

    fn probe_all<St: Strategy<S>>(
        &mut self,
        run: &WithMerged<'_, St>,
        seen: &mut Sightings<Sighting>,
        runner: &dyn BlockRunner,
        watcher: &mut dyn Watcher,
    ) -> Result<(), StopReason> {
        let plan = self.explorer().plan();
        let firsts = self.first_structures().map_err(|error| self.stopped_by(error))?;
        let mut next = 0;
        for round in 1..=plan.probe {
            let end = self.merged.len();
            while next < end {
                allowed_calls(&plan.budget, self.ledger.probes.calls, 0)?;
                let blocks = self.probing_blocks(&mut next, end, &firsts);
                let blocks = blocks.map_err(|error| self.stopped_by(error))?;
                let mut results = self.call_all(&blocks, runner, run, watcher)?;
                let is_last = round == plan.probe;
                let taken = self.take_probes(&mut results, &run.likeness, is_last, seen);
                taken.map_err(|error| self.stopped_by(error))?;
                self.ledger.probes.extended = next as u64;
                if let Some(reason) = watcher.check(self.probing_progress()) {
                    return Err(reason);
                }
            }
        }
        Ok(())
    }

    fn probing_progress(&self) -> Progress {
        Progress {
            structures: self.store.len().into(),
            explored: self.ledger.counters.explored() + self.ledger.probes.calls,
            failures: self.ledger.counters.failures + self.ledger.probes.failures,
            store_bytes: self.store.bytes(),
            level: None,
        }
    }

    fn first_structures(&self) -> Result<FirstStructures, StoreError> {
        /// So many structures are looked at at once.
        const AT_ONCE: u32 = 4096;
        let plan = self.explorer().plan();
        let mut firsts: FirstStructures = vec![None; plan.suite.types.len()];
        let mut begun = 0;
        while begun < self.store.len() && firsts.iter().any(Option::is_none) {
            let end = self.store.len().min(begun + AT_ONCE);
            self.store.scan(begun..end, &mut |id, form| {
                let first = &mut firsts[plan.type_of(form).0];
                first.get_or_insert_with(|| (id, form.to_canonical()));
            })?;
            begun = end;
        }
        Ok(firsts)
    }

    /// The next blocks of calls on merged values, up to the one of number `end`.
    fn probing_blocks(
        &self,
        next: &mut usize,
        end: usize,
        firsts: &FirstStructures,
    ) -> Result<Vec<Block>, StoreError> {
        let mut blocks = Vec::new();
        while blocks.len() < BATCH_BLOCKS && *next < end {
            let mut block = ProbingBlock::new(self.explorer());
            while block.n_calls < BLOCK_CALLS && *next < end {
                block.extend(&self.store, *next, &self.merged[*next], firsts)?;
                *next += 1;
            }
            blocks.push(block.block);
        }
        Ok(blocks)
    }

    fn take_probes(
        &mut self,
        results: &mut [BlockResult],
        likeness: &Likeness<'_>,
        is_last: bool,
        seen: &mut Sightings<Sighting>,
    ) -> Result<(), StoreError> {
        if let Some(error) = store_error(results) {
            return Err(error);
        }
        let calls = self.explorer().calls();
        for result in results {
            let Ledger { counters, sightings, notes, .. } = std::mem::take(&mut result.ledger);
            self.ledger.probes.calls += counters.explored();
            self.ledger.probes.failures += counters.failures;
            if !seen.append(sightings) {
                self.ledger.take_note(Sightings::<Sighting>::DROPPED.to_owned());
            }
            notes.into_iter().for_each(|note| self.ledger.take_note(note));
            for candidate in result.candidates.iter() {
                let value = MergedValue::of(&candidate);
                let is_known = self.store.find(value.form.as_ref())?.is_some();
                self.ledger.probes.unknown += u64::from(!is_known);
                if !is_last && (!is_known || likeness.may_hide(&candidate, calls)) {
                    self.merged.push(value);
                }
            }
        }
        Ok(())
    }

    /// Adds what the run itself has not met.
    fn take_new_sightings(&mut self, seen: Sightings<Sighting>) {
        let new = seen.not_in(&self.ledger.sightings);
        self.ledger.take_remarks(new, Vec::new());
    }
}

/// A block of calls on merged values that is being made.
struct ProbingBlock<'e> {
    explorer: &'e Explorer<'e>,
    block: Block,
    n_calls: u64,
    /// The structures that are in it.
    members: BTreeMap<StructureId, Member>,
}

impl<'e> ProbingBlock<'e> {
    fn new(explorer: &'e Explorer<'e>) -> Self {
        let mut block = Block::default();
        for method in explorer.plan().planned_idxs() {
            block.unfollow(method);
            block.spare_audits(method);
        }
        ProbingBlock { explorer, block, n_calls: 0, members: BTreeMap::new() }
    }

    /// Adds all calls that take merged value number `index`, in one place each. The others take the
    /// structure that stands for it, or the first one of another type.
    fn extend<S: Store>(
        &mut self,
        store: &S,
        index: usize,
        value: &MergedValue,
        firsts: &FirstStructures,
    ) -> Result<(), StoreError> {
        let form = value.form.as_ref();
        let ty = self.explorer.type_of(form);
        let own = self.member(StructureId(store.len() + index as u32), form);
        let stands_for_it = store.find(form)?.map(|id| (id, value.form.clone()));
        for (group_idx, group) in self.explorer.signatures() {
            for place in (0..group.types.len()).filter(|&place| group.types[place] == ty) {
                let members = self.members_around(place, own, group, &|other: TypeIdx| {
                    let same = stands_for_it.as_ref().filter(|_| other == ty);
                    same.or(firsts[other.0].as_ref())
                });
                let Some(members) = members else { continue };
                self.block.add_calls(group_idx, &members);
                self.n_calls += self.explorer.n_calls(group);
            }
        }
        Ok(())
    }

    /// `own` in its place among the others; `None` if there is no structure for one of them.
    fn members_around<'f>(
        &mut self,
        place: usize,
        own: Member,
        group: &CallGroup,
        other: &dyn Fn(TypeIdx) -> Option<&'f (StructureId, CanonicalForm)>,
    ) -> Option<Vec<Member>> {
        let types = group.types.iter().enumerate();
        let member = |(index, &ty): (usize, &TypeIdx)| match index == place {
            true => Some(own),
            false => other(ty).map(|(id, form)| self.member(*id, form.as_ref())),
        };
        types.map(member).collect()
    }

    fn member(&mut self, id: StructureId, form: FormRef<'_>) -> Member {
        let block = &mut self.block;
        *self.members.entry(id).or_insert_with(|| block.add_structure(id, form))
    }
}
