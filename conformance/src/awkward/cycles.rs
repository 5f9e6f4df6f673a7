//! Rings of strong pointers: nothing in them is ever freed, and they cannot be decoded.

use std::cell::RefCell;
use std::rc::Rc;

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    pub struct Ring { at: Option<Rc<Link>> }
}

seen! {
    pub struct Link { mark: std::cell::Cell<u8>, next: RefCell<Option<Rc<Link>>> }
}

impl Ring {
    pub fn new() -> Self {
        Ring { at: None }
    }

    pub fn insert(&mut self, mark: u8) {
        let link = Rc::new(Link { mark: mark.into(), next: RefCell::new(None) });
        let next = match &self.at {
            Some(at) => at.next.replace(Some(Rc::clone(&link))),
            None => Some(Rc::clone(&link)),
        };
        *link.next.borrow_mut() = next;
        self.at = Some(link);
    }

    pub fn step(&mut self) {
        let next = self.at.as_ref().and_then(|at| at.next.borrow().clone());
        self.at = next;
    }

    pub fn cut(&mut self) {
        if let Some(at) = &self.at {
            at.next.take();
        }
    }

    pub fn mark(&self, mark: u8) {
        if let Some(at) = &self.at {
            at.mark.set(mark);
        }
    }
}

both! {
    /// Rings.
    suite Rings "awkward::cycles" {
        for Ring {
            fn new() -> Self;
            fn insert(&mut self, mark: u8);
            fn step(&mut self);
            fn cut(&mut self);
            fn mark(&self, mark: u8);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Rings, Scope { ints: vec![0, 1], ..Scope::of(3) })
}
