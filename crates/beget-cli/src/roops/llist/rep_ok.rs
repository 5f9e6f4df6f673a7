//! The repOK of the circular list. No flaw is known.

use beget::heap::view::{NodeSet, OrBroken, RepOk, Verdict, clause};

use super::{LinkedList, LinkedListView};

/// The published repOK.
pub const REP_OKS: [RepOk<LinkedList>; 1] = [RepOk::<LinkedList>::new("published", rep_ok)];

fn rep_ok(list: LinkedListView<'_>) -> Verdict {
    let header = list.header().or_broken("the header is there")?;
    clause("the header has no value", header.value().is_none())?;
    let (mut seen, mut node) = (NodeSet::new(), header);
    while seen.insert(node) {
        let next = node.next().or_broken("nodes have a next node")?;
        clause("previous leads back from next", next.previous() == Some(node))?;
        clause("elements are not null", node == header || node.value().is_some())?;
        node = next;
    }
    clause("the ring closes at the header", node == header)?;
    clause("the size is the number of elements", seen.len() as i64 - 1 == list.size())
}
