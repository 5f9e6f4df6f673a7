//! Binomial heap of integers, `BinomialHeap` of the FAJITA benchmark.
//!
//! The heap is implemented in [`crate::shared::binomial`].
//!
//! Defects kept: a lowered key rises by at most one level ([`Climb::OneLevel`]). If a key is two
//! levels down, [`BinomialHeap::delete`] therefore extracts another key and leaves an artificial
//! one behind. Repeated deletions make ever smaller keys. Lowering a key does not check that the
//! new key is smaller.

use beget::{Heap, HeapView};

use crate::Misuse;
use crate::shared::binomial::{self, Climb, Merge, Variant};

pub mod rep_ok;

/// A priority queue of integers.
pub type BinomialHeap = binomial::BinomialHeap<Fajita>;

/// Selects the variant of this benchmark.
#[derive(Clone, Copy, Debug, Heap, HeapView)]
pub enum Fajita {}

impl Variant for Fajita {
    const MERGE: Merge = Merge::FromInserted;
    const CLIMB: Climb = Climb::OneLevel;
}

beget::suite! {
    /// A binomial heap of integers. A node is named by its position among the handles.
    #[name = "fajita::binheap"]
    pub suite Binheap for BinomialHeap {
        fn new() -> Self;
        fn insert(&mut self, key: i32);
        fn extract_min(&mut self) -> Result<i32, Misuse>;
        fn delete(&mut self, key: i32);
        fn decrease_key_at(&mut self, position: usize, key: i32) -> Result<(), Misuse>;
        fn find_minimum(&self) -> Result<i32, Misuse>;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::binomial::tests::{builders, form, sorted_keys};
    use crate::testing::Search;

    fn with_delete(k: i32) -> Search<BinomialHeap> {
        builders::<Fajita>(k).call_1(BinomialHeap::delete)
    }

    #[test]
    fn up_to_three_keys_deleting_reaches_nothing_more() {
        for k in 1..=3 {
            assert_eq!(
                with_delete(k).run(form).forms,
                builders::<Fajita>(k).run(form).forms,
                "k = {k}"
            );
        }
    }

    /// The published counts of heaps after nine rounds at k = 4: all, and those with negative keys.
    #[test]
    fn with_four_keys_deleting_has_no_end() {
        let found = with_delete(4).stop_after(9).run(form);
        let has_negative = |heap: &&BinomialHeap| sorted_keys(heap).first().is_some_and(|&x| x < 0);
        let n_negative = found.structures.iter().filter(has_negative).count();
        assert_eq!((found.forms.len(), n_negative), (230, 110));
    }
}
