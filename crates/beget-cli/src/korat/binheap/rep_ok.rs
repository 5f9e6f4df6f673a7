//! The repOK of the binomial heap. No flaw is known.

use beget::heap::view::{NodeSet, OrBroken, RepOk, Verdict, clause};

use super::{BinomialHeap, Korat};
use crate::shared::binomial::clauses::{children, is_heap_ordered, list};
use crate::shared::binomial::{BinomialHeapNodeView as NodeView, BinomialHeapView};

/// The published repOK.
pub const REP_OKS: [RepOk<BinomialHeap>; 1] = [RepOk::<BinomialHeap>::new("published", rep_ok)];

fn rep_ok(heap: BinomialHeapView<'_, Korat>) -> Verdict {
    let size = heap.size();
    if size == 0 {
        return clause("a heap of size 0 has no nodes", heap.nodes().is_none());
    }
    let first = heap.nodes().or_broken("a heap of another size has nodes")?;
    let mut seen = NodeSet::new();
    are_trees_ok(Some(first), None, &mut seen)?;
    clause("the size is the number of nodes", seen.len() as i64 == size)?;
    are_degrees_digits(first, size)?;
    list(Some(first)).try_for_each(is_heap_ordered)
}

/// Checks that the roots of a list of trees have the parent `parent`, and that no node is in
/// `seen`. Reads a whole tree before the link to the next one.
fn are_trees_ok<'h>(
    first: Option<NodeView<'h>>,
    parent: Option<NodeView<'h>>,
    seen: &mut NodeSet,
) -> Verdict {
    let mut next = first;
    while let Some(node) = next {
        clause("no node is met twice", seen.insert(node))?;
        clause("parent is the node above", node.parent() == parent)?;
        are_trees_ok(node.child(), Some(node), seen)?;
        next = node.sibling();
    }
    Ok(())
}

/// Checks that the degrees of the roots are the positions of the ones in the binary number of
/// nodes, and that the trees are binomial.
fn are_degrees_digits(first: NodeView<'_>, n_nodes: i64) -> Verdict {
    let mut rest = n_nodes;
    for root in list(Some(first)) {
        clause("there are as many trees as ones in the size", rest != 0)?;
        is_binomial(root, rest.trailing_zeros().into())?;
        rest &= rest - 1;
    }
    clause("there are as many trees as ones in the size", rest == 0)
}

fn is_binomial(node: NodeView<'_>, degree: i64) -> Verdict {
    clause("degrees are those of binomial trees", node.degree() == degree)?;
    let mut rest = degree;
    for child in children(node) {
        // Before it counts, the original also reads the degree of the child after the last.
        rest -= 1;
        is_binomial(child, rest)?;
    }
    clause("there are as many children as the degree", rest == 0)
}
