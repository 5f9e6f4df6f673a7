//! The filter of the paper: a value that is equal to a pooled one, by its own `PartialEq`, is not
//! extended.

use std::any::Any;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher};

use beget_heap::hash::{FixedState, fixed_state};
use beget_process::guard::guarded;
use beget_suite::{EqFn, TypeIdx, TypeTraits};

/// The values that the pool offers, by type and hash; those of types without `Hash` are all under
/// one.
pub(crate) struct EqualityFilter {
    known: Vec<BTreeMap<u64, Vec<Box<dyn Any>>>>,
    state: FixedState,
}

impl EqualityFilter {
    pub(crate) fn new(n_types: usize) -> Self {
        let known = (0..n_types).map(|_| BTreeMap::new()).collect();
        EqualityFilter { known, state: fixed_state() }
    }

    /// Returns whether no known value equals this one, which is known from now on. A comparison
    /// that panics is the matter of contracts: it finds nothing equal.
    pub(crate) fn is_new(&mut self, ty: TypeIdx, traits: &TypeTraits, value: Box<dyn Any>) -> bool {
        let hash = traits.hash.and_then(|hash| {
            let mut hasher = self.state.build_hasher();
            guarded(|| hash(&*value, &mut hasher)).ok().map(|()| hasher.finish())
        });
        let alike = self.known[ty.index()].entry(hash.unwrap_or_default()).or_default();
        let equals = |known: &Box<dyn Any>| {
            let equal = |equal: EqFn| guarded(|| equal(&**known, &*value)) == Ok(true);
            traits.partial_eq.is_some_and(equal)
        };
        let is_new = !alike.iter().any(equals);
        if is_new {
            alike.push(value);
        } else {
            let _ = guarded(|| drop(value));
        }
        is_new
    }
}

impl Drop for EqualityFilter {
    fn drop(&mut self) {
        let values = std::mem::take(&mut self.known).into_iter().flat_map(BTreeMap::into_values);
        for value in values.flatten() {
            let _ = guarded(|| drop(value));
        }
    }
}
