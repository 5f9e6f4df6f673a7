//! The repOK of the red-black tree.
//!
//! The published class requires a black root, which is right. But the published numbers come from a
//! repOK without that clause, called `without_root_clause` here. The clause corrects that repOK.
//!
//! The original writes -1 for "no bound", which matters only for the key -1.

use beget::heap::view::{RepOk, Verdict, clause};

use super::{Color::Red, NodeView, TreeSet, TreeSetView};
use crate::kiasan::trees::{is_connected, is_red_rule_kept, is_root_black, n_nodes};
use crate::shared::redblack::clauses::is_black_rule_kept;
use crate::shared::tree_view::{below, tree_node_view};

/// The published repOK, which is also the correction, and the repOK of the published numbers.
pub const REP_OKS: [RepOk<TreeSet>; 3] = [
    RepOk::<TreeSet>::new("published", |set| rep_ok(set, is_root_black)),
    RepOk::<TreeSet>::new("corrected", |set| rep_ok(set, is_root_black)),
    RepOk::<TreeSet>::new("without_root_clause", |set| rep_ok(set, |_| Ok(()))),
];

tree_node_view!(NodeView, key, red: Red);

fn rep_ok<'h>(set: TreeSetView<'h>, root_clause: impl FnOnce(NodeView<'h>) -> Verdict) -> Verdict {
    let Some(root) = set.root() else {
        return clause("an empty tree has size 0", set.size() == 0);
    };
    is_connected(root, None)?;
    is_red_rule_kept(root)?;
    root_clause(root)?;
    is_black_rule_kept(root)?;
    is_ordered(root, None, None)?;
    clause("the size is the number of nodes", set.size() == n_nodes(root))
}

/// Like the original, reads the key only to compare it or to use it as a bound.
fn is_ordered(node: NodeView<'_>, low: Option<i64>, high: Option<i64>) -> Verdict {
    clause("keys are in order", low.is_none_or(|low| node.key() > low))?;
    clause("keys are in order", high.is_none_or(|high| node.key() < high))?;
    below(node.left(), |left| is_ordered(left, low, Some(node.key())))?;
    below(node.right(), |right| is_ordered(right, Some(node.key()), high))
}
