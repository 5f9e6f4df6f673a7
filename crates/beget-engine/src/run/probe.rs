//! Probes: matched values that are extended anyway.
//!
//! If a form does not hold everything about a value (it is shown through an abstraction, or fields
//! are left out), values are matched that calls may distinguish, and only the first is extended. A
//! plan with [`PlanDraft::probe`] also extends the others, by one call or more, when the levels are
//! over. The results of these calls are no structures, and they have separate counters: structures,
//! levels, counters and digest are those of the run without them. New failures are added to its
//! findings. It does not know how calls are made.
//!
//! # Exactness
//!
//! If a form does not hold everything about a value, a strategy around the levels keeps the values
//! that the store has not taken, and blocks are not thinned out by recent forms. Merged values are
//! numbered after the structures (`StoreView`), so blocks, workers and recipes treat them as
//! structures. The executor makes their calls when the levels are over; no store takes the results.
//! Such runs do not check whether memory has changed, because the set of merged values would depend
//! on the copies; arguments lent by `&` count as unchanged. Oracles are asked about the merged
//! values after the structures (`Corpus::with_merged`); calls are audited on structures only.

use std::collections::BTreeMap;

use beget_heap::{CanonicalForm, FormRef};
use beget_plan::finding::{Progress, Sightings, StopReason};
use beget_suite::TypeIdx;

use crate::data::block::{Block, Member};
use crate::data::calls::CallGroup;
use crate::data::ledger::Ledger;
use crate::data::merged::MergedValue;
use crate::data::sightings::Sighting;
use crate::run::executor::{BlockRunner, Executor, allowed_calls, store_error};
use crate::run::interim::Observer;
use crate::run::merged::{Likeness, MergedStrategy};
use crate::store::{Store, StoreError, StructureId};
use crate::strategy::proposal::{BATCH_BLOCKS, Strategy, block_calls};
use crate::worker::BlockResult;
use crate::worker::explorer::Explorer;

/// The other arguments of calls on a merged value: the first structure of each type.
type FirstStructures = Vec<Option<(StructureId, CanonicalForm)>>;

impl<S: Store> Executor<'_, '_, S> {
    /// Extends the values matched in a run that ended for `ended`, if the plan has probes. Returns
    /// the reason for an early end.
    pub(crate) fn probe<St: Strategy<S>>(
        &mut self,
        run: &mut MergedStrategy<'_, St>,
        ended: StopReason,
        runner: &dyn BlockRunner,
        watcher: &mut dyn Observer,
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
        run: &MergedStrategy<'_, St>,
        seen: &mut Sightings<Sighting>,
        runner: &dyn BlockRunner,
        watcher: &mut dyn Observer,
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
            structures: self.store.len(),
            explored: self.ledger.counters.explored() + self.ledger.probes.calls,
            failures: self.ledger.counters.failures + self.ledger.probes.failures,
            store_bytes: self.store.bytes(),
            level: None,
        }
    }

    fn first_structures(&self) -> Result<FirstStructures, StoreError> {
        /// The number of structures scanned at once.
        const AT_ONCE: u64 = 4096;
        let plan = self.explorer().plan();
        let mut firsts: FirstStructures = vec![None; plan.suite.types.len()];
        let mut begun = 0;
        while begun < self.store.len() && firsts.iter().any(Option::is_none) {
            let end = self.store.len().min(begun + AT_ONCE);
            self.store.scan(begun..end, &mut |id, form| {
                let first = &mut firsts[plan.type_of(form).index()];
                first.get_or_insert_with(|| (id, form.to_canonical()));
            })?;
            begun = end;
        }
        Ok(firsts)
    }

    /// The next blocks of calls on merged values, up to number `end`.
    fn probing_blocks(
        &self,
        next: &mut usize,
        end: usize,
        firsts: &FirstStructures,
    ) -> Result<Vec<Block>, StoreError> {
        let calls = block_calls(self.explorer().plan());
        let mut blocks = Vec::new();
        while blocks.len() < BATCH_BLOCKS && *next < end {
            let mut block = ProbingBlock::new(self.explorer());
            while block.n_calls < calls && *next < end {
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
        let before = self.ledger().spared.clone();
        for result in results {
            let Ledger { counters, sightings, notes, spared, omissions, .. } =
                std::mem::take(&mut result.ledger);
            spared.into_iter().for_each(|method| self.ledger.spare(method));
            omissions.into_iter().for_each(|omission| self.ledger.add_omission(omission));
            self.ledger.probes.calls += counters.explored();
            self.ledger.probes.failures += counters.failures;
            if !seen.append(sightings) {
                self.ledger.add_note(Sightings::<Sighting>::DROPPED.to_owned());
            }
            self.ledger.extend_notes(notes);
            for candidate in result.candidates.iter() {
                let value = MergedValue::of(&candidate);
                let is_known = self.store.find(value.form.as_ref())?.is_some();
                self.ledger.probes.unknown += u64::from(!is_known);
                if !is_last && (!is_known || likeness.may_hide(&candidate, calls)) {
                    self.merged.push(value);
                }
            }
        }
        self.note_endless(&before, "on values that equal others");
        Ok(())
    }

    /// Adds the sightings that the run itself has not met.
    fn take_new_sightings(&mut self, seen: Sightings<Sighting>) {
        let new = seen.not_in(&self.ledger.sightings);
        self.ledger.take_remarks(new, Vec::new());
    }
}

/// A block of calls on merged values under construction.
struct ProbingBlock<'e> {
    explorer: &'e Explorer<'e>,
    block: Block,
    n_calls: u64,
    /// The structures in it.
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

    /// Adds all calls that take merged value number `index`, once in each place. The other
    /// arguments are the structure that represents it, or the first one of another type.
    fn extend<S: Store>(
        &mut self,
        store: &S,
        index: usize,
        value: &MergedValue,
        firsts: &FirstStructures,
    ) -> Result<(), StoreError> {
        let form = value.form.as_ref();
        let ty = self.explorer.type_of(form);
        let own = self.member(StructureId::new(store.len() + index as u64), form);
        let stands_for_it = store.find(form)?.map(|id| (id, value.form.clone()));
        for (group_idx, group) in self.explorer.signatures() {
            for place in (0..group.types.len()).filter(|&place| group.types[place] == ty) {
                let members = self.members_around(place, own, group, &|other: TypeIdx| {
                    let same = stands_for_it.as_ref().filter(|_| other == ty);
                    same.or(firsts[other.index()].as_ref())
                });
                let Some(members) = members else { continue };
                self.block.add_calls(group_idx, &members);
                self.n_calls += self.explorer.n_calls(group);
            }
        }
        Ok(())
    }

    /// `own` in its place among the others; `None` if one of them has no structure.
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

#[cfg(test)]
mod tests;
