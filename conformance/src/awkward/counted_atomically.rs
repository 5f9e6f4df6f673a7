//! The counts of `Arc`, seen by calls; the contents change behind a lock that is shared.

use std::sync::{Arc, Mutex};

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Team { boss: Arc<Mutex<u8>>, hands: Vec<Arc<Mutex<u8>>> }
}

impl Team {
    pub fn new(mark: u8) -> Self {
        Team { boss: Arc::new(Mutex::new(mark)), hands: Vec::new() }
    }

    pub fn hire(&mut self) {
        self.hands.push(Arc::clone(&self.boss));
    }

    pub fn promote(&mut self) {
        if let Some(hand) = self.hands.pop() {
            self.hands.insert(0, std::mem::replace(&mut self.boss, hand));
        }
    }

    pub fn part(&mut self) {
        if let Some(hand) = self.hands.first_mut() {
            let mark = *hand.lock().unwrap();
            *hand = Arc::new(Mutex::new(mark));
        }
    }

    pub fn mark(&self, mark: u8) {
        *self.boss.lock().unwrap() = mark;
    }

    pub fn own(&mut self) -> bool {
        match Arc::get_mut(&mut self.boss) {
            Some(mark) => {
                *mark.get_mut().unwrap() = 2;
                true
            }
            None => false,
        }
    }
}

both! {
    /// Teams.
    suite Teams "awkward::counted_atomically" {
        for Team {
            fn new(mark: u8) -> Self;
            fn hire(&mut self);
            fn promote(&mut self);
            fn part(&mut self);
            fn mark(&self, mark: u8);
            fn own(&mut self) -> bool;
        }
    }
}

pub fn case() -> Case {
    crate::case!(Teams, Scope { objects: 3, arrays: 2, ..Scope::of(2) })
}
