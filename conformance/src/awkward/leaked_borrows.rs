//! Borrows that are never given back.

use std::cell::{Ref, RefCell};

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Shelf { books: RefCell<Vec<u8>>, visits: RefCell<u8> }
}

impl Shelf {
    pub fn new() -> Self {
        Shelf { books: RefCell::new(Vec::new()), visits: RefCell::new(0) }
    }

    pub fn add(&self, book: u8) {
        self.books.borrow_mut().push(book);
    }

    pub fn count(&self) -> usize {
        *self.visits.borrow_mut() = 1;
        self.books.borrow().len()
    }

    /// What it leaves cannot be looked at.
    pub fn lose(&self) {
        if self.books.borrow().len() == 2 {
            std::mem::forget(self.visits.borrow_mut());
        }
    }

    /// What it leaves can be looked at, and looks as before.
    pub fn peek(&self) {
        if self.books.borrow().is_empty() {
            drop(Ref::clone(&self.visits.borrow()));
        }
    }
}

both! {
    /// Shelves.
    suite Shelves "awkward::leaked_borrows" {
        for Shelf {
            fn new() -> Self;
            fn add(&self, book: u8);
            fn count(&self) -> usize;
            fn lose(&self);
            fn peek(&self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Shelves, Scope::of(2))
}
