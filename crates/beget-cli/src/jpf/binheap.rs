//! Binomial heap of integers, `BinomialHeap` of the coverage experiments.
//!
//! Behaviour kept: keys below 1 are not inserted. A "decreased" key may become larger, so the heap
//! can lose its order.
//!
//! Defect kept: merging lists of roots can lose a tree, as in
//! [`Merge::FromSuccessor`](crate::shared::binomial::Merge::FromSuccessor). The nodes of the lost
//! tree stay in the vector, out of reach.

use std::cmp::Ordering;

use beget::{Heap, HeapView};
use beget_process::coverage::marks;

use super::bits;
use crate::Misuse;

/// The kinds of nodes in [`MARKS`]: absent, or one per combination of links.
const NODE_KINDS: usize = 9;

marks! {
    /// A fingerprint shows two nodes and, if both are present, how their degrees compare.
    pub static MARKS: 22 points, NODE_KINDS * NODE_KINDS * 4, in "binheap.rs";
}

/// A priority queue of integers as a list of binomial trees.
#[derive(Clone, Debug, Default, Heap, HeapView)]
pub struct BinomialHeap {
    #[heap(link = BinomialHeapNode)]
    nodes: Option<usize>,
    /// Invariant: the number of nodes, unless some were lost.
    size: usize,
    #[heap(arena(any_order))]
    arena: Vec<BinomialHeapNode>,
}

/// A node of a [`BinomialHeap`].
#[derive(Clone, Debug, Heap, HeapView)]
pub struct BinomialHeapNode {
    key: i32,
    degree: usize,
    #[heap(link = BinomialHeapNode)]
    parent: Option<usize>,
    #[heap(link = BinomialHeapNode)]
    sibling: Option<usize>,
    #[heap(link = BinomialHeapNode)]
    child: Option<usize>,
}

#[beget::api(name = "jpf::binheap")]
impl BinomialHeap {
    /// Creates an empty heap.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the smallest key of a root.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when the heap is empty.
    pub fn find_minimum(&self) -> Result<i32, Misuse> {
        self.smallest_root().map(|root| self.arena[root].key).ok_or(Misuse::Empty)
    }

    /// Adds a key, unless it is below 1.
    pub fn insert(&mut self, value: i32) {
        if value <= 0 {
            return;
        }
        let node = self.arena.len();
        self.arena.push(BinomialHeapNode {
            key: value,
            degree: 0,
            parent: None,
            sibling: None,
            child: None,
        });
        match self.nodes {
            Some(first) => self.unite(first, node),
            None => self.nodes = Some(node),
        }
        self.size += 1;
    }

    /// Removes and returns the smallest key of a root, or returns -1 if the heap is empty.
    pub fn extract_min(&mut self) -> i32 {
        let Some(mut temp) = self.nodes else { return -1 };
        let smallest = self.smallest_root().expect("a heap with a first root");
        let smallest_key = self.arena[smallest].key;
        let mut before = None;
        while self.arena[temp].key != smallest_key {
            self.mark(13, Some(temp), before);
            before = Some(temp);
            temp = self.arena[temp].sibling.expect("the smallest root lies ahead");
        }
        self.mark(if before.is_none() { 14 } else { 15 }, Some(temp), before);
        let behind = self.arena[temp].sibling;
        match before {
            Some(before) => self.arena[before].sibling = behind,
            None => self.nodes = behind,
        }
        let first_child = self.arena[temp].child;
        let mut link = first_child;
        while let Some(child) = link {
            self.mark(16, link, before);
            self.arena[child].parent = None;
            link = self.arena[child].sibling;
        }
        match (self.nodes, first_child) {
            (None, None) => self.mark(17, None, before),
            (None, Some(child)) => {
                self.mark(18, None, first_child);
                self.nodes = Some(self.reversed(child));
            }
            (Some(_), None) => self.mark(19, self.nodes, None),
            (Some(first), Some(child)) => {
                self.mark(20, self.nodes, first_child);
                let children = self.reversed(child);
                self.unite(first, children);
            }
        }
        self.release(temp);
        self.size = self.count(self.nodes);
        smallest_key
    }

    /// Changes the key of the first node with the old key and lets it rise. Does nothing if no node
    /// has the old key.
    ///
    /// # Errors
    ///
    /// [`Misuse::Empty`] when the heap is empty: the published class follows a null link.
    pub fn decrease_key_variable(&mut self, old_value: i32, new_value: i32) -> Result<(), Misuse> {
        let first = self.nodes.ok_or(Misuse::Empty)?;
        if let Some(node) = self.node_with(first, old_value) {
            self.arena[node].key = new_value;
            self.rise(node);
        }
        Ok(())
    }

    /// Removes the first node with the key: lowers it below the smallest key, then extracts that.
    pub fn delete(&mut self, value: i32) {
        let node = self.nodes.and_then(|first| self.node_with(first, value));
        if let (Some(node), Some(root)) = (node, self.smallest_root()) {
            self.arena[node].key = self.arena[root].key - 1;
            self.rise(node);
            self.extract_min();
        }
    }

    /// Counts the nodes of a list of trees.
    fn count(&self, first: Option<usize>) -> usize {
        self.list(first).map(|node| 1 + self.count(self.arena[node].child)).sum()
    }

