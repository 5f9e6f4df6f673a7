//! A hash map that keeps the order of insertion, [`IndexMap`] of the crate `indexmap`. Its state is
//! its contents in that order.

pub use indexmap::IndexMap;

/// Operations that need more than plain values as arguments, each with a fixed choice.
pub trait More {
    /// Calls `retain` to keep the entries with an even value.
    fn retain_even(&mut self);
    /// Calls `entry(key).or_insert(value)`.
    fn get_or_insert(&mut self, key: u8, value: u8) -> u8;
    /// Calls `drain(from..)`.
    fn drain_from(&mut self, from: usize);
    /// Calls `extend` with copies of another map's entries.
    fn extend_from(&mut self, other: &Self);
}

impl More for IndexMap<u8, u8> {
    fn retain_even(&mut self) {
        self.retain(|_, value| *value % 2 == 0);
    }

    fn get_or_insert(&mut self, key: u8, value: u8) -> u8 {
        *self.entry(key).or_insert(value)
    }

    fn drain_from(&mut self, from: usize) {
        self.drain(from..);
    }

    fn extend_from(&mut self, other: &Self) {
        self.extend(other);
    }
}

beget::suite! {
    /// A hash map in insertion order, from small integers to small integers.
    #[name = "real::indexmap"]
    pub suite Indexmap for IndexMap<u8, u8> {
        abstraction |map| -> Vec<(u8, u8)> {
            map.iter().map(|(&key, &value)| (key, value)).collect()
        };
        fn new() -> Self;
        fn with_capacity(capacity: usize) -> Self;
        fn insert(&mut self, key: u8, value: u8) -> Option<u8>;
        fn insert_full(&mut self, key: u8, value: u8) -> (usize, Option<u8>);
        fn insert_sorted(&mut self, key: u8, value: u8) -> (usize, Option<u8>);
        fn insert_before(&mut self, index: usize, key: u8, value: u8) -> (usize, Option<u8>);
        fn shift_insert(&mut self, index: usize, key: u8, value: u8) -> Option<u8>;
        fn get_or_insert(&mut self, key: u8, value: u8) -> u8;
        fn swap_remove(&mut self, key: &u8) -> Option<u8>;
        fn shift_remove(&mut self, key: &u8) -> Option<u8>;
        fn swap_remove_index(&mut self, index: usize) -> Option<(u8, u8)>;
        fn shift_remove_index(&mut self, index: usize) -> Option<(u8, u8)>;
        fn move_index(&mut self, from: usize, to: usize);
        fn swap_indices(&mut self, first: usize, second: usize);
        fn pop(&mut self) -> Option<(u8, u8)>;
        fn truncate(&mut self, len: usize);
        fn split_off(&mut self, at: usize) -> Self;
        fn append(&mut self, other: &mut Self);
        fn extend_from(&mut self, other: &Self);
        fn drain_from(&mut self, from: usize);
        fn retain_even(&mut self);
        fn reverse(&mut self);
        fn sort_keys(&mut self);
        fn sort_unstable_keys(&mut self);
        fn clear(&mut self);
        fn clone(&self) -> Self;
        fn get(&self, key: &u8) -> Option<&u8>;
        fn get_full(&self, key: &u8) -> Option<(usize, &u8, &u8)>;
        fn get_index(&self, index: usize) -> Option<(&u8, &u8)>;
        fn get_index_of(&self, key: &u8) -> Option<usize>;
        fn contains_key(&self, key: &u8) -> bool;
        fn first(&self) -> Option<(&u8, &u8)>;
        fn last(&self) -> Option<(&u8, &u8)>;
        fn len(&self) -> usize;
        fn is_empty(&self) -> bool;
        fn eq(&self, other: &Self) -> bool;
    }
}
