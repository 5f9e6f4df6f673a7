//! Binary search tree with a size, `BinTree` of the FAJITA benchmark.
//!
//! The tree is unbalanced and has neither parent links nor removal. The link that leads to a node
//! owns it through a box. No defect is known.

use std::cmp::Ordering;
use std::fmt;

use beget::{Heap, HeapView};

use crate::shared::search_tree::{self, SearchNode, Subtree};

pub mod rep_ok;

/// A set of integers as an unbalanced search tree.
#[derive(Clone, Default, Heap, HeapView)]
pub struct BinTree {
    root: Option<Box<Node>>,
    /// Invariant: the number of nodes.
    size: usize,
}

/// A node of a [`BinTree`].
#[derive(Clone, Debug, Heap, HeapView)]
pub struct Node {
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
    info: i32,
}

#[beget::api(name = "fajita::bintree")]
impl BinTree {
    /// Creates an empty tree.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the element as a leaf, unless it is present.
    pub fn add(&mut self, info: i32) {
        let mut link = &mut self.root;
        while let Some(node) = link {
            link = match info.cmp(&node.info) {
                Ordering::Less => &mut node.left,
                Ordering::Greater => &mut node.right,
                Ordering::Equal => return,
            };
        }
        *link = Some(Box::new(Node { left: None, right: None, info }));
        self.size += 1;
    }
}

impl SearchNode for Node {
    fn key(&self) -> i32 {
        self.info
    }

    fn left(&self) -> &Subtree<Self> {
        &self.left
    }

    fn right(&self) -> &Subtree<Self> {
        &self.right
    }
}

impl fmt::Debug for BinTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(search_tree::keys(&self.root)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Form, Search, assert_counts};

    fn tree(elements: impl IntoIterator<Item = i32>) -> BinTree {
        let mut tree = BinTree::new();
        elements.into_iter().for_each(|element| tree.add(element));
        tree
    }

    fn write(form: &mut Form, link: &Subtree<Node>) {
        if let Some(node) = form.reference(link.as_deref()) {
            form.value(node.info);
            write(form, &node.left);
            write(form, &node.right);
        }
    }

    fn form(tree: &BinTree) -> Form {
        let mut form = Form::default();
        write(&mut form, &tree.root);
        form.size(tree.size);
        form
    }

    #[test]
    fn the_builders_reach_the_published_numbers() {
        let expected =
            [(2, 5), (5, 14), (15, 50), (51, 210), (188, 947), (731, 4394), (2950, 20659)];
        assert_counts(&expected, |k| {
            let search = Search::new(k).starts(BinTree::new).call_1(BinTree::add);
            search.run(form).counts()
        });
    }

    #[test]
    fn an_element_is_added_once_and_counted_once() {
        let tree = tree([2, 1, 3, 1]);
        assert_eq!(format!("{tree:?}"), "{1, 2, 3}");
        assert_eq!(tree.size, 3);
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let original = tree([1]);
        let mut clone = original.clone();
        clone.add(0);
        assert_eq!(format!("{original:?} {clone:?}"), "{1} {0, 1}");
    }
}
