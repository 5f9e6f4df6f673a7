//! The forms of all structures that a run has met.

use std::borrow::Borrow;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use beget_heap::hash::{FixedMap, fixed_map};
use beget_heap::{CanonicalForm, Form, FormRef};

/// All forms, with whether one like it is in the pool.
pub(crate) struct FormTable {
    forms: FixedMap<KnownForm, bool>,
    /// The bytes of the form that is looked up.
    bytes: Vec<u8>,
}

/// A form that can be looked up by its bytes without those at its end that are zero.
#[derive(Clone, Debug, PartialEq, Eq)]
struct KnownForm(Arc<CanonicalForm>);

impl Borrow<[u8]> for KnownForm {
    fn borrow(&self) -> &[u8] {
        (*self.0).borrow()
    }
}

impl Hash for KnownForm {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let bytes: &[u8] = self.borrow();
        bytes.hash(state);
    }
}

impl FormTable {
    pub(crate) fn new() -> Self {
        FormTable { forms: fixed_map(), bytes: Vec::new() }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.forms.len()
    }

    /// All forms, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &CanonicalForm> {
        self.forms.keys().map(|known| &*known.0)
    }

    /// The form that an encoder lends: that of the table, if there is one, so that most forms need
    /// no memory of their own.
    pub(crate) fn find_or_copy(&mut self, form: &Form<'_>) -> Arc<CanonicalForm> {
        self.bytes.clear();
        form.append_to(&mut self.bytes);
        let lent = FormRef::new(&self.bytes);
        match self.forms.get_key_value(lent.unpadded().as_bytes()) {
            Some((known, _)) => known.0.clone(),
            None => Arc::new(lent.to_canonical()),
        }
    }

    /// Returns whether a form is in the table.
    pub(crate) fn contains(&self, form: &CanonicalForm) -> bool {
        self.forms.contains_key::<[u8]>(form.borrow())
    }

    /// Returns whether one like it is in the pool.
    pub(crate) fn is_pooled(&self, form: &CanonicalForm) -> bool {
        self.forms.get::<[u8]>(form.borrow()) == Some(&true)
    }

    /// Notes a form, and whether one like it is in the pool.
    pub(crate) fn insert(&mut self, form: &Arc<CanonicalForm>, is_pooled: bool) {
        self.forms.insert(KnownForm(form.clone()), is_pooled);
    }
}
