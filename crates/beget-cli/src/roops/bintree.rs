//! Binary search tree with parent links, `BinTree` of the ROOPS benchmark.
//!
//! Nodes share ownership of their children and link weakly to their parent, so the tree can hand
//! out nodes: [`BinTree::remove`] takes a node of the tree, not a key. The operations are sound.
//! The published flaw is in the representation invariant, which lets the root have a parent.
//!
//! Behaviour kept: a removed node keeps its links.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::fmt;
use std::rc::{Rc, Weak};

use beget::{Heap, HeapView};

use crate::Misuse;

pub mod rep_ok;

/// A set of integers as an unbalanced search tree.
#[derive(Default, Heap, HeapView)]
pub struct BinTree {
    root: Option<Rc<RefCell<Node>>>,
}

/// A node of a [`BinTree`].
#[derive(Heap, HeapView)]
pub struct Node {
    key: i32,
    left: Option<Rc<RefCell<Node>>>,
    right: Option<Rc<RefCell<Node>>>,
    /// Invariant: leads to the node above; at the root, to no node.
    parent: Weak<RefCell<Node>>,
}

/// A node that the tree handed out. It may have left the tree since.
#[derive(Clone)]
pub struct NodeRef(Rc<RefCell<Node>>);

type Link = Option<Rc<RefCell<Node>>>;

#[beget::api(name = "roops::bintree")]
impl BinTree {
    /// Creates an empty tree.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the key as a leaf, unless it is present.
    pub fn add(&mut self, key: i32) {
        let mut parent = None;
        let mut link = self.root.clone();
        while let Some(node) = link {
            link = match key.cmp(&node.borrow().key) {
                Ordering::Less => node.borrow().left.clone(),
                Ordering::Greater => node.borrow().right.clone(),
                Ordering::Equal => return,
            };
            parent = Some(node);
        }
        let leaf = Node::below(parent.as_ref(), key);
        match parent {
            Some(parent) if key < parent.borrow().key => parent.borrow_mut().left = Some(leaf),
            Some(parent) => parent.borrow_mut().right = Some(leaf),
            None => self.root = Some(leaf),
        }
    }

    /// Removes the key of a node.
    ///
    /// A node with two children takes over the key of its successor, and the successor leaves the
    /// tree; any other node leaves the tree itself. Returns the node that left.
    ///
    /// # Errors
    /// [`Misuse::Argument`] when the node is not in this tree.
    #[api(skip)]
    pub fn remove(&mut self, node: &NodeRef) -> Result<NodeRef, Misuse> {
        let NodeRef(node) = node;
        if !self.owns(node) {
            return Err(Misuse::Argument("the node must be in the tree"));
        }
        let leaving = node.borrow().successor_below().unwrap_or_else(|| Rc::clone(node));
        self.unlink(&leaving);
        if !Rc::ptr_eq(node, &leaving) {
            node.borrow_mut().key = leaving.borrow().key;
        }
        Ok(NodeRef(leaving))
    }

    /// Calls [`BinTree::remove`] with the node of this key, for callers that hold no node.
    ///
    /// # Errors
    /// [`Misuse::MissingNode`] when the key is absent.
    pub fn remove_key(&mut self, key: i32) -> Result<(), Misuse> {
        let node = self.node(key).ok_or(Misuse::MissingNode)?;
        self.remove(&node).map(drop)
    }

    /// Returns whether the tree contains the key.
    pub fn find(&self, key: i32) -> bool {
        self.node(key).is_some()
    }

    /// Returns the node with this key. Any class of the published package can reach the nodes; here
    /// this method hands them out.
    #[api(skip)]
    pub fn node(&self, key: i32) -> Option<NodeRef> {
        let mut link = self.root.clone();
        while let Some(node) = link {
            link = match key.cmp(&node.borrow().key) {
                Ordering::Less => node.borrow().left.clone(),
                Ordering::Greater => node.borrow().right.clone(),
                Ordering::Equal => return Some(NodeRef(Rc::clone(&node))),
            };
        }
        None
    }

    /// Replaces a node with its only child, if it has one.
    fn unlink(&mut self, node: &Rc<RefCell<Node>>) {
        let Node { left, right, parent, .. } = &*node.borrow();
        let child = left.clone().or_else(|| right.clone());
        if let Some(child) = &child {
            child.borrow_mut().parent = Weak::clone(parent);
        }
        match parent.upgrade() {
            Some(parent) if is_at(&parent.borrow().left, node) => parent.borrow_mut().left = child,
            Some(parent) => parent.borrow_mut().right = child,
            None => self.root = child,
        }
    }

    /// Returns whether a search for the node's key ends at the node.
    fn owns(&self, node: &Rc<RefCell<Node>>) -> bool {
        let key = node.borrow().key;
        self.node(key).is_some_and(|NodeRef(found)| Rc::ptr_eq(&found, node))
    }
}

impl Node {
    fn below(parent: Option<&Rc<RefCell<Self>>>, key: i32) -> Rc<RefCell<Self>> {
        let parent = parent.map(Rc::downgrade).unwrap_or_default();
        Rc::new(RefCell::new(Self { key, left: None, right: None, parent }))
    }

    /// Returns the leftmost node below the right child if the node has two children.
    fn successor_below(&self) -> Link {
        self.left.as_ref()?;
        let mut node = self.right.clone()?;
        loop {
            let left = node.borrow().left.clone();
            let Some(left) = left else { return Some(node) };
            node = left;
        }
    }
}

