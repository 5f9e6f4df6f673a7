//! Memory that calls leak, and statics that they read and count in without using the count.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::case::{Case, Scope};
use crate::{both, seen};

static CALLS: AtomicUsize = AtomicUsize::new(0);

seen! {
    #[derive(Clone)]
    pub struct Drain { drops: Vec<u8> }
}

impl Drain {
    pub fn new() -> Self {
        Drain { drops: Vec::new() }
    }

    pub fn drip(&mut self, value: u8) {
        CALLS.fetch_add(1, Ordering::Relaxed);
        self.drops.push(value);
    }

    pub fn leak(&mut self) {
        if self.drops.len() > 1 {
            let leaked: &'static mut u8 = Box::leak(Box::new(self.drops[0]));
            self.drops[0] = 2 - *leaked;
        }
    }

    pub fn forget(&mut self) {
        std::mem::forget(std::mem::take(&mut self.drops));
    }
}

both! {
    /// Drains.
    suite Drains "awkward::leaks" {
        for Drain {
            fn new() -> Self;
            fn drip(&mut self, value: u8);
            fn leak(&mut self);
            fn forget(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Drains, Scope { ints: vec![0, 1, 2], ..Scope::of(3) })
}
