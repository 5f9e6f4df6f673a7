//! A store for tests that puts all decisions off.

use std::ops::Range;

use beget_heap::FormRef;
use beget_plan::scope::Plan;

use super::{
    Candidates, CommitCounts, ExactStore, Origin, Store, StoreError, StructureId, Totals,
    UnsettledCandidates,
};

/// An exact store that finds out what is new only when it settles.
#[derive(Debug)]
pub(crate) struct DelayedStore {
    own: ExactStore,
    waiting: Vec<Candidates>,
    /// The number of waiting candidates at which settling is due.
    due_at: u64,
    /// The number of times that it has settled.
    pub(crate) n_settled: u32,
}

impl DelayedStore {
    pub(crate) fn of(plan: &Plan) -> Self {
        DelayedStore::around(ExactStore::of(plan))
    }

    pub(crate) fn around(own: ExactStore) -> Self {
        DelayedStore { own, waiting: Vec::new(), due_at: u64::MAX, n_settled: 0 }
    }

    pub(crate) fn due_at(self, due_at: u64) -> Self {
        DelayedStore { due_at, ..self }
    }
}

impl Store for DelayedStore {
    fn commit(&mut self, blocks: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError> {
        self.waiting.extend(blocks.iter().map(|block| {
            let mut copy = Candidates::default();
            copy.append(block);
            copy
        }));
        Ok(vec![CommitCounts::default(); blocks.len()])
    }

    fn settle(&mut self) -> Result<CommitCounts, StoreError> {
        self.n_settled += 1;
        let counts = self.own.commit(&std::mem::take(&mut self.waiting))?;
        Ok(counts.iter().fold(CommitCounts::default(), |sum, one| CommitCounts {
            new: sum.new + one.new,
            calls_with_new: sum.calls_with_new + one.calls_with_new,
        }))
    }

    fn unsettled(&self) -> UnsettledCandidates {
        let candidates = self.waiting.iter().map(Candidates::len).sum::<usize>() as u64;
        UnsettledCandidates { candidates, is_due: candidates >= self.due_at }
    }

    fn scan(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        self.own.scan(ids, visit)
    }

    fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        self.own.find(form)
    }

    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        self.own.origin(id)
    }

    fn totals(&self) -> Totals {
        self.own.totals()
    }

    fn len(&self) -> u64 {
        self.own.len()
    }

    fn bytes(&self) -> u64 {
        self.own.bytes()
    }
}

#[test]
fn a_store_that_decides_later_keeps_the_laws() {
    let new = |tag_bits| DelayedStore::around(ExactStore::new(super::laws::N_CALLS, tag_bits));
    assert_eq!(super::laws::check(new), Ok(()));
}
