//! The repOK of the binomial heap. No flaw is known.

use beget::heap::view::{NodeSet, RepOk, Verdict, clause};

use super::{BinomialHeap, Roops};
use crate::shared::binomial::clauses::{children, list};
use crate::shared::binomial::{BinomialHeapNodeView as NodeView, BinomialHeapView};

/// The published repOK.
pub const REP_OKS: [RepOk<BinomialHeap>; 1] = [RepOk::<BinomialHeap>::new("published", rep_ok)];

fn rep_ok(heap: BinomialHeapView<'_, Roops>) -> Verdict {
    let mut seen = NodeSet::new();
    if let Some(first) = heap.nodes() {
        is_tree_ok(first, &mut seen)?;
        is_heap_ordered(first)?;
        is_root_ok(first)?;
        for root in list(first.sibling()) {
            is_tree_ok(root, &mut seen)?;
            is_root_ok(root)?;
            is_heap_ordered(root)?;
        }
    }
    clause("the size is the number of nodes", heap.size() == seen.len() as i64)
}

fn is_root_ok(root: NodeView<'_>) -> Verdict {
    clause("roots have no parent", root.parent().is_none())?;
    match root.sibling() {
        None => Ok(()),
        Some(next) => clause("degrees of roots increase", root.degree() < next.degree()),
    }
}

/// Checks the links and degrees below a node, and that no node is in `seen`.
fn is_tree_ok(node: NodeView<'_>, seen: &mut NodeSet) -> Verdict {
    clause("no node is met twice", seen.insert(node))?;
    clause("the degree is not negative", node.degree() >= 0)?;
    let mut n_children = 0;
    for child in children(node) {
        clause("parent is the node above", child.parent() == Some(node))?;
        is_tree_ok(child, seen)?;
        if let Some(next) = child.sibling() {
            clause("degrees of children decrease", child.degree() > next.degree())?;
        }
        n_children += 1;
    }
    clause("the degree is the number of children", node.degree() == n_children)?;
    node.child().map_or(Ok(()), is_first_child_as_large)
}

/// Checks that the subtree of the first child holds half of its parent's tree. The original
/// estimates both halves: it assumes that all trees in a list are as large as the first one.
fn is_first_child_as_large(first: NodeView<'_>) -> Verdict {
    let below = children(first).count() as i64 * first.child().map_or(0, n_nodes);
    let beside = list(first.sibling()).count() as i64 * first.sibling().map_or(0, n_nodes);
    clause("the first child is half of its parent's tree", below == beside)
}

/// Checks that no child has a smaller key than its parent. Reads the parent's key last.
fn is_heap_ordered(node: NodeView<'_>) -> Verdict {
    for child in children(node) {
        clause("no child has a smaller key", child.key() >= node.key())?;
        is_heap_ordered(child)?;
    }
    Ok(())
}

fn n_nodes(node: NodeView<'_>) -> i64 {
    1 + children(node).map(n_nodes).sum::<i64>()
}
