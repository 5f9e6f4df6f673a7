//! Values that are there once asked for: filled cells, options in options, results of either side,
//! shared by both.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Memo { known: OnceCell<Rc<u8>>, asked: Option<Option<Rc<u8>>>, last: Result<Rc<u8>, u8> }
}

impl Memo {
    pub fn new() -> Self {
        Memo { known: OnceCell::new(), asked: None, last: Err(0) }
    }

    /// Fills a cell of a value that is lent.
    pub fn know(&self, value: u8) {
        self.known.get_or_init(|| Rc::new(value));
    }

    pub fn ask(&mut self) {
        self.asked = Some(self.known.get().cloned());
    }

    pub fn answer(&mut self) {
        self.last = match self.asked.take() {
            Some(Some(value)) => Ok(value),
            Some(None) => Err(1),
            None => Err(2),
        };
    }

    pub fn forget(&mut self) {
        self.known.take();
    }

    pub fn change(&mut self) {
        if let Ok(last) = &mut self.last {
            *Rc::make_mut(last) ^= 1;
        }
    }
}

both! {
    /// Memos.
    suite Memos "awkward::late_values" {
        for Memo {
            fn new() -> Self;
            fn know(&self, value: u8);
            fn ask(&mut self);
            fn answer(&mut self);
            fn forget(&mut self);
            fn change(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Memos, Scope { ints: vec![0, 1], ..Scope::of(3) })
}
