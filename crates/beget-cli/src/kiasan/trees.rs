//! Clauses that the repOKs of the red-black trees of this benchmark share. They read fields in the
//! same order as the originals. Clauses that do not depend on the order are in
//! [`crate::shared::redblack`].

use beget::heap::view::{Verdict, clause};

use crate::shared::redblack::clauses::RedBlackView;
use crate::shared::tree_view::{TreeNodeView, below};

/// Checks the parent links. Since each node has only one parent, no other node can reach it, but
/// that parent may reach it twice.
pub(super) fn is_connected<'h, N: RedBlackView<'h>>(node: N, parent: Option<N>) -> Verdict {
    clause("parent is the node above", node.parent() == parent)?;
    let right = node.right();
    let is_right_ok = below(right, |right| is_connected(right, Some(node)));
    // The originals read the left child before they use the result for the right one.
    let left = node.left();
    is_right_ok?;
    below(left, |left| is_connected(left, Some(node)))?;
    clause("the children are two nodes", left.is_none() || left != right)
}

pub(super) fn is_red_rule_kept<'h, N: RedBlackView<'h>>(node: N) -> Verdict {
    let is_no_red = |child: N| clause("a red node has no red child", !child.is_red());
    if node.is_red() {
        below(node.left(), is_no_red)?;
        below(node.right(), is_no_red)?;
    }
    below(node.left(), is_red_rule_kept)?;
    below(node.right(), is_red_rule_kept)
}

pub(super) fn is_root_black<'h>(root: impl RedBlackView<'h>) -> Verdict {
    clause("the root is black", !root.is_red())
}

pub(super) fn n_nodes<'h, N: TreeNodeView<'h>>(node: N) -> i64 {
    1 + node.left().map_or(0, n_nodes) + node.right().map_or(0, n_nodes)
}
