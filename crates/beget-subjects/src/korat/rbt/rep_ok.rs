//! The repOK of the red-black tree.
//!
//! The published one is too weak: the root may be red. The published class with the clause that forbids it is
//! `corrected` here. The original writes "no bound" as -1 and so refuses that key; here it is refused by a clause.

use beget::heap::view::{Broken, NodeSet, RepOk, Verdict, Worklist, clause};

use super::{Node, NodeView, RedBlackTree};
use crate::shared::Version::{self, Corrected, Published};
use crate::shared::redblack::TreeView;

/// The published repOK, and the one in which the root is black.
pub const REP_OKS: [RepOk<RedBlackTree>; 2] = [
    RepOk::<RedBlackTree>::new("published", |tree| rep_ok(tree, Published)),
    RepOk::<RedBlackTree>::new("corrected", |tree| rep_ok(tree, Corrected)),
];

const RED: i64 = 0;

fn rep_ok(tree: TreeView<'_, Node>, version: Version) -> Verdict {
    let Some(root) = tree.root() else {
        return clause("an empty tree has size 0", tree.size() == 0);
    };
    if version == Corrected {
        clause("the root is black", root.color() != RED)?;
    }
    clause("the root has no parent", root.parent().is_none())?;
    clause("the size is the number of nodes", count_connected(root)? == tree.size())?;
    is_red_rule_kept(root)?;
    black_height(Some(root))?;
    is_ordered(root, None, None)
}

/// The number of nodes, if none is met twice and each is the parent of its children.
fn count_connected(root: NodeView<'_>) -> Result<i64, Broken> {
    let (mut seen, mut pending) = (NodeSet::new(), Worklist::new());
    seen.insert(root);
    pending.push(root);
    while let Some(node) = pending.pop_first() {
        for child in [NodeView::left, NodeView::right] {
            if let Some(child) = child(node) {
                clause("no node is met twice", seen.insert(child))?;
                clause("parent is the node above", child.parent() == Some(node))?;
                pending.push(child);
            }
        }
    }
    Ok(seen.len() as i64)
}

/// Looks at the nodes level by level, as the original.
fn is_red_rule_kept(root: NodeView<'_>) -> Verdict {
    let mut pending = Worklist::new();
    pending.push(root);
    while let Some(node) = pending.pop_first() {
        let is_red = node.color() == RED;
        for child in [NodeView::left, NodeView::right] {
            if let Some(child) = child(node) {
                clause("a red node has no red child", !is_red || child.color() != RED)?;
                pending.push(child);
            }
        }
    }
    Ok(())
}

/// The number of black nodes on each way down, all read before, if they are as many.
fn black_height(node: Option<NodeView<'_>>) -> Result<i64, Broken> {
    let Some(node) = node else { return Ok(0) };
    let height = black_height(node.left())?;
    let is_even = black_height(node.right())? == height;
    clause("each way down has as many black nodes", is_even)?;
    Ok(height + i64::from(node.color() != RED))
}

fn is_ordered(node: NodeView<'_>, low: Option<i64>, high: Option<i64>) -> Verdict {
    let key = node.key();
    clause("no key is -1", key != -1)?;
    let is_between = low.is_none_or(|low| key > low) && high.is_none_or(|high| key < high);
    clause("keys are in order", is_between)?;
    if let Some(left) = node.left() {
        is_ordered(left, low, Some(key))?;
    }
    node.right().map_or(Ok(()), |right| is_ordered(right, Some(key), high))
}
