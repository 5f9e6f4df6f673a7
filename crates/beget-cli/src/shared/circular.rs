//! A circular doubly linked list with a header, used by two of the benchmarks.
//!
//! The published classes name the contents of a node differently, so the list is generic in the
//! node. Nodes are behind raw pointers, because both neighbours of a node link to it.
#![allow(unsafe_code)] // The list owns its ring and hands out no pointer; see the invariant.

use std::fmt;
use std::ptr::NonNull;

use beget::{Heap, HeapView};

use super::ring::{self, RingNode};

/// A list of integers as a ring through a header.
#[derive(Heap, HeapView)]
#[heap(name = N::LIST)]
pub struct CircularList<N: RingNode> {
    /// Invariant: present, and part of a ring that only this list owns. Optional because the link
    /// is nullable in the published classes, whose representation invariants check that.
    #[heap(unsafe(pointer))]
    header: Option<NonNull<N>>,
    /// Invariant: the number of nodes without the header.
    size: usize,
    /// The number of additions and removals so far. It says nothing about the contents.
    #[heap(skip)]
    mod_count: usize,
}

impl<N: RingNode> CircularList<N> {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self { header: Some(ring::empty()), size: 0, mod_count: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.size
    }

    /// Inserts a value at this position, which must not exceed the size.
    pub(crate) fn insert(&mut self, index: usize, value: i32) {
        let place = self.node(index).unwrap_or_else(|| self.header());
        // SAFETY: the place is part of the ring, the node is new, and no reference is kept.
        unsafe { ring::insert_before(place, ring::allocate(Some(value))) };
        self.size += 1;
        self.mod_count += 1;
    }

    /// Removes the value at a position and returns it.
    pub(crate) fn take(&mut self, index: usize) -> Option<i32> {
        let node = self.node(index)?;
        self.size -= 1;
        self.mod_count += 1;
        // SAFETY: the node is part of the ring, and nothing links to it when it is freed.
        unsafe {
            ring::unlink(node);
            ring::free(node)
        }
    }

    /// Replaces the value at a position and returns the old one.
    pub(crate) fn replace(&mut self, index: usize, value: i32) -> Option<i32> {
        let node = self.node(index)?;
        // SAFETY: the node is part of the ring, and no other reference to it is live.
        unsafe { (*node.as_ptr()).value().replace(value) }
    }

    pub(crate) fn discard_all(&mut self) {
        let header = self.header();
        // SAFETY: the list owns the ring, and no reference to a node is live.
        unsafe {
            ring::free_elements(header);
            ring::join(header, header);
        }
        self.size = 0;
        self.mod_count += 1;
    }

    pub(crate) fn value(&self, index: usize) -> Option<i32> {
        self.values().nth(index)
    }

    pub(crate) fn position(&self, value: i32) -> Option<usize> {
        self.values().position(|other| other == value)
    }

    pub(crate) fn last_position(&self, value: i32) -> Option<usize> {
        let positions = self.values().enumerate().filter(|&(_, other)| other == value);
        positions.map(|(index, _)| index).last()
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = i32> {
        // SAFETY: the iterator borrows the list, so the list cannot change.
        self.nodes().filter_map(|node| unsafe { ring::value(node) })
    }

    fn node(&self, index: usize) -> Option<NonNull<N>> {
        self.nodes().nth(index)
    }

    fn nodes(&self) -> impl Iterator<Item = NonNull<N>> {
        // SAFETY: the iterator borrows the list, so the list cannot change.
        unsafe { ring::elements(self.header()) }
    }

    fn header(&self) -> NonNull<N> {
        self.header.expect("a list has a header")
    }
}

impl<N: RingNode> Default for CircularList<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<N: RingNode> Extend<i32> for CircularList<N> {
    fn extend<I: IntoIterator<Item = i32>>(&mut self, values: I) {
        for value in values {
            self.insert(self.size, value);
        }
    }
}

impl<N: RingNode> Clone for CircularList<N> {
    fn clone(&self) -> Self {
        let mut clone = Self::new();
        clone.extend(self.values());
        clone.mod_count = self.mod_count;
        clone
    }
}

impl<N: RingNode> Drop for CircularList<N> {
    fn drop(&mut self) {
        let header = self.header();
        // SAFETY: the list owns the ring, which is freed together with the list.
        unsafe {
            ring::free_elements(header);
            ring::free(header);
        }
    }
}

impl<N: RingNode> fmt::Debug for CircularList<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.values()).finish()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::shared::ring::Link;
    use crate::testing::Form;

    /// The published table of all such lists that grow at one end: generated and explored.
    pub(crate) const COUNTS: [(usize, usize); 6] =
        [(1, 3), (3, 9), (13, 43), (85, 345), (781, 3911), (9331, 55993)];

    pub(crate) fn form<N: RingNode>(list: &CircularList<N>) -> Form {
        let mut form = Form::default();
        write(&mut form, list.header);
        form.size(list.size);
        form
    }

    /// Writes the nodes that these links reach from `link` on, in a ring or not.
    pub(crate) fn write<N: RingNode>(form: &mut Form, link: Link<N>) {
        if form.link(link.map(|node| node.addr().get())).is_some() {
            let node = link.expect("a node with a number").as_ptr();
            // SAFETY: the links of a list lead to live nodes, and no reference is kept.
            let [next, previous] = unsafe { [*(*node).next(), *(*node).previous()] };
            write(form, next);
            write(form, previous);
            // SAFETY: as above.
            form.optional(unsafe { *(*node).value() });
        }
    }
}
