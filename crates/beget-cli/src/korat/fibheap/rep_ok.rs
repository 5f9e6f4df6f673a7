//! The repOK of the Fibonacci heap.
//!
//! No flaw is known, but it admits trees of every shape. The builders make only binomial trees.

use std::iter;

use beget::heap::view::{NodeSet, OrBroken, RepOk, Verdict, clause};

use super::{FibonacciHeap, FibonacciHeapView, NodeView};

/// The published repOK.
pub const REP_OKS: [RepOk<FibonacciHeap>; 1] = [RepOk::<FibonacciHeap>::new("published", rep_ok)];

fn rep_ok(heap: FibonacciHeapView<'_>) -> Verdict {
    let Some(min) = heap.min() else {
        return clause("an empty heap has size 0", heap.n() == 0);
    };
    let mut seen = NodeSet::new();
    is_circle_ok(min, None, &mut seen)?;
    clause("the size is the number of nodes", seen.len() as i64 == heap.n())?;
    are_degrees_right(min)?;
    circle(min).try_for_each(is_heap_ordered)?;
    let least = circle(min).map(NodeView::key).min();
    clause("min has the least key", least == Some(min.key()))
}

/// Checks that the circle from `first` and everything below it is linked both ways, and that no
/// node is in `seen`.
fn is_circle_ok<'h>(
    first: NodeView<'h>,
    parent: Option<NodeView<'h>>,
    seen: &mut NodeSet,
) -> Verdict {
    let mut node = first;
    loop {
        clause("parent is the node above", node.parent() == parent)?;
        clause("no node is met twice", seen.insert(node))?;
        if let Some(child) = node.child() {
            is_circle_ok(child, Some(node), seen)?;
        }
        let right = node.right().or_broken("nodes have a right neighbour")?;
        clause("left leads back from right", right.left() == Some(node))?;
        node = right;
        if node == first {
            return Ok(());
        }
    }
}

/// Iterates over a circle whose links are correct.
fn circle(first: NodeView<'_>) -> impl Iterator<Item = NodeView<'_>> {
    iter::successors(Some(first), move |node| node.right().filter(|&right| right != first))
}

fn children(node: NodeView<'_>) -> impl Iterator<Item = NodeView<'_>> {
    node.child().into_iter().flat_map(circle)
}

fn are_degrees_right(first: NodeView<'_>) -> Verdict {
    for node in circle(first) {
        let n_children = children(node).count() as i64;
        clause("the degree is the number of children", n_children == node.degree())?;
        if let Some(child) = node.child() {
            are_degrees_right(child)?;
        }
    }
    Ok(())
}

fn is_heap_ordered(node: NodeView<'_>) -> Verdict {
    let key = node.key();
    for child in children(node) {
        clause("no child has a smaller key", child.key() >= key)?;
        is_heap_ordered(child)?;
    }
    Ok(())
}
