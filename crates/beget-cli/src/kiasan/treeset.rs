//! A red-black tree with parent links.
//!
//! The subject is TreeSet of the Kiasan examples. It uses the algorithms of RedBlackTree of the
//! Korat examples. These follow the textbook with one exception: a node without children stays
//! attached during its repair. Nodes own their children and link to their parent with a [`Weak`],
//! which does not upgrade at the root. `Side` merges mirrored cases into one.
//!
//! Kept as published: [`TreeSet::from_entry`] makes a tree with a red root, which breaks the
//! invariant of the class. [`TreeSet::add`] returns whether the key *was there*, not whether it was
//! added.
//!
//! In the suite, [`TreeSet::from_key`] creates an entry and calls `from_entry` with it. Entries
//! have no other use, so they need not be structures.

use beget::{Heap, HeapView};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::fmt;
use std::rc::{Rc, Weak};

pub mod rep_ok;

/// A set of `i32`.
#[derive(Default, Heap, HeapView)]
pub struct TreeSet {
    root: Link,
    size: usize,
    #[heap(skip)]
    mod_count: usize,
}

/// A red entry without links that is not in a tree yet.
#[derive(Debug)]
pub struct TreeSetEntry(NodeRef);

type NodeRef = Rc<RefCell<Node>>;
type Link = Option<NodeRef>;

#[derive(Heap, HeapView)]
#[heap(name = "TreeSetEntry")]
struct Node {
    key: i32,
    color: Color,
    left: Link,
    right: Link,
    /// Invariant: the node that owns this one as a child; at the root, a link that does not
    /// upgrade.
    parent: Weak<RefCell<Node>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Heap, HeapView)]
enum Color {
    Red,
    Black,
}

use Color::{Black, Red};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

use Side::{Left, Right};

/// The red-black tree of the Kiasan examples.
#[beget::api(name = "kiasan::treeset")]
impl TreeSet {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a tree whose root is this entry. The root stays red, which breaks the rules.
    #[api(skip)]
    pub fn from_entry(entry: TreeSetEntry) -> Self {
        TreeSet { root: Some(entry.0), size: 1, mod_count: 0 }
    }

    /// Calls [`TreeSet::from_entry`] with a new entry, the only kind that a caller can pass.
    pub fn from_key(key: i32) -> Self {
        Self::from_entry(TreeSetEntry::new(key))
    }

    /// Adds `key` and returns whether it was already present.
    pub fn add(&mut self, key: i32) -> bool {
        let Some(root) = &self.root else {
            self.root = Some(Node::create(key, Black));
            self.count_insertion();
            return false;
        };
        let mut node = Rc::clone(root);
        loop {
            let side = match key.cmp(&node.borrow().key) {
                Ordering::Less => Left,
                Ordering::Greater => Right,
                Ordering::Equal => return true,
            };
            let Some(below) = child(&node, side) else {
                let leaf = Node::create(key, Black);
                set_child(&node, side, Some(Rc::clone(&leaf)));
                self.count_insertion();
                self.repair_insertion(leaf);
                return false;
            };
            node = below;
        }
    }

    /// Removes `key` and returns whether it was present.
    pub fn remove(&mut self, key: i32) -> bool {
        let Some(node) = self.find(key) else { return false };
        self.size -= 1;
        self.mod_count += 1;
        match successor_below(&node) {
            Some(successor) => {
                node.borrow_mut().key = successor.borrow().key;
                self.unlink(&successor);
            }
            None => self.unlink(&node),
        }
        true
    }

    /// Returns whether `key` is in the set.
    pub fn contains(&self, key: i32) -> bool {
        self.find(key).is_some()
    }

    fn count_insertion(&mut self) {
        self.size += 1;
        self.mod_count += 1;
    }

    fn find(&self, key: i32) -> Link {
        let mut place = self.root.clone();
        while let Some(node) = place {
            place = match key.cmp(&node.borrow().key) {
                Ordering::Less => child(&node, Left),
                Ordering::Greater => child(&node, Right),
                Ordering::Equal => return Some(Rc::clone(&node)),
            };
        }
        None
    }

    /// Takes a node with at most one child out of the tree.
    fn unlink(&mut self, node: &NodeRef) {
        let is_black = node.borrow().color == Black;
        if let Some(only) = child(node, Left).or_else(|| child(node, Right)) {
            self.replace(node, Some(Rc::clone(&only)));
            node.borrow_mut().clear_links();
            if is_black {
                self.repair_deletion(only);
            }
        } else {
            if is_black {
                self.repair_deletion(Rc::clone(node));
            }
            self.replace(node, None);
        }
    }

    /// Replaces the subtree at `old`, below its parent or at the root.
    fn replace(&mut self, old: &NodeRef, new: Link) {
        match parent(old) {
            Some(above) => set_child(&above, side_below(&above, old), new),
            None => {
                if let Some(new) = &new {
                    new.borrow_mut().parent = Weak::new();
                }
                self.root = new;
            }
        }
    }

    /// Rotates `node` down to `side`; its child on the other side takes its place.
    fn rotate(&mut self, node: &NodeRef, side: Side) {
        let Some(riser) = child(node, side.other()) else { return };
        self.replace(node, Some(Rc::clone(&riser)));
        set_child(node, side.other(), child(&riser, side));
        set_child(&riser, side, Some(Rc::clone(node)));
    }

    fn is_root(&self, node: &NodeRef) -> bool {
        self.root.as_ref().is_some_and(|root| Rc::ptr_eq(root, node))
    }

