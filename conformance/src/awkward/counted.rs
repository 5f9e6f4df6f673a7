//! Counts that a clone would change: `get_mut`, `try_unwrap`, `strong_count`.

use std::rc::Rc;

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    /// Pages that may be shared.
    #[derive(Clone)]
    pub struct Doc { first: Rc<Page>, second: Rc<Page> }
}

seen! {
    /// A page.
    #[derive(Clone, Debug)]
    pub struct Page { mark: u8 }
}

impl Doc {
    /// Two pages.
    pub fn new() -> Self {
        Doc { first: Rc::new(Page { mark: 0 }), second: Rc::new(Page { mark: 0 }) }
    }

    /// One page twice.
    pub fn share(&mut self) {
        self.second = Rc::clone(&self.first);
    }

    /// Changes a page that is not shared.
    pub fn mark(&mut self, mark: u8) {
        if let Some(page) = Rc::get_mut(&mut self.first) {
            page.mark = mark;
        }
    }

    /// Changes a page, a shared one after copying it.
    pub fn make(&mut self, mark: u8) {
        Rc::make_mut(&mut self.second).mark = mark;
    }

    /// Exchanges them.
    pub fn swap(&mut self) {
        std::mem::swap(&mut self.first, &mut self.second);
    }

    /// Puts the count into a page.
    pub fn count(&mut self) {
        let mark = Rc::strong_count(&self.first) as u8;
        self.first = Rc::new(Page { mark });
    }

    /// Takes the first page, if it is its only owner.
    pub fn unwrap(self) -> Result<Doc, u8> {
        let page = Rc::try_unwrap(self.first).map_err(|page| page.mark)?;
        Ok(Doc { first: Rc::new(Page { mark: page.mark }), second: self.second })
    }
}

both! {
    /// Documents.
    suite Docs "awkward::counted" {
        for Doc {
            fn new() -> Self;
            fn share(&mut self);
            fn mark(&mut self, mark: u8);
            fn make(&mut self, mark: u8);
            fn swap(&mut self);
            fn count(&mut self);
            fn unwrap(self) -> Result<Doc, u8>;
        }
    }
}

pub fn case() -> Case {
    crate::case!(Docs, Scope { ints: vec![0, 1, 2, 3], ..Scope::of(3) })
}
