//! The repOK of the Fibonacci heap.
//!
//! The published repOK has five flaws. It rejects the empty heap, does not require the least key at
//! the minimum, lets nodes without children have any degree, requires keys in the wrong order, and
//! requires that no node has a parent. The benchmark's correction keeps the last flaw, and lets
//! nodes below the roots have any degree if they have no children.

use beget::heap::view::{NodeSet, OrBroken, RepOk, Verdict, Worklist, clause};

use super::{FibHeap, FibHeapView, NodeView};
use crate::shared::Version::{self, Corrected, Mended, Published};

/// The published repOK, the benchmark's correction, and the version without known flaws.
pub const REP_OKS: [RepOk<FibHeap>; 3] = [
    RepOk::<FibHeap>::new("published", |heap| rep_ok(heap, Published)),
    RepOk::<FibHeap>::new("mended", |heap| rep_ok(heap, Mended)),
    RepOk::<FibHeap>::new("corrected", |heap| rep_ok(heap, Corrected)),
];

/// The nodes visited so far, and the nodes whose children are still to be visited.
#[derive(Default)]
struct Met<'h> {
    seen: NodeSet,
    parents: Worklist<'h, NodeView<'h>>,
}

fn rep_ok(heap: FibHeapView<'_>, version: Version) -> Verdict {
    let Some(min) = heap.min() else {
        clause("min is a root", version >= Mended)?;
        return clause("an empty heap has size 0", heap.n() == 0);
    };
    let mut met = Met::default();
    let mut root = min;
    loop {
        is_root_ok(heap, root, min, version)?;
        met.queue(root, version >= Mended)?;
        met.see(root)?;
        root = root.left().or_broken("nodes have a left neighbour")?;
        if root == min {
            break;
        }
    }
    while let Some(parent) = met.parents.pop_first() {
        are_children_ok(parent, &mut met, version)?;
    }
    clause("the size is the number of nodes", met.seen.len() as i64 == heap.n())
}

fn is_root_ok<'h>(
    heap: FibHeapView<'h>,
    root: NodeView<'h>,
    min: NodeView<'h>,
    version: Version,
) -> Verdict {
    let left = root.left().or_broken("nodes have a left neighbour")?;
    root.right().or_broken("nodes have a right neighbour")?;
    clause("right leads back from left", heap.n() == 0 || left.right() == Some(root))?;
    if version >= Mended {
        clause("min has the least key", root.key() >= min.key())?;
    }
    clause("roots have no parent", root.parent().is_none())
}

fn are_children_ok<'h>(parent: NodeView<'h>, met: &mut Met<'h>, version: Version) -> Verdict {
    let first = parent.child().or_broken("a parent has a child")?;
    let (mut child, mut n_children) = (first, 0);
    loop {
        let left = child.left().or_broken("nodes have a left neighbour")?;
        child.right().or_broken("nodes have a right neighbour")?;
        clause("right leads back from left", left.right() == Some(child))?;
        is_link_up_ok(child, parent, version)?;
        met.queue(child, version == Corrected)?;
        is_order_ok(child, parent, version)?;
        met.see(child)?;
        n_children += 1;
        child = left;
        if child == first {
            break;
        }
    }
    clause("the degree is the number of children", n_children == parent.degree())
}

fn is_link_up_ok(child: NodeView<'_>, parent: NodeView<'_>, version: Version) -> Verdict {
    if version == Corrected {
        clause("parent is the node above", child.parent() == Some(parent))
    } else {
        clause("no node has a parent", child.parent().is_none())
    }
}

fn is_order_ok(child: NodeView<'_>, parent: NodeView<'_>, version: Version) -> Verdict {
    if version == Published {
        clause("no child has a larger key", child.key() <= parent.key())
    } else {
        clause("no child has a smaller key", child.key() >= parent.key())
    }
}

impl<'h> Met<'h> {
    fn queue(&mut self, node: NodeView<'h>, is_degree_checked: bool) -> Verdict {
        if node.child().is_some() {
            self.parents.push(node);
        } else if is_degree_checked {
            clause("a node without children has degree 0", node.degree() == 0)?;
        }
        Ok(())
    }

    fn see(&mut self, node: NodeView<'h>) -> Verdict {
        clause("no node is met twice", self.seen.insert(node))
    }
}
