//! Binary heaps deep inside: of boxes, in a map, with elements changed in place. Which of two equal
//! elements comes first cannot be seen.

use std::collections::binary_heap::PeekMut;
use std::collections::{BTreeMap, BinaryHeap};

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Queues { by_owner: BTreeMap<u8, BinaryHeap<Box<u8>>>, last: Option<u8> }
}

impl Queues {
    pub fn new() -> Self {
        Queues { by_owner: BTreeMap::new(), last: None }
    }

    pub fn push(&mut self, owner: bool, value: u8) {
        self.by_owner.entry(owner.into()).or_default().push(Box::new(value));
    }

    /// Halves the greatest in place.
    pub fn halve(&mut self, owner: bool) {
        let queue = self.by_owner.get_mut(&owner.into());
        if let Some(mut greatest) = queue.and_then(BinaryHeap::peek_mut) {
            **greatest /= 2;
        }
    }

    pub fn pop(&mut self, owner: bool) {
        let queue = self.by_owner.get_mut(&owner.into());
        if let Some(greatest) = queue.and_then(BinaryHeap::peek_mut) {
            self.last = Some(*PeekMut::pop(greatest));
        }
    }

    pub fn merge(&mut self) {
        if let Some((_, mut first)) = self.by_owner.pop_first() {
            self.by_owner.entry(0).or_default().append(&mut first);
        }
    }
}

both! {
    /// Queues.
    suite AllQueues "awkward::heaps_of_boxes" {
        for Queues {
            fn new() -> Self;
            fn push(&mut self, owner: bool, value: u8);
            fn halve(&mut self, owner: bool);
            fn pop(&mut self, owner: bool);
            fn merge(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(AllQueues, Scope { ints: vec![1, 2], ..Scope::of(2) })
}
