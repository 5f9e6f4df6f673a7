//! Binomial heap of integers, `BinomialHeap` of the ROOPS benchmark.
//!
//! The heap is implemented in [`crate::shared::binomial`]. A lowered key rises to its place.
//! Behaviour kept: lowering a key does not check that the new key is smaller, so it can break the
//! order of the heap.

use beget::{Heap, HeapView};

use crate::Misuse;
use crate::shared::binomial::{self, Climb, Merge, Variant};

pub mod rep_ok;

/// A priority queue of integers.
pub type BinomialHeap = binomial::BinomialHeap<Roops>;

/// Selects the variant of this benchmark.
#[derive(Clone, Copy, Debug, Heap, HeapView)]
pub enum Roops {}

impl Variant for Roops {
    const MERGE: Merge = Merge::FromInserted;
    const CLIMB: Climb = Climb::ToItsPlace;
}

beget::suite! {
    /// A binomial heap of integers. A node is named by its position among the handles.
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
    use crate::shared::binomial::tests::{builders, decrease_nth, form, is_ordered};

    /// The published counts with changes to the key of any node, and how many heaps are in order.
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
}
