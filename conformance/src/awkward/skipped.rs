//! Fields that take no part: a cache that is skipped, a pointer that is shown by its content.

use std::rc::Rc;

use crate::both;
use crate::case::{Case, Scope};
use crate::own::{Show, Sight, Token};

#[derive(Clone, beget::Heap)]
pub struct Table {
    rows: Vec<u8>,
    #[heap(skip)]
    hits: u32,
    #[heap(skip = 7)]
    step: u8,
    #[heap(plain)]
    name: Rc<u8>,
    #[heap(plain)]
    other: Rc<u8>,
}

impl Show for Table {
    fn show(&self, sight: &mut Sight<'_>) {
        self.rows.show(sight);
        // By content: whether they are one object is not seen.
        sight.put(Token::Plus((*self.name).into()));
        sight.put(Token::Plus((*self.other).into()));
    }
}

impl Table {
    pub fn new() -> Self {
        Table { rows: Vec::new(), hits: 0, step: 7, name: Rc::new(0), other: Rc::new(0) }
    }

    pub fn push(&mut self, row: u8) {
        self.rows.push(row % self.step);
    }

    pub fn hit(&mut self) -> u32 {
        self.hits += 1;
        self.hits
    }

    pub fn name(&mut self, name: u8) {
        self.name = Rc::new(name);
    }

    pub fn share(&mut self) {
        self.other = Rc::clone(&self.name);
    }
}

both! {
    /// Tables.
    suite Tables "awkward::skipped" {
        for Table {
            fn new() -> Self;
            fn push(&mut self, row: u8);
            fn hit(&mut self) -> u32;
            fn name(&mut self, name: u8);
            fn share(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Tables, Scope::of(2))
}
