//! Values that a run extends though it keeps others in their place.

use std::sync::Arc;

use beget_heap::CanonicalForm;

use crate::data::origin::Origin;
use crate::data::wire::packs_fields;

/// The values that probes have extended, in their order: they are numbered after the structures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergedValues(pub(crate) Arc<[MergedValue]>);

impl MergedValues {
    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A value that a call left and the store does not keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MergedValue {
    pub(crate) form: CanonicalForm,
    pub(crate) origin: Origin,
}

packs_fields! { MergedValue { form, origin } }
