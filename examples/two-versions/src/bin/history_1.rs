//! Version 1 of a browser's history, with a command line for its suite.
#![allow(unreachable_pub, reason = "the type stands for that of a library")]

use std::collections::VecDeque;
use std::process::ExitCode;

use beget::{HasSuite, Heap};
use beget_program::Catalog;

fn main() -> ExitCode {
    beget_program::main(Catalog::new(vec![History::suite()]))
}

/// The last twelve pages that were visited.
#[derive(Clone, Debug, Default, Heap)]
pub struct History {
    pages: VecDeque<u8>,
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
        if self.pages.len() == MOST {
            self.pages.pop_front();
        }
        self.pages.push_back(page);
    }

    /// Goes back from the page visited last, which is forgotten.
    pub fn back(&mut self) -> Option<u8> {
        self.pages.pop_back()
    }

    /// How many pages there are.
    pub fn count(&self) -> usize {
        self.pages.len()
    }
}
