//! Durations that do not fit 64 bits of nanoseconds.

use std::time::Duration;

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Timer { left: Duration, steps: u8 }
}

impl Timer {
    pub fn new() -> Self {
        Timer { left: Duration::MAX, steps: 0 }
    }

    pub fn halve(&mut self) {
        if self.steps < 12 {
            self.left /= 2;
            self.steps += 1;
        }
    }

    pub fn forget(&mut self) {
        self.steps = 0;
        self.left = self.left.saturating_add(Duration::from_secs(1 << 63));
    }

    pub fn cut(&mut self) {
        self.left = Duration::from_secs(self.left.as_secs());
    }
}

both! {
    /// Timers.
    suite Timers "awkward::durations" {
        for Timer {
            fn new() -> Self;
            fn halve(&mut self);
            fn cut(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Timers, Scope::of(1))
}
