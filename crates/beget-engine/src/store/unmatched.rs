//! The store that matches nothing.

use std::ops::Range;

use beget_heap::{FormRef, TagBits};
use beget_plan::scope::Plan;

use crate::CallTable;

use super::arena::{Arena, FormRoom};
use super::origins::Origins;
use super::{Candidate, Candidates, CommitCounts, Origin, Store, StoreError, StructureId, Totals};

/// Keeps every candidate, known or not, only to measure the benefit of state matching.
#[derive(Clone, Debug)]
pub struct UnmatchedStore {
    arena: Arena,
    origins: Origins,
    totals: Totals,
    tag_bits: TagBits,
}

impl UnmatchedStore {
    /// An empty store for a plan with `n_calls` calls, whose forms have type tags of this width.
    pub fn new(n_calls: u32, tag_bits: TagBits) -> Self {
        UnmatchedStore {
            arena: Arena::default(),
            origins: Origins::new(n_calls),
            totals: Totals::default(),
            tag_bits,
        }
    }

    /// An empty store for a plan.
    pub fn of(plan: &Plan) -> Self {
        Self::new(CallTable::new(plan).n_calls(), plan.tag_bits())
    }

    fn keep(&mut self, candidate: &Candidate<'_>) {
        self.arena.push(candidate.form.words, candidate.form.len);
        self.origins.push(candidate.call, candidate.arguments);
        self.totals.add(candidate, self.tag_bits);
    }
}

impl Store for UnmatchedStore {
    fn commit(&mut self, blocks: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError> {
        let mut keep_all = |block: &Candidates| {
            let mut committed = CommitCounts::default();
            for candidate in block.iter() {
                self.keep(&candidate);
                committed.new += 1;
                committed.calls_with_new += u64::from(!candidate.continues_call);
            }
            committed
        };
        Ok(blocks.iter().map(&mut keep_all).collect())
    }

    fn scan(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        let mut room = FormRoom::default();
        ids.for_each(|id| visit(StructureId::new(id), self.arena.read(id as usize, &mut room)));
        Ok(())
    }

    fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        let words = form.to_words();
        let index = (0..self.arena.len()).find(|&index| self.arena.is_padded(index, &words));
        Ok(index.map(|index| StructureId::new(index as u64)))
    }

    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        Ok(self.origins.get(id.index()))
    }

    fn totals(&self) -> Totals {
        self.totals.clone()
    }

    fn len(&self) -> u64 {
        self.arena.len() as u64
    }

    fn bytes(&self) -> u64 {
        self.arena.bytes() + self.origins.bytes()
    }

    fn matches(&self) -> bool {
        false
    }
}
