//! Binomial heap of integers, `BinomialHeap` of the ROOPS benchmark.
//!
//! The heap is that of [`crate::shared::binomial`]. A lowered key rises to its place. Behaviour
//! kept: lowering a key does not check that the new one is smaller, so that it can break the order
//! of the heap.

use beget::{Heap, HeapView};

use crate::Misuse;
use crate::shared::binomial::{self, Climb, Merge, Variant};

pub mod rep_ok;

/// A priority queue of integers.
pub type BinomialHeap = binomial::BinomialHeap<Roops>;

/// Picks the variant of this benchmark.
#[derive(Clone, Copy, Debug, Heap, HeapView)]
pub enum Roops {}

impl Variant for Roops {
    const MERGE: Merge = Merge::FromInserted;
    const CLIMB: Climb = Climb::ToItsPlace;
}

beget::suite! {
    /// A binomial heap of integers. Nodes are named by their position among the handles.
    #[name = "roops::binheap"]
    pub suite Binheap for BinomialHeap {
        fn new() -> Self;
        fn insert(&mut self, key: i32);
        fn extract_min(&mut self) -> Result<i32, Misuse>;
        fn decrease_key_at(&mut self, position: usize, key: i32) -> Result<(), Misuse>;
        fn find_minimum(&self) -> Result<i32, Misuse>;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Misuse;
    use crate::shared::binomial::tests::{
        COUNTS, builders, decrease_nth, form, heap, is_ordered, keys_after_merging_into_a_gap,
    };
    use crate::testing::assert_counts;

    #[test]
    fn the_builders_reach_the_published_numbers() {
        assert_counts(&COUNTS, |k| builders::<Roops>(k).run(form).counts());
    }

    /// The published numbers with keys lowered on every node, and how many of these are in order.
    #[test]
    fn changing_keys_reaches_heaps_out_of_order() {
        let expected = [(2, 2), (7, 6), (40, 28), (341, 120)];
        for (k, (all, ordered)) in (1..).zip(expected) {
            let found = builders::<Roops>(k).call_2(decrease_nth).run(form);
            assert_eq!(found.forms.len(), all, "k = {k}");
            let n_ordered = found.structures.iter().filter(|heap| is_ordered(heap)).count();
            assert_eq!(n_ordered, ordered, "k = {k}");
        }
    }

    #[test]
    fn a_lowered_key_rises_to_its_place() {
        let mut heap: BinomialHeap = heap([1, 2, 3, 4]);
        let deepest = heap.handles().nth(2);
        heap.decrease_key_node(deepest, 0).unwrap();
        assert_eq!(format!("{heap:?}"), "[0, 1, 3, 2]");
    }

    #[test]
    fn merging_loses_no_tree() {
        let expected = [2, 3, 4, 20, 21, 22, 23, 24, 25, 26, 27, 30];
        assert_eq!(keys_after_merging_into_a_gap::<Roops>(), expected);
    }

    #[test]
    fn an_empty_heap_has_no_smallest_key() {
        let mut heap = BinomialHeap::new();
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
