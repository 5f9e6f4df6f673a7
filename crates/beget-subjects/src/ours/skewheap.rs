//! A mergeable min-heap: the top-down skew heap of Sleator and Tarjan.
//!
//! The subject is our own. Its builders take and give whole heaps: [`SkewHeap::merge`] consumes its
//! argument and [`SkewHeap::split`] makes two heaps of one, which no published subject does.
//!
//! Every operation is a *meld* of two trees, which goes down their right spines and exchanges the children
//! of every node that it passes. So a node that has a right child has a left child too. No defect is known.

use std::{fmt, mem};

/// A min-heap of `i32`, duplicates allowed.
#[derive(Default)]
pub struct SkewHeap {
    root: Tree,
    len: usize,
}

type Tree = Option<Box<Node>>;

struct Node {
    key: i32,
    left: Tree,
    right: Tree,
}

impl SkewHeap {
    /// An empty heap.
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

    /// Removes the least key and returns it.
    pub fn pop_min(&mut self) -> Option<i32> {
        let mut root = self.root.take()?;
        self.root = meld(root.left.take(), root.right.take());
        self.len -= 1;
        Some(root.key)
    }

    /// The least key.
    pub fn peek_min(&self) -> Option<i32> {
        self.root.as_ref().map(|root| root.key)
    }

    /// Cuts the right subtree off the root: the heap without it, and the subtree as a heap.
    pub fn split(mut self) -> (SkewHeap, SkewHeap) {
        let right = self.root.as_mut().and_then(|root| root.right.take());
        let mut cut = SkewHeap { root: right, len: 0 };
        cut.len = cut.nodes().count();
        self.len -= cut.len;
        (self, cut)
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// Removes all keys.
    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// The nodes, each before its subtrees, the left one first.
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

/// One tree with the nodes of both; on equal keys the first tree's node stands above.
///
/// A spine can be as long as the heap, so this is a loop and not the usual recursion.
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
    /// Clones node by node: a tree can be too deep for recursion.
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
    /// Drops node by node, for the same reason.
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
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::testing::{self, Form};

    fn heap(keys: impl IntoIterator<Item = i32>) -> SkewHeap {
        let mut heap = SkewHeap::new();
        keys.into_iter().for_each(|key| heap.insert(key));
        heap
    }

    fn write(heap: &SkewHeap, form: &mut Form) {
        form.count(heap.len);
        write_node(&heap.root, form);
    }

    fn write_node(node: &Tree, form: &mut Form) {
        let Some(node) = node else { return form.null() };
        if form.enter(std::ptr::from_ref(&**node).addr()) {
            form.value(node.key);
            write_node(&node.left, form);
            write_node(&node.right, form);
        }
    }

    /// Fails unless the keys are in heap order, no right child is alone, and `len` is right.
    #[track_caller]
    fn assert_is_skew_heap(heap: &SkewHeap) {
        for node in heap.nodes() {
            let below = [&node.left, &node.right];
            assert!(below.into_iter().flatten().all(|child| child.key >= node.key), "{heap:?}");
            assert!(node.left.is_some() || node.right.is_none(), "{heap:?}");
        }
        assert_eq!(heap.nodes().count(), heap.len());
    }

    /// The number of trees of `n` nodes with keys from `least` up to `k`, in heap order and without a
    /// lonely right child.
    fn n_trees(n: usize, least: usize, k: usize) -> usize {
        if n == 0 {
            return 1;
        }
        let below = |key, left| n_trees(left, key, k) * n_trees(n - 1 - left, key, k);
        let with_root = |key| if n == 1 { 1 } else { (1..n).map(|left| below(key, left)).sum() };
        (least..k).map(with_root).sum()
    }

    /// All heaps that merging builds from single keys, with at most `k` nodes.
    fn merged(k: usize) -> Vec<SkewHeap> {
        let mut known = vec![SkewHeap::new()];
        known.extend((0..k as i32).map(|key| heap([key])));
        let mut seen: HashSet<_> = known.iter().map(|heap| testing::form(heap, write)).collect();
        let mut next = 0;
        while next < known.len() {
            for other in 0..=next {
                for (first, second) in [(next, other), (other, next)] {
                    if known[first].len() + known[second].len() <= k {
                        let mut heap = known[first].clone();
                        heap.merge(known[second].clone());
                        if seen.insert(testing::form(&heap, write)) {
                            known.push(heap);
                        }
                    }
                }
            }
            next += 1;
        }
        known
    }

    #[test]
    fn keys_come_out_in_order() {
        let mut heap = heap((0..500).map(|i| i * 37 % 500));
        for least in 0..500 {
            assert_eq!((heap.peek_min(), heap.len()), (Some(least), 500 - least as usize));
            assert_eq!(heap.pop_min(), Some(least));
            assert_is_skew_heap(&heap);
        }
        assert_eq!((heap.pop_min(), heap.peek_min(), heap.is_empty()), (None, None, true));
    }

    #[test]
    fn merging_adds_all_keys() {
        let (mut heap, other) = (heap([3, 1]), heap([2, 1]));
        heap.merge(other);
        assert_eq!(heap.len(), 4);
        let sorted: Vec<_> = std::iter::from_fn(|| heap.pop_min()).collect();
        assert_eq!(sorted, [1, 1, 2, 3]);
    }

    #[test]
    fn splitting_cuts_the_right_subtree_off() {
        let (kept, cut) = heap([1, 2, 3]).split();
        assert_eq!(format!("{kept:?} {cut:?}"), "[1, 3] [2]");
        assert_eq!((kept.len(), cut.len()), (2, 1));
        let (kept, cut) = heap([1, 2]).split();
        assert_eq!((kept.len(), cut.len()), (2, 0));
        assert!(heap([]).split().1.is_empty());
    }

    #[test]
    fn clearing_removes_all_keys() {
        let mut heap = heap([1, 2]);
        heap.clear();
        assert_eq!((heap.is_empty(), heap.len()), (true, 0));
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let mut original = heap([2, 1, 3]);
        let copy = original.clone();
        assert_eq!(testing::form(&original, write), testing::form(&copy, write));
        assert_eq!(original.pop_min(), Some(1));
        drop(original);
        assert_eq!(copy.len(), 3);
        assert_is_skew_heap(&copy);
    }

    #[test]
    fn deep_heaps_are_cloned_and_dropped_without_recursion() {
        let deep = heap((0..200_000).rev());
        let copy = deep.clone();
        drop(deep);
        let (kept, cut) = copy.split();
        assert_eq!(kept.len() + cut.len(), 200_000);
    }

    #[test]
    fn merging_builds_exactly_the_trees_without_a_lonely_right_child() {
        for (k, n_heaps) in (1..).zip([2, 6, 34, 280, 3205]) {
            let found = merged(k);
            found.iter().for_each(assert_is_skew_heap);
            let n_valid: usize = (0..=k).map(|n| n_trees(n, 0, k)).sum();
            assert_eq!((found.len(), n_valid), (n_heaps, n_heaps), "scope {k}");
        }
    }

    #[test]
    fn removal_and_splitting_stay_within_these_trees() {
        let known: HashSet<_> = merged(4).iter().map(|heap| testing::form(heap, write)).collect();
        for mut heap in merged(4) {
            let (kept, cut) = heap.clone().split();
            heap.pop_min();
            for result in [heap, kept, cut] {
                assert!(known.contains(&testing::form(&result, write)), "{result:?}");
            }
        }
    }
}
