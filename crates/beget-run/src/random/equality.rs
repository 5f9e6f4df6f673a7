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

#[cfg(test)]
mod tests {
    #![allow(unreachable_pub, missing_docs, reason = "the type stands for one of a library")]

    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    use beget::{HasSuite as _, Heap};

    use super::*;
    use crate::random::tests::Crockery;

    static N_DROPPED: AtomicU32 = AtomicU32::new(0);

    /// Equal to all others in the same half.
    #[derive(Clone, Debug, Default, Heap)]
    pub struct SealingWax {
        number: u8,
    }

    impl PartialEq for SealingWax {
        fn eq(&self, other: &Self) -> bool {
            self.number / 10 == other.number / 10
        }
    }

    impl Drop for SealingWax {
        fn drop(&mut self) {
            N_DROPPED.fetch_add(1, Relaxed);
        }
    }

    #[beget::api(name = "test::sealing_wax")]
    impl SealingWax {
        pub fn new() -> Self {
            SealingWax::default()
        }
    }

    #[test]
    fn a_value_that_equals_a_known_one_is_not_new() {
        let suite = SealingWax::suite();
        let traits = &suite.types[0].traits;
        let mut filter = EqualityFilter::new(1);
        let mut is_new =
            |number| filter.is_new(TypeIdx::new(0), traits, Box::new(SealingWax { number }));
        assert_eq!([3, 4, 12, 3, 19, 25].map(&mut is_new), [true, false, true, false, false, true]);
        assert_eq!(N_DROPPED.load(Relaxed), 3);
        drop(filter);
        assert_eq!(N_DROPPED.load(Relaxed), 6);
        // Without a comparison nothing is equal.
        let mut filter = EqualityFilter::new(1);
        let nothing = TypeTraits::default();
        let mut is_new =
            |number| filter.is_new(TypeIdx::new(0), &nothing, Box::new(SealingWax { number }));
        assert_eq!([3, 3].map(&mut is_new), [true; 2]);
    }

    #[test]
    fn values_whose_destructors_panic_are_dropped_under_guard() {
        let suite = Crockery::suite();
        let mut filter = EqualityFilter::new(1);
        let cracked = Box::new(Crockery::second_hand());
        assert!(filter.is_new(TypeIdx::new(0), &suite.types[0].traits, cracked));
        drop(filter);
    }
}
