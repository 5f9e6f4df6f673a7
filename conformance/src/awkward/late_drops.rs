//! Destructors that panic late: first after calls that region images do not compare with others,
//! then after some that they do.

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Lock { digits: Vec<u8> }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let is_last = self.digits.first() == Some(&11);
        let panics = self.digits.len() > 3 || self.digits.len() == 3 && is_last;
        if panics && !std::thread::panicking() {
            panic!("dropped while locked");
        }
    }
}

impl Lock {
    pub fn new() -> Self {
        Lock { digits: Vec::new() }
    }

    pub fn turn(&mut self, digit: u8) {
        self.digits.push(digit);
    }

    pub fn clear(&mut self) {
        self.digits.clear();
    }
}

both! {
    /// Locks.
    suite Locks "awkward::late_drops" {
        for Lock {
            fn new() -> Self;
            fn turn(&mut self, digit: u8);
            fn clear(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Locks, Scope { arrays: 3, ints: (0..12).collect(), ..Scope::of(1) })
}
