//! The ring and the cache: the building blocks of the list's methods, and all the code that follows
//! pointers.
#![allow(unsafe_code)] // The list owns its ring and its stack; see the invariants of the fields.

use std::fmt;
use std::ptr::NonNull;

use super::{Node, NodeCachingLinkedList};
use crate::Misuse;
use crate::shared::ring::{self, Link, RingNode};

impl NodeCachingLinkedList {
    /// Returns the node that would follow a value inserted at `index`; `index` may be the size.
    pub(super) fn place(&self, index: usize) -> Result<NonNull<Node>, Misuse> {
        match index {
            index if index > self.size => Err(self.out_of_range(index)),
            index => Ok(self.nodes().nth(index).unwrap_or(self.header)),
        }
    }

    /// Returns the misuse for a position that does not exist.
    pub(super) fn out_of_range(&self, index: usize) -> Misuse {
        Misuse::out_of_range(index, self.size)
    }

    /// Puts a value before a node of the ring, in a cached node if there is one.
    pub(super) fn insert_before(&mut self, place: NonNull<Node>, value: i32) {
        let node = self.uncache().unwrap_or_else(|| ring::allocate(None));
        self.replace(node, value);
        // SAFETY: the place is in the ring, the node in none, and no reference is kept.
        unsafe { ring::insert_before(place, node) };
        self.size += 1;
        self.mod_count += 1;
    }

    /// Replaces the value of a node and returns the old one.
    pub(super) fn replace(&mut self, node: NonNull<Node>, value: i32) -> Option<i32> {
        // SAFETY: the list owns its nodes, and no other reference to this one is live.
        unsafe { (*node.as_ptr()).value.replace(value) }
    }

    /// Takes a node out of the ring, then caches or frees it.
    pub(super) fn take(&mut self, node: NonNull<Node>) -> Option<i32> {
        self.size -= 1;
        self.mod_count += 1;
        // SAFETY: the node is in the ring and not the header.
        unsafe { ring::unlink(node) };
        if self.cache_size >= self.maximum_cache_size {
            // SAFETY: nothing links to the node any more, and the list owns it.
            return unsafe { ring::free(node) };
        }
        self.cache(node)
    }

    /// Keeps the values for which `is_kept` holds; returns whether it removed any.
    pub(super) fn keep(&mut self, is_kept: impl Fn(i32) -> bool) -> bool {
        let size = self.size;
        let nodes: Vec<NonNull<Node>> = self.nodes().collect();
        for node in nodes {
            // SAFETY: the node is still in the ring, because each node occurs once.
            if !unsafe { ring::value(node) }.is_some_and(&is_kept) {
                self.take(node);
            }
        }
        self.size < size
    }

    /// Iterates over the elements in order.
    pub(super) fn values(&self) -> impl Iterator<Item = i32> {
        // SAFETY: the iterator borrows the list, so the list cannot change.
        self.nodes().filter_map(|node| unsafe { ring::value(node) })
    }

    /// Iterates over the nodes of the elements in order.
    pub(super) fn nodes(&self) -> impl Iterator<Item = NonNull<Node>> {
        // SAFETY: the iterator borrows the list, so the list cannot change.
        unsafe { ring::elements(self.header) }
    }

    /// Iterates over the cached nodes, starting with the next one to be reused.
    #[cfg(test)]
    pub(super) fn cached(&self) -> impl Iterator<Item = NonNull<Node>> {
        // SAFETY: as above; the cached nodes are live.
        let next = |node: &NonNull<Node>| unsafe { node.as_ref() }.next;
        std::iter::successors(self.first_cached_node, next)
    }

    /// Puts a node that is in no ring on the stack of cached nodes.
    fn cache(&mut self, node: NonNull<Node>) -> Option<i32> {
        // SAFETY: the list owns the node, and the reference ends with this function.
        let kept = unsafe { &mut *node.as_ptr() };
        kept.previous = None;
        kept.next = self.first_cached_node.replace(node);
        self.cache_size += 1;
        kept.value.take()
    }

    /// Takes the top of the stack of cached nodes.
    fn uncache(&mut self) -> Option<NonNull<Node>> {
        let node = self.first_cached_node?;
        // SAFETY: the node is on the stack, and the reference ends with this statement.
        self.first_cached_node = unsafe { (*node.as_ptr()).next.take() };
        self.cache_size -= 1;
        Some(node)
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

impl FromIterator<i32> for NodeCachingLinkedList {
    fn from_iter<I: IntoIterator<Item = i32>>(values: I) -> Self {
        let mut list = Self::new();
        values.into_iter().for_each(|value| list.insert_before(list.header, value));
        list
    }
}

impl PartialEq for NodeCachingLinkedList {
    fn eq(&self, other: &Self) -> bool {
        self.iterator().eq(other.iterator())
    }
}

impl Eq for NodeCachingLinkedList {}

impl Clone for NodeCachingLinkedList {
    fn clone(&self) -> Self {
        let mut clone: Self = self.iterator().collect();
        (0..self.cache_size).for_each(|_| {
            clone.cache(ring::allocate(None));
        });
        clone.mod_count = self.mod_count;
        clone.maximum_cache_size = self.maximum_cache_size;
        clone
    }
}

impl Drop for NodeCachingLinkedList {
    fn drop(&mut self) {
        while let Some(node) = self.uncache() {
            // SAFETY: the node was taken off the stack and is in no ring.
            unsafe { ring::free(node) };
        }
        // SAFETY: the list owns the ring, which is freed together with the list.
        unsafe {
            ring::free_elements(self.header);
            ring::free(self.header);
        }
    }
}

impl fmt::Debug for NodeCachingLinkedList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iterator()).finish()
    }
}
