//! Binary search tree, `binarysearchtree.BinarySearchTree` of the Kiasan benchmark.
//!
//! The tree is unbalanced and has neither a size nor parent links. The link that leads to a node
//! owns it through a box. No defect is known. As published, [`BinarySearchTree::find_min`],
//! [`BinarySearchTree::find_max`] and [`BinarySearchTree::find`] return -1 for "no element",
//! although -1 is also a valid element.
//!
//! Some published overloads take a node in place of the tree; here they are associated functions on
//! a [`Subtree`].

use std::cmp::Ordering;
use std::fmt;

use beget::{Heap, HeapView};

use crate::shared::search_tree::{self, SearchNode};

pub mod rep_ok;

/// A set of integers as an unbalanced search tree.
#[derive(Clone, Default, Heap, HeapView)]
pub struct BinarySearchTree {
    root: Option<Box<BinaryNode>>,
}

/// A subtree of a [`BinarySearchTree`].
pub type Subtree = Option<Box<BinaryNode>>;

/// A node of a [`BinarySearchTree`].
#[derive(Clone, Debug, Heap, HeapView)]
pub struct BinaryNode {
    element: i32,
    left: Option<Box<BinaryNode>>,
    right: Option<Box<BinaryNode>>,
}

/// The return value of the published class for "no element".
const NO_ELEMENT: i32 = -1;

#[beget::api(name = "kiasan::bst")]
impl BinarySearchTree {
    /// Creates an empty tree.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the element as a leaf, unless it is present.
    pub fn insert(&mut self, element: i32) {
        Self::insert_into(element, &mut self.root);
    }

    /// Removes the element, if it is present.
    pub fn remove(&mut self, element: i32) {
        Self::remove_from(element, &mut self.root);
    }

    /// Removes all elements.
    pub fn make_empty(&mut self) {
        self.root = None;
    }

    /// Returns the smallest element, or -1.
    pub fn find_min(&self) -> i32 {
        Self::element_at(Self::smallest_of(&self.root))
    }

    /// Returns the largest element, or -1.
    pub fn find_max(&self) -> i32 {
        Self::element_at(Self::largest_of(&self.root))
    }

    /// Returns the element itself if it is present, otherwise -1.
    pub fn find(&self, element: i32) -> i32 {
        Self::element_at(Self::find_in(element, &self.root))
    }

    /// Returns whether the tree is empty.
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// Returns the elements in order, one per line.
    pub fn print_tree(&self) -> String {
        search_tree::print(&self.root)
    }

    /// Adds the element to a subtree.
    #[api(skip)]
    pub fn insert_into(element: i32, mut link: &mut Subtree) {
        while let Some(node) = link {
            link = match element.cmp(&node.element) {
                Ordering::Less => &mut node.left,
                Ordering::Greater => &mut node.right,
                Ordering::Equal => return,
            };
        }
        *link = Some(Box::new(BinaryNode::new(element)));
    }

    /// Removes the element from a subtree. A node with two children takes over the element of its
    /// successor; any other node is replaced by its child.
    #[api(skip)]
    pub fn remove_from(element: i32, link: &mut Subtree) {
        let Some(node) = link else { return };
        match element.cmp(&node.element) {
            Ordering::Less => Self::remove_from(element, &mut node.left),
            Ordering::Greater => Self::remove_from(element, &mut node.right),
            Ordering::Equal => match (&node.left, Self::smallest_of(&node.right)) {
                (Some(_), Some(successor)) => {
                    node.element = successor.element;
                    Self::remove_from(node.element, &mut node.right);
                }
                _ => *link = node.left.take().or_else(|| node.right.take()),
            },
        }
    }

    /// Returns the node with the smallest element of a subtree.
    #[api(skip)]
    pub fn smallest_of(subtree: &Subtree) -> Option<&BinaryNode> {
        search_tree::smallest(subtree)
    }

