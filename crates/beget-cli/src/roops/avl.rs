//! AVL tree of integers, `AvlTree` of the ROOPS benchmark.
//!
//! A node stores its height but not its parent, and the tree stores no size. The link that leads to
//! a node owns it through a box. The operations are sound; the published flaws of this case study
//! are in its representation invariant.
//!
//! The published `printTree` and `checkBalance` write to the terminal; here they return their text.

use std::cmp::Ordering;
use std::fmt;

use beget::{Heap, HeapView};

use crate::Misuse;
use crate::shared::avl::{self, avl_node};
use crate::shared::search_tree::{self, SearchNode, Subtree};

pub mod rep_ok;

/// A set of integers as a height-balanced search tree.
#[derive(Clone, Default, Heap, HeapView)]
pub struct AvlTree {
    root: Option<Box<Node>>,
}

/// A node of an [`AvlTree`].
#[derive(Clone, Debug, Heap, HeapView)]
pub struct Node {
    element: i32,
    /// Invariant: one more than the height of the higher child; an absent child counts as -1.
    height: i32,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[beget::api(name = "roops::avl")]
impl AvlTree {
    /// Creates an empty tree.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the element, unless it is present.
    pub fn insert(&mut self, element: i32) {
        avl::insert(&mut self.root, element);
    }

    /// Removes the element, if it is present.
    pub fn remove(&mut self, element: i32) {
        remove(&mut self.root, element);
    }

    /// Removes all elements.
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

fn remove(tree: &mut Subtree<Node>, element: i32) {
    let Some(node) = tree else { return };
    match element.cmp(&node.element) {
        Ordering::Less => remove(&mut node.left, element),
        Ordering::Greater => remove(&mut node.right, element),
        Ordering::Equal => match (&node.left, search_tree::smallest(&node.right)) {
            (Some(_), Some(successor)) => {
                node.element = successor.element;
                remove(&mut node.right, node.element);
            }
            _ => *tree = node.left.take().or_else(|| node.right.take()),
        },
    }
    avl::rebalance(tree);
}

avl_node!(Node, element);

impl fmt::Debug for AvlTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(search_tree::keys(&self.root)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::avl::tests;
    use crate::testing::{Form, Search, SearchResult, assert_counts};

    fn tree(elements: impl IntoIterator<Item = i32>) -> AvlTree {
        let mut tree = AvlTree::new();
        elements.into_iter().for_each(|element| tree.insert(element));
        tree
    }

    fn form(tree: &AvlTree) -> Form {
        let mut form = Form::default();
        tests::write(&mut form, &tree.root);
        form
    }

    fn insertions(k: i32) -> Search<AvlTree> {
        Search::new(k).starts(AvlTree::new).call_1(AvlTree::insert)
    }

    fn all_mutators(k: i32) -> SearchResult<AvlTree> {
        insertions(k).call_1(AvlTree::remove).call(AvlTree::make_empty).run(form)
    }

    #[test]
    fn the_builders_reach_the_published_numbers() {
        assert_counts(&tests::COUNTS, |k| insertions(k).run(form).counts());
    }

    #[test]
    fn removing_reaches_nothing_more() {
        for k in 1..=6 {
            assert_eq!(all_mutators(k).forms, insertions(k).run(form).forms, "k = {k}");
        }
    }

    #[test]
    fn every_tree_is_balanced() {
        assert!(all_mutators(6).structures.iter().all(AvlTree::check_balance));
    }

    #[test]
    fn inserting_rotates_in_all_four_ways() {
        tests::check_rotations::<Node>();
    }

    #[test]
    fn a_key_with_two_children_gives_way_to_its_successor() {
        let mut tree = tree([1, 0, 2]);
        tree.remove(1);
        assert_eq!(tree.root.as_ref().map(|node| node.element), Some(2));
        assert_eq!(format!("{tree:?}"), "{0, 2}");
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
        clone.remove(3);
        assert_eq!(format!("{original:?} {clone:?}"), "{0, 1, 2, 3, 4} {0, 1, 2, 4}");
    }
}
