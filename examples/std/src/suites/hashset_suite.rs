//! A harness for `std_census::hashset_type::HashSet<u8, std::hash::BuildHasherDefault<std::hash::DefaultHasher>>`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type HashSet =
    std_census::hashset_type::HashSet<u8, std::hash::BuildHasherDefault<std::hash::DefaultHasher>>;

// 31 of 33 public functions take part.
// Left out:
// - new: it is a function of `HashSet<T, RandomState>`
// - with_capacity: it is a function of `HashSet<T, RandomState>`

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct HashSetState {
    pub text: beget::heap::DebugText,
    pub len: usize,
    pub is_empty: bool,
}

impl HashSetState {
    fn of(hash_set: &HashSet) -> HashSetState {
        HashSetState {
            text: beget::heap::DebugText::of(hash_set),
            len: hash_set.len(),
            is_empty: hash_set.is_empty(),
        }
    }
}

beget::suite! {
    /// The public functions of `std_census::hashset_type::HashSet<u8, std::hash::BuildHasherDefault<std::hash::DefaultHasher>>`.
    #[name = "std::hashset"]
    pub suite HashSetSuite for HashSet {
        abstraction |hash_set| -> HashSetState { HashSetState::of(hash_set) };
        fn new() = by_hand::new;
        fn with_capacity(capacity: usize) = by_hand::with_capacity;
        fn with_hasher() -> Self = calls::with_hasher;
        fn with_capacity_and_hasher(capacity: usize) -> Self = calls::with_capacity_and_hasher;
        fn capacity(&self) -> usize;
        fn iter(&self) -> Vec<String> = calls::iter;
        fn len(&self) -> usize;
        fn is_empty(&self) -> bool;
        fn drain(&mut self) -> Vec<String> = calls::drain;
        fn extract_if(&mut self) -> String = calls::extract_if;
        fn retain(&mut self) = calls::retain;
        fn clear(&mut self);
        fn hasher(&self) -> String = calls::hasher;
        fn reserve(&mut self, additional: usize);
        fn try_reserve(&mut self, additional: usize) -> Result<(), String> = calls::try_reserve;
        fn shrink_to_fit(&mut self);
        fn shrink_to(&mut self, min_capacity: usize);
        fn difference(&self, other: &Self) -> String = calls::difference;
        fn symmetric_difference(&self, other: &Self) -> String = calls::symmetric_difference;
        fn intersection(&self, other: &Self) -> String = calls::intersection;
        fn union(&self, other: &Self) -> String = calls::union;
        fn contains(&self, value: &u8) -> bool;
        fn get(&self, value: &u8) -> Option<&u8>;
        fn is_disjoint(&self, other: &Self) -> bool;
        fn is_subset(&self, other: &Self) -> bool;
        fn is_superset(&self, other: &Self) -> bool;
        fn insert(&mut self, value: u8) -> bool;
        fn replace(&mut self, value: u8) -> Option<u8>;
        fn remove(&mut self, value: &u8) -> bool;
        fn take(&mut self, value: &u8) -> Option<u8>;
        fn clone(&self) -> Self;
        fn default() -> Self;
        fn eq(&self, other: &Self) -> bool;
    }
}

/// Functions that take and return what a suite knows, each with one choice of the rest: which
/// closure, which iterator, how what is returned is shown.
pub mod calls {
    use super::HashSet;

    /// The most items that are taken of an iterator.
    const MOST_ITEMS: usize = 16;

    /// What an iterator gives, shown by `Debug`.
    fn driven<I: IntoIterator<Item: std::fmt::Debug>>(items: I) -> Vec<String> {
        items.into_iter().take(MOST_ITEMS).map(|item| format!("{item:?}")).collect()
    }

    /// A value shown by `Debug`.
    fn shown(value: &impl std::fmt::Debug) -> String {
        format!("{value:?}")
    }

    pub fn with_hasher() -> HashSet {
        HashSet::with_hasher(Default::default())
    }

    pub fn with_capacity_and_hasher(capacity: usize) -> HashSet {
        HashSet::with_capacity_and_hasher(capacity, Default::default())
    }

    pub fn iter(hash_set: &HashSet) -> Vec<String> {
        driven(hash_set.iter())
    }

    pub fn drain(hash_set: &mut HashSet) -> Vec<String> {
        driven(hash_set.drain())
    }

    pub fn extract_if(hash_set: &mut HashSet) -> String {
        shown(&hash_set.extract_if(|a| (*a) % 2 == 0))
    }

    pub fn retain(hash_set: &mut HashSet) {
        hash_set.retain(|a| (*a) % 2 == 0)
    }

    pub fn hasher(hash_set: &HashSet) -> String {
        shown(&hash_set.hasher())
    }

    pub fn try_reserve(hash_set: &mut HashSet, additional: usize) -> Result<(), String> {
        hash_set.try_reserve(additional).map_err(|error| shown(&error))
    }

    pub fn difference(hash_set: &HashSet, other: &HashSet) -> String {
        shown(&hash_set.difference(other))
    }

    pub fn symmetric_difference(hash_set: &HashSet, other: &HashSet) -> String {
        shown(&hash_set.symmetric_difference(other))
    }

    pub fn intersection(hash_set: &HashSet, other: &HashSet) -> String {
        shown(&hash_set.intersection(other))
    }

    pub fn union(hash_set: &HashSet, other: &HashSet) -> String {
        shown(&hash_set.union(other))
    }
}

mod by_hand {
    pub fn new() {
        let _ = std::collections::HashSet::<u8>::new();
    }
    pub fn with_capacity(capacity: usize) {
        let _ = std::collections::HashSet::<u8>::with_capacity(capacity);
    }
}
