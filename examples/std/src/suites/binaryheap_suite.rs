//! A harness for `std_census::binaryheap_type::BinaryHeap<u8>`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type BinaryHeap = std_census::binaryheap_type::BinaryHeap<u8>;

// 25 of 25 public functions take part.

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct BinaryHeapState {
    pub text: beget::heap::DebugText,
    pub len: usize,
    pub is_empty: bool,
}

impl BinaryHeapState {
    fn of(binary_heap: &BinaryHeap) -> BinaryHeapState {
        BinaryHeapState {
            text: beget::heap::DebugText::of(binary_heap),
            len: binary_heap.len(),
            is_empty: binary_heap.is_empty(),
        }
    }
}

beget::suite! {
    /// The public functions of `std_census::binaryheap_type::BinaryHeap<u8>`.
    #[name = "std::binaryheap"]
    pub suite BinaryHeapSuite for BinaryHeap {
        abstraction |binary_heap| -> BinaryHeapState { BinaryHeapState::of(binary_heap) };
        fn new() -> Self;
        fn with_capacity(capacity: usize) -> Self;
        fn peek_mut(&mut self) -> String = calls::peek_mut;
        fn pop(&mut self) -> Option<u8>;
        fn push(&mut self, item: u8);
        fn into_sorted_vec(self) -> Vec<u8>;
        fn append(&mut self, other: &mut Self);
        fn retain(&mut self) = calls::retain;
        fn iter(&self) -> Vec<String> = calls::iter;
        fn peek(&self) -> Option<&u8>;
        fn capacity(&self) -> usize;
        fn reserve_exact(&mut self, additional: usize);
        fn reserve(&mut self, additional: usize);
        fn try_reserve_exact(&mut self, additional: usize) -> Result<(), String> = calls::try_reserve_exact;
        fn try_reserve(&mut self, additional: usize) -> Result<(), String> = calls::try_reserve;
        fn shrink_to_fit(&mut self);
        fn shrink_to(&mut self, min_capacity: usize);
        fn as_slice(&self) -> &[u8];
        fn into_vec(self) -> Vec<u8>;
        fn len(&self) -> usize;
        fn is_empty(&self) -> bool;
        fn drain(&mut self) -> Vec<String> = calls::drain;
        fn clear(&mut self);
        fn clone(&self) -> Self;
        fn default() -> Self;
    }
}

/// Functions that take and return what a suite knows, each with one choice of the rest: which
/// closure, which iterator, how what is returned is shown.
pub mod calls {
    use super::BinaryHeap;

    /// The most items that are taken of an iterator.
    const MOST_ITEMS: usize = 16;

    /// What an iterator gives, shown by `Debug`.
    fn driven<I: IntoIterator<Item: std::fmt::Debug>>(items: I) -> Vec<String> {
        items.into_iter().take(MOST_ITEMS).map(|item| format!("{item:?}")).collect()
    }

    /// A value shown by `Debug`.
    fn shown(value: &impl std::fmt::Debug) -> String {
        format!("{value:?}")
    }

    pub fn peek_mut(binary_heap: &mut BinaryHeap) -> String {
        shown(&binary_heap.peek_mut())
    }

    pub fn retain(binary_heap: &mut BinaryHeap) {
        binary_heap.retain(|a| (*a) % 2 == 0)
    }

    pub fn iter(binary_heap: &BinaryHeap) -> Vec<String> {
        driven(binary_heap.iter())
    }

    pub fn try_reserve_exact(
        binary_heap: &mut BinaryHeap,
        additional: usize,
    ) -> Result<(), String> {
        binary_heap.try_reserve_exact(additional).map_err(|error| shown(&error))
    }

    pub fn try_reserve(binary_heap: &mut BinaryHeap, additional: usize) -> Result<(), String> {
        binary_heap.try_reserve(additional).map_err(|error| shown(&error))
    }

    pub fn drain(binary_heap: &mut BinaryHeap) -> Vec<String> {
        driven(binary_heap.drain())
    }
}
