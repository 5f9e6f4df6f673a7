//! A raw pointer that leads into a buffer of its structure, though `unsafe(pointer)` promises that
//! it leads to a box of its own: a decoded value has two numbers where a replayed one has one.
//!
//! Not one of [`all`](super::all): beget refuses to decode it.

use beget::Heap;

/// Lamps, and a window on the first.
#[derive(Heap)]
pub struct House {
    lamps: Vec<u8>,
    #[heap(unsafe(pointer))]
    window: *const u8,
}

/// Houses.
#[beget::api(name = "awkward::broken_promises")]
impl House {
    pub fn new() -> Self {
        House { lamps: vec![0], window: std::ptr::null() }
    }

    pub fn open(&mut self) {
        self.window = &raw const self.lamps[0];
    }

    /// Is seen through the window.
    pub fn light(&mut self) {
        self.lamps[0] = (self.lamps[0] + 1) % 3;
    }
}
