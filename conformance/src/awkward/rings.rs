//! A ring of slots that are not all initialised, whose elements own memory.
#![allow(unsafe_code, reason = "slots that may be uninitialised are what the suite is about")]

use std::mem::MaybeUninit;

use crate::both;
use crate::case::{Case, Scope};
use crate::own::{Show, Sight};

const N_SLOTS: usize = 3;

/// Invariant: the `len` slots from `head` on, round the end, hold elements.
#[derive(beget::Heap)]
pub struct Ring {
    #[heap(unsafe(buffer = len, start = head))]
    slots: [MaybeUninit<Box<u8>>; N_SLOTS],
    head: usize,
    len: usize,
}

impl Ring {
    pub fn new() -> Self {
        Ring { slots: [const { MaybeUninit::uninit() }; N_SLOTS], head: 0, len: 0 }
    }

    fn place(&self, index: usize) -> usize {
        (self.head + index) % N_SLOTS
    }

    fn get(&self, index: usize) -> Option<&u8> {
        // SAFETY: the first `len` slots from `head` on hold elements.
        (index < self.len).then(|| unsafe { &**self.slots[self.place(index)].assume_init_ref() })
    }

    pub fn push(&mut self, value: u8) -> bool {
        if self.len == N_SLOTS {
            return false;
        }
        let place = self.place(self.len);
        self.slots[place].write(Box::new(value));
        self.len += 1;
        true
    }

    pub fn pop(&mut self) -> Option<u8> {
        if self.len == 0 {
            return None;
        }
        // SAFETY: the ring is not empty, so slot `head` holds an element, which leaves the ring.
        let value = unsafe { self.slots[self.head].assume_init_read() };
        self.head = self.place(1);
        self.len -= 1;
        Some(*value)
    }

    /// What is left in the slots that hold no element is seen by nobody.
    pub fn rotate(&mut self) {
        if let Some(value) = self.pop() {
            self.push(value);
        }
    }

    pub fn twice(&self) -> (Ring, Ring) {
        (self.clone(), self.clone())
    }
}

impl Clone for Ring {
    fn clone(&self) -> Self {
        let mut clone = Ring::new();
        clone.head = self.head;
        (0..self.len).filter_map(|index| self.get(index)).for_each(|value| {
            clone.push(*value);
        });
        clone
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        while self.pop().is_some() {}
    }
}

/// The class of the slots.
struct Slots;

impl Show for Ring {
    fn show(&self, sight: &mut Sight<'_>) {
        sight.array::<Slots>(self.len);
        for index in 0..self.len {
            let place = self.place(index);
            // SAFETY: as in `get`.
            unsafe { self.slots[place].assume_init_ref() }.show(sight);
        }
        self.head.show(sight);
    }
}

both! {
    /// Rings.
    suite Rings "awkward::rings" {
        for Ring {
            fn new() -> Self;
            fn push(&mut self, value: u8) -> bool;
            fn pop(&mut self) -> Option<u8>;
            fn rotate(&mut self);
            fn twice(&self) -> (Ring, Ring);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Rings, Scope::of(2))
}
