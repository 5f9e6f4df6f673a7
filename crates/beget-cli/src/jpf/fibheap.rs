//! Fibonacci heap of integers, `FibHeap` of the coverage experiments.
//!
//! The published class deletes a random node of its list of nodes. Here the caller chooses the node
//! by its position in the list, in which each node is before its children.

use beget::{Heap, HeapView};
use beget_process::coverage::marks;

use super::bits;
use crate::Misuse;

/// The kinds of nodes in [`MARKS`]: absent, or one per combination of five facts.
const NODE_KINDS: usize = 33;

marks! {
    /// A fingerprint shows two nodes, and which of their `child` links leads to the other node.
    pub static MARKS: 25 points, NODE_KINDS * NODE_KINDS * 4, in "fibheap.rs";
}

/// A priority queue of integers as a Fibonacci heap.
#[derive(Clone, Debug, Default, Heap, HeapView)]
pub struct FibHeap {
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
    cost: i32,
    /// Invariant: the number of children.
    degree: usize,
    /// True if the node lost a child since it last became a child itself.
    mark: bool,
    #[heap(link = Node)]
    parent: Option<usize>,
    #[heap(link = Node)]
    left: usize,
    #[heap(link = Node)]
    right: usize,
    #[heap(link = Node)]
    child: Option<usize>,
}

#[beget::api(name = "jpf::fibheap")]
impl FibHeap {
    /// Creates an empty heap.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a key to the right of the minimum.
    pub fn insert(&mut self, c: i32) {
        let node = self.arena.len();
        self.arena.push(Node {
            cost: c,
            degree: 0,
            mark: false,
            parent: None,
            left: node,
            right: node,
            child: None,
        });
        match self.min {
            Some(min) => {
                self.put_right_of(min, node);
                let is_less = c < self.arena[min].cost;
                self.mark(if is_less { 21 } else { 22 }, Some(min), None);
                if is_less {
                    self.min = Some(node);
                }
            }
            None => {
                self.min = Some(node);
                self.mark(23, Some(node), None);
            }
        }
        self.n += 1;
    }

    /// Removes and returns the smallest key, if there is one.
    pub fn remove_min(&mut self) -> Option<i32> {
        let z = self.min?;
        let mut child = self.arena[z].child;
        for _ in 0..self.arena[z].degree {
            let x = child.expect("a node with as many children as its degree says");
            self.mark(17, child, Some(z));
            let next = self.arena[x].right;
            self.unlink(x);
            self.put_right_of(z, x);
            self.arena[x].parent = None;
            child = Some(next);
        }
        self.unlink(z);
        let right = self.arena[z].right;
        if right == z {
            self.mark(18, child, Some(z));
            self.min = None;
        } else {
            self.mark(19, child, Some(z));
            self.consolidate(right);
        }
        self.n -= 1;
        let cost = self.arena[z].cost;
        self.release(z);
        Some(cost)
    }

    /// Removes the node at this position in the list of all nodes.
    ///
    /// # Errors
    /// [`Misuse::MissingNode`] when the heap has no such position.
    pub fn delete_at(&mut self, position: usize) -> Result<(), Misuse> {
        let mut nodes = Vec::new();
        self.list(self.min, &mut nodes);
        let &node = nodes.get(position).ok_or(Misuse::MissingNode)?;
        self.decrease(node, i32::MIN);
        self.remove_min();
        Ok(())
    }

    /// Returns whether the heap is empty.
    pub fn empty(&self) -> bool {
        self.min.is_none()
    }

    /// Returns the number of keys.
    pub fn size(&self) -> usize {
        self.n
    }

    fn list(&self, first: Option<usize>, nodes: &mut Vec<usize>) {
        let Some(first) = first else { return };
        let mut node = first;
        loop {
            nodes.push(node);
            self.list(self.arena[node].child, nodes);
            node = self.arena[node].right;
            if node == first {
                return;
            }
        }
    }

    fn decrease(&mut self, node: usize, cost: i32) {
        self.arena[node].cost = cost;
        if let Some(parent) = self.arena[node].parent
            && cost < self.arena[parent].cost
        {
            self.cut(node, parent);
            self.cut_cascading(parent);
        }
        if self.min.is_some_and(|min| cost < self.arena[min].cost) {
            self.min = Some(node);
        }
    }

    /// Marks a node that loses its first child. If it loses its second child, cuts it from its
    /// parent and continues upwards.
    fn cut_cascading(&mut self, mut node: usize) {
        while let Some(parent) = self.arena[node].parent {
            if !self.arena[node].mark {
                self.mark(0, Some(node), None);
                self.arena[node].mark = true;
                return;
            }
            self.mark(1, Some(node), None);
            self.cut(node, parent);
            node = parent;
        }
        self.mark(2, Some(node), None);
    }

