//! Unbalanced search tree of integers, `BinTree` of the coverage experiments.
//!
//! Removing a key replaces it with the key of a leaf below its node: the leaf reached by going
//! right wherever possible. Defects kept: the key of that leaf need not be next to the removed key,
//! so the tree can lose its order. The last key of a tree is not removed.

use beget::{Heap, HeapView};
use beget_process::coverage::marks;

use super::bits;

/// The kinds of nodes in [`MARKS`]: absent, or one per combination of children.
const NODE_KINDS: usize = 5;

marks! {
    /// A fingerprint shows the current node, whether there is a leaf below it, and the parent.
    pub static MARKS: 18 points, NODE_KINDS * 2 * NODE_KINDS, in "bintree.rs";
}

/// A set of integers as a search tree.
#[derive(Clone, Debug, Default, Heap, HeapView)]
pub struct BinTree {
    #[heap(link = Node)]
    root: Option<usize>,
    #[heap(arena(any_order))]
    arena: Vec<Node>,
}

/// A node of a [`BinTree`].
#[derive(Clone, Debug, Heap, HeapView)]
pub struct Node {
    value: i32,
    #[heap(link = Node)]
    left: Option<usize>,
    #[heap(link = Node)]
    right: Option<usize>,
}

#[beget::api(name = "jpf::bintree")]
impl BinTree {
    /// Creates an empty tree.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a key as a leaf, unless the search for its place finds it.
    pub fn add(&mut self, x: i32) {
        let Some(mut current) = self.root else {
            self.mark(0, None, None, None);
            self.root = Some(self.leaf(x));
            return;
        };
        while self.arena[current].value != x {
            let is_left = x < self.arena[current].value;
            let next = self.child(current, is_left);
            let point = match (is_left, next) {
                (true, None) => 1,
                (true, Some(_)) => 2,
                (false, None) => 3,
                (false, Some(_)) => 4,
            };
            self.mark(point, Some(current), None, None); // points 1, 2, 3, 4
            current = next.unwrap_or_else(|| {
                let leaf = self.leaf(x);
                *self.child_mut(current, is_left) = Some(leaf);
                leaf
            });
        }
    }

    /// Returns whether the search for the key's place finds the key.
    pub fn find(&self, x: i32) -> bool {
        let mut link = self.root;
        while let Some(current) = link {
            let value = self.arena[current].value;
            if value == x {
                self.mark(5, Some(current), None, None);
                return true;
            }
            self.mark(if x < value { 6 } else { 7 }, Some(current), None, None);
            link = self.child(current, x < value);
        }
        self.mark(16, None, None, None);
        false
    }

    /// Removes the key if the search for its place finds it; returns whether it did.
    pub fn remove(&mut self, x: i32) -> bool {
        let (mut link, mut parent, mut is_left) = (self.root, None, true);
        while let Some(current) = link {
            let value = self.arena[current].value;
            if value == x {
                self.remove_node(current, parent, is_left);
                return true;
            }
            parent = Some(current);
            is_left = x < value;
            self.mark(if is_left { 14 } else { 15 }, Some(current), None, parent);
            link = self.child(current, is_left);
        }
        self.mark(17, None, None, parent);
        false
    }

    /// Removes the key of a node; `is_left` says which child of `parent` the node is.
    fn remove_node(&mut self, current: usize, mut parent: Option<usize>, mut is_left: bool) {
        let mut leaf = current;
        while let Some(below) = self.arena[leaf].right.or(self.arena[leaf].left) {
            parent = Some(leaf);
            is_left = self.arena[leaf].right.is_none();
            self.mark(if is_left { 9 } else { 8 }, Some(current), Some(leaf), parent);
            leaf = below;
        }
        if let Some(parent) = parent {
            self.mark(if is_left { 10 } else { 11 }, Some(current), Some(leaf), Some(parent));
            *self.child_mut(parent, is_left) = None;
        }
        self.mark(if leaf == current { 13 } else { 12 }, Some(current), Some(leaf), parent);
        self.arena[current].value = self.arena[leaf].value;
        if parent.is_some() {
            self.release(leaf);
        }
    }

    fn mark(&self, point: usize, n0: Option<usize>, n1: Option<usize>, n2: Option<usize>) {
        let kind = |node: Option<usize>| {
            let children = |node: usize| {
                let Node { left, right, .. } = &self.arena[node];
                1 + bits([left.is_some(), right.is_some()])
            };
            node.map_or(0, children)
        };
        let fingerprint = (kind(n0) * 2 + usize::from(n1.is_some())) * NODE_KINDS + kind(n2);
        MARKS.note(point, fingerprint);
    }

    /// Adds a new node, not linked yet.
    fn leaf(&mut self, value: i32) -> usize {
        self.arena.push(Node { value, left: None, right: None });
        self.arena.len() - 1
    }

    fn child(&self, node: usize, is_left: bool) -> Option<usize> {
        if is_left { self.arena[node].left } else { self.arena[node].right }
    }

    fn child_mut(&mut self, node: usize, is_left: bool) -> &mut Option<usize> {
        let node = &mut self.arena[node];
        if is_left { &mut node.left } else { &mut node.right }
    }

    /// Drops an unlinked node.
    fn release(&mut self, free: usize) {
        self.arena.swap_remove(free);
        let moved = Some(self.arena.len());
        let children = self.arena.iter_mut().flat_map(|node| [&mut node.left, &mut node.right]);
        let links = children.chain([&mut self.root]);
        links.filter(|link| **link == moved).for_each(|link| *link = Some(free));
    }
}
