//! Circular doubly linked list with a header, `cdlist.LinkedList` of the FAJITA benchmark.
//!
//! The list is implemented in [`crate::shared::circular`]. The operations are sound. But the
//! published representation invariant describes a null-terminated list and rejects every list that
//! they build.

use std::ptr::NonNull;

use beget::{Heap, HeapView};

use crate::Misuse;
use crate::shared::circular::CircularList;
use crate::shared::ring::{Link, RingNode};

pub mod rep_ok;

/// A list of integers.
pub type LinkedList = CircularList<Node>;

/// A node of a [`LinkedList`].
#[derive(Debug, Heap, HeapView)]
pub struct Node {
    #[heap(unsafe(pointer))]
    previous: Option<NonNull<Node>>,
    #[heap(unsafe(pointer))]
    next: Option<NonNull<Node>>,
    value: Option<i32>,
}

impl LinkedList {
    /// Appends the value; always returns true.
    pub fn add(&mut self, value: i32) -> bool {
        self.insert(self.len(), value);
        true
    }

    /// Appends the value; always returns true.
    pub fn add_last(&mut self, value: i32) -> bool {
        self.add(value)
    }

    /// Prepends the value; always returns true.
    pub fn add_first(&mut self, value: i32) -> bool {
        self.insert(0, value);
        true
    }

    /// Inserts the value before the one at `index`.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when `index` is larger than the size.
    pub fn add_at(&mut self, index: usize, value: i32) -> Result<(), Misuse> {
        if index > self.len() {
            return Err(Misuse::out_of_range(index, self.len() + 1));
        }
        self.insert(index, value);
        Ok(())
    }

    /// Removes and returns the value at `index`.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when the list has no such position.
    pub fn remove_index(&mut self, index: usize) -> Result<i32, Misuse> {
        self.take(index).ok_or_else(|| Misuse::out_of_range(index, self.len()))
    }

    /// Removes and returns the first value.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when the list is empty.
    pub fn remove_first(&mut self) -> Result<i32, Misuse> {
        self.take(0).ok_or(Misuse::Empty)
    }

    /// Removes and returns the last value.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when the list is empty.
    pub fn remove_last(&mut self) -> Result<i32, Misuse> {
        let last = self.len().checked_sub(1).ok_or(Misuse::Empty)?;
        self.take(last).ok_or(Misuse::Empty)
    }

    /// Removes the first occurrence of the value and returns whether it was present.
    pub fn remove(&mut self, value: i32) -> bool {
        self.position(value).and_then(|index| self.take(index)).is_some()
    }

    /// Replaces the value at `index` and returns the old one.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when the list has no such position.
    pub fn set(&mut self, index: usize, value: i32) -> Result<i32, Misuse> {
        self.replace(index, value).ok_or_else(|| Misuse::out_of_range(index, self.len()))
    }

    /// Removes all values.
    pub fn clear(&mut self) {
        self.discard_all();
    }

    /// Returns the number of values.
    pub fn size(&self) -> usize {
        self.len()
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the value at `index`.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when the list has no such position.
    pub fn get(&self, index: usize) -> Result<i32, Misuse> {
        self.value(index).ok_or_else(|| Misuse::out_of_range(index, self.len()))
    }

    /// Returns the first value.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when the list is empty.
    pub fn get_first(&self) -> Result<i32, Misuse> {
        self.value(0).ok_or(Misuse::Empty)
    }

    /// Returns the last value.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when the list is empty.
    pub fn get_last(&self) -> Result<i32, Misuse> {
        self.values().last().ok_or(Misuse::Empty)
    }

    /// Returns the first position of the value.
    pub fn index_of(&self, value: i32) -> Option<usize> {
        self.position(value)
    }

    /// Returns the last position of the value.
    pub fn last_index_of(&self, value: i32) -> Option<usize> {
        self.last_position(value)
    }

    /// Returns whether the list contains the value.
    pub fn contains(&self, value: i32) -> bool {
        self.position(value).is_some()
    }
}

impl RingNode for Node {
    const LIST: &'static str = "LinkedList";

    fn new(value: Option<i32>) -> Self {
        Self { previous: None, next: None, value }
    }

