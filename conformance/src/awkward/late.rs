//! Many structures with few calls each: levels of several blocks, and structures far beyond the
//! first ones.

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Counter { low: u16, high: u16, extra: Option<Box<u16>> }
}

impl Counter {
    pub fn new(low: u16) -> Self {
        Counter { low, high: 0, extra: None }
    }

    pub fn double(&mut self) {
        self.low = (self.low * 2 + 1) % 1999;
    }

    pub fn carry(&mut self) {
        self.high = (self.high + self.low) % 2;
    }

    pub fn keep(&mut self) {
        self.extra = self.low.is_multiple_of(3).then(|| Box::new(1));
    }
}

both! {
    /// Counters.
    suite Counters "awkward::late" {
        for Counter {
            fn new(low: u16) -> Self;
            fn double(&mut self);
            fn carry(&mut self);
            fn keep(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Counters, Scope { ints: (0..1500).collect(), ..Scope::of(1) })
}
