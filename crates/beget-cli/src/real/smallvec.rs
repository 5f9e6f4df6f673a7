//! A vector that holds a few elements in place, here two: [`SmallVec`] of the crate `smallvec`. Its
//! state is its contents and whether they are on the heap.

pub use smallvec::SmallVec;

/// Operations that need more than plain values as arguments, each with a fixed choice.
pub trait More {
    /// Calls `retain` to keep the even elements.
    fn retain_even(&mut self);
    /// Calls `drain(from..)`.
    fn drain_from(&mut self, from: usize);
}

impl More for SmallVec<[u8; 2]> {
    fn retain_even(&mut self) {
        self.retain(|element| *element % 2 == 0);
    }

    fn drain_from(&mut self, from: usize) {
        self.drain(from..);
    }
}

beget::suite! {
    /// A vector of small integers with room for two of them in place.
    #[name = "real::smallvec"]
    pub suite Smallvec for SmallVec<[u8; 2]> {
        abstraction |vec| -> (Vec<u8>, bool) { (vec.to_vec(), vec.spilled()) };
        fn new() -> Self;
        fn with_capacity(capacity: usize) -> Self;
        fn from_slice(elements: &[u8; 2]) -> Self;
        fn from_buf(elements: [u8; 2]) -> Self;
        fn from_elem(element: u8, len: usize) -> Self;
        fn push(&mut self, element: u8);
        fn pop(&mut self) -> Option<u8>;
        fn insert(&mut self, index: usize, element: u8);
        fn remove(&mut self, index: usize) -> u8;
        fn swap_remove(&mut self, index: usize) -> u8;
        fn truncate(&mut self, len: usize);
        fn resize(&mut self, len: usize, element: u8);
        fn append(&mut self, other: &mut Self);
        fn extend_from_slice(&mut self, elements: &[u8; 2]);
        fn insert_from_slice(&mut self, index: usize, elements: &[u8; 2]);
        fn drain_from(&mut self, from: usize);
        fn retain_even(&mut self);
        fn dedup(&mut self);
        fn clear(&mut self);
        fn reserve(&mut self, additional: usize);
        fn reserve_exact(&mut self, additional: usize);
        fn grow(&mut self, capacity: usize);
        fn shrink_to_fit(&mut self);
        fn clone(&self) -> Self;
        fn as_slice(&self) -> &[u8];
        fn len(&self) -> usize;
        fn is_empty(&self) -> bool;
        fn capacity(&self) -> usize;
        fn spilled(&self) -> bool;
        fn eq(&self, other: &Self) -> bool;
        fn into_vec(self) -> Vec<u8>;
    }
}