    /// Turns a child of `parent` into a root.
    fn cut(&mut self, node: usize, parent: usize) {
        self.unlink(node);
        self.arena[parent].degree -= 1;
        if self.arena[parent].child == Some(node) {
            self.mark(13, Some(node), Some(parent));
            self.arena[parent].child = Some(self.arena[node].right);
        } else {
            self.mark(20, Some(node), Some(parent));
        }
        if self.arena[parent].degree == 0 {
            self.mark(14, Some(parent), Some(node));
            self.arena[parent].child = None;
        } else {
            self.mark(24, Some(node), Some(parent));
        }
        let min = self.min.expect("a heap with nodes");
        self.put_right_of(min, node);
        self.arena[node].parent = None;
        self.arena[node].mark = false;
    }

    /// Links roots of equal degree until all degrees differ, then finds the minimum.
    fn consolidate(&mut self, first: usize) {
        let n_degrees = self.n + 1;
        (0..n_degrees).for_each(|_| self.mark(3, None, None));
        let mut by_degree: Vec<Option<usize>> = vec![None; n_degrees];
        let mut n_roots = 1;
        let mut x = self.arena[first].right;
        while x != first {
            self.mark(4, Some(x), None);
            n_roots += 1;
            x = self.arena[x].right;
        }
        for _ in 0..n_roots {
            let mut degree = self.arena[x].degree;
            let next = self.arena[x].right;
            self.mark(5, Some(x), None);
            while let Some(mut y) = by_degree[degree].take() {
                if self.arena[x].cost > self.arena[y].cost {
                    self.mark(6, Some(x), Some(y));
                    std::mem::swap(&mut x, &mut y);
                } else {
                    self.mark(7, Some(x), Some(y));
                }
                self.link(y, x);
                degree += 1;
            }
            self.mark(8, Some(x), None);
            by_degree[degree] = Some(x);
            x = next;
        }
        self.min = None;
        for root in by_degree.into_iter().flatten() {
            let Some(min) = self.min else {
                self.mark(12, Some(root), None);
                self.min = Some(root);
                continue;
            };
            self.mark(9, Some(root), None);
            self.unlink(root);
            self.put_right_of(min, root);
            let is_less = self.arena[root].cost < self.arena[min].cost;
            self.mark(if is_less { 10 } else { 11 }, Some(root), Some(min));
            if is_less {
                self.min = Some(root);
            }
        }
    }

    /// Makes a root a child of another root.
    fn link(&mut self, node: usize, parent: usize) {
        self.unlink(node);
        self.arena[node].parent = Some(parent);
        match self.arena[parent].child {
            None => {
                self.mark(15, Some(node), Some(parent));
                self.arena[parent].child = Some(node);
                self.arena[node].left = node;
                self.arena[node].right = node;
            }
            Some(entry) => {
                self.mark(16, Some(node), Some(parent));
                self.put_right_of(entry, node);
            }
        }
        self.arena[parent].degree += 1;
        self.arena[node].mark = false;
    }

    /// Takes a node out of its circle and leaves its own links as they are.
    fn unlink(&mut self, node: usize) {
        let Node { left, right, .. } = self.arena[node];
        self.arena[left].right = right;
        self.arena[right].left = left;
    }

    fn put_right_of(&mut self, left: usize, node: usize) {
        let right = self.arena[left].right;
        self.arena[node].left = left;
        self.arena[node].right = right;
        self.arena[left].right = node;
        self.arena[right].left = node;
    }

    fn mark(&self, point: usize, n: Option<usize>, m: Option<usize>) {
        let kind = |link: Option<usize>| {
            let facts = |node: usize| {
                let Node { child, parent, left, right, degree, .. } = self.arena[node];
                let circle = [right == node, left == node];
                1 + bits([child.is_none(), parent.is_none(), circle[0], circle[1], degree == 0])
            };
            link.map_or(0, facts)
        };
        let entries = n.zip(m).map_or(0, |(n, m)| {
            bits([self.arena[n].child == Some(m), self.arena[m].child == Some(n)])
        });
        MARKS.note(point, (kind(n) * NODE_KINDS + kind(m)) * 4 + entries);
    }

    /// Drops an unlinked node.
    fn release(&mut self, free: usize) {
        self.arena.swap_remove(free);
        let moved = self.arena.len();
        for node in &mut self.arena {
            let links = [Some(&mut node.left), Some(&mut node.right)];
            let optional = [node.parent.as_mut(), node.child.as_mut()];
            let links = links.into_iter().chain(optional).flatten();
            links.filter(|link| **link == moved).for_each(|link| *link = free);
        }
        if self.min == Some(moved) {
            self.min = Some(free);
        }
    }
}
