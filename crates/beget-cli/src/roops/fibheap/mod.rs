//! Fibonacci heap of integers, `FibHeap` of the ROOPS benchmark.
//!
//! The roots form a circle, and so do the children of each node, linked by `left` and `right`. The
//! operations are sound except for the defect below. The published flaws of this case study are in
//! its representation invariant.
//!
//! Defect kept: [`FibHeap::delete`] sets a key to 0 to move its node to the top, although other
//! keys may be smaller. It removes the right node, because it also makes that node the minimum.
//!
//! The nodes lie in one vector, and links are positions in it. A position has no other meaning.
//! Removing a node moves the last node into the gap.

mod circle;
pub mod rep_ok;
#[cfg(test)]
mod tests;

use std::fmt;

use beget::{Heap, HeapView};

use crate::Misuse;
use crate::shared::NodeId;

/// A priority queue of integers as a Fibonacci heap.
#[derive(Clone, Default, Heap, HeapView)]
pub struct FibHeap {
    /// Invariant: a root with the smallest key.
    #[heap(link = Node)]
    min: Option<usize>,
    /// Invariant: the number of nodes.
    n: usize,
    #[heap(arena(any_order))]
    arena: Vec<Node>,
}

/// A node of a [`FibHeap`].
#[derive(Clone, Debug, Heap, HeapView)]
pub struct Node {
    key: i32,
    /// Invariant: the number of children.
    degree: usize,
    /// True if the node lost a child since it last became a child itself.
    mark: bool,
    #[heap(link = Node)]
    parent: Option<usize>,
    /// Invariant: never absent. The field is optional because the link is nullable in the published
    /// class, and its representation invariant checks it.
    #[heap(link = Node)]
    left: Option<usize>,
    /// Invariant: never absent, like `left`, and its inverse.
    #[heap(link = Node)]
    right: Option<usize>,
    #[heap(link = Node)]
    child: Option<usize>,
}

#[beget::api(name = "roops::fibheap")]
impl FibHeap {
    /// No heap that fits into memory has a root of this degree.
    const MAX_DEGREE: usize = 100;

    /// Creates an empty heap.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the key to the left of the minimum.
    pub fn insert(&mut self, key: i32) {
        let node = self.arena.len();
        let (left, right) = (Some(node), Some(node));
        self.arena.push(Node {
            key,
            degree: 0,
            mark: false,
            parent: None,
            left,
            right,
            child: None,
        });
        match self.min {
            Some(min) => {
                self.put_left_of(min, node);
                if key < self.arena[min].key {
                    self.min = Some(node);
                }
            }
            None => self.min = Some(node),
        }
        self.n += 1;
    }

    /// Removes the smallest key, if there is one.
    pub fn remove_min(&mut self) {
        let Some(min) = self.min else { return };
        self.raise_children(min);
        let next = self.right(min);
        self.detach(min);
        if next == min {
            self.min = None;
        } else {
            self.consolidate(next);
        }
        self.n -= 1;
        self.release(min);
    }

    /// Lowers the key of a node.
    ///
    /// # Errors
    /// [`Misuse::Argument`] when the new key is larger; [`Misuse::MissingNode`] when the heap has
    /// no such node.
    #[api(skip)]
    pub fn decrease_key(&mut self, node: NodeId, key: i32) -> Result<(), Misuse> {
        let NodeId(node) = node;
        let old = self.arena.get(node).ok_or(Misuse::MissingNode)?.key;
        if key > old {
            return Err(Misuse::Argument("the new key must not be larger"));
        }
        self.arena[node].key = key;
        if let Some(parent) = self.arena[node].parent
            && key < self.arena[parent].key
        {
            self.cut(node, parent);
            self.cut_cascading(parent);
        }
        if self.min.is_some_and(|min| key < self.arena[min].key) {
            self.min = Some(node);
        }
        Ok(())
    }

    /// Removes a node, after setting its key to 0.
    ///
    /// # Errors
    /// [`Misuse::MissingNode`] when the heap has no such node.
    #[api(skip)]
    pub fn delete(&mut self, node: NodeId) -> Result<(), Misuse> {
        let NodeId(node) = node;
        self.arena.get_mut(node).ok_or(Misuse::MissingNode)?.key = 0;
        if let Some(parent) = self.arena[node].parent {
            self.cut(node, parent);
            self.cut_cascading(parent);
        }
        self.min = Some(node);
        self.remove_min();
        Ok(())
    }

