//! Red-black trees with parent links, as published for several case studies.
//!
//! One tree serves all of them. The published classes differ in the data that a node holds beside
//! its key, and in the type of its color: a boolean (ROOPS, the Kiasan map) or an integer (Korat,
//! FAJITA). The algorithms are the same and reach the same trees.
//!
//! The nodes lie in one vector, and links are positions in it. Positions have no other meaning: two
//! trees that differ only in positions are equal. Invariant: the vector holds exactly the nodes of
//! the tree. To keep it, removing a node moves the last node into the gap.
//!
//! The operations are sound. The published flaw of these case studies is in their representation
//! invariants, which admit red roots.

pub(crate) mod clauses;
mod node;
mod repair;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use node::node;
pub use node::{Color, Links, Node, View};

use std::cmp::Ordering;

use beget::{Heap, HeapView};

/// A red-black tree from integers to values.
#[derive(Clone, Heap, HeapView)]
#[heap(name = N::TREE)]
pub struct Tree<N: Node> {
    #[heap(link = N)]
    root: Option<usize>,
    /// Invariant: the number of nodes.
    size: usize,
    /// The number of additions and removals so far. It says nothing about the contents.
    #[heap(skip)]
    mod_count: usize,
    #[heap(arena(any_order))]
    arena: Vec<N>,
}

/// The two sides of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

impl Side {
    fn opposite(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// The node with a key, or the node that would become its parent; none in an empty tree.
enum Place {
    At(usize),
    Below(Option<(usize, Side)>),
}

impl<N: Node> Default for Tree<N> {
    fn default() -> Self {
        Self { root: None, size: 0, mod_count: 0, arena: Vec::new() }
    }
}

impl<N: Node> Tree<N> {
    /// Creates a tree of this one node.
    pub(crate) fn of(node: N) -> Self {
        Self { root: Some(0), size: 1, mod_count: 0, arena: vec![node] }
    }

    pub(crate) fn len(&self) -> usize {
        self.size
    }

    pub(crate) fn discard_all(&mut self) {
        *self = Self { mod_count: self.mod_count + 1, ..Self::default() };
    }

    /// Returns the value of a key.
    pub(crate) fn value(&self, key: i32) -> Option<&N::Value> {
        match self.locate(key) {
            Place::At(node) => Some(self.arena[node].value()),
            Place::Below(_) => None,
        }
    }

    /// Sets the value of a key and returns the old value.
    pub(crate) fn insert(&mut self, key: i32, value: N::Value) -> Option<N::Value> {
        match self.locate(key) {
            Place::At(node) => Some(self.arena[node].set_value(value)),
            Place::Below(place) => {
                self.grow(place, key, value);
                None
            }
        }
    }

    /// Removes a key and returns its value.
    pub(crate) fn take(&mut self, key: i32) -> Option<N::Value> {
        match self.locate(key) {
            Place::At(node) => Some(self.erase(node)),
            Place::Below(_) => None,
        }
    }

    /// Iterates over keys and values in the order of the keys.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (i32, &N::Value)> {
        let first = self.root.map(|root| self.leftmost(root));
        std::iter::successors(first, |&node| self.next(node))
            .map(|node| (self.at(node).key, self.arena[node].value()))
    }

    pub(crate) fn largest_key(&self) -> Option<i32> {
        let mut node = self.root?;
        while let Some(right) = self.at(node).right {
            node = right;
        }
        Some(self.at(node).key)
    }

    fn at(&self, node: usize) -> View<N::Color> {
        self.arena[node].view()
    }

    fn at_mut(&mut self, node: usize) -> Links<'_, N::Color> {
        self.arena[node].links()
    }

    fn locate(&self, key: i32) -> Place {
        let mut place = None;
        let mut link = self.root;
        while let Some(node) = link {
            let side = match key.cmp(&self.at(node).key) {
                Ordering::Less => Side::Left,
                Ordering::Greater => Side::Right,
                Ordering::Equal => return Place::At(node),
            };
            place = Some((node, side));
            link = self.child(node, side);
        }
        Place::Below(place)
    }

