//! Insertion and rebalancing of AVL trees.
//!
//! The ROOPS and FAJITA trees name their fields differently and use the same algorithm. An absent
//! subtree has height -1, a leaf height 0. If the inner and the outer grandchild are equally high,
//! a single rotation rebalances the tree.

use std::cmp::Ordering;

use super::search_tree::{SearchNode, Subtree};

/// A node of an AVL tree.
pub(crate) trait AvlNode: SearchNode {
    fn leaf(key: i32) -> Self;
    fn height(&self) -> i32;
    fn parts(&mut self) -> Parts<'_, Self>;
}

/// Separate borrows of a node's fields, to change them.
pub(crate) struct Parts<'a, N> {
    pub(crate) height: &'a mut i32,
    pub(crate) left: &'a mut Subtree<N>,
    pub(crate) right: &'a mut Subtree<N>,
}

/// Adds the key unless it is present; returns whether it was absent.
pub(crate) fn insert<N: AvlNode>(tree: &mut Subtree<N>, key: i32) -> bool {
    let Some(node) = tree else {
        *tree = Some(Box::new(N::leaf(key)));
        return true;
    };
    let order = key.cmp(&node.key());
    let Parts { left, right, .. } = node.parts();
    let is_new = match order {
        Ordering::Less => insert(left, key),
        Ordering::Greater => insert(right, key),
        Ordering::Equal => false,
    };
    rebalance(tree);
    is_new
}

/// Restores the balance and height of the top node. Its subtrees must be sound.
pub(crate) fn rebalance<N: AvlNode>(tree: &mut Subtree<N>) {
    let Some(node) = tree.as_deref_mut() else { return };
    let lean = lean(node);
    let Parts { left, right, .. } = node.parts();
    if lean > 1 {
        if left.as_deref().is_some_and(|child| self::lean(child) < 0) {
            rotate_left(left);
        }
        rotate_right(tree);
    } else if lean < -1 {
        if right.as_deref().is_some_and(|child| self::lean(child) > 0) {
            rotate_right(right);
        }
        rotate_left(tree);
    } else {
        update_height(node);
    }
}

/// Returns whether every height is right and the heights of siblings differ by at most one.
pub(crate) fn is_balanced<N: AvlNode>(tree: &Subtree<N>) -> bool {
    tree.as_deref().is_none_or(|node| {
        node.height() == 1 + height(node.left()).max(height(node.right()))
            && lean(node).abs() <= 1
            && is_balanced(node.left())
            && is_balanced(node.right())
    })
}

fn height<N: AvlNode>(tree: &Subtree<N>) -> i32 {
    tree.as_deref().map_or(-1, N::height)
}

/// Returns the height of the left subtree minus the height of the right one.
fn lean<N: AvlNode>(node: &N) -> i32 {
    height(node.left()) - height(node.right())
}

fn update_height<N: AvlNode>(node: &mut N) {
    let above = 1 + height(node.left()).max(height(node.right()));
    *node.parts().height = above;
}

/// Lifts the left child above its parent, the top node.
fn rotate_right<N: AvlNode>(tree: &mut Subtree<N>) {
    let mut top = tree.take().expect("only a node is rotated");
    let mut rising = top.parts().left.take().expect("the higher side has a node");
    *top.parts().left = rising.parts().right.take();
    update_height(&mut *top);
    *rising.parts().right = Some(top);
    update_height(&mut *rising);
    *tree = Some(rising);
}

/// Lifts the right child above its parent, the top node.
fn rotate_left<N: AvlNode>(tree: &mut Subtree<N>) {
    let mut top = tree.take().expect("only a node is rotated");
    let mut rising = top.parts().right.take().expect("the higher side has a node");
    *top.parts().right = rising.parts().left.take();
    update_height(&mut *top);
    *rising.parts().left = Some(top);
    update_height(&mut *rising);
    *tree = Some(rising);
}

/// Implements [`SearchNode`] and [`AvlNode`] for a node with the fields `height`, `left` and
/// `right`, and with a field for its key.
macro_rules! avl_node {
    ($node:ident, $key:ident) => {
        impl $crate::shared::search_tree::SearchNode for $node {
            fn key(&self) -> i32 {
                self.$key
            }

            fn left(&self) -> &$crate::shared::search_tree::Subtree<Self> {
                &self.left
            }

            fn right(&self) -> &$crate::shared::search_tree::Subtree<Self> {
                &self.right
            }
        }

        impl $crate::shared::avl::AvlNode for $node {
            fn leaf($key: i32) -> Self {
                Self { $key, height: 0, left: None, right: None }
            }

            fn height(&self) -> i32 {
                self.height
            }

            fn parts(&mut self) -> $crate::shared::avl::Parts<'_, Self> {
                $crate::shared::avl::Parts {
                    height: &mut self.height,
                    left: &mut self.left,
                    right: &mut self.right,
                }
            }
        }
    };
}
pub(crate) use avl_node;

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::testing::Form;

    /// The published table, the same for both trees: generated and explored.
    pub(crate) const COUNTS: [(usize, usize); 7] =
        [(2, 5), (5, 14), (11, 38), (25, 106), (62, 317), (157, 950), (396, 2781)];

    pub(crate) fn write<N: AvlNode>(form: &mut Form, link: &Subtree<N>) {
        if let Some(node) = form.reference(link.as_deref()) {
            form.value(node.key());
            form.value(node.height());
            write(form, node.left());
            write(form, node.right());
        }
    }

    /// Inserts three keys in four orders; each needs a different kind of rotation.
    pub(crate) fn check_rotations<N: AvlNode>() {
        for order in [[0, 1, 2], [2, 1, 0], [0, 2, 1], [2, 0, 1]] {
            let mut tree: Subtree<N> = None;
            assert!(order.iter().all(|&key| insert(&mut tree, key)));
            assert_eq!(tree.as_ref().map(|node| (node.key(), node.height())), Some((1, 1)));
        }
    }
}