    fn rise(&mut self, mut node: usize) {
        while let Some(parent) = self.arena[node].parent
            && self.arena[node].key < self.arena[parent].key
        {
            self.mark(21, Some(node), Some(parent));
            let key = self.arena[node].key;
            self.arena[node].key = std::mem::replace(&mut self.arena[parent].key, key);
            node = parent;
        }
    }

    /// Returns the root with the smallest key, the first one if several have it.
    fn smallest_root(&self) -> Option<usize> {
        self.list(self.nodes).min_by_key(|&root| self.arena[root].key)
    }

    /// Iterates over a list of siblings.
    fn list(&self, first: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(first, |&node| self.arena[node].sibling)
    }

    /// Returns the first node with a key, in preorder.
    fn node_with(&self, first: usize, value: i32) -> Option<usize> {
        self.list(Some(first)).find_map(|node| {
            if self.arena[node].key == value {
                return Some(node);
            }
            self.arena[node].child.and_then(|child| self.node_with(child, value))
        })
    }

    /// Reverses a list of siblings and returns its new first node.
    fn reversed(&mut self, first: usize) -> usize {
        let (mut behind, mut node) = (None, first);
        while let Some(next) = std::mem::replace(&mut self.arena[node].sibling, behind) {
            behind = Some(node);
            node = next;
        }
        node
    }

    /// Merges the list of roots, which begins with `first`, with another list by degree.
    fn merge(&mut self, first: usize, other: usize) {
        let (mut temp1, mut temp2) = (Some(first), Some(other));
        while let (Some(one), Some(two)) = (temp1, temp2) {
            let behind = self.arena[one].sibling;
            let [degree, other] = [one, two].map(|node| self.arena[node].degree);
            if degree > other {
                temp2 = self.arena[two].sibling;
                temp1 = Some(two);
                self.arena[two].sibling = Some(one);
                if self.nodes == Some(one) {
                    self.mark(4, temp1, temp2);
                    self.nodes = Some(two);
                } else {
                    self.mark(5, temp1, temp2);
                }
            } else if degree < other && behind.is_some_and(|node| self.arena[node].degree <= other)
            {
                self.mark(3, temp1, temp2);
                temp1 = behind;
            } else {
                self.mark(if degree == other { 1 } else { 2 }, temp1, temp2);
                temp2 = std::mem::replace(&mut self.arena[two].sibling, behind);
                self.arena[one].sibling = Some(two);
                temp1 = behind;
            }
        }
        if temp1.is_some() {
            self.mark(7, temp1, temp2);
            return;
        }
        let mut last = self.nodes.expect("a list that another one is merged into");
        while let Some(next) = self.arena[last].sibling {
            self.mark(6, Some(last), temp2);
            last = next;
        }
        self.arena[last].sibling = temp2;
    }

    /// Merges another list of roots into the one that begins with `first`, then links trees of
    /// equal degree.
    fn unite(&mut self, first: usize, other: usize) {
        self.merge(first, other);
        let mut before = None;
        let mut temp = self.nodes.expect("a list that another one was merged into");
        while let Some(next) = self.arena[temp].sibling {
            let degree = self.arena[temp].degree;
            let behind = self.arena[next].sibling;
            if degree != self.arena[next].degree
                || behind.is_some_and(|node| self.arena[node].degree == degree)
            {
                self.mark(8, Some(temp), Some(next));
                before = Some(temp);
                temp = next;
            } else if self.arena[temp].key <= self.arena[next].key {
                self.mark(9, Some(temp), Some(next));
                self.arena[temp].sibling = behind;
                self.put_below(next, temp);
            } else {
                self.mark(if before.is_none() { 10 } else { 11 }, Some(temp), Some(next));
                match before {
                    Some(before) => self.arena[before].sibling = Some(next),
                    None => self.nodes = Some(next),
                }
                self.put_below(temp, next);
                temp = next;
            }
            self.mark(12, Some(temp), Some(next));
        }
    }

    /// Makes a root the first child of another root.
    fn put_below(&mut self, child: usize, parent: usize) {
        self.arena[child].parent = Some(parent);
        self.arena[child].sibling = self.arena[parent].child.replace(child);
        self.arena[parent].degree += 1;
    }

    fn mark(&self, point: usize, n1: Option<usize>, n2: Option<usize>) {
        let kind = |node: Option<usize>| {
            let links = |node: usize| {
                let BinomialHeapNode { child, sibling, parent, .. } = &self.arena[node];
                1 + bits([child.is_some(), sibling.is_some(), parent.is_some()])
            };
            node.map_or(0, links)
        };
        let degrees = n1.zip(n2).map(|(n1, n2)| self.arena[n1].degree.cmp(&self.arena[n2].degree));
        let compared = match degrees {
            None => 0,
            Some(Ordering::Less) => 1,
            Some(Ordering::Equal) => 2,
            Some(Ordering::Greater) => 3,
        };
        MARKS.note(point, (kind(n1) * NODE_KINDS + kind(n2)) * 4 + compared);
    }

    /// Drops an unlinked node.
    fn release(&mut self, free: usize) {
        self.arena.swap_remove(free);
        let moved = Some(self.arena.len());
        let links = self
            .arena
            .iter_mut()
            .flat_map(|node| [&mut node.parent, &mut node.sibling, &mut node.child])
            .chain([&mut self.nodes]);
        links.filter(|link| **link == moved).for_each(|link| *link = Some(free));
    }
}
