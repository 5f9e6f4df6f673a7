//! One cell that two fields own, or each its own with the same contents; what is written by one is
//! read by the other.

use std::cell::RefCell;
use std::rc::Rc;

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Desk { left: Rc<RefCell<Vec<u8>>>, right: Rc<RefCell<Vec<u8>>>, both: Option<Rc<Pair>> }
}

seen! {
    #[derive(Clone)]
    pub struct Pair { of: (Rc<RefCell<Vec<u8>>>, Rc<RefCell<Vec<u8>>>) }
}

impl Desk {
    pub fn new() -> Self {
        Desk { left: Rc::default(), right: Rc::default(), both: None }
    }

    pub fn write(&mut self, value: u8) {
        self.left.borrow_mut().push(value);
    }

    pub fn read(&mut self) {
        if let Some(value) = self.right.borrow_mut().pop() {
            self.left.borrow_mut().insert(0, value);
        }
    }

    pub fn tie(&mut self) {
        self.right = Rc::clone(&self.left);
    }

    pub fn copy(&mut self) {
        let copied = self.left.borrow().clone();
        self.right = Rc::new(RefCell::new(copied));
    }

    pub fn store(&mut self) {
        self.both = Some(Rc::new(Pair { of: (Rc::clone(&self.right), Rc::clone(&self.left)) }));
    }

    pub fn restore(&mut self) {
        if let Some(both) = &self.both {
            (self.left, self.right) = both.of.clone();
        }
    }
}

both! {
    /// Desks.
    suite Desks "awkward::two_owners" {
        for Desk {
            fn new() -> Self;
            fn write(&mut self, value: u8);
            fn read(&mut self);
            fn tie(&mut self);
            fn copy(&mut self);
            fn store(&mut self);
            fn restore(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Desks, Scope { ints: vec![0], objects: 4, ..Scope::of(2) })
}
