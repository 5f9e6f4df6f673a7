//! Red-black tree of integers, `TreeMap` of the coverage experiments.
//!
//! A node with two children does not take over its successor's key. Instead the two nodes exchange
//! their links and colors, and most of the marks are in that exchange.

use beget::{Heap, HeapView};
use beget_process::coverage::marks;

use super::bits;

/// The kinds of nodes in [`MARKS`]: absent, or one per combination of five facts.
const NODE_KINDS: usize = 33;

marks! {
    /// A fingerprint shows the current node.
    pub static MARKS: 54 points, NODE_KINDS, in "treemap.rs";
}

const RED: bool = false;
const BLACK: bool = true;

/// A set of integers as a red-black tree.
#[derive(Clone, Debug, Default, Heap, HeapView)]
pub struct TreeMap {
    #[heap(link = Entry)]
    root: Option<usize>,
    /// Invariant: the number of nodes.
    size: usize,
    #[heap(arena(any_order))]
    arena: Vec<Entry>,
}

/// A node of a [`TreeMap`].
#[derive(Clone, Debug, Heap, HeapView)]
pub struct Entry {
    key: i32,
    color: bool,
    #[heap(link = Entry)]
    left: Option<usize>,
    #[heap(link = Entry)]
    right: Option<usize>,
    #[heap(link = Entry)]
    parent: Option<usize>,
}

/// The two sides of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

impl Side {
    fn other(self) -> Self {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }

    /// Returns the point for this side: the published class has one point for each side.
    fn point(self, left: usize, right: usize) -> usize {
        match self {
            Side::Left => left,
            Side::Right => right,
        }
    }
}

#[beget::api(name = "jpf::treemap")]
impl TreeMap {
    /// Creates an empty tree.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of keys.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns whether the map contains the key.
    pub fn contains_key(&self, key: i32) -> bool {
        self.entry(key).is_some()
    }

    /// Adds a key, unless it is present.
    pub fn put(&mut self, key: i32) {
        let mut place = None;
        let mut link = self.root;
        while let Some(node) = link {
            let side = match key.cmp(&self.arena[node].key) {
                std::cmp::Ordering::Less => Side::Left,
                std::cmp::Ordering::Greater => Side::Right,
                std::cmp::Ordering::Equal => return,
            };
            place = Some((node, side));
            link = self.child(node, side);
        }
        let leaf = self.arena.len();
        let parent = place.map(|(parent, _)| parent);
        self.arena.push(Entry { key, color: BLACK, left: None, right: None, parent });
        self.size += 1;
        match place {
            None => self.root = Some(leaf),
            Some((parent, side)) => {
                *self.child_mut(parent, side) = Some(leaf);
                self.fix_after_insertion(leaf);
            }
        }
    }

    /// Removes a key, if it is present.
    pub fn remove(&mut self, key: i32) {
        if let Some(node) = self.entry(key) {
            self.delete(node);
        }
    }

    fn entry(&self, key: i32) -> Option<usize> {
        let mut link = self.root;
        while let Some(node) = link {
            link = match key.cmp(&self.arena[node].key) {
                std::cmp::Ordering::Less => self.arena[node].left,
                std::cmp::Ordering::Greater => self.arena[node].right,
                std::cmp::Ordering::Equal => return link,
            };
        }
        None
    }

    fn fix_after_insertion(&mut self, mut x: usize) {
        self.arena[x].color = RED;
        // A red parent has a parent, because the root is black.
        while let Some(parent) = self.arena[x].parent
            && self.arena[parent].color == RED
            && let Some(grandparent) = self.arena[parent].parent
        {
            let side = self.side_of(parent, grandparent);
            let uncle = self.child(grandparent, side.other());
            if self.color(uncle) == RED {
                self.mark(side.point(18, 21), Some(x));
                self.arena[parent].color = BLACK;
                self.set_color(uncle, BLACK);
                self.arena[grandparent].color = RED;
                x = grandparent;
                continue;
            }
            let mut parent = parent;
            if self.child(parent, side.other()) == Some(x) {
                self.mark(side.point(19, 22), Some(x));
                self.rotate(parent, side);
                (x, parent) = (parent, x);
            }
            self.arena[parent].color = BLACK;
            self.arena[grandparent].color = RED;
            self.mark(side.point(20, 23), Some(x));
            self.rotate(grandparent, side.other());
        }
        self.set_color(self.root, BLACK);
    }

