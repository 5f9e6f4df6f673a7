//! The repOK of the red-black tree.
//!
//! The published repOK is too weak: the root may be red. `corrected` adds the published clause that
//! forbids red roots. The original writes -1 for "no bound" and so rejects the key -1; here a
//! clause rejects it.

use beget::heap::view::{RepOk, Verdict, clause};

use super::{Node, NodeView, RedBlackTree};
use crate::shared::Version::{self, Corrected, Published};
use crate::shared::redblack::TreeView;
use crate::shared::redblack::clauses::is_red_black;
use crate::shared::tree_view::{self, tree_node_view};

/// The published repOK, and the version that requires a black root.
pub const REP_OKS: [RepOk<RedBlackTree>; 2] = [
    RepOk::<RedBlackTree>::new("published", |tree| rep_ok(tree, Published)),
    RepOk::<RedBlackTree>::new("corrected", |tree| rep_ok(tree, Corrected)),
];

const RED: i64 = 0;

tree_node_view!(NodeView, key, red: RED);

fn rep_ok(tree: TreeView<'_, Node>, version: Version) -> Verdict {
    let Some(root) = tree.root() else {
        return clause("an empty tree has size 0", tree.size() == 0);
    };
    is_red_black(root, || tree.size(), version)?;
    tree_view::is_ordered_without_minus_one(root)
}
