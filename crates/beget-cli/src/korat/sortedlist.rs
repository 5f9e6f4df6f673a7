//! Sorted circular doubly linked list, `SortedList` of the Korat benchmark.
//!
//! The list holds positive integers in order; the value 0 marks the header. It has no removal. No
//! defect is known. Behaviour kept: adding a value that is not positive silently does nothing.
//!
//! The entries lie in one vector, and links are positions in it. Positions have no other meaning:
//! lists that differ only in the order of insertion are equal.

use std::fmt;
use std::iter;

use beget::{Heap, HeapView};

pub mod rep_ok;

/// A sorted list of positive integers.
#[derive(Clone, Heap, HeapView)]
pub struct SortedList {
    /// Invariant: present, with the element 0. The field is optional because the link is nullable
    /// in the published class, and its representation invariant checks it.
    #[heap(link = Entry)]
    header: Option<usize>,
    /// Invariant: the number of entries without the header.
    size: usize,
    #[heap(arena(any_order))]
    arena: Vec<Entry>,
}

/// An entry of a [`SortedList`].
#[derive(Clone, Debug, Heap, HeapView)]
pub struct Entry {
    element: i32,
    #[heap(link = Entry)]
    next: Option<usize>,
    #[heap(link = Entry)]
    previous: Option<usize>,
}

#[beget::api(name = "korat::sortedlist")]
impl SortedList {
    /// Creates an empty list.
    pub fn new() -> Self {
        let header = Entry { element: 0, next: Some(0), previous: Some(0) };
        Self { header: Some(0), size: 0, arena: vec![header] }
    }

    /// Inserts a positive value behind all values that are not larger; ignores other values.
    pub fn add(&mut self, element: i32) {
        if element <= 0 {
            return;
        }
        let larger = self.entries().find(|&entry| self.arena[entry].element > element);
        let next = larger.or(self.header).expect("a list has a header");
        let entry = self.arena.len();
        let previous = self.arena[next].previous.replace(entry);
        self.arena.push(Entry { element, next: Some(next), previous });
        self.arena[previous.expect("a ring is closed")].next = Some(entry);
        self.size += 1;
    }

    /// Iterates over the entries behind the header, in order.
    fn entries(&self) -> impl Iterator<Item = usize> {
        iter::successors(self.header, |&entry| self.arena[entry].next).skip(1).take(self.size)
    }
}

impl Default for SortedList {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for SortedList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.entries().map(|entry| self.arena[entry].element)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Form, Search, assert_counts};

    fn list(elements: impl IntoIterator<Item = i32>) -> SortedList {
        let mut list = SortedList::new();
        elements.into_iter().for_each(|element| list.add(element));
        list
    }

    fn write(form: &mut Form, list: &SortedList, link: Option<usize>) {
        if let Some(entry) = form.link(link) {
            let entry = &list.arena[entry];
            form.value(entry.element);
            write(form, list, entry.next);
            write(form, list, entry.previous);
        }
    }

    fn form(list: &SortedList) -> Form {
        let mut form = Form::default();
        write(&mut form, list, list.header);
        form.size(list.size);
        form
    }

    #[test]
    fn the_builders_reach_the_published_numbers() {
        let expected =
            [(1, 3), (2, 7), (6, 22), (20, 85), (70, 356), (252, 1519), (924, 6476), (3432, 27465)];
        assert_counts(&expected, |k| {
            let search = Search::new(k).starts(SortedList::new).call_1(SortedList::add);
            search.run(form).counts()
        });
    }

    #[test]
    fn elements_stand_in_order() {
        assert_eq!(format!("{:?}", list([3, 1, 2, 3, 1])), "[1, 1, 2, 3, 3]");
    }

    #[test]
    fn equal_elements_keep_the_order_of_insertion() {
        let list = list([2, 1, 2]);
        assert_eq!(list.entries().collect::<Vec<_>>(), [2, 1, 3]);
    }

    #[test]
    fn what_is_not_positive_is_ignored() {
        let list = list([0, -1]);
        assert_eq!((format!("{list:?}"), list.size, list.arena.len()), ("[]".to_owned(), 0, 1));
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let original = list([1]);
        let mut clone = original.clone();
        clone.add(2);
        assert_eq!(format!("{original:?} {clone:?}"), "[1] [1, 2]");
    }
}
