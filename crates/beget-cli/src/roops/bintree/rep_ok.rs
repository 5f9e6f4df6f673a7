//! The repOK of the search tree.
//!
//! The published repOK is too weak: the root may have a parent, even one outside the tree. The
//! original writes -1 for "no bound", which matters only for the key -1.

use beget::heap::view::{RepOk, Verdict, clause};

use super::{BinTree, BinTreeView, NodeView};
use crate::shared::Version::{self, Corrected, Published};
use crate::shared::tree_view::{self, tree_node_view};

/// The published repOK, and the version in which the root has no parent.
pub const REP_OKS: [RepOk<BinTree>; 2] = [
    RepOk::<BinTree>::new("published", |tree| rep_ok(tree, Published)),
    RepOk::<BinTree>::new("corrected", |tree| rep_ok(tree, Corrected)),
];

tree_node_view!(NodeView, key);

fn rep_ok(tree: BinTreeView<'_>, version: Version) -> Verdict {
    let Some(root) = tree.root() else {
        return Ok(());
    };
    tree_view::count_acyclic(root)?;
    // The original reads these two keys without using them.
    tree_view::last_key(root, NodeView::left);
    tree_view::last_key(root, NodeView::right);
    tree_view::is_ordered(root, None, None)?;
    if version == Corrected {
        clause("the root has no parent", root.parent().is_none())?;
    }
    tree_view::try_each(root, are_parents_right)
}

fn are_parents_right(node: NodeView<'_>) -> Verdict {
    let mut children = [node.left(), node.right()].into_iter().flatten();
    children.try_for_each(|child| clause("parent is the node above", child.parent() == Some(node)))
}
