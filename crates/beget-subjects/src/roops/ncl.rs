//! A doubly linked list that keeps its removed nodes in a cache, to use them again.
//!
//! The subject is NodeCachingLinkedList of the ROOPS benchmark, after the class of the same name in Apache
//! Commons Collections. The elements stand on a ring with a header node; the cached nodes form a stack that
//! is linked through `next` and ends with null. Both own their nodes through raw pointers.
//!
//! Kept defects:
//!
//! - [`remove_index`](NodeCachingLinkedList::remove_index) ignores its argument and removes the first
//!   element, as in the benchmark.
//! - The cache takes a node while `cache_size` does not *exceed* the maximum, so it can hold one node too
//!   many. This is the defect that the benchmark seeds: the test should be for "less than the maximum".
//!
//! The original loops for ever when the maximum is set to a negative number; here the type excludes it.

#![allow(unsafe_code, reason = "the ring and the cache own their nodes through raw pointers")]

use std::ptr::{self, NonNull};
use std::{fmt, iter};

use crate::Misuse;

/// A list of `i32` that recycles its nodes.
pub struct NodeCachingLinkedList {
    /// Invariant: allocated by [`Node::bare`], on a ring of such nodes, without a value.
    header: NonNull<Node>,
    size: usize,
    maximum_cache_size: usize,
    /// Invariant: null, or the first of `cache_size` nodes linked by `next`, each with null `previous`.
    first_cached_node: *mut Node,
    cache_size: usize,
    mod_count: usize,
}

struct Node {
    next: *mut Node,
    previous: *mut Node,
    value: Option<i32>,
}

impl NodeCachingLinkedList {
    /// The maximum cache size of a new list.
    pub const DEFAULT_MAXIMUM_CACHE_SIZE: usize = 20;

    /// An empty list with an empty cache.
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

    /// Appends `value`, in a cached node if there is one. Always true.
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
        // SAFETY: the ring has a node besides the header, so `first` is live and not the header.
        let (node, value) = unsafe {
            let first = NonNull::new_unchecked(self.header.as_ref().next);
            unlink(first);
            (first, first.as_ref().value)
        };
        self.size -= 1;
        self.mod_count += 1;
        self.offer_to_cache(node);
        Ok(value)
    }

    /// Sets the maximum size of the cache and drops the cached nodes in excess.
    pub fn set_maximum_cache_size(&mut self, maximum_cache_size: usize) {
        self.maximum_cache_size = maximum_cache_size;
        while self.cache_size > self.maximum_cache_size
            && let Some(node) = self.take_from_cache()
        {
            // SAFETY: a node taken from the cache has no other owner.
            unsafe { free(node) };
        }
    }

    /// Whether `value` is an element.
    pub fn contains(&self, value: i32) -> bool {
        self.values().any(|element| element == Some(value))
    }

    /// Takes the first node off the cache, its `next` cleared.
    fn take_from_cache(&mut self) -> Option<NonNull<Node>> {
        let mut node = NonNull::new(self.first_cached_node)?;
        // SAFETY: a node of the cache is live and nothing else refers to it.
        self.first_cached_node = unsafe { ptr::replace(&mut node.as_mut().next, ptr::null_mut()) };
        self.cache_size -= 1;
        Some(node)
    }

    /// Puts an unlinked node on the cache, or frees it if the cache is over-full.
    fn offer_to_cache(&mut self, mut node: NonNull<Node>) {
        if self.cache_size > self.maximum_cache_size {
            // SAFETY: the node was unlinked, so the caller was its only owner.
            return unsafe { free(node) };
        }
        // SAFETY: as above; the reference ends before the cache takes the node.
        *unsafe { node.as_mut() } =
            Node { next: self.first_cached_node, previous: ptr::null_mut(), value: None };
        self.first_cached_node = node.as_ptr();
        self.cache_size += 1;
    }

    /// The elements in order.
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
    /// A node without links and value, owned by whoever links it.
    fn bare() -> NonNull<Node> {
        let node = Node { next: ptr::null_mut(), previous: ptr::null_mut(), value: None };
        NonNull::from(Box::leak(Box::new(node)))
    }

    /// A bare node that is a ring by itself.
    fn ring() -> NonNull<Node> {
        let mut node = Node::bare();
        // SAFETY: the node was just allocated and nothing else refers to it.
        let fields = unsafe { node.as_mut() };
        (fields.next, fields.previous) = (node.as_ptr(), node.as_ptr());
        node
    }
}

/// Puts `node` on the ring of `successor`, right before it.
///
/// # Safety
///
/// Both are live, `node` is on no ring and `successor` is on one.
unsafe fn link_before(node: NonNull<Node>, successor: NonNull<Node>) {
    let (node, successor) = (node.as_ptr(), successor.as_ptr());
    // SAFETY: by the contract, and the neighbours of a node on a ring are live.
    unsafe {
        let predecessor = (*successor).previous;
        (*node).next = successor;
        (*node).previous = predecessor;
        (*predecessor).next = node;
        (*successor).previous = node;
    }
}

/// Takes `node` off its ring; its own links stay as they are.
///
/// # Safety
///
/// The node is live and on a ring.
unsafe fn unlink(node: NonNull<Node>) {
    // SAFETY: by the contract, and the neighbours of a node on a ring are live.
    unsafe {
        let Node { next, previous, .. } = *node.as_ptr();
        (*previous).next = next;
        (*next).previous = previous;
    }
}

