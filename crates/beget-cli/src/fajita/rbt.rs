//! Red-black tree of integers, `TreeSet` of the FAJITA benchmark.
//!
//! The tree is implemented in [`crate::shared::redblack`], with integer colors: 0 for red and 1 for
//! black. The published flaw is in the representation invariant, which admits red roots.
//!
//! Behaviour kept: [`TreeSet::with_root`] accepts any node as the root and counts one node. A node
//! from [`Node::leaf`] is red, like a published node by default. The set then begins with a red
//! root, and the next insertion makes it black.

use std::fmt;

use crate::shared::redblack::{self, Color, Tree};

pub mod rep_ok;

/// A set of integers as a red-black tree.
pub type TreeSet = Tree<Node>;

redblack::node! {
    /// A node of a [`TreeSet`].
    Node of "TreeSet" { color: i32 }
}

impl Node {
    /// Creates a red node without links.
    pub fn leaf(key: i32) -> Self {
        redblack::Node::new(key, (), Color::RED)
    }
}

impl TreeSet {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a set of this one node, whatever its color. Not a builder.
    pub fn with_root(node: Node) -> Self {
        Self::of(node)
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

beget::suite! {
    /// A red-black tree of integers, and the nodes that can be its first root.
    #[name = "fajita::rbt"]
    pub suite Rbt {
        for TreeSet {
            fn new() -> Self;
            fn with_root(node: Node) -> Self;
            fn add(&mut self, key: i32) -> bool;
            fn remove(&mut self, key: i32) -> bool;
            fn contains(&self, key: i32) -> bool;
        }
        for Node {
            fn leaf(key: i32) -> Self;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::redblack::tests::{SET_COUNTS, assert_sound, form};
    use crate::testing::{Search, assert_counts};

    #[test]
    fn the_builders_reach_the_published_numbers() {
        assert_counts(&SET_COUNTS, |k| {
            let search =
                Search::new(k).starts(TreeSet::new).call_1(TreeSet::add).call_1(TreeSet::remove);
            search.run(|set| form(set, |_, ()| ())).counts()
        });
    }

    #[test]
    fn a_red_root_from_outside_turns_black_with_the_next_insertion() {
        let mut set = TreeSet::with_root(Node::leaf(5));
        assert!(set.contains(5) && !set.add(3));
        assert_sound(&set);
        assert!(set.remove(5) && !set.remove(5));
        assert_eq!(format!("{set:?}"), "{3}");
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let mut original = TreeSet::new();
        original.add(1);
        let mut clone = original.clone();
        clone.add(0);
        assert_eq!(format!("{original:?} {clone:?}"), "{1} {0, 1}");
    }
}
