//! A doubly linked list that caches removed nodes to reuse them.
//!
//! The subject is NodeCachingLinkedList of the ROOPS benchmark, after the class of the same name in
//! Apache Commons Collections. The elements are on a ring with a header node. The cached nodes form
//! a stack that is linked through `next` and ends with a null link. Both own their nodes through
//! raw pointers.
//!
//! Defects kept:
//!
//! - [`remove_index`](NodeCachingLinkedList::remove_index) ignores its argument and removes the
//!   first element, as in the benchmark.
//! - The cache takes a node while `cache_size` does not *exceed* the maximum, so it can hold one
//!   node too many. This is the defect that the benchmark seeds: the test should be for "less than
//!   the maximum".
//!
//! If the maximum is set to a negative number, the original loops forever; here the type of the
//! maximum excludes negative numbers.

#![allow(unsafe_code, reason = "the ring and the cache own their nodes through raw pointers")]

use beget::{Heap, HeapView};
use std::ptr::{self, NonNull};
use std::{fmt, iter};

use crate::Misuse;

pub mod rep_ok;

/// A list of `i32` that recycles its nodes.
#[derive(Heap, HeapView)]
pub struct NodeCachingLinkedList {
    /// Invariant: allocated by `Node::bare`, on a ring of such nodes, without a value.
    #[heap(unsafe(pointer))]
    header: NonNull<Node>,
    size: usize,
    maximum_cache_size: usize,
    /// Invariant: null, or the first of `cache_size` nodes linked by `next`, each with a null
    /// `previous`.
    #[heap(unsafe(pointer))]
    first_cached_node: *mut Node,
    cache_size: usize,
    #[heap(skip)]
    mod_count: usize,
}

#[derive(Heap, HeapView)]
struct Node {
    #[heap(unsafe(pointer))]
    next: *mut Node,
    #[heap(unsafe(pointer))]
    previous: *mut Node,
    value: Option<i32>,
}

/// The caching list of the ROOPS benchmark.
#[beget::api(name = "roops::ncl")]
impl NodeCachingLinkedList {
    /// The maximum cache size of a new list.
    pub const DEFAULT_MAXIMUM_CACHE_SIZE: usize = 20;

    /// Creates an empty list with an empty cache.
    pub fn new() -> Self {
        NodeCachingLinkedList {
            header: Node::ring(),
            size: 0,
            maximum_cache_size: Self::DEFAULT_MAXIMUM_CACHE_SIZE,
            first_cached_node: ptr::null_mut(),
            cache_size: 0,
            mod_count: 0,
        }
    }

    /// Appends `value`, in a cached node if there is one; always returns true.
    pub fn add_last(&mut self, value: i32) -> bool {
        let node = self.take_from_cache().unwrap_or_else(Node::bare);
        // SAFETY: `node` is live and on no ring; the header is live and on its ring.
        unsafe {
            (*node.as_ptr()).value = Some(value);
            link_before(node, self.header);
        }
        self.size += 1;
        self.mod_count += 1;
        true
    }

    /// Removes the *first* element, whatever the index, and returns it. Its node goes to the cache.
    pub fn remove_index(&mut self, _index: usize) -> Result<Option<i32>, Misuse> {
        if self.size == 0 {
            return Err(Misuse::Empty);
        }
        self.size -= 1;
        self.mod_count += 1;
        // SAFETY: the ring has a node besides the header, so `first` is live and is not the header.
        // Once it is unlinked, nothing refers to it.
        unsafe {
            let first = NonNull::new_unchecked(self.header.as_ref().next);
            let value = first.as_ref().value;
            unlink(first);
            self.offer_to_cache(first);
            Ok(value)
        }
    }

    /// Sets the maximum size of the cache and drops the cached nodes beyond it.
    pub fn set_maximum_cache_size(&mut self, maximum_cache_size: usize) {
        self.maximum_cache_size = maximum_cache_size;
        while self.cache_size > self.maximum_cache_size
            && let Some(node) = self.take_from_cache()
        {
            // SAFETY: a node taken from the cache has no other owner.
            unsafe { free(node) };
        }
    }

    /// Returns whether `value` is an element.
    pub fn contains(&self, value: i32) -> bool {
        self.values().any(|element| element == Some(value))
    }

    /// Takes the first node off the cache and clears its `next`.
    fn take_from_cache(&mut self) -> Option<NonNull<Node>> {
        let mut node = NonNull::new(self.first_cached_node)?;
        // SAFETY: a node of the cache is live, and nothing else refers to it.
        self.first_cached_node = unsafe { ptr::replace(&mut node.as_mut().next, ptr::null_mut()) };
        self.cache_size -= 1;
        Some(node)
    }

