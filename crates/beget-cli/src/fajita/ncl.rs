//! Doubly linked list that caches removed nodes for reuse, `cList.NodeCachingLinkedList` of the
//! FAJITA benchmark.
//!
//! The elements form a ring through a header. The cached nodes form a stack, linked by `next`. The
//! operations are sound. But the published representation invariant requires values in the header
//! and in cached nodes, and so rejects every list that they build.
#![allow(unsafe_code)] // The list owns its ring and its stack; see the invariants of the fields.

use std::fmt;
use std::ptr::NonNull;

use beget::{Heap, HeapView};

use crate::Misuse;
use crate::shared::ring::{self, Link, RingNode};

pub mod rep_ok;

/// A list of integers with a cache of nodes.
#[derive(Heap, HeapView)]
pub struct NodeCachingLinkedList {
    /// Invariant: present, and part of a ring that only this list owns. Optional because the link
    /// is nullable in the published class, whose representation invariant checks that.
    #[heap(unsafe(pointer))]
    header: Option<NonNull<Node>>,
    /// Invariant: the number of nodes of the ring without the header.
    size: usize,
    /// The number of additions and removals so far. It says nothing about the contents.
    #[heap(skip)]
    mod_count: usize,
    default_maximum_cache_size: usize,
    /// Invariant: the top of a stack of nodes that only this list owns, each without a value and
    /// without a link back.
    #[heap(unsafe(pointer))]
    first_cached_node: Option<NonNull<Node>>,
    /// Invariant: the number of nodes of the stack, at most `maximum_cache_size`.
    cache_size: usize,
    maximum_cache_size: usize,
}

/// A node of a [`NodeCachingLinkedList`].
#[derive(Debug, Heap, HeapView)]
pub struct Node {
    #[heap(unsafe(pointer))]
    previous: Option<NonNull<Node>>,
    #[heap(unsafe(pointer))]
    next: Option<NonNull<Node>>,
    value: Option<i32>,
}

#[beget::api(name = "fajita::ncl")]
impl NodeCachingLinkedList {
    const MAXIMUM_CACHE_SIZE: usize = 20;

    /// Creates an empty list.
    pub fn new() -> Self {
        Self {
            header: Some(ring::empty()),
            size: 0,
            mod_count: 0,
            default_maximum_cache_size: Self::MAXIMUM_CACHE_SIZE,
            first_cached_node: None,
            cache_size: 0,
            maximum_cache_size: Self::MAXIMUM_CACHE_SIZE,
        }
    }

    /// Appends the value, in a cached node if there is one; always returns true.
    pub fn add_last(&mut self, value: i32) -> bool {
        let node = self.uncache(value).unwrap_or_else(|| ring::allocate(Some(value)));
        // SAFETY: the node is in no ring, the header is in one, and no reference is kept.
        unsafe { ring::insert_before(self.header(), node) };
        self.size += 1;
        self.mod_count += 1;
        true
    }

    /// Appends the value; always returns true.
    pub fn add(&mut self, value: i32) -> bool {
        self.add_last(value)
    }

    /// Removes and returns the value at `index`.
    ///
    /// # Errors
    /// [`Misuse::Argument`] when `index` is the size; [`Misuse::OutOfRange`] when `index` is larger
    /// than the size.
    pub fn remove_index(&mut self, index: usize) -> Result<i32, Misuse> {
        if index == self.size {
            return Err(Misuse::Argument("the position just behind the last value"));
        }
        let node = self.nodes().nth(index).ok_or(Misuse::out_of_range(index, self.size))?;
        Ok(self.take(node).expect("only the header and kept nodes hold no value"))
    }

    /// Removes the first occurrence of the value and returns whether it was present.
    pub fn remove(&mut self, value: i32) -> bool {
        let position = self.index_of(value);
        position.and_then(|index| self.remove_index(index).ok()).is_some()
    }

    /// Returns the first position of the value.
    pub fn index_of(&self, value: i32) -> Option<usize> {
        self.values().position(|other| other == value)
    }

    /// Returns whether the list contains the value.
    pub fn contains(&self, value: i32) -> bool {
        self.index_of(value).is_some()
    }

    /// Unlinks a node, then caches or frees it.
    fn take(&mut self, node: NonNull<Node>) -> Option<i32> {
        self.size -= 1;
        self.mod_count += 1;
        // SAFETY: the node is in the ring and not the header.
        unsafe { ring::unlink(node) };
        if self.cache_size >= self.maximum_cache_size {
            // SAFETY: nothing links to the node any more, and the list owns it.
            return unsafe { ring::free(node) };
        }
        // SAFETY: as above; the reference ends with this function.
        let kept = unsafe { &mut *node.as_ptr() };
        kept.previous = None;
        kept.next = self.first_cached_node.replace(node);
        self.cache_size += 1;
        kept.value.take()
    }

    /// Takes the top of the stack of cached nodes and stores the value in it.
    fn uncache(&mut self, value: i32) -> Option<NonNull<Node>> {
        let node = self.first_cached_node?;
        // SAFETY: the node is on the stack, and the reference ends with this function.
        let kept = unsafe { &mut *node.as_ptr() };
        self.first_cached_node = kept.next.take();
        self.cache_size -= 1;
        kept.value = Some(value);
        Some(node)
    }

