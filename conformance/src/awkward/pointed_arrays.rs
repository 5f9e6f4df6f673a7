//! Collections behind pointers: each is one object of its class, and counts once.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Store {
        held: Option<Arc<Vec<u8>>>,
        same: Option<Arc<Vec<u8>>>,
        boxed: Option<Box<RefCell<Vec<u8>>>>,
        rows: Option<Rc<Box<[u8]>>>,
        index: Option<Rc<BTreeMap<u8, u8>>>,
    }
}

impl Store {
    pub fn new() -> Self {
        Store { held: None, same: None, boxed: None, rows: None, index: None }
    }

    pub fn hold(&mut self, value: u8) {
        self.held = Some(Arc::new(vec![value]));
    }

    /// No more vectors.
    pub fn share(&mut self) {
        self.same = self.held.clone();
    }

    /// A vector more, if there is one.
    pub fn copy(&mut self) {
        self.same = self.held.as_ref().map(|held| Arc::new((**held).clone()));
    }

    pub fn wrap(&mut self) {
        self.boxed = Some(Box::new(RefCell::new(Vec::new())));
    }

    pub fn row(&mut self, value: u8) {
        self.rows = Some(Rc::new(vec![value].into_boxed_slice()));
    }

    pub fn enter(&mut self, key: u8) {
        let mut index = self.index.as_deref().cloned().unwrap_or_default();
        index.insert(key, 0);
        self.index = Some(Rc::new(index));
    }
}

both! {
    /// Stores.
    suite Stores "awkward::pointed_arrays" {
        for Store {
            fn new() -> Self;
            fn hold(&mut self, value: u8);
            fn share(&mut self);
            fn copy(&mut self);
            fn wrap(&mut self);
            fn row(&mut self, value: u8);
            fn enter(&mut self, key: u8);
        }
    }
}

/// One object of each class, so a collection that counts twice has no room.
pub fn case() -> Case {
    crate::case!(Stores, Scope { objects: 1, arrays: 2, ints: vec![0, 1], ..Scope::of(1) })
}
