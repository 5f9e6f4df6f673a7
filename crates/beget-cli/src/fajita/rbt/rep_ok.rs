//! The repOK of the red-black tree, from the clauses of [`crate::shared::redblack`].
//!
//! The published repOK is too weak: the root may be red. The original contains the missing clause,
//! but commented out.

use beget::heap::view::{RepOk, Verdict, clause};

use super::{Node, NodeView, TreeSet};
use crate::shared::Version::{self, Corrected, Published};
use crate::shared::redblack::TreeView;
use crate::shared::redblack::clauses::is_tree_ok;
use crate::shared::tree_view::tree_node_view;

/// The published repOK, and the version that requires a black root.
pub const REP_OKS: [RepOk<TreeSet>; 2] = [
    RepOk::<TreeSet>::new("published", |set| rep_ok(set, Published)),
    RepOk::<TreeSet>::new("corrected", |set| rep_ok(set, Corrected)),
];

const RED: i64 = 0;

tree_node_view!(NodeView, key, red: RED);

fn rep_ok(set: TreeView<'_, Node>, version: Version) -> Verdict {
    match set.root() {
        None => clause("an empty tree has size 0", set.size() == 0),
        Some(root) => is_tree_ok(root, || set.size(), version),
    }
}