    fn grow(&mut self, place: Option<(usize, Side)>, key: i32, value: N::Value) {
        let leaf = self.arena.len();
        let mut node = N::new(key, value, N::Color::RED);
        *node.links().parent = place.map(|(parent, _)| parent);
        self.arena.push(node);
        match place {
            Some((parent, side)) => *self.child_mut(parent, side) = Some(leaf),
            None => self.root = Some(leaf),
        }
        self.size += 1;
        self.mod_count += 1;
        self.repair_insertion(leaf);
    }

    /// Removes the entry of `node`. A node with two children takes over the key and value of its
    /// successor, and the successor's node is removed.
    fn erase(&mut self, node: usize) -> N::Value {
        self.size -= 1;
        self.mod_count += 1;
        let mut going = node;
        if let View { left: Some(_), right: Some(right), .. } = self.at(node) {
            going = self.leftmost(right);
            let [kept, gone] =
                self.arena.get_disjoint_mut([node, going]).expect("a successor is another node");
            kept.swap_entries(gone);
        }
        self.unlink(going);
        self.release(going)
    }

    /// Takes a node with at most one child out of the tree.
    ///
    /// A node without children is detached after the repair, which needs its place in the tree.
    fn unlink(&mut self, node: usize) {
        let is_black = self.at(node).color == N::Color::BLACK;
        let only_child = self.at(node).left.or(self.at(node).right);
        if let Some(child) = only_child {
            self.replace(node, Some(child));
            if is_black {
                self.repair_removal(child);
            }
        } else {
            if is_black {
                self.repair_removal(node);
            }
            self.replace(node, None);
        }
    }

    /// Drops an unlinked node, moves the last node of the vector into its place, and redirects the
    /// links of the moved node.
    fn release(&mut self, free: usize) -> N::Value {
        let gone = self.arena.swap_remove(free);
        let moved = self.arena.len();
        if free < moved {
            let View { parent, left, right, .. } = self.at(free);
            for child in [left, right].into_iter().flatten() {
                *self.at_mut(child).parent = Some(free);
            }
            match parent {
                Some(parent) if self.at(parent).left == Some(moved) => {
                    *self.at_mut(parent).left = Some(free);
                }
                Some(parent) => *self.at_mut(parent).right = Some(free),
                None => self.root = Some(free),
            }
        }
        gone.into_value()
    }

    /// Replaces the subtree at `old`, below its parent or at the root.
    fn replace(&mut self, old: usize, new: Option<usize>) {
        let parent = self.at(old).parent;
        match parent {
            Some(parent) => *self.child_mut(parent, self.side_of(old, parent)) = new,
            None => self.root = new,
        }
        if let Some(new) = new {
            *self.at_mut(new).parent = parent;
        }
    }

    fn leftmost(&self, mut node: usize) -> usize {
        while let Some(left) = self.at(node).left {
            node = left;
        }
        node
    }

    /// Returns the node with the next larger key.
    fn next(&self, mut node: usize) -> Option<usize> {
        if let Some(right) = self.at(node).right {
            return Some(self.leftmost(right));
        }
        while let Some(parent) = self.at(node).parent {
            if self.at(parent).left == Some(node) {
                return Some(parent);
            }
            node = parent;
        }
        None
    }

    fn side_of(&self, node: usize, parent: usize) -> Side {
        if self.at(parent).left == Some(node) { Side::Left } else { Side::Right }
    }

    fn child(&self, node: usize, side: Side) -> Option<usize> {
        match side {
            Side::Left => self.at(node).left,
            Side::Right => self.at(node).right,
        }
    }

    fn child_mut(&mut self, node: usize, side: Side) -> &mut Option<usize> {
        match side {
            Side::Left => self.at_mut(node).left,
            Side::Right => self.at_mut(node).right,
        }
    }
}
