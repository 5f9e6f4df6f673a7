//! The doubly linked list of the standard library, [`LinkedList`]. Its state is its contents.

pub use std::collections::LinkedList;

beget::suite! {
    /// The standard doubly linked list of small integers.
    #[name = "real::linkedlist"]
    pub suite Linkedlist for LinkedList<u8> {
        fn new() -> Self;
        fn default() -> Self;
        fn push_front(&mut self, element: u8);
        fn push_back(&mut self, element: u8);
        fn pop_front(&mut self) -> Option<u8>;
        fn pop_back(&mut self) -> Option<u8>;
        fn append(&mut self, other: &mut Self);
        fn split_off(&mut self, at: usize) -> Self;
        fn clear(&mut self);
        fn extend(&mut self, elements: [u8; 2]);
        fn from_elements(elements: [u8; 2]) -> Self = FromIterator::from_iter;
        fn clone(&self) -> Self;
        fn clone_from(&mut self, other: &Self);
        fn front(&self) -> Option<&u8>;
        fn back(&self) -> Option<&u8>;
        fn front_mut(&mut self) -> Option<&mut u8>;
        fn back_mut(&mut self) -> Option<&mut u8>;
        fn contains(&self, element: &u8) -> bool;
        fn len(&self) -> usize;
        fn is_empty(&self) -> bool;
        fn eq(&self, other: &Self) -> bool;
        fn cmp(&self, other: &Self) -> std::cmp::Ordering;
        fn iter(&self) -> impl Iterator<Item = &u8>;
        fn into_iter(self) -> impl Iterator<Item = u8>;
    }
}
