//! The double-ended queue of the standard library, [`VecDeque`]. Its state is its contents. The
//! state leaves out the capacity and where the ring begins in memory.

pub use std::collections::VecDeque;

/// Operations that need more than plain values as arguments, each with a fixed choice.
pub trait More {
    /// Calls `retain` to keep the even elements.
    fn retain_even(&mut self);
    /// Calls `drain(from..)`.
    fn drain_from(&mut self, from: usize);
}

impl More for VecDeque<u8> {
    fn retain_even(&mut self) {
        self.retain(|element| *element % 2 == 0);
    }

    fn drain_from(&mut self, from: usize) {
        self.drain(from..);
    }
}

beget::suite! {
    /// The standard double-ended queue of small integers.
    #[name = "real::vecdeque"]
    pub suite Vecdeque for VecDeque<u8> {
        fn new() -> Self;
        fn with_capacity(capacity: usize) -> Self;
        fn push_front(&mut self, element: u8);
        fn push_back(&mut self, element: u8);
        fn pop_front(&mut self) -> Option<u8>;
        fn pop_back(&mut self) -> Option<u8>;
        fn insert(&mut self, index: usize, element: u8);
        fn remove(&mut self, index: usize) -> Option<u8>;
        fn swap_remove_front(&mut self, index: usize) -> Option<u8>;
        fn swap_remove_back(&mut self, index: usize) -> Option<u8>;
        fn swap(&mut self, first: usize, second: usize);
        fn rotate_left(&mut self, by: usize);
        fn rotate_right(&mut self, by: usize);
        fn truncate(&mut self, len: usize);
        fn resize(&mut self, len: usize, element: u8);
        fn append(&mut self, other: &mut Self);
        fn split_off(&mut self, at: usize) -> Self;
        fn drain_from(&mut self, from: usize);
        fn retain_even(&mut self);
        fn clear(&mut self);
        fn make_contiguous(&mut self) -> &mut [u8];
        fn reserve(&mut self, additional: usize);
        fn shrink_to_fit(&mut self);
        fn clone(&self) -> Self;
        fn front(&self) -> Option<&u8>;
        fn back(&self) -> Option<&u8>;
        fn get(&self, index: usize) -> Option<&u8>;
        fn contains(&self, element: &u8) -> bool;
        fn as_slices(&self) -> (&[u8], &[u8]);
        fn len(&self) -> usize;
        fn is_empty(&self) -> bool;
        fn eq(&self, other: &Self) -> bool;
    }
}
