//! A value whose destructor panics with what it holds, and holds others that panic too.

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Crate { contents: Vec<Box<u8>>, is_sealed: bool }
}

impl Drop for Crate {
    fn drop(&mut self) {
        if self.is_sealed && !std::thread::panicking() {
            panic!("{} left in the crate", self.contents.len());
        }
    }
}

impl Crate {
    pub fn new() -> Self {
        Crate { contents: Vec::new(), is_sealed: false }
    }

    pub fn put(&mut self, what: u8) {
        self.contents.push(Box::new(what));
    }

    pub fn seal(&mut self) {
        self.is_sealed = true;
    }

    pub fn open(self) -> usize {
        self.contents.len()
    }

    pub fn sealed() -> Self {
        Crate { contents: Vec::new(), is_sealed: true }
    }
}

both! {
    /// Crates.
    suite Crates "awkward::dropping_panics" {
        for Crate {
            fn new() -> Self;
            fn put(&mut self, what: u8);
            fn seal(&mut self);
            fn open(self) -> usize;
            fn sealed() -> Self;
        }
    }
}

pub fn case() -> Case {
    crate::case!(Crates, Scope::of(2))
}
