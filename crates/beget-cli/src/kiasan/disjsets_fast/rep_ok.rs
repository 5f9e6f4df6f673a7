//! The repOK of the disjoint sets with union by rank.
//!
//! The published repOK is too weak: it does not compare the rank of a root with its tree, so any
//! rank up to the number of elements will do. No correction is published. Ours admits exactly the
//! structures that the operations build, checked up to 6 elements.

use beget::heap::view::{ArrayView, RepOk, Verdict, clause};

use super::{DisjSetsFast, DisjSetsFastView};

/// The published repOK, and ours, which admits only possible ranks.
pub const REP_OKS: [RepOk<DisjSetsFast>; 2] = [
    RepOk::<DisjSetsFast>::new("published", published),
    RepOk::<DisjSetsFast>::new("corrected", |sets| {
        published(sets)?;
        let cells = sets.s();
        let mut roots = (0..cells.len()).filter(|&element| cells.at(element) < 0);
        roots.try_for_each(|root| is_rank_possible(cells, root))
    }),
];

fn published(sets: DisjSetsFastView<'_>) -> Verdict {
    is_forest(sets.s(), |n_elements| -n_elements)
}

/// Checks that each cell is the element above or, at a root, a negative number not below `least`,
/// which depends on the number of elements. Reads that number first, then the cells in order.
pub(in crate::kiasan) fn is_forest(
    cells: ArrayView<'_, i32>,
    least: impl FnOnce(i64) -> i64,
) -> Verdict {
    let n = cells.len() as i64;
    let (least, mut n_roots) = (least(n), 0);
    for cell in cells.iter() {
        clause("cells are ranks or elements", (least..n).contains(&cell))?;
        n_roots += i64::from(cell < 0);
    }
    clause("there is a root", n_roots > 0)?;
    let leads_to_root = |element| {
        let mut path = std::iter::successors(Some(element), |&at| parent(cells, at));
        // A path to a root meets each element at most once.
        path.nth(cells.len()).is_none()
    };
    clause("parents lead to a root", (0..cells.len()).all(leads_to_root))
}

fn is_rank_possible(cells: ArrayView<'_, i32>, root: usize) -> Verdict {
    let rank = -cells.at(root) as usize;
    let (size, mut heights) = (size(cells, root), heights_below(cells, root));
    heights.sort_unstable();
    clause("a tree of rank r has 2^(r-1) elements", rank as u32 - 1 <= size.ilog2())?;
    let height = 1 + heights.last().copied().unwrap_or(0);
    clause("the rank is at least the height", height <= rank)?;
    clause("single elements have rank 1, and they alone", (rank == 1) == (size == 1))?;
    clause("a root of rank r has r-1 children", heights.len() >= rank - 1)?;
    let are_low = (1..rank).zip(heights).all(|(most, height)| height <= most);
    clause("below a root of rank r are trees of heights up to 1, 2, .. r-1", are_low)
}

/// Returns the heights, in nodes, of the trees below the children of `element`.
fn heights_below(cells: ArrayView<'_, i32>, element: usize) -> Vec<usize> {
    let height = |child| 1 + heights_below(cells, child).into_iter().max().unwrap_or(0);
    children(cells, element).map(height).collect()
}

fn size(cells: ArrayView<'_, i32>, element: usize) -> usize {
    1 + children(cells, element).map(|child| size(cells, child)).sum::<usize>()
}

fn children(cells: ArrayView<'_, i32>, element: usize) -> impl Iterator<Item = usize> {
    (0..cells.len()).filter(move |&child| parent(cells, child) == Some(element))
}

fn parent(cells: ArrayView<'_, i32>, element: usize) -> Option<usize> {
    usize::try_from(cells.at(element)).ok()
}