impl NodeRef {
    /// Returns the key that the node holds now.
    pub fn key(&self) -> i32 {
        self.0.borrow().key
    }
}

fn is_at(link: &Link, node: &Rc<RefCell<Node>>) -> bool {
    link.as_ref().is_some_and(|child| Rc::ptr_eq(child, node))
}

fn copy_below(parent: Option<&Rc<RefCell<Node>>>, link: &Link) -> Link {
    let node = link.as_ref()?.borrow();
    let copy = Node::below(parent, node.key);
    let left = copy_below(Some(&copy), &node.left);
    let right = copy_below(Some(&copy), &node.right);
    copy.borrow_mut().left = left;
    copy.borrow_mut().right = right;
    Some(copy)
}

fn collect_keys(link: &Link, keys: &mut Vec<i32>) {
    if let Some(node) = link {
        let node = node.borrow();
        collect_keys(&node.left, keys);
        keys.push(node.key);
        collect_keys(&node.right, keys);
    }
}

impl Clone for BinTree {
    fn clone(&self) -> Self {
        Self { root: copy_below(None, &self.root) }
    }
}

impl fmt::Debug for BinTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut keys = Vec::new();
        collect_keys(&self.root, &mut keys);
        f.debug_set().entries(keys).finish()
    }
}

impl fmt::Debug for Node {
    /// Shows the key and the children, but not the parent, which would lead back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, left, right, .. } = self;
        f.debug_struct("Node").field("key", key).field("left", left).field("right", right).finish()
    }
}

impl fmt::Debug for NodeRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NodeRef").field(&self.key()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Form, Search, assert_counts};

    fn tree(keys: impl IntoIterator<Item = i32>) -> BinTree {
        let mut tree = BinTree::new();
        keys.into_iter().for_each(|key| tree.add(key));
        tree
    }

    fn remove_key(tree: &mut BinTree, key: i32) -> Result<(), Misuse> {
        let node = tree.node(key).ok_or(Misuse::MissingNode)?;
        tree.remove(&node).map(drop)
    }

    fn write(form: &mut Form, link: Link) {
        if form.link(link.as_ref().map(|node| Rc::as_ptr(node).addr())).is_some() {
            let node = link.expect("a node with a number");
            let node = node.borrow();
            form.value(node.key);
            write(form, node.left.clone());
            write(form, node.parent.upgrade());
            write(form, node.right.clone());
        }
    }

    fn form(tree: &BinTree) -> Form {
        let mut form = Form::default();
        write(&mut form, tree.root.clone());
        form
    }

    fn insertions(k: i32) -> Search<BinTree> {
        Search::new(k).starts(BinTree::new).call_1(BinTree::add)
    }

    #[test]
    fn the_builders_reach_the_published_numbers() {
        let expected =
            [(2, 5), (5, 14), (15, 50), (51, 210), (188, 947), (731, 4394), (2950, 20659)];
        assert_counts(&expected, |k| insertions(k).run(form).counts());
    }

    #[test]
    fn removing_any_node_reaches_nothing_more() {
        for k in 1..=5 {
            let all = insertions(k).call_1(remove_key);
            assert_eq!(all.run(form).forms, insertions(k).run(form).forms, "k = {k}");
        }
    }

    #[test]
    fn a_node_that_lacks_a_child_leaves_itself() {
        let mut tree = tree([2, 1, 3]);
        let node = tree.node(3).unwrap();
        let left = tree.remove(&node).unwrap();
        assert!(Rc::ptr_eq(&left.0, &node.0));
        assert_eq!(format!("{tree:?}"), "{1, 2}");
    }

    #[test]
    fn a_node_with_two_children_stays_and_its_successor_leaves() {
        let mut tree = tree([2, 1, 5, 3, 4]);
        let (node, successor) = (tree.node(2).unwrap(), tree.node(3).unwrap());
        let left = tree.remove(&node).unwrap();
        assert!(Rc::ptr_eq(&left.0, &successor.0));
        assert_eq!((node.key(), left.key()), (3, 3));
        assert_eq!(format!("{tree:?}"), "{1, 3, 4, 5}");
        assert!(left.0.borrow().right.is_some(), "a removed node keeps its links");
    }

    #[test]
    fn a_node_from_elsewhere_is_refused() {
        let mut tree = tree([1, 2]);
        let node = tree.node(1).unwrap();
        assert!(matches!(tree.clone().remove(&node), Err(Misuse::Argument(_))));
        tree.remove(&node).unwrap();
        assert!(matches!(tree.remove(&node), Err(Misuse::Argument(_))));
    }

    #[test]
    fn finding_looks_for_the_key() {
        let tree = tree([2, 1]);
        assert!(tree.find(1) && !tree.find(3));
    }

    #[test]
    fn the_last_link_to_a_tree_frees_its_nodes() {
        let tree = tree([2, 1, 3]);
        let nodes: Vec<_> = (1..4).map(|key| Rc::downgrade(&tree.node(key).unwrap().0)).collect();
        drop(tree);
        assert!(nodes.iter().all(|node| node.upgrade().is_none()));
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let original = tree([2, 1, 3]);
        let mut clone = original.clone();
        remove_key(&mut clone, 2).unwrap();
        clone.add(0);
        assert_eq!(format!("{original:?} {clone:?}"), "{1, 2, 3} {0, 1, 3}");
    }
}
