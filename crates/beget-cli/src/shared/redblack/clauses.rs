//! The clauses that the repOKs of red-black trees share.
//!
//! The published repOKs of ROOPS, FAJITA and Korat are too weak: the root may be red.

use beget::heap::view::{Verdict, clause};

use crate::shared::Version::{self, Corrected};
use crate::shared::tree_view::{self, TreeNodeView};

/// The view of a node of a red-black tree.
pub(crate) trait RedBlackView<'h>: TreeNodeView<'h> {
    /// Returns the parent.
    fn parent(self) -> Option<Self>;
    /// Returns whether the node is red.
    fn is_red(self) -> bool;
}

/// Checks the repOK of the ROOPS and FAJITA sets on a tree that is not empty.
pub(crate) fn is_tree_ok<'h, N: RedBlackView<'h>>(
    root: N,
    size: impl Fn() -> i64,
    version: Version,
) -> Verdict {
    is_red_black(root, size, version)?;
    let low = tree_view::last_key(root, N::left);
    let high = tree_view::last_key(root, N::right);
    tree_view::is_ordered(root, Some(low - 1), Some(high + 1))
}

/// Checks the number of nodes, their parents and their colors. Reads the size only when needed.
pub(crate) fn is_red_black<'h, N: RedBlackView<'h>>(
    root: N,
    size: impl Fn() -> i64,
    version: Version,
) -> Verdict {
    if version == Corrected {
        clause("the root is black", !root.is_red())?;
    }
    clause("the root has no parent", root.parent().is_none())?;
    let n_nodes = tree_view::count_checked(root, |node, child| {
        clause("parent is the node above", child.parent() == Some(node))
    })?;
    clause("the size is the number of nodes", n_nodes == size())?;
    tree_view::try_each(root, is_red_rule_kept)?;
    is_black_rule_kept(root)
}

fn is_red_rule_kept<'h, N: RedBlackView<'h>>(node: N) -> Verdict {
    if !node.is_red() {
        return Ok(());
    }
    let mut children = [N::left, N::right].into_iter().filter_map(|child| child(node));
    children.try_for_each(|child| clause("a red node has no red child", !child.is_red()))
}

/// Checks that each path down has as many black nodes as the leftmost one. An earlier clause has
/// already read each color.
pub(crate) fn is_black_rule_kept<'h>(root: impl RedBlackView<'h>) -> Verdict {
    has_black_height(root, black_height(root))
}

/// Counts the black nodes on the leftmost path from `node`.
fn black_height<'h, N: RedBlackView<'h>>(node: N) -> i64 {
    i64::from(!node.is_red()) + node.left().map_or(0, black_height)
}

/// Checks that each path down has `height` black nodes.
fn has_black_height<'h, N: RedBlackView<'h>>(node: N, height: i64) -> Verdict {
    let rest = height - i64::from(!node.is_red());
    for child in [N::left, N::right] {
        match child(node) {
            None => clause("each way down has as many black nodes", rest == 0)?,
            Some(child) => has_black_height(child, rest)?,
        }
    }
    Ok(())
}
