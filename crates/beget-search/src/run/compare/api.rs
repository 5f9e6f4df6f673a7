//! The structures that calls build, as one side of a comparison.

use std::sync::OnceLock;

use crate::repok::FormSet;
use beget_engine::Corpus;
use beget_engine::store::{Store, StoreError, StructureId};
use beget_heap::{CanonicalForm, FormRef};
use fixedbitset::FixedBitSet;

/// The structures of the main type that a run reports, by their numbers in the run; their forms are
/// those of the store, slack included.
pub(super) struct ApiForms<'c> {
    store: &'c dyn Store,
    /// The error of the store, for readers of forms.
    pub(super) failed: OnceLock<StoreError>,
    /// The members among the store's structures; `None` for all.
    members: Option<FixedBitSet>,
}

impl<'c> ApiForms<'c> {
    pub(super) fn new(corpus: &'c Corpus) -> Result<Self, StoreError> {
        let plan = &corpus.plan;
        let is_everything = plan.suite.types.len() == 1 && plan.slack.is_none();
        let members = (!is_everything).then(|| members_of(corpus)).transpose()?;
        Ok(ApiForms { store: &corpus.store, failed: OnceLock::new(), members })
    }

    /// The value read, or `otherwise` if the store failed.
    fn read<T>(&self, read: Result<T, StoreError>, otherwise: impl FnOnce() -> T) -> T {
        read.unwrap_or_else(|error| {
            self.failed.get_or_init(|| error);
            otherwise()
        })
    }

    /// The number of a structure found in the store.
    fn member(&self, found: Option<StructureId>) -> Option<usize> {
        let number = found?.index();
        let is_member = self.members.as_ref().is_none_or(|members| members.contains(number));
        is_member.then_some(number)
    }
}

fn members_of(corpus: &Corpus) -> Result<FixedBitSet, StoreError> {
    let mut members = FixedBitSet::with_capacity(corpus.store.len() as usize);
    let mut reader = corpus.reader();
    for id in (0..corpus.store.len()).map(StructureId::new) {
        members.set(id.index(), reader.is_generated(id)?);
    }
    Ok(members)
}

impl FormSet for ApiForms<'_> {
    fn numbers(&self) -> Box<dyn Iterator<Item = usize> + '_> {
        match &self.members {
            None => Box::new(0..self.store.len() as usize),
            Some(members) => Box::new(members.ones()),
        }
    }

    fn find(&self, form: FormRef<'_>) -> Option<usize> {
        self.member(self.read(self.store.find(form), || None))
    }

    fn find_all(&self, forms: &[FormRef<'_>]) -> Vec<Option<usize>> {
        let found = self.read(self.store.find_all(forms), || vec![None; forms.len()]);
        found.into_iter().map(|found| self.member(found)).collect()
    }

    fn lookup_bytes(&self) -> u64 {
        self.store.lookup_bytes()
    }

    fn form(&self, number: usize) -> CanonicalForm {
        self.read(self.store.form(StructureId::new(number as u64)), CanonicalForm::default)
    }
}
