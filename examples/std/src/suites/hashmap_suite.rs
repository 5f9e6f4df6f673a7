//! A harness for `std_census::hashmap_type::HashMap<u8, u8, std::hash::BuildHasherDefault<std::hash::DefaultHasher>>`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type HashMap = std_census::hashmap_type::HashMap<
    u8,
    u8,
    std::hash::BuildHasherDefault<std::hash::DefaultHasher>,
>;

// 33 of 35 public functions take part.
// Left out:
// - new: it is a function of `HashMap<K, V, RandomState>`
// - with_capacity: it is a function of `HashMap<K, V, RandomState>`

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct HashMapState {
    pub text: beget::heap::DebugText,
    pub len: usize,
    pub is_empty: bool,
}

impl HashMapState {
    fn of(hash_map: &HashMap) -> HashMapState {
        HashMapState {
            text: beget::heap::DebugText::of(hash_map),
            len: hash_map.len(),
            is_empty: hash_map.is_empty(),
        }
    }
}

beget::suite! {
    /// The public functions of `std_census::hashmap_type::HashMap<u8, u8, std::hash::BuildHasherDefault<std::hash::DefaultHasher>>`.
    #[name = "std::hashmap"]
    pub suite HashMapSuite for HashMap {
        abstraction |hash_map| -> HashMapState { HashMapState::of(hash_map) };
        fn new() = by_hand::new;
        fn with_capacity(capacity: usize) = by_hand::with_capacity;
        fn with_hasher() -> Self = calls::with_hasher;
        fn with_capacity_and_hasher(capacity: usize) -> Self = calls::with_capacity_and_hasher;
        fn capacity(&self) -> usize;
        fn keys(&self) -> String = calls::keys;
        fn into_keys(self) -> String = calls::into_keys;
        fn values(&self) -> String = calls::values;
        fn values_mut(&mut self) -> String = calls::values_mut;
        fn into_values(self) -> String = calls::into_values;
        fn iter(&self) -> Vec<String> = calls::iter;
        fn iter_mut(&mut self) -> Vec<String> = calls::iter_mut;
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
        fn entry(&mut self, key: u8) -> String = calls::entry;
        fn get(&self, k: &u8) -> Option<&u8>;
        fn get_key_value(&self, k: &u8) -> Option<(&u8, &u8)>;
        fn get_disjoint_mut(&mut self, ks: [&u8; 2]) -> [Option<&mut u8>; 2];
        fn contains_key(&self, k: &u8) -> bool;
        fn get_mut(&mut self, k: &u8) -> Option<&mut u8>;
        fn insert(&mut self, k: u8, v: u8) -> Option<u8>;
        fn remove(&mut self, k: &u8) -> Option<u8>;
        fn remove_entry(&mut self, k: &u8) -> Option<(u8, u8)>;
        fn clone(&self) -> Self;
        fn default() -> Self;
        fn eq(&self, other: &Self) -> bool;
    }
}

/// Functions that take and return what a suite knows, each with one choice of the rest: which
/// closure, which iterator, how what is returned is shown.
pub mod calls {
    use super::HashMap;

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

    pub fn with_hasher() -> HashMap {
        HashMap::with_hasher(Default::default())
    }

    pub fn with_capacity_and_hasher(capacity: usize) -> HashMap {
        HashMap::with_capacity_and_hasher(capacity, Default::default())
    }

    pub fn keys(hash_map: &HashMap) -> String {
        shown(&hash_map.keys())
    }

    pub fn into_keys(hash_map: HashMap) -> String {
        shown(&hash_map.into_keys())
    }

    pub fn values(hash_map: &HashMap) -> String {
        shown(&hash_map.values())
    }

    pub fn values_mut(hash_map: &mut HashMap) -> String {
        shown(&hash_map.values_mut())
    }

    pub fn into_values(hash_map: HashMap) -> String {
        shown(&hash_map.into_values())
    }

    pub fn iter(hash_map: &HashMap) -> Vec<String> {
        driven(hash_map.iter())
    }

    pub fn iter_mut(hash_map: &mut HashMap) -> Vec<String> {
        driven(hash_map.iter_mut())
    }

    pub fn drain(hash_map: &mut HashMap) -> Vec<String> {
        driven(hash_map.drain())
    }

    pub fn extract_if(hash_map: &mut HashMap) -> String {
        shown(&hash_map.extract_if(|_, b| (*b) % 2 == 0))
    }

    pub fn retain(hash_map: &mut HashMap) {
        hash_map.retain(|_, b| (*b) % 2 == 0)
    }

    pub fn hasher(hash_map: &HashMap) -> String {
        shown(&hash_map.hasher())
    }

    pub fn try_reserve(hash_map: &mut HashMap, additional: usize) -> Result<(), String> {
        hash_map.try_reserve(additional).map_err(|error| shown(&error))
    }

    pub fn entry(hash_map: &mut HashMap, key: u8) -> String {
        shown(&hash_map.entry(key))
    }
}

mod by_hand {
    pub fn new() {
        let _ = std::collections::HashMap::<u8, u8>::new();
    }
    pub fn with_capacity(capacity: usize) {
        let _ = std::collections::HashMap::<u8, u8>::with_capacity(capacity);
    }
}
