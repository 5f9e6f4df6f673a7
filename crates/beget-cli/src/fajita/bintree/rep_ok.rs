//! The repOK of the search tree. No flaw is known.
//!
//! The original writes -1 for "no bound", which matters only for the key -1. Its clause that keys
//! are not null is left out, because keys are integers here.

use beget::heap::view::{RepOk, Verdict, clause};

use super::{BinTree, BinTreeView, NodeView};
use crate::shared::tree_view::{self, tree_node_view};

/// The published repOK.
pub const REP_OKS: [RepOk<BinTree>; 1] = [RepOk::<BinTree>::new("published", rep_ok)];

tree_node_view!(NodeView, info);

fn rep_ok(tree: BinTreeView<'_>) -> Verdict {
    let Some(root) = tree.root() else {
        return clause("an empty tree has size 0", tree.size() == 0);
    };
    let n_nodes = tree_view::count_acyclic(root)?;
    tree_view::is_ordered(root, None, None)?;
    clause("the size is the number of nodes", n_nodes == tree.size())
}