    fn values(&self) -> impl Iterator<Item = i32> {
        // SAFETY: the iterator borrows the list, so the list cannot change.
        self.nodes().filter_map(|node| unsafe { ring::value(node) })
    }

    fn nodes(&self) -> impl Iterator<Item = NonNull<Node>> {
        // SAFETY: the iterator borrows the list, so the list cannot change.
        unsafe { ring::elements(self.header()) }
    }

    fn header(&self) -> NonNull<Node> {
        self.header.expect("a list has a header")
    }
}

impl RingNode for Node {
    const LIST: &'static str = "NodeCachingLinkedList";

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

impl Default for NodeCachingLinkedList {
    fn default() -> Self {
        Self::new()
    }
}

impl Clone for NodeCachingLinkedList {
    fn clone(&self) -> Self {
        let mut clone = Self::new();
        for value in self.values() {
            clone.add_last(value);
        }
        for _ in 0..self.cache_size {
            let node = ring::allocate::<Node>(None);
            // SAFETY: the node is new, and there is no other reference to it.
            unsafe { (*node.as_ptr()).next = clone.first_cached_node.replace(node) };
            clone.cache_size += 1;
        }
        clone.mod_count = self.mod_count;
        clone.default_maximum_cache_size = self.default_maximum_cache_size;
        clone.maximum_cache_size = self.maximum_cache_size;
        clone
    }
}

impl Drop for NodeCachingLinkedList {
    fn drop(&mut self) {
        let header = self.header();
        while let Some(node) = self.uncache(0) {
            // SAFETY: the node was taken off the stack and is in no ring.
            unsafe { ring::free(node) };
        }
        // SAFETY: the list owns the ring, which is freed together with the list.
        unsafe {
            ring::free_elements(header);
            ring::free(header);
        }
    }
}

impl fmt::Debug for NodeCachingLinkedList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.values()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::circular::tests::write;
    use crate::testing::{Form, Search, assert_counts};

    fn list(values: impl IntoIterator<Item = i32>) -> NodeCachingLinkedList {
        let mut list = NodeCachingLinkedList::new();
        values.into_iter().for_each(|value| assert!(list.add_last(value)));
        list
    }

    fn form(list: &NodeCachingLinkedList) -> Form {
        let mut form = Form::default();
        form.size(list.cache_size);
        form.size(list.default_maximum_cache_size);
        write(&mut form, list.first_cached_node);
        write(&mut form, list.header);
        form.size(list.maximum_cache_size);
        form.size(list.size);
        form
    }

    fn builders(k: i32) -> Search<NodeCachingLinkedList> {
        Search::new(k)
            .starts(NodeCachingLinkedList::new)
            .call_1(NodeCachingLinkedList::add_last)
            .call_1(|list, index| list.remove_index(index as usize))
    }

    #[test]
    fn the_builders_reach_the_published_numbers() {
        let expected = [(1, 4), (4, 20), (18, 114), (112, 904), (975, 9760), (11196, 134_364)];
        assert_counts(&expected, |k| builders(k).run(form).counts());
    }

    #[test]
    fn removing_by_value_reaches_nothing_more() {
        for k in 1..=4 {
            let all = builders(k).call_1(NodeCachingLinkedList::remove);
            assert_eq!(all.run(form).forms, builders(k).run(form).forms, "k = {k}");
        }
    }

    #[test]
    fn removal_honours_the_position() {
        let mut list = list([4, 5, 6]);
        assert_eq!(list.remove_index(1), Ok(5));
        assert!(matches!(list.remove_index(2), Err(Misuse::Argument(_))));
        assert_eq!(list.remove_index(3), Err(Misuse::OutOfRange { index: 3, len: 2 }));
        assert_eq!(format!("{list:?}"), "[4, 6]");
    }

    #[test]
    fn a_removed_node_is_used_again() {
        let mut list = list([4, 5]);
        assert!(list.remove(4) && !list.remove(4));
        let kept = list.first_cached_node;
        assert!(kept.is_some() && list.cache_size == 1);
        assert!(list.add(6));
        assert_eq!(list.nodes().last(), kept);
        assert!(list.first_cached_node.is_none() && list.cache_size == 0);
        assert!(list.contains(6) && !list.contains(4));
        assert_eq!(list.index_of(6), Some(1));
    }

    #[test]
    fn no_more_than_twenty_nodes_are_kept() {
        let mut list = list(0..25);
        (0..25).for_each(|value| assert!(list.remove(value)));
        assert_eq!((list.cache_size, list.size), (20, 0));
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let mut original = list([1, 2, 3]);
        original.remove(2);
        let mut clone = original.clone();
        clone.add(4);
        clone.remove(1);
        assert_eq!(format!("{original:?} {clone:?}"), "[1, 3] [3, 4]");
        assert_eq!((original.cache_size, clone.cache_size), (1, 1));
    }
}
