//! A harness for `std_census::btreemap_type::BTreeMap<u8, u8>`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type BTreeMap = std_census::btreemap_type::BTreeMap<u8, u8>;

// 36 of 36 public functions take part.

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct BTreeMapState {
    pub text: beget::heap::DebugText,
    pub len: usize,
    pub is_empty: bool,
}

impl BTreeMapState {
    fn of(btree_map: &BTreeMap) -> BTreeMapState {
        BTreeMapState {
            text: beget::heap::DebugText::of(btree_map),
            len: btree_map.len(),
            is_empty: btree_map.is_empty(),
        }
    }
}

beget::suite! {
    /// The public functions of `std_census::btreemap_type::BTreeMap<u8, u8>`.
    #[name = "std::btreemap"]
    pub suite BTreeMapSuite for BTreeMap {
        abstraction |btree_map| -> BTreeMapState { BTreeMapState::of(btree_map) };
        fn new() -> Self;
        fn clear(&mut self);
        fn get(&self, key: &u8) -> Option<&u8>;
        fn get_key_value(&self, k: &u8) -> Option<(&u8, &u8)>;
        fn first_key_value(&self) -> Option<(&u8, &u8)>;
        fn first_entry(&mut self) -> String = calls::first_entry;
        fn pop_first(&mut self) -> Option<(u8, u8)>;
        fn last_key_value(&self) -> Option<(&u8, &u8)>;
        fn last_entry(&mut self) -> String = calls::last_entry;
        fn pop_last(&mut self) -> Option<(u8, u8)>;
        fn contains_key(&self, key: &u8) -> bool;
        fn get_mut(&mut self, key: &u8) -> Option<&mut u8>;
        fn insert(&mut self, key: u8, value: u8) -> Option<u8>;
        fn remove(&mut self, key: &u8) -> Option<u8>;
        fn remove_entry(&mut self, key: &u8) -> Option<(u8, u8)>;
        fn retain(&mut self) = calls::retain;
        fn append(&mut self, other: &mut Self);
        fn range(&self, range: std::ops::Range<u8>) -> String = calls::range;
        fn range_mut(&mut self, range: std::ops::Range<u8>) -> String = calls::range_mut;
        fn entry(&mut self, key: u8) -> String = calls::entry;
        fn split_off(&mut self, key: &u8) -> Self;
        fn extract_if(&mut self, range: std::ops::Range<u8>) -> String = calls::extract_if;
        fn into_keys(self) -> String = calls::into_keys;
        fn into_values(self) -> String = calls::into_values;
        fn iter(&self) -> Vec<String> = calls::iter;
        fn iter_mut(&mut self) -> Vec<String> = calls::iter_mut;
        fn keys(&self) -> String = calls::keys;
        fn values(&self) -> String = calls::values;
        fn values_mut(&mut self) -> String = calls::values_mut;
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
    use super::BTreeMap;

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

    pub fn first_entry(btree_map: &mut BTreeMap) -> String {
        shown(&btree_map.first_entry())
    }

    pub fn last_entry(btree_map: &mut BTreeMap) -> String {
        shown(&btree_map.last_entry())
    }

    pub fn retain(btree_map: &mut BTreeMap) {
        btree_map.retain(|_, b| (*b) % 2 == 0)
    }

    pub fn range(btree_map: &BTreeMap, range: std::ops::Range<u8>) -> String {
        shown(&btree_map.range(range))
    }

    pub fn range_mut(btree_map: &mut BTreeMap, range: std::ops::Range<u8>) -> String {
        shown(&btree_map.range_mut(range))
    }

    pub fn entry(btree_map: &mut BTreeMap, key: u8) -> String {
        shown(&btree_map.entry(key))
    }

    pub fn extract_if(btree_map: &mut BTreeMap, range: std::ops::Range<u8>) -> String {
        shown(&btree_map.extract_if(range, |_, b| (*b) % 2 == 0))
    }

    pub fn into_keys(btree_map: BTreeMap) -> String {
        shown(&btree_map.into_keys())
    }

    pub fn into_values(btree_map: BTreeMap) -> String {
        shown(&btree_map.into_values())
    }

    pub fn iter(btree_map: &BTreeMap) -> Vec<String> {
        driven(btree_map.iter())
    }

    pub fn iter_mut(btree_map: &mut BTreeMap) -> Vec<String> {
        driven(btree_map.iter_mut())
    }

    pub fn keys(btree_map: &BTreeMap) -> String {
        shown(&btree_map.keys())
    }

    pub fn values(btree_map: &BTreeMap) -> String {
        shown(&btree_map.values())
    }

    pub fn values_mut(btree_map: &mut BTreeMap) -> String {
        shown(&btree_map.values_mut())
    }
}
