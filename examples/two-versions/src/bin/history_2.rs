//! Version 2 of a browser's history: a ring in place of a queue. Its start wraps one place too late.
#![allow(unreachable_pub, reason = "the type stands for that of a library")]

use std::process::ExitCode;

use beget::{HasSuite, Heap};
use beget_program::Catalog;

fn main() -> ExitCode {
    beget_program::main(Catalog::new(vec![History::suite()]))
}

/// The last twelve pages that were visited.
#[derive(Clone, Debug, Default, Heap)]
pub struct History {
    pages: [u8; MOST],
    start: usize,
    len: usize,
}

const MOST: usize = 12;

#[beget::api]
impl History {
    /// Nothing was visited.
    pub fn new() -> Self {
        History::default()
    }

    /// Goes to a page.
    pub fn visit(&mut self, page: u8) {
        let end = (self.start + self.len) % MOST;
        self.pages[end] = page;
        match self.len {
            // The bug: `% MOST`.
            MOST => self.start = (self.start + 1) % (MOST + 1),
            _ => self.len += 1,
        }
    }

    /// Goes back from the page visited last, which is forgotten.
    pub fn back(&mut self) -> Option<u8> {
        self.len = self.len.checked_sub(1)?;
        Some(self.pages[(self.start + self.len) % MOST])
    }

    /// How many pages there are.
    pub fn count(&self) -> usize {
        self.len
    }
}
