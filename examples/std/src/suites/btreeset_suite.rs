//! A harness for `std_census::btreeset_type::BTreeSet<u8>`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type BTreeSet = std_census::btreeset_type::BTreeSet<u8>;

// 32 of 32 public functions take part.

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct BTreeSetState {
    pub text: beget::heap::DebugText,
    pub len: usize,
    pub is_empty: bool,
}

impl BTreeSetState {
    fn of(btree_set: &BTreeSet) -> BTreeSetState {
        BTreeSetState {
            text: beget::heap::DebugText::of(btree_set),
            len: btree_set.len(),
            is_empty: btree_set.is_empty(),
        }
    }
}

beget::suite! {
    /// The public functions of `std_census::btreeset_type::BTreeSet<u8>`.
    #[name = "std::btreeset"]
    pub suite BTreeSetSuite for BTreeSet {
        abstraction |btree_set| -> BTreeSetState { BTreeSetState::of(btree_set) };
        fn new() -> Self;
        fn range(&self, range: std::ops::Range<u8>) -> String = calls::range;
        fn difference(&self, other: &Self) -> String = calls::difference;
        fn symmetric_difference(&self, other: &Self) -> String = calls::symmetric_difference;
        fn intersection(&self, other: &Self) -> String = calls::intersection;
        fn union(&self, other: &Self) -> String = calls::union;
        fn clear(&mut self);
        fn contains(&self, value: &u8) -> bool;
        fn get(&self, value: &u8) -> Option<&u8>;
        fn is_disjoint(&self, other: &Self) -> bool;
        fn is_subset(&self, other: &Self) -> bool;
        fn is_superset(&self, other: &Self) -> bool;
        fn first(&self) -> Option<&u8>;
        fn last(&self) -> Option<&u8>;
        fn pop_first(&mut self) -> Option<u8>;
        fn pop_last(&mut self) -> Option<u8>;
        fn insert(&mut self, value: u8) -> bool;
        fn replace(&mut self, value: u8) -> Option<u8>;
        fn remove(&mut self, value: &u8) -> bool;
        fn take(&mut self, value: &u8) -> Option<u8>;
        fn retain(&mut self) = calls::retain;
        fn append(&mut self, other: &mut Self);
        fn split_off(&mut self, value: &u8) -> Self;
        fn extract_if(&mut self, range: std::ops::Range<u8>) -> String = calls::extract_if;
        fn iter(&self) -> Vec<String> = calls::iter;
        fn len(&self) -> usize;
        fn is_empty(&self) -> bool;
        fn clone(&self) -> Self;
        fn default() -> Self;
        fn eq(&self, other: &Self) -> bool;
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering>;
        fn cmp(&self, other: &Self) -> std::cmp::Ordering;
    }
}

/// Functions that take and return what a suite knows, each with one choice of the rest: which
/// closure, which iterator, how what is returned is shown.
pub mod calls {
    use super::BTreeSet;

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

    pub fn range(btree_set: &BTreeSet, range: std::ops::Range<u8>) -> String {
        shown(&btree_set.range(range))
    }

    pub fn difference(btree_set: &BTreeSet, other: &BTreeSet) -> String {
        shown(&btree_set.difference(other))
    }

    pub fn symmetric_difference(btree_set: &BTreeSet, other: &BTreeSet) -> String {
        shown(&btree_set.symmetric_difference(other))
    }

    pub fn intersection(btree_set: &BTreeSet, other: &BTreeSet) -> String {
        shown(&btree_set.intersection(other))
    }

    pub fn union(btree_set: &BTreeSet, other: &BTreeSet) -> String {
        shown(&btree_set.union(other))
    }

    pub fn retain(btree_set: &mut BTreeSet) {
        btree_set.retain(|a| (*a) % 2 == 0)
    }

    pub fn extract_if(btree_set: &mut BTreeSet, range: std::ops::Range<u8>) -> String {
        shown(&btree_set.extract_if(range, |a| (*a) % 2 == 0))
    }

    pub fn iter(btree_set: &BTreeSet) -> Vec<String> {
        driven(btree_set.iter())
    }
}
