//! The priority queue of the standard library, [`BinaryHeap`]. Its state is its contents in sorted
//! order: two heaps that differ only in the order of their array are equal.

pub use std::collections::BinaryHeap;

/// Operations that need more than plain values as arguments, each with a fixed choice.
pub trait More {
    /// Calls `retain` to keep the even elements.
    fn retain_even(&mut self);
    /// Sets the greatest element to 0 through `peek_mut`.
    fn zero_greatest(&mut self);
}

impl More for BinaryHeap<u8> {
    fn retain_even(&mut self) {
        self.retain(|element| *element % 2 == 0);
    }

    fn zero_greatest(&mut self) {
        if let Some(mut greatest) = self.peek_mut() {
            *greatest = 0;
        }
    }
}

beget::suite! {
    /// The standard priority queue of small integers.
    #[name = "real::binaryheap"]
    pub suite Binaryheap for BinaryHeap<u8> {
        fn new() -> Self;
        fn with_capacity(capacity: usize) -> Self;
        fn from_elements(elements: [u8; 2]) -> Self = From::from;
        fn push(&mut self, element: u8);
        fn pop(&mut self) -> Option<u8>;
        fn append(&mut self, other: &mut Self);
        fn extend(&mut self, elements: [u8; 2]);
        fn drain(&mut self) -> std::collections::binary_heap::Drain<'_, u8>;
        fn clear(&mut self);
        fn retain_even(&mut self);
        fn zero_greatest(&mut self);
        fn reserve(&mut self, additional: usize);
        fn reserve_exact(&mut self, additional: usize);
        fn shrink_to_fit(&mut self);
        fn shrink_to(&mut self, capacity: usize);
        fn clone(&self) -> Self;
        fn peek(&self) -> Option<&u8>;
        fn len(&self) -> usize;
        fn is_empty(&self) -> bool;
        fn as_slice(&self) -> &[u8];
        fn iter(&self) -> impl Iterator<Item = &u8>;
        fn into_vec(self) -> Vec<u8>;
        fn into_sorted_vec(self) -> Vec<u8>;
    }
}
