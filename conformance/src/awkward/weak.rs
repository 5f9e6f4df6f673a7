//! Weak pointers whose owner is in the same structure, or gone.

use std::rc::{Rc, Weak};

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Watch { watched: Vec<Weak<u8>>, owned: Vec<Rc<u8>> }
}

impl Watch {
    pub fn new() -> Self {
        Watch { watched: Vec::new(), owned: Vec::new() }
    }

    pub fn own(&mut self, value: u8) {
        self.owned.push(Rc::new(value));
    }

    pub fn watch(&mut self, index: usize) {
        self.watched.extend(self.owned.get(index).map(Rc::downgrade));
    }

    pub fn lose(&mut self) {
        self.owned.pop();
    }

    pub fn keep(&mut self) {
        self.owned.extend(self.watched.first().and_then(Weak::upgrade));
    }

    pub fn forget(&mut self) {
        self.watched.retain(|watched| watched.strong_count() > 0);
    }

    pub fn count(&mut self) {
        if let Some(first) = self.owned.first_mut() {
            let count = Rc::weak_count(first) as u8;
            *first = Rc::new(count);
        }
    }

    pub fn change(&mut self) -> Option<bool> {
        let first = self.owned.first_mut()?;
        Some(Rc::get_mut(first).map(|value| *value = 1).is_some())
    }
}

both! {
    /// Watches.
    suite Watches "awkward::weak" {
        for Watch {
            fn new() -> Self;
            fn own(&mut self, value: u8);
            fn watch(&mut self, index: usize);
            fn lose(&mut self);
            fn keep(&mut self);
            fn forget(&mut self);
            fn count(&mut self);
            fn change(&mut self) -> Option<bool>;
        }
    }
}

pub fn case() -> Case {
    crate::case!(Watches, Scope::of(2))
}
