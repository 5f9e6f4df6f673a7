//! The repOK of the red-black tree.
//!
//! The published class asks for a black root, and is right. But the published numbers are those without that clause, so
//! the clause is what mends the repOK that was run: `without_root_clause` here.
//!
//! The original writes "no bound" as -1, which matters for that key alone.

use beget::heap::view::{RepOk, Verdict, clause};

use super::{Color::Black, Color::Red, NodeView, TreeSet, TreeSetView};

/// The published class, the same as the correction of what was run, and what was run.
pub const REP_OKS: [RepOk<TreeSet>; 3] = [
    RepOk::<TreeSet>::new("published", |set| rep_ok(set, is_black)),
    RepOk::<TreeSet>::new("corrected", |set| rep_ok(set, is_black)),
    RepOk::<TreeSet>::new("without_root_clause", |set| rep_ok(set, |_| Ok(()))),
];

fn rep_ok(set: TreeSetView<'_>, root_clause: impl FnOnce(NodeView<'_>) -> Verdict) -> Verdict {
    let Some(root) = set.root() else {
        return clause("an empty tree has size 0", set.size() == 0);
    };
    is_connected(root, None)?;
    is_red_rule_kept(root)?;
    root_clause(root)?;
    has_black_height(root, black_height(root))?;
    is_ordered(root, None, None)?;
    clause("the size is the number of nodes", set.size() == n_nodes(root))
}

fn is_black(root: NodeView<'_>) -> Verdict {
    clause("the root is black", root.color() == Black)
}

/// Whether parents are right. A node has one parent, so no node is reached twice, unless by its parent.
fn is_connected<'h>(node: NodeView<'h>, parent: Option<NodeView<'h>>) -> Verdict {
    clause("parent is the node above", node.parent() == parent)?;
    let right = node.right();
    let is_right_ok = below(right, |right| is_connected(right, Some(node)));
    // The original reads the left child before it looks at what it learned of the right one.
    let left = node.left();
    is_right_ok?;
    below(left, |left| is_connected(left, Some(node)))?;
    clause("the children are two nodes", left.is_none() || left != right)
}

fn is_red_rule_kept(node: NodeView<'_>) -> Verdict {
    if node.color() == Red {
        below(node.left(), is_no_red_child)?;
        below(node.right(), is_no_red_child)?;
    }
    below(node.left(), is_red_rule_kept)?;
    below(node.right(), is_red_rule_kept)
}

fn is_no_red_child(child: NodeView<'_>) -> Verdict {
    clause("a red node has no red child", child.color() != Red)
}

/// The number of black nodes on the way from `node` to the left.
fn black_height(node: NodeView<'_>) -> i64 {
    i64::from(node.color() == Black) + node.left().map_or(0, black_height)
}

/// Whether each way down has `height` black nodes.
fn has_black_height(node: NodeView<'_>, height: i64) -> Verdict {
    let rest = height - i64::from(node.color() == Black);
    for child in [NodeView::left, NodeView::right] {
        match child(node) {
            None => clause("each way down has as many black nodes", rest == 0)?,
            Some(child) => has_black_height(child, rest)?,
        }
    }
    Ok(())
}

/// Reads the key only where it is compared or bounds another, as the original.
fn is_ordered(node: NodeView<'_>, low: Option<i64>, high: Option<i64>) -> Verdict {
    clause("keys are in order", low.is_none_or(|low| node.key() > low))?;
    clause("keys are in order", high.is_none_or(|high| node.key() < high))?;
    below(node.left(), |left| is_ordered(left, low, Some(node.key())))?;
    below(node.right(), |right| is_ordered(right, Some(node.key()), high))
}

fn n_nodes(node: NodeView<'_>) -> i64 {
    1 + node.left().map_or(0, n_nodes) + node.right().map_or(0, n_nodes)
}

/// What `check` says of a child, if it is there.
fn below<'h>(child: Option<NodeView<'h>>, check: impl FnOnce(NodeView<'h>) -> Verdict) -> Verdict {
    child.map_or(Ok(()), check)
}
