//! AVL tree of integers with a size, `AvlTree` of the FAJITA benchmark.
//!
//! The tree uses the algorithm of the ROOPS tree ([`crate::roops::avl`]), without removal.
//!
//! Defect kept: [`AvlTree::make_empty`] does not reset the size. If it is among the methods, the
//! size grows without bound, and a scope contains infinitely many structures.
//!
//! The published `printTree` and `checkBalance` write to the terminal; here they return their text.

use std::fmt;

use beget::{Heap, HeapView};

use crate::Misuse;
use crate::shared::avl::{self, avl_node};
use crate::shared::search_tree::{self, SearchNode};

pub mod rep_ok;

/// A set of integers as a height-balanced search tree.
#[derive(Clone, Default, Heap, HeapView)]
pub struct AvlTree {
    root: Option<Box<Node>>,
    /// Grows with every new node and never shrinks.
    size: usize,
}

/// A node of an [`AvlTree`].
#[derive(Clone, Debug, Heap, HeapView)]
pub struct Node {
    data: i32,
    /// Invariant: one more than the height of the higher child; an absent child counts as -1.
    height: i32,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[beget::api(name = "fajita::avl")]
impl AvlTree {
    /// Creates an empty tree.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the element, unless it is present.
    pub fn insert(&mut self, element: i32) {
        if avl::insert(&mut self.root, element) {
            self.size += 1;
        }
    }

    /// Removes all elements but does not reset the size, a defect of the published class.
    pub fn make_empty(&mut self) {
        self.root = None;
    }

    /// Returns whether the tree contains the element.
    pub fn contains(&self, element: i32) -> bool {
        search_tree::find(&self.root, element).is_some()
    }

    /// Returns whether the tree is empty.
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// Returns the smallest element.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when the tree is empty.
    pub fn find_min(&self) -> Result<i32, Misuse> {
        search_tree::smallest(&self.root).map(Node::key).ok_or(Misuse::Empty)
    }

    /// Returns the largest element.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when the tree is empty.
    pub fn find_max(&self) -> Result<i32, Misuse> {
        search_tree::largest(&self.root).map(Node::key).ok_or(Misuse::Empty)
    }

    /// Returns the elements in order, one per line.
    pub fn print_tree(&self) -> String {
        search_tree::print(&self.root)
    }

    /// Returns whether every height is right and the heights of siblings differ by at most one.
    pub fn check_balance(&self) -> bool {
        avl::is_balanced(&self.root)
    }
}

avl_node!(Node, data);

impl fmt::Debug for AvlTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(search_tree::keys(&self.root)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::avl::tests;
    use crate::testing::{Form, Search, assert_counts};

    fn tree(elements: impl IntoIterator<Item = i32>) -> AvlTree {
        let mut tree = AvlTree::new();
        elements.into_iter().for_each(|element| tree.insert(element));
        tree
    }

    fn form(tree: &AvlTree) -> Form {
        let mut form = Form::default();
        tests::write(&mut form, &tree.root);
        form.size(tree.size);
        form
    }

    fn insertions(k: i32) -> Search<AvlTree> {
        Search::new(k).starts(AvlTree::new).call_1(AvlTree::insert)
    }

    #[test]
    fn the_builders_reach_the_published_numbers() {
        assert_counts(&tests::COUNTS, |k| insertions(k).run(form).counts());
    }

    #[test]
    fn every_tree_is_balanced() {
        assert!(insertions(6).run(form).structures.iter().all(AvlTree::check_balance));
    }

    /// The published number of trees after nine rounds at k = 3.
    #[test]
    fn with_emptying_among_the_builders_there_is_no_end() {
        let search = insertions(3).call(AvlTree::make_empty);
        assert_eq!(search.stop_after(9).run(form).forms.len(), 59);
    }

    #[test]
    fn emptying_the_tree_does_not_reset_its_size() {
        let mut tree = tree([0, 1, 1]);
        tree.make_empty();
        assert!(tree.is_empty());
        assert_eq!(tree.size, 2);
        tree.insert(0);
        assert_eq!(tree.size, 3);
    }

    #[test]
    fn inserting_rotates_in_all_four_ways() {
        tests::check_rotations::<Node>();
    }

    #[test]
    fn observers_see_the_elements() {
        let tree = tree([3, 1, 2]);
        assert!(tree.contains(2) && !tree.contains(0) && !tree.is_empty());
        assert_eq!((tree.find_min(), tree.find_max()), (Ok(1), Ok(3)));
        assert_eq!(tree.print_tree(), "1\n2\n3");
        assert_eq!(AvlTree::new().find_min(), Err(Misuse::Empty));
        assert_eq!(AvlTree::new().find_max(), Err(Misuse::Empty));
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let original = tree(0..5);
        let mut clone = original.clone();
        clone.insert(5);
        assert_eq!(format!("{original:?} {clone:?}"), "{0, 1, 2, 3, 4} {0, 1, 2, 3, 4, 5}");
    }
}
