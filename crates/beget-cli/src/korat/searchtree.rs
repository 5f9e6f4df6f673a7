//! An unbalanced binary search tree without parent links.
//!
//! The subject is SearchTree of the Korat examples. It has no removal. No defect is known.

use beget::{Heap, HeapView};
use std::cmp::Ordering;
use std::fmt;

pub mod rep_ok;

/// A set of `i32` as a search tree.
///
/// Cloning and dropping recurse to the depth of the tree.
#[derive(Clone, Default, Heap, HeapView)]
pub struct SearchTree {
    root: Option<Box<Node>>,
    size: usize,
}

#[derive(Clone, Heap, HeapView)]
struct Node {
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
    info: i32,
}

/// The search tree without parent links, from the Korat examples.
#[beget::api(name = "korat::searchtree")]
impl SearchTree {
    /// Creates an empty tree.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `info` as a new leaf, unless it is present.
    pub fn insert(&mut self, info: i32) {
        let mut place = &mut self.root;
        while let Some(node) = place {
            place = match info.cmp(&node.info) {
                Ordering::Less => &mut node.left,
                Ordering::Greater => &mut node.right,
                Ordering::Equal => return,
            };
        }
        *place = Some(Box::new(Node { left: None, right: None, info }));
        self.size += 1;
    }

    /// Returns the elements in ascending order.
    fn elements(&self) -> impl Iterator<Item = i32> {
        let mut path = Vec::new();
        let mut subtree = self.root.as_deref();
        std::iter::from_fn(move || {
            while let Some(node) = subtree {
                path.push(node);
                subtree = node.left.as_deref();
            }
            let node = path.pop()?;
            subtree = node.right.as_deref();
            Some(node.info)
        })
    }
}

impl fmt::Debug for SearchTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.elements()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Form, Search, assert_counts};

    fn tree(elements: impl IntoIterator<Item = i32>) -> SearchTree {
        let mut tree = SearchTree::new();
        elements.into_iter().for_each(|element| tree.insert(element));
        tree
    }

    fn form(tree: &SearchTree) -> Form {
        let mut form = Form::default();
        write(&mut form, tree.root.as_deref());
        form.size(tree.size);
        form
    }

    fn write(form: &mut Form, node: Option<&Node>) {
        if let Some(node) = form.reference(node) {
            form.value(node.info);
            write(form, node.left.as_deref());
            write(form, node.right.as_deref());
        }
    }

    #[test]
    fn elements_are_in_order() {
        assert_eq!(format!("{:?}", tree([2, 0, 3, 1])), "{0, 1, 2, 3}");
    }

    #[test]
    fn an_element_is_inserted_once() {
        let tree = tree([2, 0, 2, 0]);
        assert_eq!((format!("{tree:?}").as_str(), tree.size), ("{0, 2}", 2));
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let mut original = tree([2, 0]);
        let copy = original.clone();
        original.insert(1);
        assert_eq!(format!("{original:?} {copy:?}"), "{0, 1, 2} {0, 2}");
    }

    #[test]
    fn deep_trees_are_dropped() {
        drop(tree(0..2_000));
    }

    #[test]
    fn the_builders_reach_the_published_numbers() {
        let published =
            [(2, 5), (5, 14), (15, 50), (51, 210), (188, 947), (731, 4394), (2950, 20659)];
        assert_counts(&published, |k| {
            let search = Search::new(k).starts(SearchTree::new);
            search.call_1(SearchTree::insert).run(form).counts()
        });
    }
}