    fn delete(&mut self, p: usize) {
        self.size -= 1;
        if let Entry { left: Some(_), right: Some(right), .. } = self.arena[p] {
            self.mark(24, Some(p));
            let successor = self.successor(p, right);
            self.swap_positions(successor, p);
        }
        let Entry { left, right, parent, color, .. } = self.arena[p];
        if let Some(replacement) = left.or(right) {
            self.arena[replacement].parent = parent;
            let point = match parent {
                None => 25,
                Some(parent) => self.side_of(p, parent).point(26, 27),
            };
            self.mark(point, Some(p)); // points 25, 26, 27
            match parent {
                None => self.root = Some(replacement),
                Some(parent) => {
                    *self.child_mut(parent, self.side_of(p, parent)) = Some(replacement)
                }
            }
            let gone = &mut self.arena[p];
            (gone.left, gone.right, gone.parent) = (None, None, None);
            if color == BLACK {
                self.mark(28, Some(p));
                self.fix_after_deletion(replacement);
            }
        } else if parent.is_none() {
            self.mark(29, Some(p));
            self.root = None;
        } else {
            if color == BLACK {
                self.mark(30, Some(p));
                self.fix_after_deletion(p);
            }
            if let Some(parent) = self.arena[p].parent {
                self.mark(31, Some(p));
                let side = self.side_of(p, parent);
                self.mark(side.point(32, 33), Some(p));
                *self.child_mut(parent, side) = None;
            }
        }
        self.release(p);
    }

    fn fix_after_deletion(&mut self, mut x: usize) {
        while let Some(mut parent) = self.arena[x].parent
            && self.arena[x].color == BLACK
        {
            let side = self.side_of(x, parent);
            let mut sibling = self.child(parent, side.other());
            if self.color(sibling) == RED {
                self.mark(side.point(34, 37), Some(x));
                self.set_color(sibling, BLACK);
                self.arena[parent].color = RED;
                self.rotate(parent, side);
                parent = self.arena[x].parent.expect("the parent was rotated, and still is one");
                sibling = self.child(parent, side.other());
            }
            let nephew = |tree: &Self, side| sibling.and_then(|node| tree.child(node, side));
            let (near, far) = (nephew(self, side), nephew(self, side.other()));
            if self.color(near) == BLACK && self.color(far) == BLACK {
                self.mark(side.point(35, 38), Some(x));
                self.set_color(sibling, RED);
                x = parent;
                continue;
            }
            if self.color(far) == BLACK {
                self.mark(side.point(36, 39), Some(x));
                self.set_color(near, BLACK);
                self.set_color(sibling, RED);
                self.rotate(sibling.expect("a node with a red child"), side.other());
                sibling = self.child(parent, side.other());
            }
            self.set_color(sibling, self.arena[parent].color);
            self.arena[parent].color = BLACK;
            let far = sibling.and_then(|node| self.child(node, side.other()));
            self.set_color(far, BLACK);
            self.rotate(parent, side);
            x = self.root.expect("a tree with nodes");
        }
        self.arena[x].color = BLACK;
    }

    /// Returns the node with the next larger key; `right` is the right child of `node`. Points 7
    /// and 9 are for other arguments, which never occur.
    fn successor(&self, node: usize, right: usize) -> usize {
        let mut successor = right;
        while let Some(left) = self.arena[successor].left {
            self.mark(8, Some(node));
            successor = left;
        }
        successor
    }

