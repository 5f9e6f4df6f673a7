//! A Fibonacci heap whose nodes live in an arena.
//!
//! The subject is FibonacciHeap of the Korat examples. The roots form a circular list that starts
//! at `min`, and the children of a node form another one that starts at its `child`. Links are slot
//! numbers of one vector, and later nodes reuse freed slots. Two heaps that differ only in slot
//! numbers are equal.
//!
//! In the original, no operation of the heap returns a node. A generator therefore cannot call
//! `decreaseKey` and `delete`, and the suite leaves them out. [`FibonacciHeap::nodes`] and
//! [`FibonacciHeap::min_node`] are our additions for other callers. The operations have no known
//! defect. However, insertion and removal alone build only binomial trees, so from scope 2 on they
//! reach fewer heaps than the invariant admits.
//!
//! Kept as published: [`FibonacciHeap::delete`] first sets the key to 0, which need not be the
//! least key. It makes the node `min` regardless, so it removes the right node.

use beget::{Heap, HeapView};
use std::fmt;

use crate::Misuse;

pub mod rep_ok;

/// A min-heap of `i32` that allows duplicates.
#[derive(Clone, Default, Heap, HeapView)]
pub struct FibonacciHeap {
    #[heap(link = Node)]
    min: Option<usize>,
    n: usize,
    #[heap(arena(any_order))]
    nodes: Vec<Node>,
    /// Invariant: the slots of `nodes` that are not in the heap.
    #[heap(skip)]
    free: Vec<usize>,
}

/// Names a node of a heap until the node is removed.
///
/// A later node may reuse the slot of a removed one; an old handle then names the later node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeHandle(usize);

#[derive(Clone, Heap, HeapView)]
#[heap(name = "FibonacciHeapNode")]
struct Node {
    key: i32,
    degree: usize,
    #[heap(link = Node)]
    parent: Option<usize>,
    #[heap(link = Node)]
    child: Option<usize>,
    #[heap(link = Node)]
    left: usize,
    #[heap(link = Node)]
    right: usize,
    mark: bool,
}

/// An upper bound on the degree of a node. A tree whose root has this degree has more nodes than
/// fit into memory.
const DEGREE_LIMIT: usize = 45;

/// The Fibonacci heap of the Korat examples.
///
/// The suite leaves out the methods that take a node, as in the published runs, because no method
/// of the original returns one.
#[beget::api(name = "korat::fibheap")]
impl FibonacciHeap {
    /// Creates an empty heap.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `key` as a root to the left of the minimum.
    pub fn insert(&mut self, key: i32) {
        let node = self.allocate(key);
        match self.min {
            None => self.min = Some(node),
            Some(min) => {
                self.link_left_of(min, node);
                if key < self.nodes[min].key {
                    self.min = Some(node);
                }
            }
        }
        self.n += 1;
    }

    /// Removes the minimum and consolidates the rest. Does nothing on an empty heap.
    pub fn remove_min(&mut self) {
        let Some(min) = self.min else { return };
        self.release_children(min);
        let next = self.nodes[min].right;
        if next == min {
            self.min = None;
        } else {
            self.unlink(min);
            self.consolidate(next);
        }
        self.n -= 1;
        self.free.push(min);
    }

    /// Returns the least key.
    pub fn min(&self) -> Result<i32, Misuse> {
        self.min.map(|min| self.nodes[min].key).ok_or(Misuse::Empty)
    }

    /// Returns the number of keys.
    pub fn size(&self) -> usize {
        self.n
    }

    /// Returns whether the heap is empty.
    pub fn is_empty(&self) -> bool {
        self.min.is_none()
    }

    /// Removes all keys.
    pub fn clear(&mut self) {
        *self = Self::new();
    }
}

/// Operations that take or return nodes.
impl FibonacciHeap {
    /// Lowers the key of `node`, and cuts the node from its parent if the parent's key is larger.
    pub fn decrease_key(&mut self, node: NodeHandle, key: i32) -> Result<(), Misuse> {
        let (node, min) = self.resolve(node)?;
        if key > self.nodes[node].key {
            return Err(Misuse::Argument("the new key must not be larger"));
        }
        self.nodes[node].key = key;
        if let Some(parent) = self.nodes[node].parent.filter(|&above| key < self.nodes[above].key) {
            self.cut(node, parent, min);
            self.cascading_cut(parent, min);
        }
        if key < self.nodes[min].key {
            self.min = Some(node);
        }
        Ok(())
    }

    /// Removes `node`, whatever its key.
    pub fn delete(&mut self, node: NodeHandle) -> Result<(), Misuse> {
        let (node, min) = self.resolve(node)?;
        self.nodes[node].key = 0;
        if let Some(parent) = self.nodes[node].parent {
            self.cut(node, parent, min);
            self.cascading_cut(parent, min);
        }
        self.min = Some(node);
        self.remove_min();
        Ok(())
    }

    /// Returns the node with the least key.
    pub fn min_node(&self) -> Option<NodeHandle> {
        self.min.map(NodeHandle)
    }

