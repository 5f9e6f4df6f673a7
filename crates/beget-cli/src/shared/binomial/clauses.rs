//! Clauses that the repOKs of the binomial heaps share.

use std::iter;

use beget::heap::view::{Verdict, clause};

use super::BinomialHeapNodeView as NodeView;

/// Iterates over a list; reads each link when the caller asks for the next node.
pub(crate) fn list(first: Option<NodeView<'_>>) -> impl Iterator<Item = NodeView<'_>> {
    let mut last = None;
    let mut first = Some(first);
    iter::from_fn(move || {
        last = match first.take() {
            Some(first) => first,
            None => last.and_then(NodeView::sibling),
        };
        last
    })
}

pub(crate) fn children(node: NodeView<'_>) -> impl Iterator<Item = NodeView<'_>> {
    list(node.child())
}

/// Checks that no child has a smaller key than its parent. Reads the parent's key first.
pub(crate) fn is_heap_ordered(node: NodeView<'_>) -> Verdict {
    for child in children(node) {
        clause("no child has a smaller key", node.key() <= child.key())?;
        is_heap_ordered(child)?;
    }
    Ok(())
}
