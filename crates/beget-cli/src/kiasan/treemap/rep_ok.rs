//! The repOK of the red-black tree as a map. No flaw is known. It accepts any values.

use beget::heap::view::{RepOk, Verdict, clause};

use super::{Entry, EntryView, TreeMap};
use crate::kiasan::trees::{is_connected, is_red_rule_kept, is_root_black, n_nodes};
use crate::shared::redblack::TreeView;
use crate::shared::redblack::clauses::is_black_rule_kept;
use crate::shared::tree_view::{below, is_ordered, tree_node_view};

/// The published repOK.
pub const REP_OKS: [RepOk<TreeMap>; 1] = [RepOk::<TreeMap>::new("published", rep_ok)];

const RED: bool = false;

tree_node_view!(EntryView, key, red: RED);

fn rep_ok(map: TreeView<'_, Entry>) -> Verdict {
    let root = map.root();
    below(root, |root| {
        is_connected(root, None)?;
        is_red_rule_kept(root)?;
        is_root_black(root)?;
        is_black_rule_kept(root)?;
        is_ordered(root, None, None)
    })?;
    clause("the size is the number of entries", map.size() == root.map_or(0, n_nodes))
}
