//! Boxed slices: empty ones, of boxes, of shared objects, in each other.

use std::rc::Rc;

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Rows { rows: Box<[Box<[u8]>]>, names: Box<[Rc<u8>]>, first: Option<Rc<u8>> }
}

impl Rows {
    pub fn new() -> Self {
        Rows { rows: Box::default(), names: Box::default(), first: None }
    }

    pub fn row(&mut self, cells: Vec<u8>) {
        let mut rows = std::mem::take(&mut self.rows).into_vec();
        rows.push(cells.into_boxed_slice());
        self.rows = rows.into_boxed_slice();
    }

    pub fn turn(&mut self) {
        self.rows.reverse();
        self.names.reverse();
    }

    pub fn name(&mut self, name: u8) {
        let name = Rc::new(name);
        self.names = vec![Rc::clone(&name), name].into_boxed_slice();
    }

    pub fn keep(&mut self) {
        self.first = self.names.first().cloned();
        self.names = self.names.iter().skip(1).cloned().collect();
    }

    pub fn clear(&mut self) {
        self.rows = Box::default();
        self.first = None;
    }
}

both! {
    /// Rows.
    suite AllRows "awkward::boxed_slices" {
        for Rows {
            fn new() -> Self;
            fn row(&mut self, cells: Vec<u8>);
            fn turn(&mut self);
            fn name(&mut self, name: u8);
            fn keep(&mut self);
            fn clear(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(AllRows, Scope { ints: vec![0, 1], ..Scope::of(2) })
}
