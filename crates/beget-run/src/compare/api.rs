//! The structures that calls build, as one side of a comparison.

use std::sync::OnceLock;

use beget_engine::Corpus;
use beget_engine::store::{Store, StoreError, StructureId};
use beget_heap::{CanonicalForm, FormRef};
use beget_repok::FormSet;

/// The structures of the main type that a run reports, by number; their forms are those of the
/// store, slack included.
pub(super) struct ApiForms<'c> {
    store: &'c dyn Store,
    /// What the store failed at, for whoever asked for forms.
    pub(super) failed: OnceLock<StoreError>,
    /// The structures in order; `None` if they are all of the store's.
    members: Option<Vec<u32>>,
}

impl<'c> ApiForms<'c> {
    pub(super) fn new(corpus: &'c Corpus) -> Result<Self, StoreError> {
        let plan = &corpus.plan;
        let is_everything = plan.suite.types.len() == 1 && plan.slack.is_none();
        let members = || {
            let generated = corpus.reader().generated()?;
            Ok::<_, StoreError>(generated.iter().map(|id| id.0).collect())
        };
        let members = (!is_everything).then(members).transpose()?;
        Ok(ApiForms { store: &corpus.store, failed: OnceLock::new(), members })
    }

    /// What was read, or nothing if the store failed.
    fn read<T: Default>(&self, read: Result<T, StoreError>) -> T {
        read.unwrap_or_else(|error| {
            self.failed.get_or_init(|| error);
            T::default()
        })
    }

    pub(super) fn id(&self, number: usize) -> StructureId {
        StructureId(self.members.as_ref().map_or(number as u32, |members| members[number]))
    }
}

impl FormSet for ApiForms<'_> {
    fn len(&self) -> usize {
        self.members.as_ref().map_or(self.store.len() as usize, Vec::len)
    }

    fn find(&self, form: FormRef<'_>) -> Option<usize> {
        let id = self.read(self.store.find(form))?.0;
        match &self.members {
            None => Some(id as usize),
            Some(members) => members.binary_search(&id).ok(),
        }
    }

    fn form(&self, number: usize) -> CanonicalForm {
        self.read(self.store.form(self.id(number)))
    }
}
