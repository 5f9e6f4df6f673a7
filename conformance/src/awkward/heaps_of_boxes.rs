//! Binary heaps deep inside: of boxes, in a map, with elements changed in place. Equal elements are the same, but they lie in
//! an order that `into_vec` shows.

use std::collections::binary_heap::PeekMut;
use std::collections::{BTreeMap, BinaryHeap};

use crate::both;
use crate::case::{Case, Scope};
use crate::own::{Show, Sight};

#[derive(Clone, beget::Heap)]
pub struct Queues {
    by_owner: BTreeMap<u8, BinaryHeap<Box<u8>>>,
    seen: Vec<u8>,
}

impl Show for Queues {
    fn show(&self, sight: &mut Sight<'_>) {
        sight.array::<BTreeMap<u8, BinaryHeap<Box<u8>>>>(self.by_owner.len());
        for (owner, queue) in &self.by_owner {
            owner.show(sight);
            sight.array::<BinaryHeap<Box<u8>>>(queue.len());
            queue.as_slice().iter().for_each(|element| element.show(sight));
        }
        self.seen.show(sight);
    }
}

impl Queues {
    pub fn new() -> Self {
        Queues { by_owner: BTreeMap::new(), seen: Vec::new() }
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
            PeekMut::pop(greatest);
        }
    }

    /// The order in which the elements lie.
    pub fn list(&mut self) {
        if let Some((_, queue)) = self.by_owner.pop_first() {
            self.seen = queue.into_vec().into_iter().map(|value| *value).collect();
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
            fn list(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(AllQueues, Scope { ints: vec![1, 2], arrays: 3, ..Scope::of(3) })
}
