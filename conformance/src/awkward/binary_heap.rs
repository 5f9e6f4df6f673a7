//! A binary heap, on its own: which layout its elements lie in is no part of it.

use std::collections::BinaryHeap;

use crate::both;
use crate::case::{Case, Scope};

pub type Queue = BinaryHeap<u8>;

pub fn merge(queue: &mut Queue, other: &Queue) {
    queue.extend(other);
}

both! {
    /// Queues.
    suite Queues "awkward::binary_heap" {
        for Queue {
            fn new() -> Self;
            fn push(&mut self, value: u8);
            fn pop(&mut self) -> Option<u8>;
            fn append(&mut self, other: &mut Self);
            fn merge(queue: &mut Queue, other: &Queue) = merge;
            fn clear(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Queues, Scope::of(3))
}
