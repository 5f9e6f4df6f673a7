//! The repOK of the height-balanced tree.
//!
//! The published repOK gives a missing child height 0, the class -1. It rejects all trees except
//! the empty one. The benchmark corrects this but leaves another flaw: keys may repeat.

use beget::heap::view::{NodeSet, RepOk, Verdict, Worklist, clause};

use super::{AvlTree, AvlTreeView, NodeView};
use crate::shared::Version::{self, Corrected, Mended, Published};
use crate::shared::tree_view::{self, tree_node_view};

/// The published repOK; the version that gives a missing child the same height as the class; and
/// the version that also rejects repeated keys.
pub const REP_OKS: [RepOk<AvlTree>; 3] = [
    RepOk::<AvlTree>::new("published", |tree| rep_ok(tree, Published)),
    RepOk::<AvlTree>::new("mended", |tree| rep_ok(tree, Mended)),
    RepOk::<AvlTree>::new("corrected", |tree| rep_ok(tree, Corrected)),
];

tree_node_view!(NodeView, element);

fn rep_ok(tree: AvlTreeView<'_>, version: Version) -> Verdict {
    let Some(root) = tree.root() else {
        return Ok(());
    };
    let height_of_none = if version == Published { 0 } else { -1 };
    let (mut seen, mut pending) = (NodeSet::new(), Worklist::new());
    pending.push(root);
    while let Some(node) = pending.pop_last() {
        clause("no node is met twice", seen.insert(node))?;
        // The original adds the key to a list, which was meant to fail on a repeated key.
        node.element();
        tree_view::is_balanced(node, NodeView::height, height_of_none)?;
        [node.left(), node.right()].into_iter().flatten().for_each(|child| pending.push(child));
    }
    if version == Corrected {
        return tree_view::is_ordered(root, None, None);
    }
    let low = tree_view::last_key(root, NodeView::left);
    let high = tree_view::last_key(root, NodeView::right);
    is_weakly_ordered(root, low, high)
}

/// Checks that the keys do not decrease from left to right.
fn is_weakly_ordered(node: NodeView<'_>, low: i64, high: i64) -> Verdict {
    let element = node.element();
    clause("keys are in order", (low..=high).contains(&element))?;
    if let Some(left) = node.left() {
        is_weakly_ordered(left, low, element)?;
    }
    match node.right() {
        Some(right) => is_weakly_ordered(right, element, high),
        None => Ok(()),
    }
}
