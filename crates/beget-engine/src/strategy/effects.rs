//! Watching what calls leave, with every structure by its number.

use beget_heap::Form;
use beget_heap::hash::{FixedMap, fixed_map};
use beget_plan::scope::PlannedIdx;

use crate::data::calls::CallTable;
use crate::store::{Candidate, Candidates, Store, StoreError, StructureId};

/// What one call left: an argument as it was after the call, or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect<'c> {
    /// The method.
    pub method: PlannedIdx,
    /// The structures that the call took.
    pub arguments: &'c [StructureId],
    /// Which of the call's structures is meant: among the arguments, then among the results.
    pub output: usize,
    /// What it is after the call.
    pub target: StructureId,
}

impl Effect<'_> {
    /// Returns whether it is an argument that is as it was before the call.
    pub fn is_unchanged(&self) -> bool {
        self.arguments.get(self.output) == Some(&self.target)
    }
}

/// The numbers of forms, by their [unpadded words](Form::unpadded_words).
type FormIds = FixedMap<Box<[u64]>, u32>;

fn ids_of(store: &dyn Store) -> Result<FormIds, StoreError> {
    let mut ids = fixed_map::<Box<[u64]>, u32>();
    store.scan(0..store.len(), &mut |id, form| {
        let words = form.to_words();
        ids.insert(Form { words: &words, len: 8 * words.len() }.unpadded_words().into(), id.0);
    })?;
    Ok(ids)
}

/// Tells a watcher what calls left. It numbers forms as the store will.
pub(crate) struct EffectWatcher<'w> {
    ids: FormIds,
    watch: &'w mut dyn FnMut(Effect<'_>),
}

impl<'w> EffectWatcher<'w> {
    /// A watcher that knows everything in `store`.
    pub(crate) fn new(
        store: &dyn Store,
        watch: &'w mut dyn FnMut(Effect<'_>),
    ) -> Result<Self, StoreError> {
        Ok(EffectWatcher { ids: ids_of(store)?, watch })
    }

    /// After a commit: the store must have numbered forms as the watcher did.
    pub(crate) fn check(&self, store: &dyn Store) {
        assert_eq!(self.ids.len(), store.len() as usize, "a beget bug: watcher and store differ");
    }

    /// Shows the effects of one block of a method's calls, the next one that the store took.
    pub(crate) fn see(&mut self, method: PlannedIdx, calls: &CallTable, candidates: &Candidates) {
        for Candidate { form, call, arguments, .. } in candidates.iter() {
            let words = form.unpadded_words();
            let target = match self.ids.get(words) {
                Some(&id) => id,
                None => {
                    let id = self.ids.len() as u32;
                    self.ids.insert(words.into(), id);
                    id
                }
            };
            let output = calls.parts(call).output;
            let target = StructureId(target);
            (self.watch)(Effect { method, arguments, output, target });
        }
    }
}
