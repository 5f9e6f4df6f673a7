//! Panics: before and after a change, with texts and other payloads, some of them misuse.

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Safe { open: bool, coins: Vec<u8> }
}

impl Safe {
    pub fn new(coin: u8) -> Self {
        assert!(coin > 0, "no safe is empty");
        Safe { open: false, coins: vec![coin] }
    }

    pub fn turn(&mut self) {
        self.open = !self.open;
        assert!(self.coins.len() < 3, "too heavy to turn");
    }

    pub fn put(&mut self, coin: u8) {
        self.coins.push(coin);
        if !self.open {
            panic!("misuse: closed");
        }
    }

    pub fn take(&mut self, index: usize) -> u8 {
        self.coins.remove(index)
    }

    pub fn break_up(self) -> Safe {
        if self.coins.len() > 1 {
            std::panic::panic_any(self.coins.len());
        }
        self
    }

    pub fn swap(&mut self, other: &mut Safe) {
        std::mem::swap(&mut self.coins, &mut other.coins);
        assert!(self.open || other.open, "misuse: both closed");
    }
}

both! {
    /// Safes.
    suite Safes "awkward::panics" {
        for Safe {
            fn new(coin: u8) -> Self;
            fn turn(&mut self);
            fn put(&mut self, coin: u8);
            fn take(&mut self, index: usize) -> u8;
            fn break_up(self) -> Safe;
            fn swap(&mut self, other: &mut Safe);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Safes, Scope { panics: vec!["misuse: "], ..Scope::of(3) })
}
