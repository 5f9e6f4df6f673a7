//! Red-black tree from integers to integers, `redblacktree.TreeMap` of the Kiasan benchmark.
//!
//! The tree is implemented in [`crate::shared::redblack`], with boolean colors; red is `false`. No
//! defect is known. The published class is generic in its values; the benchmark uses integers.

use std::fmt;

use crate::Misuse;
use crate::shared::redblack::{self, Tree};

pub mod rep_ok;

/// A map as a red-black tree.
pub type TreeMap = Tree<Entry>;

redblack::node! {
    /// A node of a [`TreeMap`].
    Entry of "TreeMap" { color: bool, value: i32 }
}

#[beget::api(name = "kiasan::treemap")]
impl TreeMap {
    /// Creates an empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the value of a key and returns the old value.
    pub fn put(&mut self, key: i32, value: i32) -> Option<i32> {
        self.insert(key, value)
    }

    /// Removes the key and returns its value.
    pub fn remove(&mut self, key: i32) -> Option<i32> {
        self.take(key)
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.discard_all();
    }

    /// Returns the number of keys.
    pub fn size(&self) -> usize {
        self.len()
    }

    /// Returns whether the map contains the key.
    pub fn contains_key(&self, key: i32) -> bool {
        self.value(key).is_some()
    }

    /// Returns whether a key has this value.
    pub fn contains_value(&self, value: i32) -> bool {
        self.entries().any(|(_, &other)| other == value)
    }

    /// Returns the value of the key.
    pub fn get(&self, key: i32) -> Option<i32> {
        self.value(key).copied()
    }

    /// Returns the smallest key.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when the map is empty.
    pub fn first_key(&self) -> Result<i32, Misuse> {
        self.entries().next().map(|(key, _)| key).ok_or(Misuse::Empty)
    }

    /// Returns the largest key.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when the map is empty.
    pub fn last_key(&self) -> Result<i32, Misuse> {
        self.largest_key().ok_or(Misuse::Empty)
    }
}

impl fmt::Debug for TreeMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.entries()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::redblack::tests::{assert_sound, form};
    use crate::testing::{Form, Search, assert_counts};

    fn map(entries: impl IntoIterator<Item = (i32, i32)>) -> TreeMap {
        let mut map = TreeMap::new();
        entries.into_iter().for_each(|(key, value)| assert_eq!(map.put(key, value), None));
        map
    }

    fn map_form(map: &TreeMap) -> Form {
        form(map, |form, &value| form.value(value))
    }

    fn search(k: i32) -> Search<TreeMap> {
        Search::new(k).starts(TreeMap::new).call_1(TreeMap::remove).call_2(TreeMap::put)
    }

    #[test]
    fn the_builders_reach_the_published_numbers() {
        let expected = [(2, 7), (13, 82), (91, 1097), (1745, 34907)];
        assert_counts(&expected, |k| search(k).run(map_form).counts());
    }

    #[test]
    fn every_map_obeys_the_rules() {
        search(3).run(map_form).structures.iter().for_each(assert_sound);
    }

    #[test]
    fn a_present_key_changes_its_value_and_nothing_else() {
        let mut map = map([(1, 10), (2, 20)]);
        assert_eq!(map.put(1, 11), Some(10));
        assert_eq!((map.get(1), map.get(3), map.size()), (Some(11), None, 2));
    }

    #[test]
    fn a_key_with_two_children_is_removed_with_its_value() {
        let mut map = map([(1, 10), (0, 0), (2, 20)]);
        assert_eq!((map.remove(1), map.remove(1)), (Some(10), None));
        assert_eq!(format!("{map:?}"), "{0: 0, 2: 20}");
    }

    #[test]
    fn observers_see_keys_and_values() {
        let mut map = map([(1, 10), (0, 0), (2, 20)]);
        assert!(map.contains_key(1) && !map.contains_key(10));
        assert!(map.contains_value(10) && !map.contains_value(1));
        assert_eq!((map.first_key(), map.last_key()), (Ok(0), Ok(2)));
        map.clear();
        assert_eq!((map.first_key(), map.last_key()), (Err(Misuse::Empty), Err(Misuse::Empty)));
        assert_eq!(map.size(), 0);
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let original = map([(1, 10)]);
        let mut clone = original.clone();
        clone.put(1, 11);
        assert_eq!(format!("{original:?} {clone:?}"), "{1: 10} {1: 11}");
    }
}