    /// Returns the node with the largest element of a subtree.
    #[api(skip)]
    pub fn largest_of(subtree: &Subtree) -> Option<&BinaryNode> {
        search_tree::largest(subtree)
    }

    /// Returns the node of a subtree that holds the element.
    #[api(skip)]
    pub fn find_in(element: i32, subtree: &Subtree) -> Option<&BinaryNode> {
        search_tree::find(subtree, element)
    }

    /// Returns the element of the node, or -1 for no node.
    #[api(skip)]
    pub fn element_at(node: Option<&BinaryNode>) -> i32 {
        node.map_or(NO_ELEMENT, |node| node.element)
    }
}

impl BinaryNode {
    /// Creates a leaf.
    pub fn new(element: i32) -> Self {
        Self { element, left: None, right: None }
    }
}

impl Default for BinaryNode {
    fn default() -> Self {
        Self::new(NO_ELEMENT)
    }
}

impl SearchNode for BinaryNode {
    fn key(&self) -> i32 {
        self.element
    }

    fn left(&self) -> &Subtree {
        &self.left
    }

    fn right(&self) -> &Subtree {
        &self.right
    }
}

impl fmt::Debug for BinarySearchTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(search_tree::keys(&self.root)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Form, Search, assert_counts};

    fn tree(elements: impl IntoIterator<Item = i32>) -> BinarySearchTree {
        let mut tree = BinarySearchTree::new();
        elements.into_iter().for_each(|element| tree.insert(element));
        tree
    }

    fn write(form: &mut Form, link: &Subtree) {
        if let Some(node) = form.reference(link.as_deref()) {
            form.value(node.element);
            write(form, &node.left);
            write(form, &node.right);
        }
    }

    fn form(tree: &BinarySearchTree) -> Form {
        let mut form = Form::default();
        write(&mut form, &tree.root);
        form
    }

    fn insertions(k: i32) -> Search<BinarySearchTree> {
        Search::new(k).starts(BinarySearchTree::new).call_1(BinarySearchTree::insert)
    }

    #[test]
    fn the_builders_reach_the_published_numbers() {
        let expected =
            [(2, 5), (5, 14), (15, 50), (51, 210), (188, 947), (731, 4394), (2950, 20659)];
        assert_counts(&expected, |k| insertions(k).run(form).counts());
    }

    #[test]
    fn removing_reaches_nothing_more() {
        for k in 1..=5 {
            let all = insertions(k).call_1(BinarySearchTree::remove);
            assert_eq!(all.run(form).forms, insertions(k).run(form).forms, "k = {k}");
        }
    }

    #[test]
    fn a_node_with_two_children_keeps_its_place_and_takes_its_successor() {
        let mut tree = tree([3, 1, 6, 4, 5]);
        tree.remove(3);
        assert_eq!(tree.root.as_ref().map(|node| node.element), Some(4));
        assert_eq!(format!("{tree:?}"), "{1, 4, 5, 6}");
    }

    #[test]
    fn a_node_with_one_child_gives_its_place_to_it() {
        let mut tree = tree([2, 1]);
        tree.remove(2);
        tree.remove(7);
        assert_eq!(tree.print_tree(), "1");
        tree.make_empty();
        assert_eq!(tree.print_tree(), "Empty tree");
    }

    #[test]
    fn minus_one_stands_for_no_element() {
        let empty = BinarySearchTree::new();
        assert_eq!((empty.find_min(), empty.find_max(), empty.find(3)), (-1, -1, -1));
        let tree = tree([3, 5]);
        assert_eq!((tree.find_min(), tree.find_max(), tree.find(3)), (3, 5, 3));
        assert!(empty.is_empty() && !tree.is_empty());
        assert_eq!(BinaryNode::default().element, -1);
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let original = tree([1]);
        let mut clone = original.clone();
        clone.insert(0);
        assert_eq!(format!("{original:?} {clone:?}"), "{1} {0, 1}");
    }
}
