//! Every outcome at once: errors that are misuse, panics that are and are not, structures in and
//! beyond the scope.

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Gate { queue: Vec<u8>, open: bool }
}

impl Gate {
    pub fn new() -> Self {
        Gate { queue: Vec::new(), open: true }
    }

    pub fn enter(&mut self, guest: u8) -> Result<usize, String> {
        self.queue.push(guest);
        if !self.open {
            return Err(format!("closed for {guest}"));
        }
        assert_ne!(guest, 2, "misuse: nobody is two");
        Ok(self.queue.len())
    }

    pub fn close(&mut self) -> Option<Gate> {
        self.open = false;
        assert!(self.queue.first() != Some(&1), "a guest is shut in");
        self.queue.pop().map(|guest| Gate { queue: vec![guest; 2], open: true })
    }
}

both! {
    /// Gates.
    suite Gates "awkward::errors_and_panics" {
        for Gate {
            fn new() -> Self;
            fn enter(&mut self, guest: u8) -> Result<usize, String>;
            fn close(&mut self) -> Option<Gate>;
        }
    }
}

pub fn case() -> Case {
    crate::case!(Gates, Scope { panics: vec!["misuse: "], ..Scope::of(3) })
}
