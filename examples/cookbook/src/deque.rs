//! Raw pointers both ways.

use std::ptr;

/// A queue with two ends.
#[derive(Debug)]
#[cfg_attr(test, derive(beget::Heap), heap(unsafe(pointers)))]
pub struct Deque {
    front: *mut Node,
    back: *mut Node,
}

#[derive(Debug)]
#[cfg_attr(test, derive(beget::Heap), heap(unsafe(pointers)))]
struct Node {
    value: u8,
    next: *mut Node,
    previous: *mut Node,
}

#[cfg_attr(test, beget::api)]
impl Deque {
    /// An empty queue.
    pub fn new() -> Self {
        Deque { front: ptr::null_mut(), back: ptr::null_mut() }
    }

    /// Puts a value at the back.
    pub fn push_back(&mut self, value: u8) {
        let (next, previous) = (ptr::null_mut(), self.back);
        let node = Box::into_raw(Box::new(Node { value, next, previous }));
        if self.back.is_null() {
            self.front = node;
        } else {
            // SAFETY: `back` is null or a live node of this queue.
            unsafe { (*self.back).next = node };
        }
        self.back = node;
    }

    /// Takes the value at the front.
    pub fn pop_front(&mut self) -> Option<u8> {
        if self.front.is_null() {
            return None;
        }
        // SAFETY: `front` is a live node made by `Box::into_raw`, and nothing uses it from here on.
        let node = unsafe { Box::from_raw(self.front) };
        self.front = node.next;
        if self.front.is_null() {
            self.back = ptr::null_mut();
        } else {
            // SAFETY: the next node is alive.
            unsafe { (*self.front).previous = ptr::null_mut() };
        }
        Some(node.value)
    }

    /// The value at the back.
    pub fn back(&self) -> Option<u8> {
        // SAFETY: `back` is null or a live node of this queue.
        unsafe { self.back.as_ref() }.map(|node| node.value)
    }

    // It is asked before beget follows a pointer.
    #[cfg(test)]
    #[beget::invariant]
    fn is_linked_both_ways(&self) -> bool {
        let (mut node, mut previous) = (self.front, ptr::null_mut());
        // SAFETY: nodes are reached from `front`, which owns them.
        while let Some(at) = unsafe { node.as_ref() } {
            if at.previous != previous {
                return false;
            }
            (previous, node) = (node, at.next);
        }
        self.back == previous
    }
}

impl Default for Deque {
    fn default() -> Self {
        Deque::new()
    }
}

impl Drop for Deque {
    fn drop(&mut self) {
        while self.pop_front().is_some() {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_deque_is_sound() {
        // All sequences of at most 3 of 3 values.
        assert_eq!(beget::check!(Deque, k = 3).generated(), 1 + 3 + 9 + 27);
    }
}
