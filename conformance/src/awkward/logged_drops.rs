//! Destructors that write down, in what is shared, the order in which they ran.

use std::cell::RefCell;
use std::rc::Rc;

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    pub struct Stage { log: Rc<RefCell<Vec<u8>>>, now: Option<Actor>, next: Vec<Actor> }
}

seen! {
    pub struct Actor { name: u8, log: Rc<RefCell<Vec<u8>>>, partner: Option<Box<Actor>> }
}

impl Drop for Actor {
    fn drop(&mut self) {
        let mut log = self.log.borrow_mut();
        log.push(self.name);
        if log.len() > 2 {
            log.remove(0);
        }
    }
}

impl Stage {
    pub fn new() -> Self {
        Stage { log: Rc::default(), now: None, next: Vec::new() }
    }

    fn actor(&self, name: u8) -> Actor {
        Actor { name, log: Rc::clone(&self.log), partner: None }
    }

    /// Who is there is dropped after the new one is made.
    pub fn enter(&mut self, name: u8) {
        self.now = Some(self.actor(name));
    }

    pub fn pair(&mut self, name: u8) {
        let partner = self.actor(name);
        if let Some(now) = &mut self.now {
            now.partner = Some(Box::new(partner));
        }
    }

    pub fn queue(&mut self) {
        self.next.extend(self.now.take());
    }

    /// In their order, from the front.
    pub fn clear(&mut self) {
        self.next.clear();
    }

    pub fn end(self) -> Stage {
        let log = Rc::clone(&self.log);
        drop(self);
        Stage { log, now: None, next: Vec::new() }
    }
}

both! {
    /// Stages.
    suite Stages "awkward::logged_drops" {
        for Stage {
            fn new() -> Self;
            fn enter(&mut self, name: u8);
            fn pair(&mut self, name: u8);
            fn queue(&mut self);
            fn clear(&mut self);
            fn end(self) -> Stage;
        }
    }
}

pub fn case() -> Case {
    crate::case!(Stages, Scope { ints: vec![0, 1], ..Scope::of(2) })
}
