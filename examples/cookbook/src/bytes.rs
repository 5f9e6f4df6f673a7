//! A raw pointer to a buffer: pointer, length and room.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ptr;

/// A list of bytes.
#[derive(Debug)]
#[cfg_attr(test, derive(beget::Heap))]
pub struct Bytes {
    #[cfg_attr(test, heap(unsafe(buffer = len)))]
    first: *mut u8,
    len: usize,
    room: usize,
}

#[cfg_attr(test, beget::api)]
impl Bytes {
    /// An empty list, for which nothing is allocated.
    pub fn new() -> Self {
        Bytes { first: ptr::null_mut(), len: 0, room: 0 }
    }

    /// Puts a byte at the end.
    pub fn push(&mut self, byte: u8) {
        if self.len == self.room {
            self.grow((2 * self.room).max(1));
        }
        // SAFETY: there is room behind the last byte.
        unsafe { self.first.add(self.len).write(byte) };
        self.len += 1;
    }

    /// Takes the byte at the end.
    pub fn pop(&mut self) -> Option<u8> {
        self.len = self.len.checked_sub(1)?;
        // SAFETY: the byte behind the last one was the last one.
        Some(unsafe { self.first.add(self.len).read() })
    }

    #[cfg(test)]
    #[beget::invariant]
    fn is_within_its_room(&self) -> bool {
        self.len <= self.room
    }

    fn grow(&mut self, room: usize) {
        let layout = Layout::array::<u8>(room).expect("as many bytes as fit an allocation");
        // SAFETY: the layout is not empty.
        let first = unsafe { alloc(layout) };
        if first.is_null() {
            handle_alloc_error(layout);
        }
        if self.len > 0 {
            // SAFETY: `len` bytes are live in the old buffer, and there is room for more in the
            // new one.
            unsafe { ptr::copy_nonoverlapping(self.first, first, self.len) };
        }
        self.free();
        (self.first, self.room) = (first, room);
    }

    fn free(&mut self) {
        if let Ok(layout) = Layout::array::<u8>(self.room)
            && self.room > 0
        {
            // SAFETY: that is how the buffer was allocated.
            unsafe { dealloc(self.first, layout) };
        }
    }
}

impl Default for Bytes {
    fn default() -> Self {
        Bytes::new()
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        self.free();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_sound() {
        // Lists of at most 3 of 2 bytes, each with the room for the longest that it ever was, which
        // is 0, 1, 2 or 4.
        let rooms: u64 = [1, 1 + 2, 1 + 2 + 4, 1 + 2 + 4 + 8].iter().sum();
        let lists = beget::check!(Bytes, k = 3, ints = 0..2, fields = {"Bytes.room": "0..=4"});
        assert_eq!(lists.generated(), rooms);
    }
}
