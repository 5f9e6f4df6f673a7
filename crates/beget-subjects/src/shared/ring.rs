//! Rings of nodes behind raw pointers: the one place that follows them.
//!
//! A ring is closed in both directions and goes through a header, which holds no value. The owner
//! of the header owns all nodes of the ring.
#![allow(unsafe_code)] // A ring cannot be owned through references; see the contracts below.

use std::ptr::NonNull;

/// A link to a node, or to none.
pub(crate) type Link<N> = Option<NonNull<N>>;

/// A node that can be part of a ring. Only this crate can implement it: the links are trusted.
pub trait RingNode: Sized {
    /// The published name of the class of the list.
    const LIST: &'static str;
    /// A node without links.
    fn new(value: Option<i32>) -> Self;
    /// The node's value; a header has none.
    fn value(&mut self) -> &mut Option<i32>;
    /// The link to the previous node.
    fn previous(&mut self) -> &mut Link<Self>;
    /// The link to the next node.
    fn next(&mut self) -> &mut Link<Self>;
}

/// A new node, owned by the caller.
pub(crate) fn allocate<N: RingNode>(value: Option<i32>) -> NonNull<N> {
    NonNull::from(Box::leak(Box::new(N::new(value))))
}

/// A header that is its own neighbour on both sides.
pub(crate) fn empty<N: RingNode>() -> NonNull<N> {
    let header = allocate::<N>(None);
    // SAFETY: the node is new, and there is no other reference to it.
    unsafe { join(header, header) };
    header
}

/// Puts a node between `place` and the one before it.
///
/// # Safety
/// `place` must be part of a ring, `node` must be allocated and part of none, and no reference to
/// either or to a neighbour may be live.
pub(crate) unsafe fn insert_before<N: RingNode>(place: NonNull<N>, node: NonNull<N>) {
    // SAFETY: as the caller promises; the neighbour is part of the ring as well.
    unsafe {
        let before = previous(place);
        join(before, node);
        join(node, place);
    }
}

/// Takes a node out of its ring. Its own links stay; the caller owns it from here on.
///
/// # Safety
/// `node` must be part of a ring and not its header, and no reference to it or to a neighbour may
/// be live.
pub(crate) unsafe fn unlink<N: RingNode>(node: NonNull<N>) {
    // SAFETY: as the caller promises; the neighbours are part of the ring as well.
    unsafe { join(previous(node), next(node)) }
}

/// Frees a node and gives its value back.
///
/// # Safety
/// The caller must own the node, and nothing may follow a link to it later.
pub(crate) unsafe fn free<N: RingNode>(node: NonNull<N>) -> Option<i32> {
    // SAFETY: the node comes from `allocate` and the caller owns it.
    let mut node = unsafe { Box::from_raw(node.as_ptr()) };
    node.value().take()
}

/// Frees all nodes of a ring but its header, which is left without sound links.
///
/// # Safety
/// `header` must be part of a ring that the caller owns, and no reference to a node of it may be
/// live. The header must be freed or joined to itself next.
pub(crate) unsafe fn free_elements<N: RingNode>(header: NonNull<N>) {
    // SAFETY: each node is part of the ring until it is freed, and its link is read before that.
    unsafe {
        let mut node = next(header);
        while node != header {
            let behind = next(node);
            free(node);
            node = behind;
        }
    }
}

/// The nodes of a ring but its header, from the front.
///
/// # Safety
/// `header` must be part of a ring, which must neither change nor go away while the iterator is in
/// use.
pub(crate) unsafe fn elements<N: RingNode>(header: NonNull<N>) -> impl Iterator<Item = NonNull<N>> {
    // SAFETY: as the caller promises, and each node leads to another one of the ring.
    let step = move |&node: &NonNull<N>| Some(unsafe { next(node) }).filter(|&n| n != header);
    std::iter::successors(step(&header), step)
}

/// The value of a node.
///
/// # Safety
/// `node` must be allocated, and no reference to it may be live.
pub(crate) unsafe fn value<N: RingNode>(node: NonNull<N>) -> Option<i32> {
    // SAFETY: as the caller promises.
    unsafe { *(*node.as_ptr()).value() }
}

/// Makes two nodes neighbours.
///
/// # Safety
/// Both must be allocated, and no reference to either may be live.
pub(crate) unsafe fn join<N: RingNode>(before: NonNull<N>, behind: NonNull<N>) {
    // SAFETY: as the caller promises; the two references are not live at the same time.
    unsafe {
        *(*before.as_ptr()).next() = Some(behind);
        *(*behind.as_ptr()).previous() = Some(before);
    }
}

unsafe fn next<N: RingNode>(node: NonNull<N>) -> NonNull<N> {
    // SAFETY: the caller knows the node to be part of a ring.
    unsafe { *(*node.as_ptr()).next() }.expect("a ring is closed")
}

unsafe fn previous<N: RingNode>(node: NonNull<N>) -> NonNull<N> {
    // SAFETY: the caller knows the node to be part of a ring.
    unsafe { *(*node.as_ptr()).previous() }.expect("a ring is closed")
}