    fn repair_insertion(&mut self, leaf: NodeRef) {
        leaf.borrow_mut().color = Red;
        let mut node = leaf;
        while let Some(above) = parent(&node).filter(|above| above.borrow().color == Red)
            && let Some(grand) = parent(&above)
        {
            let side = side_below(&grand, &above);
            let uncle = child(&grand, side.other());
            if color(&uncle) == Red {
                set_color(&uncle, Black);
                above.borrow_mut().color = Black;
                grand.borrow_mut().color = Red;
                node = grand;
            } else {
                if side_below(&above, &node) != side {
                    self.rotate(&above, side);
                    node = above;
                }
                set_color(&parent(&node), Black);
                grand.borrow_mut().color = Red;
                self.rotate(&grand, side.other());
            }
        }
        set_color(&self.root, Black);
    }

    fn repair_deletion(&mut self, start: NodeRef) {
        let mut node = start;
        while !self.is_root(&node) && node.borrow().color == Black {
            let Some(above) = parent(&node) else { break };
            let side = side_below(&above, &node);
            let sibling = self.make_sibling_black(&above, side);
            if [Left, Right].map(|side| color(&child_of(&sibling, side))) == [Black, Black] {
                set_color(&sibling, Red);
                node = above;
            } else {
                self.borrow_from_sibling(&above, side, sibling);
                break;
            }
        }
        node.borrow_mut().color = Black;
    }

    /// Returns the sibling of the child on `side`; rotates first if the sibling is red.
    fn make_sibling_black(&mut self, above: &NodeRef, side: Side) -> Link {
        let sibling = child(above, side.other());
        if color(&sibling) == Black {
            return sibling;
        }
        set_color(&sibling, Black);
        above.borrow_mut().color = Red;
        self.rotate(above, side);
        child(above, side.other())
    }

    /// Adds a black node above the child on `side`, taken from a sibling with a red child.
    fn borrow_from_sibling(&mut self, above: &NodeRef, side: Side, mut sibling: Link) {
        if color(&child_of(&sibling, side.other())) == Black {
            set_color(&child_of(&sibling, side), Black);
            set_color(&sibling, Red);
            if let Some(sibling) = &sibling {
                self.rotate(sibling, side.other());
            }
            sibling = child(above, side.other());
        }
        set_color(&sibling, above.borrow().color);
        above.borrow_mut().color = Black;
        set_color(&child_of(&sibling, side.other()), Black);
        self.rotate(above, side);
        set_color(&self.root, Black);
    }
}

impl TreeSetEntry {
    /// Creates an entry with this key.
    pub fn new(key: i32) -> Self {
        TreeSetEntry(Node::create(key, Red))
    }
}

impl Node {
    fn create(key: i32, color: Color) -> NodeRef {
        let node = Node { key, color, left: None, right: None, parent: Weak::new() };
        Rc::new(RefCell::new(node))
    }

    fn child(&self, side: Side) -> &Link {
        match side {
            Left => &self.left,
            Right => &self.right,
        }
    }

    fn child_mut(&mut self, side: Side) -> &mut Link {
        match side {
            Left => &mut self.left,
            Right => &mut self.right,
        }
    }

    fn clear_links(&mut self) {
        (self.left, self.right, self.parent) = (None, None, Weak::new());
    }
}

impl Side {
    fn other(self) -> Side {
        match self {
            Left => Right,
            Right => Left,
        }
    }
}

fn child(node: &NodeRef, side: Side) -> Link {
    node.borrow().child(side).clone()
}

fn child_of(node: &Link, side: Side) -> Link {
    node.as_ref().and_then(|node| child(node, side))
}

fn parent(node: &NodeRef) -> Link {
    node.borrow().parent.upgrade()
}

/// Links parent and child both ways.
fn set_child(above: &NodeRef, side: Side, below: Link) {
    if let Some(below) = &below {
        below.borrow_mut().parent = Rc::downgrade(above);
    }
    *above.borrow_mut().child_mut(side) = below;
}

/// Returns the side of `above` on which its child `below` hangs.
fn side_below(above: &NodeRef, below: &NodeRef) -> Side {
    let is_left = above.borrow().left.as_ref().is_some_and(|left| Rc::ptr_eq(left, below));
    if is_left { Left } else { Right }
}

/// Returns the color of a node; an absent node counts as black.
fn color(node: &Link) -> Color {
    node.as_ref().map_or(Black, |node| node.borrow().color)
}

fn set_color(node: &Link, color: Color) {
    if let Some(node) = node {
        node.borrow_mut().color = color;
    }
}

/// Returns the in-order successor of a node with two children.
fn successor_below(node: &NodeRef) -> Link {
    child(node, Left)?;
    let mut first = child(node, Right)?;
    while let Some(left) = child(&first, Left) {
        first = left;
    }
    Some(first)
}

impl Clone for TreeSet {
    fn clone(&self) -> Self {
        TreeSet { root: copy(&self.root), size: self.size, mod_count: self.mod_count }
    }
}

/// Copies a subtree; the root of the copy has no parent.
fn copy(subtree: &Link) -> Link {
    let node = subtree.as_ref()?.borrow();
    let new = Node::create(node.key, node.color);
    set_child(&new, Left, copy(&node.left));
    set_child(&new, Right, copy(&node.right));
    Some(new)
}

impl fmt::Debug for TreeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut keys = Vec::with_capacity(self.size);
        collect_keys(&self.root, &mut keys);
        f.debug_set().entries(keys).finish()
    }
}

fn collect_keys(subtree: &Link, keys: &mut Vec<i32>) {
    if let Some(node) = subtree {
        let node = node.borrow();
        collect_keys(&node.left, keys);
        keys.push(node.key);
        collect_keys(&node.right, keys);
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Node").field(&self.key).field(&self.color).finish()
    }
}

#[cfg(test)]
mod tests;