    /// Returns all nodes, each before its children, following `right` links from the minimum.
    pub fn nodes(&self) -> Vec<NodeHandle> {
        let mut found = Vec::with_capacity(self.n);
        let mut rings: Vec<_> = self.min.map(|min| (min, min)).into_iter().collect();
        while let Some((first, node)) = rings.pop() {
            found.push(NodeHandle(node));
            let Node { right, child, .. } = self.nodes[node];
            rings.extend((right != first).then_some((first, right)));
            rings.extend(child.map(|child| (child, child)));
        }
        found
    }

    /// Returns the key of `node`.
    pub fn key(&self, node: NodeHandle) -> Result<i32, Misuse> {
        self.resolve(node).map(|(node, _)| self.nodes[node].key)
    }
}

impl FibonacciHeap {
    /// Returns the slot that `node` names, and the slot of the minimum.
    fn resolve(&self, node: NodeHandle) -> Result<(usize, usize), Misuse> {
        let is_in_use = node.0 < self.nodes.len() && !self.free.contains(&node.0);
        let slots = self.min.filter(|_| is_in_use).map(|min| (node.0, min));
        slots.ok_or(Misuse::Argument("the node must be in the heap"))
    }

    /// Fills a slot with a new node that forms a ring by itself.
    fn allocate(&mut self, key: i32) -> usize {
        let slot = self.free.pop().unwrap_or(self.nodes.len());
        let (left, right) = (slot, slot);
        let node = Node { key, degree: 0, parent: None, child: None, left, right, mark: false };
        if slot == self.nodes.len() {
            self.nodes.push(node);
        } else {
            self.nodes[slot] = node;
        }
        slot
    }

    /// Makes `right` the right neighbour of `left`.
    fn join(&mut self, left: usize, right: usize) {
        self.nodes[left].right = right;
        self.nodes[right].left = left;
    }

    /// Takes `node` off its ring and leaves its own links as they are.
    fn unlink(&mut self, node: usize) {
        self.join(self.nodes[node].left, self.nodes[node].right);
    }

    /// Puts `node`, which is on no ring, right before `successor`.
    fn link_left_of(&mut self, successor: usize, node: usize) {
        self.join(self.nodes[successor].left, node);
        self.join(node, successor);
    }

    /// Turns the children of `node` into roots, between `node` and its left neighbour.
    fn release_children(&mut self, node: usize) {
        let Some(first) = self.nodes[node].child else { return };
        let mut child = first;
        loop {
            self.nodes[child].parent = None;
            child = self.nodes[child].right;
            if child == first {
                break;
            }
        }
        let last = self.nodes[first].left;
        self.join(self.nodes[node].left, first);
        self.join(last, node);
    }

    /// Makes the root `child` a child of `parent`: the first one, or the one to the right of the
    /// first child.
    fn link(&mut self, child: usize, parent: usize) {
        self.unlink(child);
        self.nodes[child].parent = Some(parent);
        match self.nodes[parent].child {
            None => {
                self.nodes[parent].child = Some(child);
                self.join(child, child);
            }
            Some(first) => self.link_left_of(self.nodes[first].right, child),
        }
        self.nodes[parent].degree += 1;
        self.nodes[child].mark = false;
    }

    /// Links roots of equal degree until all degrees differ, starting at `start`, then finds the
    /// minimum.
    fn consolidate(&mut self, start: usize) {
        let mut by_degree = [None; DEGREE_LIMIT];
        let (mut start, mut current) = (start, start);
        loop {
            let mut root = current;
            let mut next = self.nodes[root].right;
            let mut degree = self.nodes[root].degree;
            while let Some(other) = by_degree[degree].take() {
                let (winner, loser) = self.by_key(root, other);
                if loser == start {
                    start = self.nodes[start].right;
                }
                if loser == next {
                    next = self.nodes[next].right;
                }
                self.link(loser, winner);
                root = winner;
                degree += 1;
            }
            by_degree[degree] = Some(root);
            current = next;
            if current == start {
                break;
            }
        }
        let roots = by_degree.into_iter().flatten();
        let min = roots.fold(start, |min, root| self.by_key(min, root).0);
        self.min = Some(min);
    }

    /// Returns the two nodes, smaller key first; equal keys keep the given order.
    fn by_key(&self, first: usize, second: usize) -> (usize, usize) {
        if self.nodes[second].key < self.nodes[first].key {
            (second, first)
        } else {
            (first, second)
        }
    }

    /// Makes `node` a root to the left of `min`.
    fn cut(&mut self, node: usize, parent: usize, min: usize) {
        self.unlink(node);
        let right = self.nodes[node].right;
        let above = &mut self.nodes[parent];
        above.degree -= 1;
        if above.degree == 0 {
            above.child = None;
        } else if above.child == Some(node) {
            above.child = Some(right);
        }
        self.link_left_of(min, node);
        self.nodes[node].parent = None;
        self.nodes[node].mark = false;
    }

    /// Marks `node`, which lost a child. If it was marked, cuts it and continues with its parent.
    fn cascading_cut(&mut self, mut node: usize, min: usize) {
        while let Some(parent) = self.nodes[node].parent {
            if !self.nodes[node].mark {
                self.nodes[node].mark = true;
                break;
            }
            self.cut(node, parent, min);
            node = parent;
        }
    }
}

impl fmt::Debug for FibonacciHeap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.nodes().iter().map(|node| self.nodes[node.0].key)).finish()
    }
}

#[cfg(test)]
mod tests;
