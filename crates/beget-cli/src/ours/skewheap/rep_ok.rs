//! The repOK of the skew heap.

use beget::heap::view::{NodeSet, RepOk, Verdict, clause};

use super::{NodeView, SkewHeap, SkewHeapView};

/// Our repOK.
pub const REP_OKS: [RepOk<SkewHeap>; 1] = [RepOk::<SkewHeap>::new("published", rep_ok)];

fn rep_ok(heap: SkewHeapView<'_>) -> Verdict {
    let mut seen = NodeSet::new();
    if let Some(root) = heap.root() {
        seen.insert(root);
        is_tree_ok(root, &mut seen)?;
    }
    clause("the length is the number of keys", heap.len() == seen.len() as i64)
}

/// Checks the nodes below `node`; `node` itself is already in `seen`.
fn is_tree_ok(node: NodeView<'_>, seen: &mut NodeSet) -> Verdict {
    let (left, right) = (node.left(), node.right());
    clause("who has a right child has a left one", right.is_none() || left.is_some())?;
    for child in left.into_iter().chain(right) {
        clause("no node is met twice", seen.insert(child))?;
        clause("no child has a smaller key", child.key() >= node.key())?;
        is_tree_ok(child, seen)?;
    }
    Ok(())
}
