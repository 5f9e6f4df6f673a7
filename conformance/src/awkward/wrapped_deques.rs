//! A ring buffer that is wrapped around: where its elements lie is no part of what it is.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Ring { items: VecDeque<Rc<u8>>, held: Option<Rc<u8>> }
}

impl Ring {
    pub fn new() -> Self {
        Ring { items: VecDeque::with_capacity(2), held: None }
    }

    pub fn push(&mut self, value: u8) {
        self.items.push_back(Rc::new(value));
    }

    pub fn push_held(&mut self) {
        self.items.extend(self.held.clone());
    }

    pub fn turn(&mut self) {
        if let Some(first) = self.items.pop_front() {
            self.items.push_back(first);
        }
    }

    pub fn hold(&mut self) {
        self.held = self.items.back().cloned();
    }

    pub fn pop(&mut self) {
        self.items.pop_front();
    }

    pub fn sort(&mut self) {
        self.items.make_contiguous().sort();
    }

    pub fn append(&mut self, other: &mut Ring) {
        self.items.append(&mut other.items);
    }
}

both! {
    /// Rings.
    suite Rings "awkward::wrapped_deques" {
        for Ring {
            fn new() -> Self;
            fn push(&mut self, value: u8);
            fn push_held(&mut self);
            fn turn(&mut self);
            fn hold(&mut self);
            fn pop(&mut self);
            fn sort(&mut self);
            fn append(&mut self, other: &mut Ring);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Rings, Scope { ints: vec![0, 1], ..Scope::of(2) })
}