/// Gives the memory of `node` back.
///
/// # Safety
///
/// The node came from [`Node::bare`] and is never used again.
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
            copy.offer_to_cache(Node::bare());
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
        // SAFETY: every node of the ring is live, and is freed once: the header last.
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
mod tests {
    use super::*;
    use crate::testing::{self, Builder, Form};

    type Ncl = NodeCachingLinkedList;

    fn list(values: impl IntoIterator<Item = i32>) -> Ncl {
        let mut list = Ncl::new();
        values.into_iter().for_each(|value| assert!(list.add_last(value)));
        list
    }

    fn write(list: &Ncl, form: &mut Form) {
        form.count(list.cache_size);
        write_node(list.first_cached_node, form);
        write_node(list.header.as_ptr(), form);
        form.count(list.maximum_cache_size);
        form.count(list.size);
    }

    fn write_node(node: *mut Node, form: &mut Form) {
        // SAFETY: the list that holds the node is borrowed during the walk.
        let Some(node) = (unsafe { node.as_ref() }) else { return form.null() };
        if form.enter(ptr::from_ref(node).addr()) {
            write_node(node.next, form);
            write_node(node.previous, form);
            form.nullable(node.value);
        }
    }

    fn builders(k: usize) -> Vec<Builder<Ncl>> {
        let mut builders =
            testing::unary(0..k as i32, |list: &mut Ncl, value| Ok(list.add_last(value)));
        builders.extend(testing::unary(0..k, Ncl::remove_index));
        builders
    }

    #[test]
    fn elements_keep_the_order_of_their_insertion() {
        assert_eq!(format!("{:?}", list([3, 1, 2])), "[3, 1, 2]");
    }

    #[test]
    fn removal_ignores_its_index() {
        let mut list = list([3, 1, 2]);
        assert_eq!(list.remove_index(2), Ok(Some(3)));
        assert_eq!(list.remove_index(99), Ok(Some(1)));
        assert_eq!(format!("{list:?}"), "[2]");
    }

    #[test]
    fn removal_from_an_empty_list_is_misuse() {
        assert_eq!(list([]).remove_index(0), Err(Misuse::Empty));
    }

    #[test]
    fn only_elements_are_contained() {
        let mut list = list([3, 1]);
        assert!(list.contains(3) && list.contains(1) && !list.contains(2));
        assert_eq!(list.remove_index(0), Ok(Some(3)));
        assert!(!list.contains(3));
    }

    #[test]
    fn a_removed_node_is_used_again() {
        let mut list = list([3]);
        assert_eq!(list.remove_index(0), Ok(Some(3)));
        let cached = list.first_cached_node;
        assert_eq!(list.cache_size, 1);
        list.add_last(4);
        assert_eq!((list.cache_size, list.first_cached_node), (0, ptr::null_mut()));
        // SAFETY: the header is live.
        assert_eq!(unsafe { list.header.as_ref() }.next, cached);
    }

    #[test]
    fn the_cache_holds_one_node_more_than_its_maximum() {
        let mut list = list(0..5);
        list.set_maximum_cache_size(1);
        (0..5).for_each(|_| assert!(list.remove_index(0).is_ok()));
        assert_eq!((list.cache_size, list.maximum_cache_size), (2, 1));
    }

    #[test]
    fn a_smaller_maximum_empties_the_cache() {
        let mut list = list(0..5);
        (0..5).for_each(|_| assert!(list.remove_index(0).is_ok()));
        assert_eq!(list.cache_size, 5);
        list.set_maximum_cache_size(2);
        assert_eq!(list.cache_size, 2);
    }

    #[test]
    fn a_clone_has_its_own_ring_and_cache() {
        let mut original = list(0..30);
        original.set_maximum_cache_size(25);
        (0..27).for_each(|_| assert!(original.remove_index(0).is_ok()));
        let copy = original.clone();
        assert_eq!((copy.cache_size, copy.maximum_cache_size, copy.mod_count), (26, 25, 57));
        original.add_last(7);
        original.set_maximum_cache_size(0);
        assert_eq!(format!("{copy:?} {}", copy.cache_size), "[27, 28, 29] 26");
        drop(original);
        assert_eq!(format!("{:?}", copy.clone()), "[27, 28, 29]");
    }

    #[test]
    fn large_lists_are_dropped_without_recursion() {
        drop(list(0..200_000));
    }

    #[test]
    fn the_published_counts_of_the_builders_are_reached() {
        let published = [(1, 4), (4, 20), (18, 114), (112, 904), (975, 9760)];
        for (k, counts) in (1..).zip(published) {
            let found = testing::explore(k, &testing::constructor(Ncl::new), &builders(k), write);
            assert_eq!(found.counts(), counts, "scope {k}");
        }
    }

    #[test]
    fn the_published_counts_of_all_methods_are_reached() {
        let published = [(2, 11), (12, 101), (71, 859), (553, 8857)];
        for (k, counts) in (1..).zip(published) {
            let mut methods = builders(k);
            methods.extend(testing::unary(0..k, |list: &mut Ncl, maximum| {
                list.set_maximum_cache_size(maximum);
                Ok(())
            }));
            methods.extend(testing::unary(0..k as i32, |list: &mut Ncl, value| {
                Ok(list.contains(value))
            }));
            let found = testing::explore(k, &testing::constructor(Ncl::new), &methods, write);
            assert_eq!(found.counts(), counts, "scope {k}");
        }
    }
}
