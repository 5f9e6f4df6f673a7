//! A circular doubly linked list with a header node.
//!
//! The subject is LinkedList of the ROOPS benchmark, after the class of the same name in Apache
//! Commons Collections. The ring owns its nodes through [`NonNull`] pointers. In an empty list the
//! header links to itself. No defect is known.

#![allow(unsafe_code, reason = "the ring owns its nodes through raw pointers")]

use beget::{Heap, HeapView};
use std::ptr::NonNull;
use std::{fmt, iter};

use crate::Misuse;

pub mod rep_ok;

/// A list of `i32`.
#[derive(Heap, HeapView)]
pub struct LinkedList {
    /// Invariant: allocated by `Node::ring` and the only node of its ring without a value.
    #[heap(unsafe(pointer))]
    header: NonNull<Node>,
    size: usize,
}

#[derive(Heap, HeapView)]
struct Node {
    #[heap(unsafe(pointer))]
    next: NonNull<Node>,
    #[heap(unsafe(pointer))]
    previous: NonNull<Node>,
    value: Option<i32>,
}

/// The circular list of the ROOPS benchmark.
#[beget::api(name = "roops::llist")]
impl LinkedList {
    /// Creates an empty list.
    pub fn new() -> Self {
        LinkedList { header: Node::ring(None), size: 0 }
    }

    /// Appends `value`; always returns true.
    pub fn add_last(&mut self, value: i32) -> bool {
        self.push(Some(value));
        true
    }

    /// Removes the element at `index` and returns it.
    pub fn remove_index(&mut self, index: usize) -> Result<Option<i32>, Misuse> {
        let out_of_range = Misuse::out_of_range(index, self.size);
        let node = self.nodes().nth(index).ok_or(out_of_range)?;
        self.size -= 1;
        // SAFETY: the node is an element of this list, and no reference to it remains.
        Ok(unsafe { remove(node) })
    }

    /// Returns whether `value` is an element.
    pub fn contains(&self, value: i32) -> bool {
        self.values().any(|element| element == Some(value))
    }

    fn push(&mut self, value: Option<i32>) {
        // SAFETY: the header is live and on its ring.
        unsafe { link_before(Node::ring(value), self.header) };
        self.size += 1;
    }

    /// Iterates over the nodes of the elements, in order.
    fn nodes(&self) -> impl Iterator<Item = NonNull<Node>> {
        let header = self.header;
        // SAFETY: all nodes of the ring are live while the list is borrowed.
        let next = |node: NonNull<Node>| unsafe { node.as_ref().next };
        iter::successors(Some(next(header)), move |&node| Some(next(node)))
            .take_while(move |&node| node != header)
    }

    /// Iterates over the elements in order.
    fn values(&self) -> impl Iterator<Item = Option<i32>> {
        // SAFETY: as in `nodes`.
        self.nodes().map(|node| unsafe { node.as_ref().value })
    }
}

impl Node {
    /// Allocates a node that forms a ring by itself.
    fn ring(value: Option<i32>) -> NonNull<Node> {
        let links = NonNull::dangling();
        let mut node =
            NonNull::from(Box::leak(Box::new(Node { next: links, previous: links, value })));
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
unsafe fn link_before(node: NonNull<Node>, successor: NonNull<Node>) {
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

/// Takes `node` off its ring, frees it and returns its value.
///
/// # Safety
///
/// The node must come from `Node::ring`, be live, and never be used again.
unsafe fn remove(node: NonNull<Node>) -> Option<i32> {
    // SAFETY: by the contract; the neighbours of a live node are live. The links change before the
    // box takes over the node, because a node alone on its ring is its own neighbour.
    unsafe {
        let Node { next, previous, .. } = *node.as_ptr();
        (*previous.as_ptr()).next = next;
        (*next.as_ptr()).previous = previous;
        Box::from_raw(node.as_ptr()).value
    }
}

impl Default for LinkedList {
    fn default() -> Self {
        Self::new()
    }
}

impl Clone for LinkedList {
    fn clone(&self) -> Self {
        let mut copy = Self::new();
        self.values().for_each(|value| copy.push(value));
        copy
    }
}

impl Drop for LinkedList {
    fn drop(&mut self) {
        // SAFETY: every node of the ring is live and is removed once, the header last.
        unsafe {
            while self.header.as_ref().next != self.header {
                remove(self.header.as_ref().next);
            }
            remove(self.header);
        }
    }
}

impl fmt::Debug for LinkedList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.values().flatten()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Form, Search, assert_counts};

    fn list(values: impl IntoIterator<Item = i32>) -> LinkedList {
        let mut list = LinkedList::new();
        values.into_iter().for_each(|value| assert!(list.add_last(value)));
        list
    }

    fn form(list: &LinkedList) -> Form {
        let mut form = Form::default();
        write(&mut form, list.header);
        form.size(list.size);
        form
    }

    fn write(form: &mut Form, node: NonNull<Node>) {
        if form.link(Some(node.addr().get())).is_some() {
            // SAFETY: the list that holds the node is borrowed during the walk.
            let node = unsafe { node.as_ref() };
            write(form, node.next);
            write(form, node.previous);
            form.optional(node.value);
        }
    }

    fn additions(k: i32) -> Search<LinkedList> {
        Search::new(k).starts(LinkedList::new).call_1(LinkedList::add_last)
    }

    #[test]
    fn elements_keep_the_order_of_their_insertion() {
        assert_eq!(format!("{:?}", list([3, 1, 2])), "[3, 1, 2]");
    }

    #[test]
    fn the_element_at_the_index_is_removed() {
        let mut list = list([3, 1, 2]);
        assert_eq!(list.remove_index(1), Ok(Some(1)));
        assert_eq!(list.remove_index(1), Ok(Some(2)));
        assert_eq!(list.remove_index(0), Ok(Some(3)));
        assert_eq!((format!("{list:?}").as_str(), list.size), ("[]", 0));
    }

    #[test]
    fn an_index_out_of_range_is_misuse() {
        let mut list = list([3, 1]);
        assert_eq!(list.remove_index(2), Err(Misuse::OutOfRange { index: 2, len: 2 }));
        assert_eq!(format!("{list:?}"), "[3, 1]");
    }

    #[test]
    fn only_elements_are_contained() {
        assert!(list([3, 1]).contains(1) && !list([3, 1]).contains(2) && !list([]).contains(0));
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let mut original = list([3, 1]);
        let copy = original.clone();
        assert_eq!(original.remove_index(0), Ok(Some(3)));
        drop(original);
        assert_eq!(format!("{copy:?}"), "[3, 1]");
    }

    #[test]
    fn large_lists_are_dropped_without_recursion() {
        drop(list(0..200_000));
    }

    #[test]
    fn the_builders_reach_the_published_numbers() {
        let published = [(1, 3), (3, 9), (13, 43), (85, 345), (781, 3911)];
        assert_counts(&published, |k| additions(k).run(form).counts());
    }

    #[test]
    fn removal_builds_nothing_new() {
        for k in 1..=4 {
            let both = additions(k).call_1(|list, index| list.remove_index(index as usize));
            assert_eq!(both.run(form).forms, additions(k).run(form).forms, "k = {k}");
        }
    }
}
