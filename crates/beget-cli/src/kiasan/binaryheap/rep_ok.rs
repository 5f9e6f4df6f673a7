//! The repOK of the binary heap.
//!
//! The published repOK is too weak: it does not mention cell 0, which holds no element and is
//! always zero.

use beget::heap::view::{ArrayView, RepOk, Verdict, clause};

use super::{BinaryHeap, BinaryHeapView};

/// The published repOK, and the repOK of the corrected class, which checks cell 0 first.
pub const REP_OKS: [RepOk<BinaryHeap>; 2] = [
    RepOk::<BinaryHeap>::new("published", published),
    RepOk::<BinaryHeap>::new("corrected", |heap| {
        clause("the dummy cell is 0", heap.array().get(0) == Some(0))?;
        published(heap)
    }),
];

fn published(heap: BinaryHeapView<'_>) -> Verdict {
    let size = heap.current_size();
    clause("the size is not negative", size >= 0)?;
    let (size, cells) = (size as usize, heap.array());
    clause("the size is less than the number of cells", size < cells.len())?;
    (1..size).try_for_each(|parent| {
        is_no_larger(cells, parent, 2 * parent, size)?;
        is_no_larger(cells, parent, 2 * parent + 1, size)
    })
}

/// Checks that the child, if it exists, is not smaller than its parent.
fn is_no_larger(cells: ArrayView<'_, i32>, parent: usize, child: usize, size: usize) -> Verdict {
    let is_kept = child > size || cells.at(parent) <= cells.at(child);
    clause("no element is smaller than its parent", is_kept)
}
