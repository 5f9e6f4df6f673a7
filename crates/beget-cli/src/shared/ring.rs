//! Rings of nodes behind raw pointers. Only this module follows the links of a ring.
//!
//! A ring is closed in both directions and passes through a header, which holds no value. The owner
//! of the header owns all nodes of the ring.
#![allow(unsafe_code)] // A ring cannot be owned through references; see the contracts below.

use std::ptr::NonNull;

/// A link to a node, or none.
pub(crate) type Link<N> = Option<NonNull<N>>;

/// A node of a ring. Other crates cannot implement it, because the ring trusts its links.
pub trait RingNode: Sized {
    /// The published name of the list's class.
    const LIST: &'static str;
    /// Creates a node without links.
    fn new(value: Option<i32>) -> Self;
    /// Borrows the node's value; a header has none.
    fn value(&mut self) -> &mut Option<i32>;
    /// Borrows the link to the previous node.
    fn previous(&mut self) -> &mut Link<Self>;
    /// Borrows the link to the next node.
    fn next(&mut self) -> &mut Link<Self>;
}

/// Allocates a node that the caller owns.
pub(crate) fn allocate<N: RingNode>(value: Option<i32>) -> NonNull<N> {
    NonNull::from(Box::leak(Box::new(N::new(value))))
}

/// Creates an empty ring: a header that is its own neighbour on both sides.
pub(crate) fn empty<N: RingNode>() -> NonNull<N> {
    let header = allocate::<N>(None);
    // SAFETY: the node is new, and there is no other reference to it.
    unsafe { join(header, header) };
    header
}

/// Inserts a node before `place`.
///
/// # Safety
/// `place` must be part of a ring. `node` must be allocated and not part of any ring. No reference
/// to either of them or to a neighbour may be live.
pub(crate) unsafe fn insert_before<N: RingNode>(place: NonNull<N>, node: NonNull<N>) {
    // SAFETY: guaranteed by the caller; the neighbour is part of the ring as well.
    unsafe {
        let before = previous(place);
        join(before, node);
        join(node, place);
    }
}

/// Takes a node out of its ring and leaves its own links as they are. The caller now owns it.
///
/// # Safety
/// `node` must be part of a ring and not its header. No reference to it or to a neighbour may be
/// live.
pub(crate) unsafe fn unlink<N: RingNode>(node: NonNull<N>) {
    // SAFETY: guaranteed by the caller; the neighbours are part of the ring as well.
    unsafe { join(previous(node), next(node)) }
}

/// Frees a node and returns its value.
///
/// # Safety
/// The caller must own the node, and must not follow a link to it later.
pub(crate) unsafe fn free<N: RingNode>(node: NonNull<N>) -> Option<i32> {
    // SAFETY: the node comes from `allocate` and the caller owns it.
    let mut node = unsafe { Box::from_raw(node.as_ptr()) };
    node.value().take()
}

/// Frees all nodes of a ring except its header, whose links become invalid.
///
/// # Safety
/// `header` must be part of a ring that the caller owns, and no reference to a node of the ring may
/// be live. The caller must free the header next, or join it to itself.
pub(crate) unsafe fn free_elements<N: RingNode>(header: NonNull<N>) {
    // SAFETY: each node is part of the ring until it is freed, after its link has been read.
    unsafe {
        let mut node = next(header);
        while node != header {
            let behind = next(node);
            free(node);
            node = behind;
        }
    }
}

/// Iterates over the nodes of a ring from the front, without the header.
///
/// # Safety
/// `header` must be part of a ring. While the iterator is in use, the ring must neither change nor
/// be freed.
pub(crate) unsafe fn elements<N: RingNode>(header: NonNull<N>) -> impl Iterator<Item = NonNull<N>> {
    // SAFETY: guaranteed by the caller, and each node links to another node of the ring.
    let step = move |&node: &NonNull<N>| Some(unsafe { next(node) }).filter(|&n| n != header);
    std::iter::successors(step(&header), step)
}

/// Returns the value of a node.
///
/// # Safety
/// `node` must be allocated, and no reference to it may be live.
pub(crate) unsafe fn value<N: RingNode>(node: NonNull<N>) -> Option<i32> {
    // SAFETY: guaranteed by the caller.
    unsafe { *(*node.as_ptr()).value() }
}

/// Makes two nodes neighbours.
///
/// # Safety
/// Both must be allocated, and no reference to either may be live.
pub(crate) unsafe fn join<N: RingNode>(before: NonNull<N>, behind: NonNull<N>) {
    // SAFETY: guaranteed by the caller; the two references are not live at the same time.
    unsafe {
        *(*before.as_ptr()).next() = Some(behind);
        *(*behind.as_ptr()).previous() = Some(before);
    }
}

unsafe fn next<N: RingNode>(node: NonNull<N>) -> NonNull<N> {
    // SAFETY: the caller knows that the node is part of a ring.
    unsafe { *(*node.as_ptr()).next() }.expect("a ring is closed")
}

unsafe fn previous<N: RingNode>(node: NonNull<N>) -> NonNull<N> {
    // SAFETY: the caller knows that the node is part of a ring.
    unsafe { *(*node.as_ptr()).previous() }.expect("a ring is closed")
}
