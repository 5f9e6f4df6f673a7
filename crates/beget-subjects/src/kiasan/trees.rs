//! Clauses that the repOKs of the search trees of this benchmark share, over what their nodes have in common.

use beget::heap::view::{Verdict, clause};

/// A node of a search tree, as a view shows it.
pub(super) trait SearchNodeView: Copy + Eq {
    fn key(self) -> i64;
    fn left(self) -> Option<Self>;
    fn right(self) -> Option<Self>;
}

/// A node of a red-black tree with links to the parent, as a view shows it.
pub(super) trait RedBlackNodeView: SearchNodeView {
    fn parent(self) -> Option<Self>;
    fn is_red(self) -> bool;
}

/// Whether parents are right. A node has one parent, so no node is reached twice, unless by its parent.
pub(super) fn is_connected<N: RedBlackNodeView>(node: N, parent: Option<N>) -> Verdict {
    clause("parent is the node above", node.parent() == parent)?;
    let right = node.right();
    let is_right_ok = below(right, |right| is_connected(right, Some(node)));
    // The originals read the left child before they look at what they learned of the right one.
    let left = node.left();
    is_right_ok?;
    below(left, |left| is_connected(left, Some(node)))?;
    clause("the children are two nodes", left.is_none() || left != right)
}

pub(super) fn is_red_rule_kept<N: RedBlackNodeView>(node: N) -> Verdict {
    let is_no_red = |child: N| clause("a red node has no red child", !child.is_red());
    if node.is_red() {
        below(node.left(), is_no_red)?;
        below(node.right(), is_no_red)?;
    }
    below(node.left(), is_red_rule_kept)?;
    below(node.right(), is_red_rule_kept)
}

pub(super) fn is_root_black(root: impl RedBlackNodeView) -> Verdict {
    clause("the root is black", !root.is_red())
}

/// Whether each way down has as many black nodes as the one to the left.
pub(super) fn is_black_rule_kept(root: impl RedBlackNodeView) -> Verdict {
    has_black_height(root, black_height(root))
}

fn black_height(node: impl RedBlackNodeView) -> i64 {
    i64::from(!node.is_red()) + node.left().map_or(0, black_height)
}

fn has_black_height<N: RedBlackNodeView>(node: N, height: i64) -> Verdict {
    let rest = height - i64::from(!node.is_red());
    for child in [N::left, N::right] {
        match child(node) {
            None => clause("each way down has as many black nodes", rest == 0)?,
            Some(child) => has_black_height(child, rest)?,
        }
    }
    Ok(())
}

/// Whether the keys from `node` down are in order and between the bounds, which are not among them.
pub(super) fn is_ordered<N: SearchNodeView>(
    node: N,
    low: Option<i64>,
    high: Option<i64>,
) -> Verdict {
    let key = node.key();
    let is_between = high.is_none_or(|high| key < high) && low.is_none_or(|low| key > low);
    clause("keys are in order", is_between)?;
    below(node.left(), |left| is_ordered(left, low, Some(key)))?;
    below(node.right(), |right| is_ordered(right, Some(key), high))
}

pub(super) fn n_nodes<N: SearchNodeView>(node: N) -> i64 {
    1 + node.left().map_or(0, n_nodes) + node.right().map_or(0, n_nodes)
}

/// What `check` says of a child, if it is there.
pub(super) fn below<N>(child: Option<N>, check: impl FnOnce(N) -> Verdict) -> Verdict {
    child.map_or(Ok(()), check)
}

/// Lets these views of nodes have their common traits: a key of that name and, where `red` is given, a parent and a color.
macro_rules! node_view {
    ($view:ident { key: $key:ident $(, red: $red:expr)? }) => {
        impl $crate::kiasan::trees::SearchNodeView for $view<'_> {
            fn key(self) -> i64 {
                self.$key()
            }

            fn left(self) -> Option<Self> {
                self.left()
            }

            fn right(self) -> Option<Self> {
                self.right()
            }
        }

        $(impl $crate::kiasan::trees::RedBlackNodeView for $view<'_> {
            fn parent(self) -> Option<Self> {
                self.parent()
            }

            fn is_red(self) -> bool {
                self.color() == $red
            }
        })?
    };
}

pub(super) use node_view;
