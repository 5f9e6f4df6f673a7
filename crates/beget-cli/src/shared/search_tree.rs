//! Lookups in binary search trees of boxed nodes.
//!
//! The nodes of the case studies have different fields and share the trait [`SearchNode`].
//! Invariant of every tree here: keys to the left are smaller and keys to the right are larger, so
//! all keys are distinct.

use std::cmp::Ordering;

/// A subtree: absent, or owned through its top node.
pub(crate) type Subtree<N> = Option<Box<N>>;

/// A node of a binary search tree.
pub(crate) trait SearchNode: Sized {
    fn key(&self) -> i32;
    fn left(&self) -> &Subtree<Self>;
    fn right(&self) -> &Subtree<Self>;
}

/// Returns the node with this key.
pub(crate) fn find<N: SearchNode>(mut tree: &Subtree<N>, key: i32) -> Option<&N> {
    while let Some(node) = tree {
        tree = match key.cmp(&node.key()) {
            Ordering::Less => node.left(),
            Ordering::Greater => node.right(),
            Ordering::Equal => return Some(node),
        };
    }
    None
}

/// Returns the node with the smallest key.
pub(crate) fn smallest<N: SearchNode>(tree: &Subtree<N>) -> Option<&N> {
    let mut node = tree.as_deref()?;
    while let Some(left) = node.left().as_deref() {
        node = left;
    }
    Some(node)
}

/// Returns the node with the largest key.
pub(crate) fn largest<N: SearchNode>(tree: &Subtree<N>) -> Option<&N> {
    let mut node = tree.as_deref()?;
    while let Some(right) = node.right().as_deref() {
        node = right;
    }
    Some(node)
}

/// Returns all keys in increasing order.
pub(crate) fn keys<N: SearchNode>(tree: &Subtree<N>) -> Vec<i32> {
    let mut keys = Vec::new();
    let mut pending = Vec::new();
    let mut tree = tree.as_deref();
    loop {
        while let Some(node) = tree {
            pending.push(node);
            tree = node.left().as_deref();
        }
        let Some(node) = pending.pop() else { return keys };
        keys.push(node.key());
        tree = node.right().as_deref();
    }
}

/// Formats the keys as the published `printTree` does.
pub(crate) fn print<N: SearchNode>(tree: &Subtree<N>) -> String {
    let keys: Vec<String> = keys(tree).iter().map(i32::to_string).collect();
    if keys.is_empty() { "Empty tree".to_owned() } else { keys.join("\n") }
}
