//! Binomial heap of integers, `BinomialHeap` of the FAJITA benchmark.
//!
//! The heap is that of [`crate::shared::binomial`].
//!
//! Defects kept: a lowered key rises by one level at most ([`Climb::OneLevel`]). So
//! [`BinomialHeap::delete`] of a key two levels down extracts another one, and the artificial key
//! that was to be extracted stays: repeated deletions make ever smaller keys. Lowering a key does
//! not check that the new one is smaller.

use beget::{Heap, HeapView};

use crate::Misuse;
use crate::shared::binomial::{self, Climb, Merge, Variant};

pub mod rep_ok;

/// A priority queue of integers.
pub type BinomialHeap = binomial::BinomialHeap<Fajita>;

/// Picks the variant of this benchmark.
#[derive(Clone, Copy, Debug, Heap, HeapView)]
pub enum Fajita {}

impl Variant for Fajita {
    const MERGE: Merge = Merge::FromInserted;
    const CLIMB: Climb = Climb::OneLevel;
}

impl BinomialHeap {
    /// Lowers the first node with this key to one less than the smallest key, then extracts the
    /// smallest key. Nothing happens when the key is not there.
    pub fn delete(&mut self, key: i32) {
        self.delete_key(key);
    }
}

beget::suite! {
    /// A binomial heap of integers. Nodes are named by their position among the handles.
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
    use crate::Misuse;
    use crate::shared::binomial::tests::{
        COUNTS, builders, form, heap, keys_after_merging_into_a_gap, sorted_keys,
    };
    use crate::testing::{Search, assert_counts};

    fn with_delete(k: i32) -> Search<BinomialHeap> {
        builders::<Fajita>(k).call_1(BinomialHeap::delete)
    }

    #[test]
    fn the_builders_reach_the_published_numbers() {
        assert_counts(&COUNTS, |k| builders::<Fajita>(k).run(form).counts());
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

    /// The published numbers of heaps after nine rounds at k = 4: all, those with negative keys.
    #[test]
    fn with_four_keys_deleting_has_no_end() {
        let found = with_delete(4).stop_after(9).run(form);
        let has_negative = |heap: &&BinomialHeap| sorted_keys(heap).first().is_some_and(|&x| x < 0);
        let n_negative = found.structures.iter().filter(has_negative).count();
        assert_eq!((found.forms.len(), n_negative), (230, 110));
    }

    #[test]
    fn a_key_below_a_root_is_deleted() {
        let mut heap: BinomialHeap = heap([1, 2, 3]);
        heap.delete(2);
        heap.delete(7);
        assert_eq!(sorted_keys(&heap), [1, 3]);
    }

    #[test]
    fn deleting_a_key_two_levels_down_removes_another_and_leaves_an_artificial_one() {
        let mut heap: BinomialHeap = heap([1, 2, 3, 4]);
        heap.delete(4);
        assert_eq!(sorted_keys(&heap), [0, 2, 3]);
    }

    #[test]
    fn a_lowered_key_rises_by_one_level_only() {
        let mut heap: BinomialHeap = heap([1, 2, 3, 4]);
        let deepest = heap.handles().nth(2);
        heap.decrease_key_node(deepest, 0).unwrap();
        assert_eq!(format!("{heap:?}"), "[1, 0, 3, 2]");
    }

    #[test]
    fn merging_loses_no_tree() {
        let expected = [2, 3, 4, 20, 21, 22, 23, 24, 25, 26, 27, 30];
        assert_eq!(keys_after_merging_into_a_gap::<Fajita>(), expected);
    }

    #[test]
    fn an_empty_heap_has_no_smallest_key() {
        let mut heap = BinomialHeap::new();
        heap.delete(1);
        assert_eq!(heap.extract_min(), Err(Misuse::Empty));
        assert_eq!(heap.find_minimum(), Err(Misuse::Empty));
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let original: BinomialHeap = heap([1, 2]);
        let mut clone = original.clone();
        clone.extract_min().unwrap();
        assert_eq!(format!("{original:?} {clone:?}"), "[1, 2] [2]");
    }
}
