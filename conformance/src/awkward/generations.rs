//! An arena whose slots count how often they were given out; handles that are out of date find
//! nothing.

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Table { slots: Vec<Slot>, free: Vec<u8>, held: Vec<Handle> }
}

seen! {
    #[derive(Clone)]
    pub struct Slot { generation: u8, value: Option<u8> }
}

seen! {
    #[derive(Clone)]
    pub struct Handle { slot: u8, generation: u8 }
}

impl Table {
    pub fn new() -> Self {
        Table { slots: Vec::new(), free: Vec::new(), held: Vec::new() }
    }

    pub fn insert(&mut self, value: u8) {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { generation: 2, value: None });
            self.slots.len() as u8 - 1
        });
        let place = &mut self.slots[usize::from(slot)];
        place.value = Some(value);
        self.held.push(Handle { slot, generation: place.generation });
    }

    /// By the oldest handle, which is kept. Generations start again after 3.
    pub fn remove(&mut self) -> Option<u8> {
        let Handle { slot, generation } = self.held.first()?.clone();
        let place = &mut self.slots[usize::from(slot)];
        if place.generation != generation {
            return None;
        }
        place.generation = (place.generation + 1) % 4;
        let value = place.value.take();
        self.free.push(slot);
        value
    }

    pub fn forget(&mut self) {
        if !self.held.is_empty() {
            self.held.remove(0);
        }
    }
}

both! {
    /// Tables.
    suite Tables "awkward::generations" {
        for Table {
            fn new() -> Self;
            fn insert(&mut self, value: u8);
            fn remove(&mut self) -> Option<u8>;
            fn forget(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Tables, Scope { ints: vec![0, 1], ..Scope::of(2) })
}
