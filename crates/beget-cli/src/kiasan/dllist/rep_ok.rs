//! The repOK of the circular list with a header. No flaw is known.

use beget::heap::view::{OrBroken, RepOk, Verdict, clause};

use super::{DoubleLinkedList, Entry};
use crate::shared::circular::CircularListView;

/// The published repOK.
pub const REP_OKS: [RepOk<DoubleLinkedList>; 1] =
    [RepOk::<DoubleLinkedList>::new("published", rep_ok)];

fn rep_ok(list: CircularListView<'_, Entry>) -> Verdict {
    let header = list.header().or_broken("the header is there")?;
    clause("the header has no element", header.element().is_none())?;
    let (mut entry, mut n_elements) = (header, 0);
    loop {
        let next = entry.next().or_broken("entries have a next entry")?;
        entry.previous().or_broken("entries have a previous entry")?;
        clause("previous leads back from next", next.previous() == Some(entry))?;
        let is_element = entry != header;
        clause("elements are not null", !is_element || entry.element().is_some())?;
        n_elements += i64::from(is_element);
        entry = next;
        if entry == header {
            break;
        }
    }
    clause("the size is the number of elements", n_elements == list.size())
}
