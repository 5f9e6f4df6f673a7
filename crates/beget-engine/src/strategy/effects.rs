//! The effects of calls, with every structure by its number.

use beget_heap::Form;
use beget_heap::hash::{FixedMap, fixed_map};
use beget_plan::scope::PlannedIdx;

use crate::data::calls::CallTable;
use crate::store::{Candidate, Candidates, Store, StoreError, StructureId};

/// An effect of one call: an argument after the call, or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect<'c> {
    /// The method.
    pub method: PlannedIdx,
    /// The structures that the call took.
    pub arguments: &'c [StructureId],
    /// The structure of the call that is meant: among the arguments, then among the results.
    pub output: usize,
    /// The structure after the call.
    pub target: StructureId,
}

impl Effect<'_> {
    /// Returns whether it is an unchanged argument.
    pub fn is_unchanged(&self) -> bool {
        self.arguments.get(self.output) == Some(&self.target)
    }
}

/// The numbers of forms, by their [unpadded words](Form::unpadded_words).
type FormIds = FixedMap<Box<[u64]>, u64>;

fn ids_of(store: &dyn Store) -> Result<FormIds, StoreError> {
    let mut ids = fixed_map::<Box<[u64]>, u64>();
    store.scan(0..store.len(), &mut |id, form| {
        let words = form.to_words();
        ids.insert(
            Form { words: &words, len: 8 * words.len() }.unpadded_words().into(),
            id.number(),
        );
    })?;
    Ok(ids)
}

/// Shows the effects of calls. It numbers forms as the store will.
pub(crate) struct EffectLog<'w> {
    ids: FormIds,
    watch: &'w mut dyn FnMut(Effect<'_>),
}

impl<'w> EffectLog<'w> {
    /// A log that knows everything in `store`.
    pub(crate) fn new(
        store: &dyn Store,
        watch: &'w mut dyn FnMut(Effect<'_>),
    ) -> Result<Self, StoreError> {
        Ok(EffectLog { ids: ids_of(store)?, watch })
    }

    /// Checks after a commit that the store has numbered forms in the same way.
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
                    let id = self.ids.len() as u64;
                    self.ids.insert(words.into(), id);
                    id
                }
            };
            let output = calls.parts(call).output;
            let target = StructureId::new(target);
            (self.watch)(Effect { method, arguments, output, target });
        }
    }
}
