//! The repOK of the singly linked list. No flaw is known.

use std::iter;

use beget::heap::view::{NodeSet, OrBroken, RepOk, Verdict, clause};

use super::{NodeView, SinglyLinkedList, SinglyLinkedListView};

/// The published repOK.
pub const REP_OKS: [RepOk<SinglyLinkedList>; 1] =
    [RepOk::<SinglyLinkedList>::new("published", rep_ok)];

fn rep_ok(list: SinglyLinkedListView<'_>) -> Verdict {
    let header = list.header().or_broken("the header is there")?;
    clause("the header has no value", header.value().is_none())?;
    let (mut seen, mut next) = (NodeSet::new(), Some(header));
    while let Some(node) = next {
        clause("the list is acyclic", seen.insert(node))?;
        next = node.next();
    }
    let mut elements = iter::successors(header.next(), |&node| NodeView::next(node));
    elements.try_for_each(|node| clause("elements are not null", node.value().is_some()))
}
