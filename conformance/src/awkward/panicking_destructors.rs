//! Destructors that panic: of an argument in the call, of what is left after it.

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Fuse { charge: u8, armed: bool }
}

impl Drop for Fuse {
    fn drop(&mut self) {
        if self.armed && !std::thread::panicking() {
            panic!("dropped while armed");
        }
    }
}

impl Fuse {
    pub fn new() -> Self {
        Fuse { charge: 0, armed: false }
    }

    pub fn load(&mut self) {
        self.charge = (self.charge + 1) % 3;
    }

    pub fn arm(&mut self) {
        self.armed = self.charge > 0;
    }

    pub fn discard(self) -> u8 {
        self.charge
    }

    pub fn replace(&mut self, other: Fuse) {
        *self = other;
    }
}

both! {
    /// Fuses.
    suite Fuses "awkward::panicking_destructors" {
        for Fuse {
            fn new() -> Self;
            fn load(&mut self);
            fn arm(&mut self);
            fn discard(self) -> u8;
            fn replace(&mut self, other: Fuse);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Fuses, Scope::of(1))
}
