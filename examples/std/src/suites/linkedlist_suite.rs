//! A harness for `std_census::linkedlist_type::LinkedList<u8>`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type LinkedList = std_census::linkedlist_type::LinkedList<u8>;

// 25 of 25 public functions take part.

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct LinkedListState {
    pub text: beget::heap::DebugText,
    pub is_empty: bool,
    pub len: usize,
}

impl LinkedListState {
    fn of(linked_list: &LinkedList) -> LinkedListState {
        LinkedListState {
            text: beget::heap::DebugText::of(linked_list),
            is_empty: linked_list.is_empty(),
            len: linked_list.len(),
        }
    }
}

beget::suite! {
    /// The public functions of `std_census::linkedlist_type::LinkedList<u8>`.
    #[name = "std::linkedlist"]
    pub suite LinkedListSuite for LinkedList {
        abstraction |linked_list| -> LinkedListState { LinkedListState::of(linked_list) };
        fn new() -> Self;
        fn append(&mut self, other: &mut Self);
        fn iter(&self) -> Vec<String> = calls::iter;
        fn iter_mut(&mut self) -> Vec<String> = calls::iter_mut;
        fn is_empty(&self) -> bool;
        fn len(&self) -> usize;
        fn clear(&mut self);
        fn contains(&self, x: &u8) -> bool;
        fn front(&self) -> Option<&u8>;
        fn front_mut(&mut self) -> Option<&mut u8>;
        fn back(&self) -> Option<&u8>;
        fn back_mut(&mut self) -> Option<&mut u8>;
        fn push_front(&mut self, elt: u8);
        fn push_front_mut(&mut self, elt: u8) -> &mut u8;
        fn pop_front(&mut self) -> Option<u8>;
        fn push_back(&mut self, elt: u8);
        fn push_back_mut(&mut self, elt: u8) -> &mut u8;
        fn pop_back(&mut self) -> Option<u8>;
        fn split_off(&mut self, at: usize) -> Self;
        fn extract_if(&mut self) -> String = calls::extract_if;
        fn clone(&self) -> Self;
        fn default() -> Self;
        fn eq(&self, other: &Self) -> bool;
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering>;
        fn cmp(&self, other: &Self) -> std::cmp::Ordering;
    }
}

/// Functions that take and return what a suite knows, each with one choice of the rest: which
/// closure, which iterator, how what is returned is shown.
pub mod calls {
    use super::LinkedList;

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

    pub fn iter(linked_list: &LinkedList) -> Vec<String> {
        driven(linked_list.iter())
    }

    pub fn iter_mut(linked_list: &mut LinkedList) -> Vec<String> {
        driven(linked_list.iter_mut())
    }

    pub fn extract_if(linked_list: &mut LinkedList) -> String {
        shown(&linked_list.extract_if(|a| (*a) % 2 == 0))
    }
}
