//! Circular doubly linked list with a header, `doublylinkedlist.DoubleLinkedList` of the Kiasan
//! benchmark.
//!
//! The list is implemented in [`crate::shared::circular`]. The only known defect is that the
//! published `clone` always fails; [`DoubleLinkedList::published_clone`] keeps it, beside a proper
//! [`Clone`].

use std::ptr::NonNull;

use beget::{Heap, HeapView};

use crate::Misuse;
use crate::shared::circular::CircularList;
use crate::shared::ring::{Link, RingNode};

pub mod rep_ok;

/// A list of integers.
pub type DoubleLinkedList = CircularList<Entry>;

/// A node of a [`DoubleLinkedList`].
#[derive(Debug, Heap, HeapView)]
pub struct Entry {
    element: Option<i32>,
    #[heap(unsafe(pointer))]
    next: Option<NonNull<Entry>>,
    #[heap(unsafe(pointer))]
    previous: Option<NonNull<Entry>>,
}

impl DoubleLinkedList {
    /// Creates a list of these elements.
    pub fn from_elements(elements: &[i32]) -> Self {
        let mut list = Self::new();
        list.add_all(elements);
        list
    }

    /// Prepends the element.
    pub fn add_first(&mut self, element: i32) {
        self.insert(0, element);
    }

    /// Appends the element.
    pub fn add_last(&mut self, element: i32) {
        self.insert(self.len(), element);
    }

    /// Appends the element; always returns true.
    pub fn add(&mut self, element: i32) -> bool {
        self.add_last(element);
        true
    }

    /// Inserts the element before the one at `index`.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when `index` is larger than the size.
    pub fn add_at(&mut self, index: usize, element: i32) -> Result<(), Misuse> {
        self.add_all_at(index, &[element]).map(drop)
    }

    /// Appends the elements in order; returns whether there were any.
    pub fn add_all(&mut self, elements: &[i32]) -> bool {
        self.extend(elements.iter().copied());
        !elements.is_empty()
    }

    /// Inserts the elements in order before the one at `index`; returns whether there were any.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when there are any and `index` is larger than the size.
    pub fn add_all_at(&mut self, index: usize, elements: &[i32]) -> Result<bool, Misuse> {
        if index > self.len() && !elements.is_empty() {
            return Err(Misuse::out_of_range(index, self.len() + 1));
        }
        for (position, &element) in (index..).zip(elements) {
            self.insert(position, element);
        }
        Ok(!elements.is_empty())
    }

    /// Removes and returns the first element.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when the list is empty.
    pub fn remove_first(&mut self) -> Result<i32, Misuse> {
        self.take(0).ok_or(Misuse::Empty)
    }

    /// Removes and returns the last element.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when the list is empty.
    pub fn remove_last(&mut self) -> Result<i32, Misuse> {
        let last = self.len().checked_sub(1).ok_or(Misuse::Empty)?;
        self.take(last).ok_or(Misuse::Empty)
    }

    /// Removes the first occurrence of the element and returns whether it was present.
    pub fn remove(&mut self, element: i32) -> bool {
        self.position(element).and_then(|index| self.take(index)).is_some()
    }

    /// Removes and returns the element at `index`.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when the list has no such position.
    pub fn remove_at(&mut self, index: usize) -> Result<i32, Misuse> {
        self.take(index).ok_or_else(|| Misuse::out_of_range(index, self.len()))
    }

    /// Replaces the element at `index` and returns the old one.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when the list has no such position.
    pub fn set(&mut self, index: usize, element: i32) -> Result<i32, Misuse> {
        self.replace(index, element).ok_or_else(|| Misuse::out_of_range(index, self.len()))
    }

    /// Removes all elements.
    pub fn clear(&mut self) {
        self.discard_all();
    }

    /// Panics, as the published `clone` does.
    ///
    /// # Panics
    /// Always: the published class is not cloneable.
    pub fn published_clone(&self) -> Self {
        panic!("DoubleLinkedList is not cloneable")
    }

    /// Appends the element to a list; returns whether it is now the last one.
    pub fn test(list: &mut Self, element: i32) -> bool {
        list.add_last(element);
        list.get_last() == Ok(element)
    }

    /// Returns the first element.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when the list is empty.
    pub fn get_first(&self) -> Result<i32, Misuse> {
        self.value(0).ok_or(Misuse::Empty)
    }

    /// Returns the last element.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when the list is empty.
    pub fn get_last(&self) -> Result<i32, Misuse> {
        self.values().last().ok_or(Misuse::Empty)
    }

    /// Returns the element at `index`.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when the list has no such position.
    pub fn get(&self, index: usize) -> Result<i32, Misuse> {
        self.value(index).ok_or_else(|| Misuse::out_of_range(index, self.len()))
    }

    /// Returns whether the list contains the element.
    pub fn contains(&self, element: i32) -> bool {
        self.position(element).is_some()
    }

    /// Returns the first position of the element.
    pub fn index_of(&self, element: i32) -> Option<usize> {
        self.position(element)
    }

    /// Returns the last position of the element.
    pub fn last_index_of(&self, element: i32) -> Option<usize> {
        self.last_position(element)
    }

