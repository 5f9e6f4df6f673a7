//! Changes through shared references: cells, locks, and cells that are set once.

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::{Mutex, RwLock};

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    pub struct Panel { turns: Cell<u8>, name: OnceCell<u8>, log: Mutex<Vec<u8>>, mode: RwLock<u8>, back: RefCell<Option<Box<u8>>> }
}

impl Panel {
    pub fn new() -> Self {
        Panel {
            turns: Cell::new(0),
            name: OnceCell::new(),
            log: Mutex::new(Vec::new()),
            mode: RwLock::new(0),
            back: RefCell::new(None),
        }
    }

    pub fn turn(&self) -> u8 {
        self.turns.set((self.turns.get() + 1) % 2);
        self.turns.get()
    }

    pub fn name(&self, name: u8) -> u8 {
        *self.name.get_or_init(|| name)
    }

    pub fn log(&self) {
        self.log.lock().unwrap().push(self.turns.get());
    }

    pub fn mode(&self, other: &Panel) {
        *self.mode.write().unwrap() = other.turns.get();
    }

    /// Leaves a lock poisoned, which is no part of a value.
    pub fn poison(&self) -> bool {
        let poisoning = || {
            let _log = self.log.lock();
            panic!("in the lock");
        };
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(poisoning)).is_err()
    }

    pub fn swap(&self, value: u8) -> bool {
        self.back.replace(Some(Box::new(value))).is_some()
    }
}

both! {
    /// Panels.
    suite Panels "awkward::cells" {
        for Panel {
            fn new() -> Self;
            fn turn(&self) -> u8;
            fn name(&self, name: u8) -> u8;
            fn log(&self);
            fn mode(&self, other: &Panel);
            fn swap(&self, value: u8) -> bool;
        }
    }
}

pub fn case() -> Case {
    crate::case!(Panels, Scope { ints: vec![1], objects: 2, arrays: 1, ..Scope::of(2) })
}
