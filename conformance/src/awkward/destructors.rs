//! Destructors that write into what is left of their structure.

use std::cell::Cell;
use std::rc::Rc;

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    pub struct Pool { lent: Vec<Ticket>, returned: Rc<Cell<u8>> }
}

seen! {
    pub struct Ticket { number: u8, desk: Rc<Cell<u8>> }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.desk.set((self.desk.get() + self.number) % 4);
    }
}

impl Pool {
    pub fn new() -> Self {
        Pool { lent: Vec::new(), returned: Rc::new(Cell::new(0)) }
    }

    pub fn lend(&mut self, number: u8) {
        self.lent.push(Ticket { number, desk: Rc::clone(&self.returned) });
    }

    pub fn give_back(&mut self) {
        self.lent.pop();
    }

    pub fn close(self) -> Pool {
        let Pool { lent, returned } = self;
        drop(lent);
        Pool { lent: Vec::new(), returned }
    }

    /// The tickets of the other pool write to its own desk.
    pub fn take_over(&mut self, other: &mut Pool) {
        std::mem::swap(&mut self.lent, &mut other.lent);
        other.lent.clear();
    }
}

both! {
    /// Pools.
    suite Pools "awkward::destructors" {
        for Pool {
            fn new() -> Self;
            fn lend(&mut self, number: u8);
            fn give_back(&mut self);
            fn close(self) -> Pool;
        }
    }
}

pub fn case() -> Case {
    crate::case!(Pools, Scope { ints: vec![0, 1, 3], objects: 4, ..Scope::of(2) })
}
