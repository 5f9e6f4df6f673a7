//! The ordered map of the standard library, [`BTreeMap`]. Its state is its contents.

pub use std::collections::BTreeMap;

/// Operations that need more than plain values as arguments, each with a fixed choice.
pub trait More {
    /// Calls `retain` to keep the entries with an even value.
    fn retain_even(&mut self);
    /// Calls `entry(key).or_insert(value)`.
    fn get_or_insert(&mut self, key: u8, value: u8) -> u8;
    /// Sets the value to 0 through `entry(key).and_modify`.
    fn zero(&mut self, key: u8);
    /// Counts the entries of `range(from..)`.
    fn count_from(&self, from: u8) -> usize;
    /// Calls `extend` with copies of another map's entries.
    fn extend_from(&mut self, other: &Self);
}

impl More for BTreeMap<u8, u8> {
    fn retain_even(&mut self) {
        self.retain(|_, value| *value % 2 == 0);
    }

    fn get_or_insert(&mut self, key: u8, value: u8) -> u8 {
        *self.entry(key).or_insert(value)
    }

    fn zero(&mut self, key: u8) {
        self.entry(key).and_modify(|value| *value = 0);
    }

    fn count_from(&self, from: u8) -> usize {
        self.range(from..).count()
    }

    fn extend_from(&mut self, other: &Self) {
        self.extend(other.iter().map(|(&key, &value)| (key, value)));
    }
}

beget::suite! {
    /// The standard ordered map from small integers to small integers.
    #[name = "real::btreemap"]
    pub suite Btreemap for BTreeMap<u8, u8> {
        fn new() -> Self;
        fn insert(&mut self, key: u8, value: u8) -> Option<u8>;
        fn remove(&mut self, key: &u8) -> Option<u8>;
        fn remove_entry(&mut self, key: &u8) -> Option<(u8, u8)>;
        fn pop_first(&mut self) -> Option<(u8, u8)>;
        fn pop_last(&mut self) -> Option<(u8, u8)>;
        fn append(&mut self, other: &mut Self);
        fn split_off(&mut self, key: &u8) -> Self;
        fn clear(&mut self);
        fn retain_even(&mut self);
        fn get_or_insert(&mut self, key: u8, value: u8) -> u8;
        fn zero(&mut self, key: u8);
        fn extend_from(&mut self, other: &Self);
        fn clone(&self) -> Self;
        fn get(&self, key: &u8) -> Option<&u8>;
        fn get_mut(&mut self, key: &u8) -> Option<&mut u8>;
        fn get_key_value(&self, key: &u8) -> Option<(&u8, &u8)>;
        fn contains_key(&self, key: &u8) -> bool;
        fn first_key_value(&self) -> Option<(&u8, &u8)>;
        fn last_key_value(&self) -> Option<(&u8, &u8)>;
        fn len(&self) -> usize;
        fn is_empty(&self) -> bool;
        fn count_from(&self, from: u8) -> usize;
        fn eq(&self, other: &Self) -> bool;
        fn keys(&self) -> impl Iterator<Item = &u8>;
        fn values(&self) -> impl Iterator<Item = &u8>;
        fn into_values(self) -> impl Iterator<Item = u8>;
    }
}
