//! The structures that calls build, as one side of a comparison.

use beget_engine::Corpus;
use beget_engine::store::{ExactStore, Store, StructureId};
use beget_repok::FormSet;
use beget_suite::TypeIdx;

/// The structures of the main type that a run reports, by number; their forms are those of the store,
/// slack included.
pub(super) struct ApiForms<'c> {
    store: &'c ExactStore,
    /// The structures in order; `None` if they are all of the store's.
    members: Option<Vec<u32>>,
}

impl<'c> ApiForms<'c> {
    pub(super) fn new(corpus: &'c Corpus) -> Self {
        let plan = &corpus.plan;
        let is_everything = plan.suite.types.len() == 1 && plan.slack.is_none();
        let members = (!is_everything).then(|| {
            let mut reader = corpus.reader();
            let all = (0..corpus.store.len()).map(StructureId);
            let mut is_member = |id: StructureId| {
                corpus.type_of(id) == TypeIdx(0)
                    && (plan.slack.is_none() || reader.reported(id).is_some())
            };
            all.filter(|&id| is_member(id)).map(|id| id.0).collect()
        });
        ApiForms { store: &corpus.store, members }
    }

    pub(super) fn id(&self, number: usize) -> StructureId {
        StructureId(self.members.as_ref().map_or(number as u32, |members| members[number]))
    }
}

impl FormSet for ApiForms<'_> {
    fn len(&self) -> usize {
        self.members.as_ref().map_or(self.store.len() as usize, Vec::len)
    }

    fn find(&self, form: &[u8]) -> Option<usize> {
        let id = self.store.find(form)?.0;
        match &self.members {
            None => Some(id as usize),
            Some(members) => members.binary_search(&id).ok(),
        }
    }

    fn form(&self, number: usize) -> Vec<u8> {
        self.store.form(self.id(number))
    }
}