    fn value(&mut self) -> &mut Option<i32> {
        &mut self.value
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
    #[name = "fajita::cdlist"]
    pub suite Cdlist for LinkedList {
        fn new() -> Self;
        fn add(&mut self, value: i32) -> bool;
        fn add_last(&mut self, value: i32) -> bool;
        fn add_first(&mut self, value: i32) -> bool;
        fn add_at(&mut self, index: usize, value: i32) -> Result<(), Misuse>;
        fn remove_index(&mut self, index: usize) -> Result<i32, Misuse>;
        fn remove_first(&mut self) -> Result<i32, Misuse>;
        fn remove_last(&mut self) -> Result<i32, Misuse>;
        fn remove(&mut self, value: i32) -> bool;
        fn set(&mut self, index: usize, value: i32) -> Result<i32, Misuse>;
        fn clear(&mut self);
        fn size(&self) -> usize;
        fn is_empty(&self) -> bool;
        fn get(&self, index: usize) -> Result<i32, Misuse>;
        fn get_first(&self) -> Result<i32, Misuse>;
        fn get_last(&self) -> Result<i32, Misuse>;
        fn index_of(&self, value: i32) -> Option<usize>;
        fn last_index_of(&self, value: i32) -> Option<usize>;
        fn contains(&self, value: i32) -> bool;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::circular::tests::{COUNTS, form};
    use crate::testing::{Search, assert_counts};

    fn list(values: impl IntoIterator<Item = i32>) -> LinkedList {
        let mut list = LinkedList::new();
        values.into_iter().for_each(|value| assert!(list.add(value)));
        list
    }

    fn insertions(k: i32) -> Search<LinkedList> {
        Search::new(k).starts(LinkedList::new).call_1(LinkedList::add)
    }

    #[test]
    fn the_builders_reach_the_published_numbers() {
        assert_counts(&COUNTS, |k| insertions(k).run(form).counts());
    }

    #[test]
    fn all_mutators_together_reach_nothing_more() {
        for k in 1..=4 {
            let all = insertions(k)
                .call_1(|list, x| list.add_first(x).then_some(()).ok_or(Misuse::Full))
                .call_1(|list, x| list.add_last(x).then_some(()).ok_or(Misuse::Full))
                .call_1(|list, x| list.remove(x).then_some(()).ok_or(Misuse::Empty))
                .call_1(|list, index| list.remove_index(index as usize))
                .call_2(|list, index, x| list.add_at(index as usize, x))
                .call_2(|list, index, x| list.set(index as usize, x))
                .call(LinkedList::remove_first)
                .call(LinkedList::remove_last)
                .call(LinkedList::clear);
            assert_eq!(all.run(form).forms, insertions(k).run(form).forms, "k = {k}");
        }
    }

    #[test]
    fn values_are_inserted_where_asked() {
        let mut list = list([1]);
        list.add_first(0);
        assert_eq!(list.add_at(2, 3), Ok(()));
        assert_eq!(list.add_at(2, 2), Ok(()));
        assert_eq!(list.add_at(5, 9), Err(Misuse::OutOfRange { index: 5, len: 5 }));
        assert_eq!(format!("{list:?}"), "[0, 1, 2, 3]");
    }

    #[test]
    fn removing_returns_what_was_there() {
        let mut list = list([4, 5, 6, 5, 7]);
        assert_eq!((list.remove_first(), list.remove_last()), (Ok(4), Ok(7)));
        assert!(list.remove(5) && !list.remove(9));
        assert_eq!(list.remove_index(1), Ok(5));
        assert_eq!(list.remove_index(1), Err(Misuse::OutOfRange { index: 1, len: 1 }));
        list.clear();
        assert!(list.is_empty());
        assert_eq!(
            (list.remove_first(), list.remove_last()),
            (Err(Misuse::Empty), Err(Misuse::Empty))
        );
    }

    #[test]
    fn observers_see_the_values() {
        let mut list = list([4, 5, 4]);
        assert_eq!(list.set(1, 6), Ok(5));
        assert_eq!(list.set(3, 6), Err(Misuse::OutOfRange { index: 3, len: 3 }));
        assert_eq!((list.get(1), list.get_first(), list.get_last()), (Ok(6), Ok(4), Ok(4)));
        assert_eq!(
            (list.index_of(4), list.last_index_of(4), list.index_of(5)),
            (Some(0), Some(2), None)
        );
        assert!(list.contains(6) && !list.contains(5) && list.size() == 3);
        assert_eq!(list.get(3), Err(Misuse::OutOfRange { index: 3, len: 3 }));
        assert_eq!(LinkedList::new().get_first(), Err(Misuse::Empty));
        assert_eq!(LinkedList::new().get_last(), Err(Misuse::Empty));
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let original = list([1, 2]);
        let mut clone = original.clone();
        clone.set(0, 9).unwrap();
        clone.add(3);
        assert_eq!(format!("{original:?} {clone:?}"), "[1, 2] [9, 2, 3]");
    }
}
