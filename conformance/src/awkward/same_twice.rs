//! Methods that are given one structure twice, or three times, and can tell.

use std::cell::Cell;
use std::rc::Rc;

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Tally { count: Rc<Cell<u8>>, met: Cell<u8> }
}

impl Tally {
    pub fn new() -> Self {
        Tally { count: Rc::default(), met: Cell::default() }
    }

    /// Writes to both; to one twice, if they are the same.
    pub fn meet(&self, other: &Tally) {
        self.met.set((self.met.get() + 1).min(3));
        other.met.set((other.met.get() + 1).min(3));
        if std::ptr::eq(self, other) {
            self.count.set(3);
        }
    }

    pub fn between(&self, one: &Tally, other: &Tally) {
        let n_same = u8::from(std::ptr::eq(self, one)) + u8::from(std::ptr::eq(one, other));
        self.count.set(self.count.get().max(n_same));
    }

    /// The count of the other, which is then shared by two structures' worth of pointers in one.
    pub fn follow(&mut self, other: &Tally) {
        self.count = Rc::new(other.count.as_ref().clone());
        self.met.set(other.met.get());
    }

    pub fn take(&mut self, other: &mut Tally) {
        std::mem::swap(&mut self.count, &mut other.count);
        other.met.set(0);
    }
}

both! {
    /// Tallies.
    suite Tallies "awkward::same_twice" {
        for Tally {
            fn new() -> Self;
            fn meet(&self, other: &Tally);
            fn between(&self, one: &Tally, other: &Tally);
            fn follow(&mut self, other: &Tally);
            fn take(&mut self, other: &mut Tally);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Tallies, Scope::of(2))
}
