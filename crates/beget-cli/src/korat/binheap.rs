//! Binomial heap of integers, `BinomialHeap` of the Korat benchmark.
//!
//! The heap is implemented in [`crate::shared::binomial`].
//!
//! Defects kept: a lowered key rises by at most one level ([`Climb::OneLevel`]). If a key is two
//! levels down, [`BinomialHeap::delete`] therefore extracts another key and leaves an artificial
//! one behind. Repeated deletions make ever smaller keys. Lowering a key does not check that the
//! new key is smaller. Merging can lose a tree ([`Merge::FromSuccessor`]), but only in heaps of 13
//! or more keys.

use beget::{Heap, HeapView};

use crate::Misuse;
use crate::shared::binomial::{self, Climb, Merge, Variant};

pub mod rep_ok;

/// A priority queue of integers.
pub type BinomialHeap = binomial::BinomialHeap<Korat>;

/// Selects the variant of this benchmark.
#[derive(Clone, Copy, Debug, Heap, HeapView)]
pub enum Korat {}

impl Variant for Korat {
    const MERGE: Merge = Merge::FromSuccessor;
    const CLIMB: Climb = Climb::OneLevel;
}

beget::suite! {
    /// A binomial heap of integers. A node is named by its position among the handles.
    #[name = "korat::binheap"]
    pub suite Binheap for BinomialHeap {
        fn new() -> Self;
        fn insert(&mut self, key: i32);
        fn extract_min(&mut self) -> Result<i32, Misuse>;
        fn delete(&mut self, key: i32);
        fn decrease_key_at(&mut self, position: usize, key: i32) -> Result<(), Misuse>;
        fn find_minimum(&self) -> Result<i32, Misuse>;
    }
}
