//! The repOK of the binomial heap. No flaw is known.
//!
//! The binary digits of the heap's size give the sizes of the trees, and so their degrees.

use beget::heap::view::{NodeSet, RepOk, Verdict, clause};

use super::{BinomialHeap, Fajita};
use crate::shared::binomial::clauses::{children, is_heap_ordered};
use crate::shared::binomial::{BinomialHeapNodeView as NodeView, BinomialHeapView};

/// The published repOK.
pub const REP_OKS: [RepOk<BinomialHeap>; 1] = [RepOk::<BinomialHeap>::new("published", rep_ok)];

fn rep_ok(heap: BinomialHeapView<'_, Fajita>) -> Verdict {
    let size = heap.size();
    if size == 0 {
        return clause("a heap of size 0 is empty", heap.nodes().is_none());
    }
    clause("a heap that is not of size 0 has a root", heap.nodes().is_some())?;
    let (mut seen, mut bits, mut rank) = (NodeSet::new(), size, 0);
    let mut next = heap.nodes();
    while let Some(root) = next {
        is_root_ok(root, &mut seen)?;
        clause("the degrees are those of the size", bits != 0)?;
        let n_skipped = bits.trailing_zeros();
        rank += i64::from(n_skipped);
        clause("the degrees are those of the size", root.degree() == rank)?;
        are_degrees_right(root, rank)?;
        rank += 1;
        bits >>= n_skipped + 1;
        is_heap_ordered(root)?;
        next = root.sibling();
    }
    clause("the size is the number of nodes", seen.len() as i64 == size)?;
    clause("the degrees are those of the size", bits == 0)
}

fn is_root_ok(root: NodeView<'_>, seen: &mut NodeSet) -> Verdict {
    if let Some(parent) = root.parent() {
        clause("no child has a smaller key", root.key() >= parent.key())?;
    }
    clause("no node is met twice", seen.insert(root))?;
    clause("roots have no parent", root.parent().is_none())?;
    is_tree_ok(root, seen)?;
    clause("the degree is not negative", root.degree() >= 0)?;
    clause("a leaf has degree 0", root.child().is_some() || root.degree() == 0)
}

fn is_tree_ok(node: NodeView<'_>, seen: &mut NodeSet) -> Verdict {
    for child in children(node) {
        clause("no node is met twice", seen.insert(child))?;
        clause("parent is the node above", child.parent() == Some(node))?;
        is_tree_ok(child, seen)?;
    }
    Ok(())
}

fn are_degrees_right(node: NodeView<'_>, degree: i64) -> Verdict {
    let mut expected = degree;
    for child in children(node) {
        expected -= 1;
        clause("degrees of children decrease by 1", child.degree() == expected)?;
        are_degrees_right(child, expected)?;
    }
    clause("the degree is the number of children", expected == 0)
}
