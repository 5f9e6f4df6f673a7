//! Types that differ in a parameter only, and have no size or no field of it.

use std::marker::PhantomData;

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Door { open: Option<Box<Seal>>, mark: PhantomData<fn() -> Seal>, steps: Vec<Seal>, path: Vec<()> }
}

seen! {
    #[derive(Clone)]
    pub struct Seal;
}

impl Door {
    pub fn new() -> Self {
        Door { open: None, mark: PhantomData, steps: Vec::new(), path: Vec::new() }
    }

    pub fn open(&mut self) {
        self.open = Some(Box::new(Seal));
    }

    pub fn close(&mut self) {
        self.steps.extend(self.open.take().map(|seal| *seal));
    }

    pub fn walk(&mut self) {
        self.path.push(());
    }

    pub fn swap(&mut self) {
        let steps = self.steps.len();
        self.steps = self.path.iter().map(|()| Seal).collect();
        self.path = vec![(); steps];
    }

    pub fn both(self, other: Door) -> Door {
        Door { open: self.open.or(other.open), path: other.path, ..self }
    }
}

both! {
    /// Doors.
    suite Doors "awkward::markers" {
        for Door {
            fn new() -> Self;
            fn open(&mut self);
            fn close(&mut self);
            fn walk(&mut self);
            fn swap(&mut self);
            fn both(self, other: Door) -> Door;
        }
    }
}

pub fn case() -> Case {
    crate::case!(Doors, Scope::of(3))
}
