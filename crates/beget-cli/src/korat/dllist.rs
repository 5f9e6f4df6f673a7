//! A circular doubly linked list whose header holds its first element.
//!
//! The subject is DoublyLinkedList of the Korat examples. The list has no sentinel: an empty list
//! is one node without an element, linked to itself, and that node stores the first element. The
//! original rejects a null element as an illegal argument; here the type excludes it. No defect is
//! known.

#![allow(unsafe_code, reason = "the ring owns its nodes through raw pointers")]

use beget::{Heap, HeapView};
use std::ptr::NonNull;
use std::{fmt, iter};

pub mod rep_ok;

/// A list of `i32`.
#[derive(Heap, HeapView)]
pub struct DoublyLinkedList {
    /// Invariant: allocated by `Entry::ring`, on a ring of such nodes. Its element is `None`
    /// exactly in the empty list.
    #[heap(unsafe(pointer))]
    header: NonNull<Entry>,
    size: usize,
}

#[derive(Heap, HeapView)]
struct Entry {
    element: Option<i32>,
    #[heap(unsafe(pointer))]
    next: NonNull<Entry>,
    #[heap(unsafe(pointer))]
    previous: NonNull<Entry>,
}

/// The circular list without a sentinel, from the Korat examples.
#[beget::api(name = "korat::dllist")]
impl DoublyLinkedList {
    /// Creates an empty list.
    pub fn new() -> Self {
        DoublyLinkedList { header: Entry::ring(None), size: 0 }
    }

    /// Appends `element`: in the header if the list is empty, otherwise in a new node.
    pub fn add(&mut self, element: i32) {
        // SAFETY: the header is live and on its ring, and no other reference to it exists.
        unsafe {
            match &mut self.header.as_mut().element {
                first @ None => *first = Some(element),
                Some(_) => link_before(Entry::ring(Some(element)), self.header),
            }
        }
        self.size += 1;
    }

    /// Iterates over all nodes in order, the header first.
    fn nodes(&self) -> impl Iterator<Item = NonNull<Entry>> {
        let header = self.header;
        // SAFETY: all nodes of the ring are live while the list is borrowed.
        let next = |node: NonNull<Entry>| unsafe { node.as_ref().next };
        iter::successors(Some(header), move |&node| Some(next(node)).filter(|&next| next != header))
    }

    /// Returns the elements in order.
    fn elements(&self) -> impl Iterator<Item = i32> {
        // SAFETY: as in `nodes`.
        self.nodes().filter_map(|node| unsafe { node.as_ref().element })
    }
}

impl Entry {
    /// Allocates a node that forms a ring by itself.
    fn ring(element: Option<i32>) -> NonNull<Entry> {
        let links = NonNull::dangling();
        let mut node =
            NonNull::from(Box::leak(Box::new(Entry { element, next: links, previous: links })));
        let link = node;
        // SAFETY: the node was just allocated, and nothing else refers to it.
        let fields = unsafe { node.as_mut() };
        (fields.next, fields.previous) = (link, link);
        link
    }
}

/// Puts `node` on the ring of `successor`, right before it.
///
/// # Safety
///
/// Both must be live and on different rings, and `node` must be alone on its ring.
unsafe fn link_before(node: NonNull<Entry>, successor: NonNull<Entry>) {
    let (new, after) = (node.as_ptr(), successor.as_ptr());
    // SAFETY: by the contract; the neighbours of a live node are live.
    unsafe {
        let before = (*after).previous;
        (*new).next = successor;
        (*new).previous = before;
        (*before.as_ptr()).next = node;
        (*after).previous = node;
    }
}

impl Default for DoublyLinkedList {
    fn default() -> Self {
        Self::new()
    }
}

impl Clone for DoublyLinkedList {
    fn clone(&self) -> Self {
        let mut copy = Self::new();
        self.elements().for_each(|element| copy.add(element));
        copy
    }
}

impl Drop for DoublyLinkedList {
    fn drop(&mut self) {
        let mut node = self.header;
        loop {
            // SAFETY: every node came from a box, and the walk frees each node once. It frees the
            // header first and stops when it meets that address again, without reading it.
            node = unsafe { Box::from_raw(node.as_ptr()) }.next;
            if node == self.header {
                break;
            }
        }
    }
}

impl fmt::Debug for DoublyLinkedList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.elements()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Form, Search, assert_counts};

    fn list(elements: impl IntoIterator<Item = i32>) -> DoublyLinkedList {
        let mut list = DoublyLinkedList::new();
        elements.into_iter().for_each(|element| list.add(element));
        list
    }

    fn form(list: &DoublyLinkedList) -> Form {
        let mut form = Form::default();
        write(&mut form, list.header);
        form.size(list.size);
        form
    }

    fn write(form: &mut Form, entry: NonNull<Entry>) {
        if form.link(Some(entry.addr().get())).is_some() {
            // SAFETY: the list that holds the entry is borrowed during the walk.
            let entry = unsafe { entry.as_ref() };
            form.optional(entry.element);
            write(form, entry.next);
            write(form, entry.previous);
        }
    }

    #[test]
    fn elements_keep_the_order_of_their_insertion() {
        assert_eq!(format!("{:?}", list([3, 1, 2])), "[3, 1, 2]");
    }

    #[test]
    fn the_first_element_is_stored_in_the_header() {
        assert_eq!(list([]).nodes().count(), 1);
        assert_eq!(list([3]).nodes().count(), 1);
        assert_eq!(list([3, 1]).nodes().count(), 2);
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let mut original = list([3, 1]);
        let copy = original.clone();
        original.add(2);
        assert_eq!(format!("{original:?}"), "[3, 1, 2]");
        drop(original);
        assert_eq!(format!("{copy:?}"), "[3, 1]");
        assert_eq!(format!("{:?}", list([]).clone()), "[]");
    }

    #[test]
    fn large_lists_are_dropped_without_recursion() {
        drop(list(0..200_000));
    }

    #[test]
    fn the_builders_reach_the_published_numbers() {
        assert_counts(&[(2, 5), (7, 18), (40, 125), (341, 1370), (3906, 19537)], |k| {
            let search = Search::new(k).starts(DoublyLinkedList::new);
            search.call_1(DoublyLinkedList::add).run(form).counts()
        });
    }
}
