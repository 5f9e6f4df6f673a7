//! The repOK of the circular list without a sentinel. No flaw is known.

use beget::heap::view::{NodeSet, OrBroken, RepOk, Verdict, clause};

use super::{DoublyLinkedList, DoublyLinkedListView, EntryView};

/// The published repOK.
pub const REP_OKS: [RepOk<DoublyLinkedList>; 1] =
    [RepOk::<DoublyLinkedList>::new("published", rep_ok)];

fn rep_ok(list: DoublyLinkedListView<'_>) -> Verdict {
    let header = list.header().or_broken("the header is there")?;
    if header.element().is_none() {
        return is_empty(list, header);
    }
    let (mut seen, mut entry) = (NodeSet::new(), header);
    while seen.insert(entry) {
        let next = entry.next().or_broken("entries have a next entry")?;
        clause("previous leads back from next", next.previous() == Some(entry))?;
        clause("elements are not null", entry.element().is_some())?;
        entry = next;
    }
    clause("the ring closes at the header", entry == header)?;
    clause("the size is the number of elements", seen.len() as i64 == list.size())
}

/// Checks that the list is empty: its header has no element and is alone on its ring.
fn is_empty(list: DoublyLinkedListView<'_>, header: EntryView<'_>) -> Verdict {
    clause("without an element the size is 0", list.size() == 0)?;
    clause("without an element the header is its own next", header.next() == Some(header))?;
    clause("without an element the header is its own previous", header.previous() == Some(header))
}
