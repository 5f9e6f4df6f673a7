//! The hash map of the standard library, [`HashMap`]. Its state is its contents. The state leaves
//! out the capacity and the order of iteration, which depends on a random seed.

pub use std::collections::HashMap;

/// Operations that need more than plain values as arguments, each with a fixed choice.
pub trait More {
    /// Calls `retain` to keep the entries with an even value.
    fn retain_even(&mut self);
    /// Calls `entry(key).or_insert(value)`.
    fn get_or_insert(&mut self, key: u8, value: u8) -> u8;
    /// Sets the value to 0 through `entry(key).and_modify`.
    fn zero(&mut self, key: u8);
    /// Calls `extend` with copies of another map's entries.
    fn extend_from(&mut self, other: &Self);
}

impl More for HashMap<u8, u8> {
    fn retain_even(&mut self) {
        self.retain(|_, value| *value % 2 == 0);
    }

    fn get_or_insert(&mut self, key: u8, value: u8) -> u8 {
        *self.entry(key).or_insert(value)
    }

    fn zero(&mut self, key: u8) {
        self.entry(key).and_modify(|value| *value = 0);
    }

    fn extend_from(&mut self, other: &Self) {
        self.extend(other);
    }
}

beget::suite! {
    /// The standard hash map from small integers to small integers.
    #[name = "real::hashmap"]
    pub suite Hashmap for HashMap<u8, u8> {
        fn new() -> Self;
        fn with_capacity(capacity: usize) -> Self;
        fn insert(&mut self, key: u8, value: u8) -> Option<u8>;
        fn remove(&mut self, key: &u8) -> Option<u8>;
        fn remove_entry(&mut self, key: &u8) -> Option<(u8, u8)>;
        fn drain(&mut self) -> std::collections::hash_map::Drain<'_, u8, u8>;
        fn clear(&mut self);
        fn reserve(&mut self, additional: usize);
        fn shrink_to_fit(&mut self);
        fn shrink_to(&mut self, capacity: usize);
        fn retain_even(&mut self);
        fn get_or_insert(&mut self, key: u8, value: u8) -> u8;
        fn zero(&mut self, key: u8);
        fn extend_from(&mut self, other: &Self);
        fn clone(&self) -> Self;
        fn get(&self, key: &u8) -> Option<&u8>;
        fn get_mut(&mut self, key: &u8) -> Option<&mut u8>;
        fn get_key_value(&self, key: &u8) -> Option<(&u8, &u8)>;
        fn contains_key(&self, key: &u8) -> bool;
        fn len(&self) -> usize;
        fn is_empty(&self) -> bool;
        fn eq(&self, other: &Self) -> bool;
        fn keys(&self) -> impl Iterator<Item = &u8>;
        fn values_mut(&mut self) -> impl Iterator<Item = &mut u8>;
    }
}