    /// Puts an unlinked node on the cache, or frees it if the cache is over-full. The test is the
    /// seeded defect: it should ask whether the cache is full.
    ///
    /// # Safety
    ///
    /// The node must be live, nothing may refer to it, and the caller gives it up.
    unsafe fn offer_to_cache(&mut self, mut node: NonNull<Node>) {
        if self.cache_size > self.maximum_cache_size {
            // SAFETY: by the contract.
            return unsafe { free(node) };
        }
        // SAFETY: by the contract; the reference ends before the cache takes the node.
        *unsafe { node.as_mut() } =
            Node { next: self.first_cached_node, previous: ptr::null_mut(), value: None };
        self.first_cached_node = node.as_ptr();
        self.cache_size += 1;
    }

    /// Iterates over the elements in order.
    fn values(&self) -> impl Iterator<Item = Option<i32>> {
        let header = self.header.as_ptr();
        // SAFETY: all nodes of the ring are live while the list is borrowed.
        let next = |node: *mut Node| unsafe { (*node).next };
        iter::successors(Some(next(header)), move |&node| Some(next(node)))
            .take_while(move |&node| node != header)
            // SAFETY: as above.
            .map(|node| unsafe { (*node).value })
    }
}

impl Node {
    /// Allocates a node without links and value, which the caller owns.
    fn bare() -> NonNull<Node> {
        let node = Node { next: ptr::null_mut(), previous: ptr::null_mut(), value: None };
        NonNull::from(Box::leak(Box::new(node)))
    }

    /// Allocates a bare node that forms a ring by itself.
    fn ring() -> NonNull<Node> {
        let mut node = Node::bare();
        // SAFETY: the node was just allocated, and nothing else refers to it.
        let fields = unsafe { node.as_mut() };
        (fields.next, fields.previous) = (node.as_ptr(), node.as_ptr());
        node
    }
}

/// Puts `node` on the ring of `successor`, right before it.
///
/// # Safety
///
/// Both must be live; `node` must be on no ring, and `successor` on one.
unsafe fn link_before(node: NonNull<Node>, successor: NonNull<Node>) {
    let (node, successor) = (node.as_ptr(), successor.as_ptr());
    // SAFETY: by the contract; the neighbours of a node on a ring are live.
    unsafe {
        let predecessor = (*successor).previous;
        (*node).next = successor;
        (*node).previous = predecessor;
        (*predecessor).next = node;
        (*successor).previous = node;
    }
}

/// Takes `node` off its ring and leaves its own links as they are.
///
/// # Safety
///
/// The node must be live and on a ring.
unsafe fn unlink(node: NonNull<Node>) {
    // SAFETY: by the contract; the neighbours of a node on a ring are live.
    unsafe {
        let Node { next, previous, .. } = *node.as_ptr();
        (*previous).next = next;
        (*next).previous = previous;
    }
}

/// Frees the memory of `node`.
///
/// # Safety
///
/// The node must come from `Node::bare` and never be used again.
unsafe fn free(node: NonNull<Node>) {
    // SAFETY: by the contract.
    drop(unsafe { Box::from_raw(node.as_ptr()) });
}

impl Default for NodeCachingLinkedList {
    fn default() -> Self {
        Self::new()
    }
}

impl Clone for NodeCachingLinkedList {
    fn clone(&self) -> Self {
        let mut copy = Self::new();
        copy.maximum_cache_size = self.maximum_cache_size;
        for _ in 0..self.cache_size {
            // SAFETY: nothing refers to the new node.
            unsafe { copy.offer_to_cache(Node::bare()) };
        }
        for value in self.values() {
            let mut node = Node::bare();
            // SAFETY: `node` is live and on no ring; the header is live and on its ring.
            unsafe {
                node.as_mut().value = value;
                link_before(node, copy.header);
            }
        }
        (copy.size, copy.mod_count) = (self.size, self.mod_count);
        copy
    }
}

impl Drop for NodeCachingLinkedList {
    fn drop(&mut self) {
        self.set_maximum_cache_size(0);
        // SAFETY: every node of the ring is live and is freed once, the header last.
        unsafe {
            while self.header.as_ref().next != self.header.as_ptr() {
                let node = NonNull::new_unchecked(self.header.as_ref().next);
                unlink(node);
                free(node);
            }
            free(self.header);
        }
    }
}

impl fmt::Debug for NodeCachingLinkedList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.values().flatten()).finish()
    }
}

#[cfg(test)]
mod tests;
