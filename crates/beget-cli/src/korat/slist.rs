//! A null-terminated singly linked list with a sentinel header.
//!
//! The subject is SinglyLinkedList of the Korat examples. The header is an entry without an
//! element. The original rejects a null element as an illegal argument; here the type excludes it.
//! No defect is known.

use beget::{Heap, HeapView};
use std::{fmt, iter};

pub mod rep_ok;

/// A list of `i32`.
#[derive(Heap, HeapView)]
pub struct SinglyLinkedList {
    /// Invariant: the only entry without an element.
    header: Box<Entry>,
    size: usize,
}

#[derive(Heap, HeapView)]
struct Entry {
    element: Option<i32>,
    next: Option<Box<Entry>>,
}

/// The singly linked list with a sentinel, from the Korat examples.
#[beget::api(name = "korat::slist")]
impl SinglyLinkedList {
    /// Creates an empty list.
    pub fn new() -> Self {
        SinglyLinkedList { header: Box::new(Entry { element: None, next: None }), size: 0 }
    }

    /// Appends `element`.
    pub fn add(&mut self, element: i32) {
        let mut end = &mut self.header.next;
        while let Some(entry) = end {
            end = &mut entry.next;
        }
        *end = Some(Box::new(Entry { element: Some(element), next: None }));
        self.size += 1;
    }

    /// Returns the elements in order.
    fn elements(&self) -> impl Iterator<Item = i32> {
        let entries = iter::successors(Some(&self.header), |entry| entry.next.as_ref());
        entries.filter_map(|entry| entry.element)
    }
}

impl Default for SinglyLinkedList {
    fn default() -> Self {
        Self::new()
    }
}

impl Clone for SinglyLinkedList {
    fn clone(&self) -> Self {
        let mut copy = Self::new();
        let mut end = &mut copy.header.next;
        for element in self.elements() {
            let entry = Entry { element: Some(element), next: None };
            end = &mut end.insert(Box::new(entry)).next;
        }
        copy.size = self.size;
        copy
    }
}

impl Drop for SinglyLinkedList {
    /// Drops entry by entry: the default drop recurses and overflows the stack on a long list.
    fn drop(&mut self) {
        let mut next = self.header.next.take();
        while let Some(mut entry) = next {
            next = entry.next.take();
        }
    }
}

impl fmt::Debug for SinglyLinkedList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.elements()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Form, Search, assert_counts};

    fn list(elements: impl IntoIterator<Item = i32>) -> SinglyLinkedList {
        let mut list = SinglyLinkedList::new();
        elements.into_iter().for_each(|element| list.add(element));
        list
    }

    fn form(list: &SinglyLinkedList) -> Form {
        let mut form = Form::default();
        let mut link: Option<&Entry> = Some(&list.header);
        while let Some(entry) = form.reference(link) {
            form.optional(entry.element);
            link = entry.next.as_deref();
        }
        form.size(list.size);
        form
    }

    #[test]
    fn elements_keep_the_order_of_their_insertion() {
        assert_eq!(format!("{:?}", list([3, 1, 3])), "[3, 1, 3]");
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let mut original = list([3, 1]);
        let copy = original.clone();
        original.add(2);
        assert_eq!((original.size, copy.size), (3, 2));
        drop(original);
        assert_eq!(format!("{copy:?}"), "[3, 1]");
    }

    #[test]
    fn large_lists_are_dropped_without_recursion() {
        let mut list = SinglyLinkedList::new();
        for element in 0..200_000 {
            let rest = list.header.next.take();
            list.header.next = Some(Box::new(Entry { element: Some(element), next: rest }));
        }
        let copy = list.clone();
        drop(list);
        assert_eq!(copy.elements().next(), Some(199_999));
    }

    #[test]
    fn the_builders_reach_the_published_numbers() {
        assert_counts(&[(1, 3), (3, 9), (13, 43), (85, 345), (781, 3911)], |k| {
            let search = Search::new(k).starts(SinglyLinkedList::new);
            search.call_1(SinglyLinkedList::add).run(form).counts()
        });
    }
}
