//! A mergeable min-heap: the top-down skew heap of Sleator and Tarjan.
//!
//! The subject is our own. Unlike in published subjects, builders take and return whole heaps:
//! [`SkewHeap::merge`] consumes its argument, and [`SkewHeap::split`] makes two heaps of one.
//!
//! Every operation is a *meld* of two trees: it goes down their right spines and exchanges the
//! children of every node on the way. A node with a right child therefore has a left child too. No
//! defect is known.

use beget::{Heap, HeapView};
use std::{fmt, mem};

pub mod rep_ok;

/// A min-heap of `i32` that allows duplicates.
#[derive(Default, Heap, HeapView)]
pub struct SkewHeap {
    root: Tree,
    len: usize,
}

type Tree = Option<Box<Node>>;

#[derive(Heap, HeapView)]
struct Node {
    key: i32,
    left: Tree,
    right: Tree,
}

/// A mergeable heap, with calls that take two heaps and a call that makes two heaps of one.
#[beget::api(name = "ours::skewheap")]
impl SkewHeap {
    /// Creates an empty heap.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `key`.
    pub fn insert(&mut self, key: i32) {
        let single = Node { key, left: None, right: None };
        self.merge(SkewHeap { root: Some(Box::new(single)), len: 1 });
    }

    /// Adds all keys of `other`.
    pub fn merge(&mut self, mut other: SkewHeap) {
        self.root = meld(self.root.take(), other.root.take());
        self.len += other.len;
    }

    /// Removes and returns the least key.
    pub fn pop_min(&mut self) -> Option<i32> {
        let mut root = self.root.take()?;
        self.root = meld(root.left.take(), root.right.take());
        self.len -= 1;
        Some(root.key)
    }

    /// Returns the least key.
    pub fn peek_min(&self) -> Option<i32> {
        self.root.as_ref().map(|root| root.key)
    }

    /// Cuts the right subtree off the root; returns the rest, and the subtree as a heap.
    pub fn split(mut self) -> (SkewHeap, SkewHeap) {
        let right = self.root.as_mut().and_then(|root| root.right.take());
        let mut cut = SkewHeap { root: right, len: 0 };
        cut.len = cut.nodes().count();
        self.len -= cut.len;
        (self, cut)
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the heap is empty.
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// Removes all keys.
    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// Iterates over the nodes in preorder.
    fn nodes(&self) -> impl Iterator<Item = &Node> {
        let mut pending: Vec<_> = self.root.as_deref().into_iter().collect();
        std::iter::from_fn(move || {
            let node = pending.pop()?;
            pending.extend(node.right.as_deref());
            pending.extend(node.left.as_deref());
            Some(node)
        })
    }
}

/// Melds two trees into one. On equal keys the node of the first tree is above the other.
///
/// A spine can be as long as the heap, so this is a loop instead of the usual recursion.
fn meld(mut first: Tree, mut second: Tree) -> Tree {
    let mut melded = None;
    let mut place = &mut melded;
    loop {
        let (mut top, other) = match (first, second) {
            (Some(a), Some(b)) if b.key < a.key => (b, a),
            (Some(a), Some(b)) => (a, b),
            (rest, None) | (None, rest) => {
                *place = rest;
                return melded;
            }
        };
        first = mem::replace(&mut top.right, top.left.take());
        second = Some(other);
        place = &mut place.insert(top).left;
    }
}

impl Clone for SkewHeap {
    /// Clones node by node, because a tree can be too deep for recursion.
    fn clone(&self) -> Self {
        let mut root = None;
        let mut pending = vec![(&self.root, &mut root)];
        while let Some((original, place)) = pending.pop() {
            if let Some(node) = original {
                let copy = place.insert(Box::new(Node { key: node.key, left: None, right: None }));
                let Node { left, right, .. } = &mut **copy;
                pending.extend([(&node.left, left), (&node.right, right)]);
            }
        }
        SkewHeap { root, len: self.len }
    }
}

impl Drop for SkewHeap {
    /// Drops node by node, because a tree can be too deep for recursion.
    fn drop(&mut self) {
        let mut pending: Vec<_> = self.root.take().into_iter().collect();
        while let Some(mut node) = pending.pop() {
            pending.extend(node.left.take());
            pending.extend(node.right.take());
        }
    }
}

impl fmt::Debug for SkewHeap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.nodes().map(|node| node.key)).finish()
    }
}

#[cfg(test)]
mod tests;
