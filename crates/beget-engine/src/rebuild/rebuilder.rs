//! Structures of a finished run, reconstructed one after another.

use std::any::Any;

use beget_heap::Decoder;
use beget_plan::scope::Plan;

use crate::data::calls::CallTable;
use crate::data::counted::most_objects;
use crate::rebuild::reconstruct::{CopyOptions, CopyStrategies, Reconstructor};
use crate::store::{Store, StoreError, StructureId};

/// Reconstructs structures of a store; what that needs is set up once.
#[derive(Debug)]
pub(crate) struct Rebuilder<'c, S> {
    plan: &'c Plan,
    calls: &'c CallTable,
    store: &'c S,
    copy_strategies: CopyStrategies,
    decoder: Decoder<'c>,
}

impl<'c, S: Store> Rebuilder<'c, S> {
    pub(crate) fn new(
        plan: &'c Plan,
        calls: &'c CallTable,
        store: &'c S,
        copy_options: CopyOptions,
    ) -> Self {
        let copy_strategies = CopyStrategies::new(plan, copy_options);
        let decoder = Decoder::new(plan.coding(), most_objects(plan));
        Rebuilder { plan, calls, store, copy_strategies, decoder }
    }

    /// Reconstructs a structure; `None` if it cannot be, because the subject is not deterministic.
    pub(crate) fn reconstruct(
        &mut self,
        id: StructureId,
    ) -> Result<Option<Box<dyn Any>>, StoreError> {
        let Rebuilder { plan, calls, store, copy_strategies, .. } = self;
        let reconstructor = Reconstructor { plan, calls, recipes: *store, copy_strategies };
        let form = store.form(id)?;
        self.decoder.begin(form.as_ref());
        reconstructor.reconstruct_or_fail(plan.type_of(form.as_ref()), id, &mut self.decoder)
    }
}
