//! The repOK of the height-balanced tree.
//!
//! The published repOK gives a missing child height 0, but the class gives it -1. It therefore
//! rejects every tree except the empty one. The original writes -1 for "no bound" and so rejects
//! the key -1; here a clause rejects it.

use beget::heap::view::{RepOk, Verdict, clause};

use super::{AvlTree, AvlTreeView, NodeView};
use crate::shared::tree_view::{self, tree_node_view};

/// The published repOK, and the version that gives a missing child the height of the class.
pub const REP_OKS: [RepOk<AvlTree>; 2] = [
    RepOk::<AvlTree>::new("published", |tree| rep_ok(tree, 0)),
    RepOk::<AvlTree>::new("corrected", |tree| rep_ok(tree, -1)),
];

tree_node_view!(NodeView, data);

fn rep_ok(tree: AvlTreeView<'_>, height_of_none: i64) -> Verdict {
    let Some(root) = tree.root() else {
        return clause("an empty tree has size 0", tree.size() == 0);
    };
    let n_nodes = tree_view::count_acyclic(root)?;
    tree_view::is_ordered(root, Some(-1), None)?;
    clause("the size is the number of nodes", n_nodes == tree.size())?;
    tree_view::try_each(root, |node| tree_view::is_balanced(node, NodeView::height, height_of_none))
}
