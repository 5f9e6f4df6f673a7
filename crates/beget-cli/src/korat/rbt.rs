//! Red-black tree of integers, `RedBlackTree` of the Korat benchmark.
//!
//! The tree is implemented in [`crate::shared::redblack`], with integer colors: 0 for red and 1 for
//! black. Every node has a value, always 0, that no operation changes. The published flaw is in the
//! representation invariant, which admits red roots.

use std::fmt;

use crate::shared::redblack::{self, Tree};

pub mod rep_ok;

/// A set of integers as a red-black tree.
pub type RedBlackTree = Tree<Node>;

redblack::node! {
    /// A node of a [`RedBlackTree`].
    Node of "RedBlackTree" { color: i32, value: i32 }
}

/// The value of every node.
const VALUE: i32 = 0;

#[beget::api(name = "korat::rbt")]
impl RedBlackTree {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the element and returns whether it was already present.
    pub fn add(&mut self, key: i32) -> bool {
        self.insert(key, VALUE).is_some()
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

impl fmt::Debug for RedBlackTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.entries().map(|(key, _)| key)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::redblack::tests::{SET_COUNTS, form};
    use crate::testing::{Search, assert_counts};

    #[test]
    fn the_builders_reach_the_published_numbers() {
        assert_counts(&SET_COUNTS, |k| {
            let search = Search::new(k)
                .starts(RedBlackTree::new)
                .call_1(RedBlackTree::add)
                .call_1(RedBlackTree::remove);
            search.run(|set| form(set, |form, &value| form.value(value))).counts()
        });
    }

    #[test]
    fn results_say_whether_the_key_was_there() {
        let mut set = RedBlackTree::new();
        assert!(!set.add(4) && set.add(4) && set.contains(4));
        assert!(set.remove(4) && !set.remove(4) && !set.contains(4));
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let mut original = RedBlackTree::new();
        original.add(1);
        let mut clone = original.clone();
        clone.add(0);
        assert_eq!(format!("{original:?} {clone:?}"), "{1} {0, 1}");
    }
}