    /// Exchanges the links and colors of two nodes; `x` is in the right subtree of `y`. Points 40,
    /// 41, 44, 47, 50 and 52 are for other positions.
    fn swap_positions(&mut self, x: usize, y: usize) {
        let (old_x, old_y) = (self.arena[x].clone(), self.arena[y].clone());
        let x_side = old_x.parent.map(|parent| self.side_of(x, parent));
        let y_side = old_y.parent.map(|parent| self.side_of(y, parent));
        self.arena[x].parent = old_y.parent;
        if let (Some(parent), Some(side)) = (old_y.parent, y_side) {
            self.mark(side.point(42, 43), Some(x));
            *self.child_mut(parent, side) = Some(x);
        }
        (self.arena[y].left, self.arena[y].right) = (old_x.left, old_x.right);
        if old_x.parent == Some(y) {
            self.arena[y].parent = Some(x);
            let side = x_side.expect("a node with a parent");
            self.mark(side.point(44, 45), Some(x));
            *self.child_mut(x, side) = Some(y);
            let other = if side == Side::Left { old_y.right } else { old_y.left };
            *self.child_mut(x, side.other()) = other;
        } else {
            self.arena[y].parent = old_x.parent;
            if let (Some(parent), Some(side)) = (old_x.parent, x_side) {
                self.mark(side.point(46, 47), Some(x));
                *self.child_mut(parent, side) = Some(y);
            }
            (self.arena[x].left, self.arena[x].right) = (old_y.left, old_y.right);
        }
        let children =
            [(x, Side::Left, 48), (x, Side::Right, 49), (y, Side::Left, 50), (y, Side::Right, 51)];
        for (node, side, point) in children {
            if let Some(child) = self.child(node, side) {
                self.mark(point, Some(x)); // points 48, 49, 50, 51
                self.arena[child].parent = Some(node);
            }
        }
        (self.arena[x].color, self.arena[y].color) = (old_y.color, old_x.color);
        if self.root == Some(y) {
            self.mark(53, Some(x));
            self.root = Some(x);
        }
    }

    /// Rotates a node down to a side.
    fn rotate(&mut self, p: usize, side: Side) {
        let up = self.child(p, side.other()).expect("a child that takes the place");
        let inner = self.child(up, side);
        *self.child_mut(p, side.other()) = inner;
        if let Some(inner) = inner {
            self.mark(side.point(10, 14), Some(p));
            self.arena[inner].parent = Some(p);
        }
        let parent = self.arena[p].parent;
        self.arena[up].parent = parent;
        match parent {
            None => {
                self.mark(side.point(11, 15), Some(p));
                self.root = Some(up);
            }
            Some(parent) if self.child(parent, side) == Some(p) => {
                self.mark(side.point(12, 16), Some(p));
                *self.child_mut(parent, side) = Some(up);
            }
            Some(parent) => {
                self.mark(side.point(13, 17), Some(p));
                *self.child_mut(parent, side.other()) = Some(up);
            }
        }
        *self.child_mut(up, side) = Some(p);
        self.arena[p].parent = Some(up);
    }

    fn mark(&self, point: usize, node: Option<usize>) {
        let facts = |node: usize| {
            let Entry { left, right, parent, color, .. } = self.arena[node];
            let is_root = self.root == Some(node);
            1 + bits([left.is_some(), right.is_some(), parent.is_some(), color, is_root])
        };
        MARKS.note(point, node.map_or(0, facts));
    }

    /// Returns the color of a node; an absent node is black.
    fn color(&self, node: Option<usize>) -> bool {
        node.map_or(BLACK, |node| self.arena[node].color)
    }

    fn set_color(&mut self, node: Option<usize>, color: bool) {
        if let Some(node) = node {
            self.arena[node].color = color;
        }
    }

    fn side_of(&self, node: usize, parent: usize) -> Side {
        if self.arena[parent].left == Some(node) { Side::Left } else { Side::Right }
    }

    fn child(&self, node: usize, side: Side) -> Option<usize> {
        match side {
            Side::Left => self.arena[node].left,
            Side::Right => self.arena[node].right,
        }
    }

    fn child_mut(&mut self, node: usize, side: Side) -> &mut Option<usize> {
        match side {
            Side::Left => &mut self.arena[node].left,
            Side::Right => &mut self.arena[node].right,
        }
    }

    /// Drops an unlinked node.
    fn release(&mut self, free: usize) {
        self.arena.swap_remove(free);
        let moved = Some(self.arena.len());
        let links = self
            .arena
            .iter_mut()
            .flat_map(|node| [&mut node.parent, &mut node.left, &mut node.right])
            .chain([&mut self.root]);
        links.filter(|link| **link == moved).for_each(|link| *link = Some(free));
    }
}
