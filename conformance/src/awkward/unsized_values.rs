//! Values without size, and pointers to them.

use std::rc::{Rc, Weak};

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Nothing;
}

seen! {
    #[derive(Clone)]
    pub struct Bag { units: Vec<()>, boxed: Option<Box<Nothing>>, shared: Vec<Rc<Nothing>>, seen: Weak<Nothing> }
}

impl Nothing {
    pub fn new() -> Self {
        Nothing
    }

    pub fn again(&self) -> Option<Self> {
        Some(Nothing)
    }
}

impl Bag {
    pub fn empty() -> Self {
        Bag { units: Vec::new(), boxed: None, shared: Vec::new(), seen: Weak::new() }
    }

    pub fn push(&mut self, unit: ()) {
        self.units.push(unit);
    }

    pub fn put(&mut self, nothing: Nothing) {
        self.boxed = match self.boxed.take() {
            None => Some(Box::new(nothing)),
            Some(_) => None,
        };
    }

    pub fn share(&mut self) {
        self.shared.push(Rc::new(Nothing));
    }

    pub fn repeat(&mut self) {
        self.shared.extend(self.shared.first().cloned());
    }

    pub fn see(&mut self) {
        self.seen = self.shared.last().map(Rc::downgrade).unwrap_or_default();
    }
}

both! {
    /// Bags.
    suite Bags "awkward::unsized_values" {
        for Bag {
            fn empty() -> Self;
            fn push(&mut self, unit: ());
            fn put(&mut self, nothing: Nothing);
            fn share(&mut self);
            fn repeat(&mut self);
            fn see(&mut self);
        }
        for Nothing {
            fn new() -> Self;
            fn again(&self) -> Option<Self>;
        }
    }
}

pub fn case() -> Case {
    crate::case!(Bags, Scope::of(2))
}
