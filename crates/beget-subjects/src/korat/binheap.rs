//! Binomial heap of integers, `BinomialHeap` of the Korat benchmark.
//!
//! The heap is that of [`crate::shared::binomial`].
//!
//! Defects kept: a lowered key rises by one level at most ([`Climb::OneLevel`]). So
//! [`BinomialHeap::delete`] of a key two levels down extracts another one, and the artificial key
//! that should be extracted stays: repeated deletions make ever smaller keys. Lowering a key does
//! not check that the new one is smaller. Merging can lose a tree ([`Merge::FromSuccessor`]),
//! though in no heap of fewer than 13 keys.

use beget::{Heap, HeapView};

use crate::Misuse;
use crate::shared::binomial::{self, Climb, Merge, Variant};

pub mod rep_ok;

/// A priority queue of integers.
pub type BinomialHeap = binomial::BinomialHeap<Korat>;

/// Picks the variant of this benchmark.
#[derive(Clone, Copy, Debug, Heap, HeapView)]
pub enum Korat {}

impl Variant for Korat {
    const MERGE: Merge = Merge::FromSuccessor;
    const CLIMB: Climb = Climb::OneLevel;
}

beget::suite! {
    /// A binomial heap of integers. Nodes are named by their position among the handles.
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
