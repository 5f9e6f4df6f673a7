//! Calls that leave several structures, one of which may be beyond the scope.

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Rope { parts: Vec<Box<u8>> }
}

impl Rope {
    pub fn new() -> Self {
        Rope { parts: Vec::new() }
    }

    pub fn push(&mut self, value: u8) {
        self.parts.push(Box::new(value));
    }

    pub fn split_off(&mut self, at: usize) -> Rope {
        Rope { parts: self.parts.split_off(at.min(self.parts.len())) }
    }

    /// One of the halves is longer than allowed where the rope was long.
    pub fn stretch(self) -> (Rope, Option<Rope>, Rope) {
        let first = self.parts.first().cloned();
        let long = Rope { parts: self.parts.iter().chain(&self.parts).cloned().collect() };
        (Rope { parts: first.clone().into_iter().collect() }, first.map(|_| Rope::new()), long)
    }

    pub fn twice(self) -> (Rope, Rope) {
        (self.clone(), self)
    }
}

both! {
    /// Ropes.
    suite Ropes "awkward::parts" {
        for Rope {
            fn new() -> Self;
            fn push(&mut self, value: u8);
            fn split_off(&mut self, at: usize) -> Rope;
            fn stretch(self) -> (Rope, Option<Rope>, Rope);
            fn twice(self) -> (Rope, Rope);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Ropes, Scope::of(3))
}
