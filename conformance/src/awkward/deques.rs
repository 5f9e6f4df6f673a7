//! A double-ended queue that goes round its buffer.

use std::collections::VecDeque;

use crate::both;
use crate::case::{Case, Scope};

pub type Deque = VecDeque<u8>;

both! {
    /// Deques.
    suite Deques "awkward::deques" {
        for Deque {
            fn new() -> Self;
            fn push_back(&mut self, value: u8);
            fn push_front(&mut self, value: u8);
            fn pop_front(&mut self) -> Option<u8>;
            fn rotate_left(&mut self, n: usize);
            fn append(&mut self, other: &mut Self);
            fn split_off(&mut self, at: usize) -> Deque;
        }
    }
}

pub fn case() -> Case {
    crate::case!(Deques, Scope::of(3))
}
