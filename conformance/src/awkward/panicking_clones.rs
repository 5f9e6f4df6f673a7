//! Values whose `Clone` panics, but for the first ones.

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    pub struct Lonely { number: u8 }
}

impl Clone for Lonely {
    fn clone(&self) -> Self {
        assert!(self.number < 2, "there is only one {}", self.number);
        Lonely { number: self.number }
    }
}

impl Lonely {
    pub fn new() -> Self {
        Lonely { number: 0 }
    }

    pub fn step(&mut self) {
        self.number = (self.number + 1) % 5;
    }

    pub fn join(&mut self, other: Lonely) {
        self.number = self.number.max(other.number);
    }
}

both! {
    /// What cannot be cloned.
    suite LonelySuite "awkward::panicking_clones" {
        for Lonely {
            fn new() -> Self;
            fn step(&mut self);
            fn join(&mut self, other: Lonely);
        }
    }
}

pub fn case() -> Case {
    crate::case!(LonelySuite, Scope { ints: vec![0, 4], ..Scope::of(5) })
}
