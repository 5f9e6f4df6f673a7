//! The repOK of the singly linked list. No flaw is known.

use beget::heap::view::{NodeSet, OrBroken, RepOk, Verdict, clause};

use super::{SinglyLinkedList, SinglyLinkedListView};

/// The published repOK.
pub const REP_OKS: [RepOk<SinglyLinkedList>; 1] =
    [RepOk::<SinglyLinkedList>::new("published", rep_ok)];

fn rep_ok(list: SinglyLinkedListView<'_>) -> Verdict {
    let header = list.header().or_broken("the header is there")?;
    clause("the header has no element", header.element().is_none())?;
    let (mut seen, mut entry) = (NodeSet::new(), header);
    seen.insert(header);
    while let Some(next) = entry.next() {
        clause("elements are not null", next.element().is_some())?;
        clause("the list is acyclic", seen.insert(next))?;
        entry = next;
    }
    clause("the size is the number of elements", seen.len() as i64 - 1 == list.size())
}
