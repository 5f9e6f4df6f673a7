//! The repOK of the circular list.
//!
//! The published repOK describes another list: its last node has no next node, and its header has
//! no previous node. It therefore rejects every list of the class. The correction is the repOK of
//! the ROOPS list.

use std::iter;

use beget::heap::view::{NodeSet, OrBroken, RepOk, Verdict, clause};

use super::{LinkedList, Node, NodeView};
use crate::shared::circular::CircularListView;

/// The published repOK, and the repOK of a ring.
pub const REP_OKS: [RepOk<LinkedList>; 2] = [
    RepOk::<LinkedList>::new("published", published),
    RepOk::<LinkedList>::new("corrected", corrected),
];

fn published(list: CircularListView<'_, Node>) -> Verdict {
    let header = list.header().or_broken("the header is there")?;
    clause("the header has no previous node", header.previous().is_none())?;
    clause("the header has no value", header.value().is_none())?;
    let (mut seen, mut node) = (NodeSet::new(), header);
    seen.insert(node);
    while let Some(next) = node.next() {
        clause("previous leads back from next", next.previous() == Some(node))?;
        clause("the list is acyclic", seen.insert(next))?;
        node = next;
    }
    clause("the size is the number of elements", seen.len() as i64 - 1 == list.size())?;
    let mut elements = iter::successors(header.next(), |&node| NodeView::next(node));
    elements.try_for_each(|node| clause("elements are not null", node.value().is_some()))
}

fn corrected(list: CircularListView<'_, Node>) -> Verdict {
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
