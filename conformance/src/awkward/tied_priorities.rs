//! A binary heap of shared elements, of which several are equal: which of them comes first can be
//! seen by whoever shares one.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::rc::Rc;

use crate::both;
use crate::case::{Case, Scope};
use crate::own::{Show, Sight};

#[derive(Clone, beget::Heap)]
pub struct Ticket {
    priority: Rc<u8>,
}

impl PartialEq for Ticket {
    fn eq(&self, other: &Self) -> bool {
        self.priority == other.priority
    }
}

impl Eq for Ticket {}

impl PartialOrd for Ticket {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ticket {
    fn cmp(&self, other: &Self) -> Ordering {
        self.priority.cmp(&other.priority)
    }
}

#[derive(beget::Heap)]
pub struct Queue {
    tickets: BinaryHeap<Ticket>,
    watched: Option<Ticket>,
}

impl Show for Queue {
    fn show(&self, sight: &mut Sight<'_>) {
        sight.array::<BinaryHeap<Ticket>>(self.tickets.len());
        self.tickets.as_slice().iter().for_each(|ticket| ticket.priority.show(sight));
        self.watched.as_ref().map(|ticket| ticket.priority.clone()).show(sight);
    }
}

impl Queue {
    pub fn new() -> Self {
        Queue { tickets: BinaryHeap::new(), watched: None }
    }

    pub fn push(&mut self, priority: u8) {
        self.tickets.push(Ticket { priority: Rc::new(priority) });
    }

    pub fn watch(&mut self) {
        self.watched = self.tickets.peek().cloned();
    }

    pub fn pop(&mut self) {
        self.tickets.pop();
    }

    pub fn again(&mut self) {
        self.tickets.extend(self.watched.take());
    }
}

both! {
    /// Queues.
    suite Queues "awkward::tied_priorities" {
        for Queue {
            fn new() -> Self;
            fn push(&mut self, priority: u8);
            fn watch(&mut self);
            fn pop(&mut self);
            fn again(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Queues, Scope::of(3))
}
