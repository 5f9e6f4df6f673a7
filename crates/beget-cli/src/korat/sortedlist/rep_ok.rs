//! The repOK of the sorted list. No flaw is known.

use beget::heap::view::{NodeSet, OrBroken, RepOk, Verdict, clause};

use super::{EntryView, SortedList, SortedListView};

/// The published repOK.
pub const REP_OKS: [RepOk<SortedList>; 1] = [RepOk::<SortedList>::new("published", rep_ok)];

fn rep_ok(list: SortedListView<'_>) -> Verdict {
    let header = list.header().or_broken("the header is there")?;
    clause("the header has element 0", header.element() == 0)?;
    let n_entries = count_ring(header)?;
    clause("the size is the number of elements", n_entries - 1 == list.size())?;
    is_sorted(header)
}

/// Counts the entries of the header's ring if the ring is closed in both directions.
fn count_ring(header: EntryView<'_>) -> Result<i64, beget::heap::view::BrokenClause> {
    let (mut seen, mut entry) = (NodeSet::new(), header);
    while seen.insert(entry) {
        let next = entry.next().or_broken("entries have a next entry")?;
        clause("elements are not 0", next == header || next.element() != 0)?;
        clause("previous leads back from next", next.previous() == Some(entry))?;
        entry = next;
    }
    clause("the ring closes at the header", entry == header)?;
    Ok(seen.len() as i64)
}

fn is_sorted(header: EntryView<'_>) -> Verdict {
    let entries = std::iter::successors(header.next(), |entry| entry.next());
    let elements = entries.take_while(|&entry| entry != header).map(EntryView::element);
    clause("elements are in order", elements.is_sorted())
}
