//! A list linked both ways: strong pointers forwards, weak ones back.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    pub struct List { first: Option<Rc<Node>>, last: Weak<Node> }
}

seen! {
    pub struct Node { value: u8, next: RefCell<Option<Rc<Node>>>, back: RefCell<Weak<Node>> }
}

impl List {
    pub fn new() -> Self {
        List { first: None, last: Weak::new() }
    }

    pub fn push(&mut self, value: u8) {
        let back = RefCell::new(self.last.clone());
        let node = Rc::new(Node { value, next: RefCell::new(None), back });
        match self.last.upgrade() {
            Some(last) => *last.next.borrow_mut() = Some(Rc::clone(&node)),
            None => self.first = Some(Rc::clone(&node)),
        }
        self.last = Rc::downgrade(&node);
    }

    pub fn pop(&mut self) -> Option<u8> {
        let last = self.last.upgrade()?;
        match last.back.borrow().upgrade() {
            Some(back) => {
                back.next.take();
                self.last = Rc::downgrade(&back);
            }
            None => *self = List::new(),
        }
        Some(last.value)
    }

    /// Leaves the second node with a weak pointer that leads nowhere.
    pub fn behead(&mut self) {
        let next = self.first.as_ref().and_then(|first| first.next.borrow().clone());
        if next.is_some() {
            self.first = next;
        }
    }

    pub fn append(&mut self, other: List) {
        let mut node = other.first;
        while let Some(current) = node {
            self.push(current.value);
            node = current.next.borrow().clone();
        }
    }
}

both! {
    /// Lists.
    suite Lists "awkward::linked" {
        for List {
            fn new() -> Self;
            fn push(&mut self, value: u8);
            fn pop(&mut self) -> Option<u8>;
            fn behead(&mut self);
            fn append(&mut self, other: List);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Lists, Scope::of(3))
}
