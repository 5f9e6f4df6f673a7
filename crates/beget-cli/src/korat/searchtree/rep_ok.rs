//! The repOK of the search tree. No flaw is known.
//!
//! The original writes -1 for "no bound" and so rejects the key -1; here a clause rejects it.

use beget::heap::view::{RepOk, Verdict, clause};

use super::{NodeView, SearchTree, SearchTreeView};
use crate::shared::tree_view::{self, tree_node_view};

/// The published repOK.
pub const REP_OKS: [RepOk<SearchTree>; 1] = [RepOk::<SearchTree>::new("published", rep_ok)];

tree_node_view!(NodeView, info);

fn rep_ok(tree: SearchTreeView<'_>) -> Verdict {
    let Some(root) = tree.root() else {
        return clause("an empty tree has size 0", tree.size() == 0);
    };
    let n_nodes = tree_view::count_acyclic(root)?;
    clause("the size is the number of nodes", n_nodes == tree.size())?;
    tree_view::is_ordered_without_minus_one(root)
}
