//! Results that share objects with the arguments and with one another.

use std::rc::{Rc, Weak};

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    pub struct Leaf { value: Rc<u8>, watch: Weak<u8> }
}

impl Leaf {
    pub fn new() -> Self {
        Leaf { value: Rc::new(0), watch: Weak::new() }
    }

    pub fn fork(&self) -> Leaf {
        Leaf { value: Rc::clone(&self.value), watch: Weak::new() }
    }

    pub fn twins(self) -> (Leaf, Leaf) {
        let value = Rc::clone(&self.value);
        (self, Leaf { value, watch: Weak::new() })
    }

    pub fn watch(&mut self) {
        self.watch = Rc::downgrade(&self.value);
    }

    pub fn borrow(&mut self, other: &Leaf) {
        self.value = Rc::clone(&other.value);
    }

    pub fn renew(&mut self) {
        let value = Rc::strong_count(&self.value) as u8;
        self.value = Rc::new((*self.value + value) % 4);
    }

    pub fn change(&mut self) -> Option<()> {
        Rc::get_mut(&mut self.value).map(|value| *value = 3)
    }
}

both! {
    /// Leaves.
    suite Leaves "awkward::sharing_results" {
        for Leaf {
            fn new() -> Self;
            fn fork(&self) -> Leaf;
            fn twins(self) -> (Leaf, Leaf);
            fn watch(&mut self);
            fn borrow(&mut self, other: &Leaf);
            fn renew(&mut self);
            fn change(&mut self) -> Option<()>;
        }
    }
}

pub fn case() -> Case {
    crate::case!(Leaves, Scope::of(2))
}