    /// Returns the number of elements.
    pub fn size(&self) -> usize {
        self.len()
    }
}

impl RingNode for Entry {
    const LIST: &'static str = "DoubleLinkedList";

    fn new(element: Option<i32>) -> Self {
        Self { element, next: None, previous: None }
    }

    fn value(&mut self) -> &mut Option<i32> {
        &mut self.element
    }

    fn previous(&mut self) -> &mut Link<Self> {
        &mut self.previous
    }

    fn next(&mut self) -> &mut Link<Self> {
        &mut self.next
    }
}

beget::suite! {
    /// A circular doubly linked list of integers.
    #[name = "kiasan::dllist"]
    pub suite Dllist for DoubleLinkedList {
        fn new() -> Self;
        fn from_elements(elements: &[i32]) -> Self;
        fn add_first(&mut self, element: i32);
        fn add_last(&mut self, element: i32);
        fn add(&mut self, element: i32) -> bool;
        fn add_at(&mut self, index: usize, element: i32) -> Result<(), Misuse>;
        fn add_all(&mut self, elements: &[i32]) -> bool;
        fn add_all_at(&mut self, index: usize, elements: &[i32]) -> Result<bool, Misuse>;
        fn remove_first(&mut self) -> Result<i32, Misuse>;
        fn remove_last(&mut self) -> Result<i32, Misuse>;
        fn remove(&mut self, element: i32) -> bool;
        fn remove_at(&mut self, index: usize) -> Result<i32, Misuse>;
        fn set(&mut self, index: usize, element: i32) -> Result<i32, Misuse>;
        fn clear(&mut self);
        fn published_clone(&self) -> Self;
        fn test(list: &mut Self, element: i32) -> bool;
        fn get_first(&self) -> Result<i32, Misuse>;
        fn get_last(&self) -> Result<i32, Misuse>;
        fn get(&self, index: usize) -> Result<i32, Misuse>;
        fn contains(&self, element: i32) -> bool;
        fn index_of(&self, element: i32) -> Option<usize>;
        fn last_index_of(&self, element: i32) -> Option<usize>;
        fn size(&self) -> usize;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::circular::tests::{COUNTS, form};
    use crate::testing::{Search, assert_counts};

    #[test]
    fn the_builders_reach_the_published_numbers() {
        assert_counts(&COUNTS, |k| {
            let search =
                Search::new(k).starts(DoubleLinkedList::new).call_1(DoubleLinkedList::add_first);
            search.run(form).counts()
        });
    }

    #[test]
    fn elements_are_inserted_where_asked() {
        let mut list = DoubleLinkedList::from_elements(&[4]);
        list.add_first(1);
        assert!(list.add(5));
        assert_eq!(list.add_all_at(1, &[2, 3]), Ok(true));
        assert_eq!(list.add_at(5, 6), Ok(()));
        assert_eq!(list.add_at(7, 9), Err(Misuse::OutOfRange { index: 7, len: 7 }));
        assert_eq!(format!("{list:?}"), "[1, 2, 3, 4, 5, 6]");
    }

    #[test]
    fn no_elements_can_be_added_anywhere() {
        let mut list = DoubleLinkedList::new();
        assert!(!list.add_all(&[]));
        assert_eq!(list.add_all_at(9, &[]), Ok(false));
    }

    #[test]
    fn removing_returns_what_was_there() {
        let mut list = DoubleLinkedList::from_elements(&[4, 5, 6, 5, 7]);
        assert_eq!((list.remove_first(), list.remove_last()), (Ok(4), Ok(7)));
        assert!(list.remove(5) && !list.remove(9));
        assert_eq!(list.remove_at(1), Ok(5));
        assert_eq!(list.remove_at(1), Err(Misuse::OutOfRange { index: 1, len: 1 }));
        list.clear();
        assert_eq!(
            (list.remove_first(), list.remove_last()),
            (Err(Misuse::Empty), Err(Misuse::Empty))
        );
    }

    #[test]
    fn observers_see_the_elements() {
        let mut list = DoubleLinkedList::from_elements(&[4, 5, 4]);
        assert_eq!(list.set(1, 6), Ok(5));
        assert_eq!((list.get(1), list.get_first(), list.get_last()), (Ok(6), Ok(4), Ok(4)));
        assert_eq!((list.index_of(4), list.last_index_of(4)), (Some(0), Some(2)));
        assert!(list.contains(6) && !list.contains(5) && list.size() == 3);
        assert_eq!(list.get(3), Err(Misuse::OutOfRange { index: 3, len: 3 }));
        assert!(DoubleLinkedList::test(&mut list, 8));
        assert_eq!(DoubleLinkedList::new().get_first(), Err(Misuse::Empty));
    }

    #[test]
    #[should_panic(expected = "not cloneable")]
    fn the_published_clone_fails() {
        DoubleLinkedList::new().published_clone();
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let original = DoubleLinkedList::from_elements(&[1, 2]);
        let mut clone = original.clone();
        clone.set(0, 9).unwrap();
        clone.add(3);
        assert_eq!(format!("{original:?} {clone:?}"), "[1, 2] [9, 2, 3]");
    }
}
