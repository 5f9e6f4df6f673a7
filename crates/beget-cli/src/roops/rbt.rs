//! Red-black tree of integers, `TreeSet` of the ROOPS benchmark.
//!
//! The tree is implemented in [`crate::shared::redblack`], with boolean colors; red is `false`. The
//! published flaw is in the representation invariant, which admits red roots. The published class
//! stores its two color constants as fields of the set; here they are constants.

use std::fmt;

use crate::shared::redblack::{self, Tree};

pub mod rep_ok;

/// A set of integers as a red-black tree.
pub type TreeSet = Tree<Node>;

redblack::node! {
    /// A node of a [`TreeSet`].
    Node of "TreeSet" { color: bool }
}

#[beget::api(name = "roops::rbt")]
impl TreeSet {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the element and returns whether it was already present.
    pub fn add(&mut self, key: i32) -> bool {
        self.insert(key, ()).is_some()
    }

    /// Removes the element and returns whether it was present.
    pub fn remove(&mut self, key: i32) -> bool {
        self.take(key).is_some()
    }

    /// Returns whether the set contains the element.
    pub fn contains(&self, key: i32) -> bool {
        self.value(key).is_some()
    }
}

impl fmt::Debug for TreeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.entries().map(|(key, ())| key)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::redblack::tests::{SET_COUNTS, assert_sound, form};
    use crate::testing::{Search, SearchResult, assert_counts};

    fn set(keys: impl IntoIterator<Item = i32>) -> TreeSet {
        let mut set = TreeSet::new();
        keys.into_iter().for_each(|key| assert!(!set.add(key)));
        set
    }

    /// Searches the sets of at most `n_nodes` nodes that the builders reach with these literals.
    fn reach(n_nodes: usize, literals: std::ops::Range<i32>) -> SearchResult<TreeSet> {
        Search::with_literals(n_nodes, literals)
            .starts(TreeSet::new)
            .call_1(TreeSet::add)
            .call_1(TreeSet::remove)
            .run(|set| form(set, |_, ()| ()))
    }

    #[test]
    fn the_builders_reach_the_published_numbers() {
        assert_counts(&SET_COUNTS, |k| reach(k as usize, 0..k).counts());
    }

    #[test]
    fn every_set_obeys_the_rules() {
        reach(6, 0..6).structures.iter().for_each(assert_sound);
    }

    /// The published slack table: `k`, slack, sets within the scope proper.
    #[test]
    fn slack_reaches_the_sets_that_need_larger_ones() {
        let expected = [(3, 0, 11), (3, 1, 12), (4, 2, 29), (5, 1, 73), (5, 2, 73), (5, 3, 74)];
        for (k, slack, within) in expected {
            let found = reach((k + slack) as usize, 0..k + slack);
            let is_within =
                |set: &&TreeSet| set.len() <= k as usize && set.largest_key().is_none_or(|x| x < k);
            let n_within = found.structures.iter().filter(is_within).count();
            assert_eq!(n_within, within, "k = {k}, slack {slack}");
        }
    }

    #[test]
    fn adding_says_whether_the_key_was_there_already() {
        let mut set = set([1, 0]);
        assert!(set.add(1) && !set.add(2));
        assert!(set.contains(2) && !set.contains(3));
        assert_eq!(set.len(), 3);
    }

    #[test]
    fn removing_says_whether_the_key_was_there() {
        let mut set = set(0..8);
        assert!(set.remove(3) && !set.remove(3));
        assert_eq!(format!("{set:?}"), "{0, 1, 2, 4, 5, 6, 7}");
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let original = set([1, 2]);
        let mut clone = original.clone();
        clone.remove(1);
        assert_eq!(format!("{original:?} {clone:?}"), "{1, 2} {2}");
    }
}