    /// Calls [`FibHeap::decrease_key`] with the handle at this position.
    ///
    /// # Errors
    ///
    /// The same as for the node, and [`Misuse::MissingNode`] when the heap has no such position.
    pub fn decrease_key_at(&mut self, position: usize, key: i32) -> Result<(), Misuse> {
        self.decrease_key(self.handle(position)?, key)
    }

    /// Calls [`FibHeap::delete`] with the handle at this position.
    ///
    /// # Errors
    /// [`Misuse::MissingNode`] when the heap has no such position.
    pub fn delete_at(&mut self, position: usize) -> Result<(), Misuse> {
        self.delete(self.handle(position)?)
    }

    fn handle(&self, position: usize) -> Result<NodeId, Misuse> {
        self.handles().get(position).copied().ok_or(Misuse::MissingNode)
    }

    /// Removes all keys.
    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// Returns whether the heap is empty.
    pub fn is_empty(&self) -> bool {
        self.min.is_none()
    }

    /// Returns the number of keys.
    pub fn size(&self) -> usize {
        self.n
    }

    /// Returns the smallest key.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when the heap is empty.
    pub fn min(&self) -> Result<i32, Misuse> {
        self.min.map(|min| self.arena[min].key).ok_or(Misuse::Empty)
    }

    /// Returns all nodes, each before its children, going rightwards around circles. Any class of
    /// the published package can reach the nodes; here this method hands them out.
    #[api(skip)]
    pub fn handles(&self) -> Vec<NodeId> {
        let mut handles = Vec::new();
        self.collect(self.min, &mut handles);
        handles
    }

    fn collect(&self, first: Option<usize>, handles: &mut Vec<NodeId>) {
        for node in self.circle(first) {
            handles.push(NodeId(node));
            self.collect(self.arena[node].child, handles);
        }
    }

    /// Links roots of equal degree until all degrees differ, then finds the minimum. On equal keys,
    /// the current root stays a root, and the root that the scan meets first is the minimum.
    fn consolidate(&mut self, first: usize) {
        let mut by_degree: [Option<usize>; Self::MAX_DEGREE] = [None; Self::MAX_DEGREE];
        let (mut start, mut node) = (first, first);
        loop {
            let mut next = self.right(node);
            let mut degree = self.arena[node].degree;
            while let Some(mut loser) = by_degree[degree].take() {
                if self.arena[node].key > self.arena[loser].key {
                    std::mem::swap(&mut node, &mut loser);
                }
                if loser == start {
                    start = self.right(start);
                }
                if loser == next {
                    next = self.right(next);
                }
                self.link(loser, node);
                degree += 1;
            }
            by_degree[degree] = Some(node);
            node = next;
            if node == start {
                break;
            }
        }
        // The first of equal keys wins, as in the published scan.
        let roots = [start].into_iter().chain(by_degree.into_iter().flatten());
        self.min = roots.min_by_key(|&root| self.arena[root].key);
    }

    /// Marks a node that lost its first child. If it lost its second child, cuts it from its parent
    /// and continues upwards.
    fn cut_cascading(&mut self, node: usize) {
        let mut lower = node;
        while let Some(upper) = self.arena[lower].parent {
            if !self.arena[lower].mark {
                self.arena[lower].mark = true;
                return;
            }
            self.cut(lower, upper);
            lower = upper;
        }
    }

    /// Drops a detached node, moves the last node of the vector into its place, and redirects the
    /// links to the moved node.
    fn release(&mut self, free: usize) {
        self.arena.swap_remove(free);
        let moved = Some(self.arena.len());
        let links = self
            .arena
            .iter_mut()
            .flat_map(|node| [&mut node.parent, &mut node.left, &mut node.right, &mut node.child])
            .chain([&mut self.min]);
        links.filter(|link| **link == moved).for_each(|link| *link = Some(free));
    }
}

impl fmt::Debug for FibHeap {
    /// Shows the keys in preorder.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let handles = self.handles();
        f.debug_list().entries(handles.iter().map(|&NodeId(node)| self.arena[node].key)).finish()
    }
}
