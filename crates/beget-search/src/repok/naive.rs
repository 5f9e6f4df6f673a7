//! The naive twin of the search: every candidate, one after the other.

use std::collections::BTreeSet;

use beget_heap::view::{Table, Verdict, walk};
use beget_heap::{CanonicalForm, Encoder, Layout};

use crate::repok::CandidateSpace;

/// The canonical forms of all candidates that `rep_ok` accepts, found by trying every choice of a
/// value for every field: the expected result of the search, for tests of small scopes.
pub fn naive(
    space: &CandidateSpace,
    rep_ok: &dyn Fn(&Table) -> Verdict,
    layout: &Layout,
) -> BTreeSet<CanonicalForm> {
    let table = space.table();
    let mut encoder = Encoder::new(layout);
    let mut index = vec![0; space.cells.len()];
    let mut forms = BTreeSet::new();
    loop {
        if rep_ok(&table).is_ok() {
            encoder.begin(0);
            if walk(&space.shapes, &table, &mut encoder).is_ok()
                && let Ok(form) = encoder.finish()
            {
                forms.insert(form.to_canonical());
            }
        }
        if !advance(space, &table, &mut index) {
            return forms;
        }
    }
}

/// Counts up by one, the last cell fastest.
fn advance(space: &CandidateSpace, table: &Table, index: &mut [u32]) -> bool {
    for (cell, domain) in space.cells.iter().enumerate().rev().filter(|(_, domain)| domain.len > 0)
    {
        index[cell] = (index[cell] + 1) % domain.len;
        table.set(cell as u32, space.values[(domain.first + index[cell]) as usize]);
        if index[cell] > 0 {
            return true;
        }
    }
    false
}
