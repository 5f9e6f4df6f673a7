//! Binomial heaps, in the published versions of three benchmarks.
//!
//! A heap is a list of binomial trees, linked by `sibling` in increasing degree. `child` leads to
//! the first child of a node; `sibling` links the children in decreasing degree. No key is smaller
//! than its parent's. On equal keys the root that comes earlier in the list stays a root.
//!
//! The nodes lie in one vector, and links are positions in it. A position has no other meaning.
//! Removing a node moves the last node into the gap.
//!
//! The published classes differ in two places, which are the constants of a [`Variant`]: how far a
//! lowered key rises, and where merging continues after it has inserted a tree.

pub(crate) mod clauses;
#[cfg(test)]
pub(crate) mod tests;
mod union;

use std::fmt;
use std::marker::PhantomData;

use beget::{Heap, HeapView};

use super::NodeId;
use crate::Misuse;

/// The differences between the published classes.
pub trait Variant {
    /// The place where merging continues after it has inserted a tree.
    const MERGE: Merge;
    /// The number of levels that a lowered key may rise.
    const CLIMB: Climb;
}

/// The place where merging continues after it has inserted a tree of the other list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    /// At the inserted tree.
    FromInserted,
    /// At the successor of the inserted tree. Defect kept: if the next tree of the other list has a
    /// smaller degree than the successor, merging puts it before the successor but links it from no
    /// predecessor, so the heap loses it. The smallest heap that can lose a tree has 13 nodes.
    FromSuccessor,
}

/// The number of levels that a lowered key may rise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Climb {
    /// Any number, until the parent's key is not larger.
    ToItsPlace,
    /// At most one. Defect kept: the comparison still uses the node that was lowered, which holds
    /// the key of its old parent after one step.
    OneLevel,
}

/// A priority queue of integers as a binomial heap.
#[derive(Heap, HeapView)]
pub struct BinomialHeap<T> {
    /// The first root; the published classes call it `Nodes`.
    #[heap(link = BinomialHeapNode)]
    nodes: Option<usize>,
    /// Invariant: the number of nodes.
    size: usize,
    #[heap(arena(any_order))]
    arena: Vec<BinomialHeapNode>,
    #[heap(skip)]
    variant: PhantomData<T>,
}

/// A node of a [`BinomialHeap`].
#[derive(Clone, Debug, Heap, HeapView)]
pub struct BinomialHeapNode {
    key: i32,
    /// Invariant: the number of children.
    degree: usize,
    #[heap(link = BinomialHeapNode)]
    parent: Option<usize>,
    #[heap(link = BinomialHeapNode)]
    sibling: Option<usize>,
    #[heap(link = BinomialHeapNode)]
    child: Option<usize>,
}

impl<T: Variant> BinomialHeap<T> {
    /// Creates an empty heap.
    pub fn new() -> Self {
        Self { nodes: None, size: 0, arena: Vec::new(), variant: PhantomData }
    }

    /// Adds the key.
    pub fn insert(&mut self, key: i32) {
        let node = self.arena.len();
        self.arena.push(BinomialHeapNode {
            key,
            degree: 0,
            parent: None,
            sibling: None,
            child: None,
        });
        self.unite(node);
        self.size += 1;
    }

    /// Removes and returns the smallest key.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when the heap is empty.
    pub fn extract_min(&mut self) -> Result<i32, Misuse> {
        let smallest = self.smallest_root().ok_or(Misuse::Empty)?;
        self.remove_root(smallest);
        if let Some(children) = self.release_children(smallest) {
            self.unite(children);
        }
        self.size -= 1;
        Ok(self.release(smallest).key)
    }

    /// Returns the smallest key.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when the heap is empty.
    pub fn find_minimum(&self) -> Result<i32, Misuse> {
        self.smallest_root().map(|root| self.arena[root].key).ok_or(Misuse::Empty)
    }

    /// Sets the key of a node, even to a larger one, then lets it rise as far as the variant
    /// allows. Does nothing if `node` is `None`.
    ///
    /// # Errors
    /// [`Misuse::MissingNode`] when the heap has no such node.
    pub fn decrease_key_node(&mut self, node: Option<NodeId>, key: i32) -> Result<(), Misuse> {
        let Some(NodeId(node)) = node else { return Ok(()) };
        self.arena.get_mut(node).ok_or(Misuse::MissingNode)?.key = key;
        self.climb(node);
        Ok(())
    }

    /// Calls [`BinomialHeap::decrease_key_node`] with the handle at this position.
    ///
    /// # Errors
    /// [`Misuse::MissingNode`] when the heap has no such position.
    pub fn decrease_key_at(&mut self, position: usize, key: i32) -> Result<(), Misuse> {
        let node = self.handles().nth(position).ok_or(Misuse::MissingNode)?;
        self.decrease_key_node(Some(node), key)
    }

    /// Returns all nodes in preorder: each before its children, and these before its siblings. Any
    /// class of the published package can reach the nodes; here this method hands them out.
    pub fn handles(&self) -> impl Iterator<Item = NodeId> {
        let mut pending: Vec<usize> = self.nodes.into_iter().collect();
        std::iter::from_fn(move || {
            let node = pending.pop()?;
            pending.extend(self.arena[node].sibling);
            pending.extend(self.arena[node].child);
            Some(NodeId(node))
        })
    }

    /// Lowers the first node with this key to one less than the smallest key, then extracts the
    /// smallest key. That is the lowered key only if it could rise far enough. Does nothing if the
    /// key is absent. One of the published classes has no such method.
    pub fn delete(&mut self, key: i32) {
        let Some(smallest) = self.smallest_root() else { return };
        let found = self.handles().find(|&NodeId(node)| self.arena[node].key == key);
        let Some(NodeId(node)) = found else { return };
        self.arena[node].key = self.arena[smallest].key.wrapping_sub(1);
        self.climb(node);
        self.extract_min().expect("the heap has at least the key to delete");
    }

    fn climb(&mut self, node: usize) {
        let mut lower = node;
        while let Some(upper) = self.arena[lower].parent {
            let judged = match T::CLIMB {
                Climb::ToItsPlace => lower,
                Climb::OneLevel => node,
            };
            if self.arena[judged].key >= self.arena[upper].key {
                break;
            }
            let key = self.arena[lower].key;
            self.arena[lower].key = self.arena[upper].key;
            self.arena[upper].key = key;
            lower = upper;
        }
    }

    fn smallest_root(&self) -> Option<usize> {
        self.list(self.nodes).min_by_key(|&root| self.arena[root].key)
    }

    /// Takes a root out of the list of roots.
    fn remove_root(&mut self, root: usize) {
        let before = self.list(self.nodes).find(|&other| self.arena[other].sibling == Some(root));
        let behind = self.arena[root].sibling;
        match before {
            Some(before) => self.arena[before].sibling = behind,
            None => self.nodes = behind,
        }
    }

    /// Turns the children of a node into a list of roots, in reverse order.
    fn release_children(&mut self, node: usize) -> Option<usize> {
        let mut rest = self.arena[node].child;
        let mut reversed = None;
        while let Some(child) = rest {
            self.arena[child].parent = None;
            rest = std::mem::replace(&mut self.arena[child].sibling, reversed);
            reversed = Some(child);
        }
        reversed
    }

    /// Drops an unlinked node and moves the last node of the vector into its place. Checks all
    /// links: any of them may lead to the moved node, and nodes do not know their predecessors.
    fn release(&mut self, free: usize) -> BinomialHeapNode {
        let gone = self.arena.swap_remove(free);
        let moved = Some(self.arena.len());
        let links = self
            .arena
            .iter_mut()
            .flat_map(|node| [&mut node.parent, &mut node.sibling, &mut node.child])
            .chain([&mut self.nodes]);
        links.filter(|link| **link == moved).for_each(|link| *link = Some(free));
        gone
    }

    /// Iterates over a node and its later siblings.
    fn list(&self, first: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(first, |&node| self.arena[node].sibling)
    }
}

impl<T: Variant> Default for BinomialHeap<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Clone for BinomialHeap<T> {
    fn clone(&self) -> Self {
        Self { nodes: self.nodes, size: self.size, arena: self.arena.clone(), variant: PhantomData }
    }
}

impl<T: Variant> fmt::Debug for BinomialHeap<T> {
    /// Shows the keys in preorder.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = self.handles().map(|NodeId(node)| self.arena[node].key);
        f.debug_list().entries(keys).finish()
    }
}
