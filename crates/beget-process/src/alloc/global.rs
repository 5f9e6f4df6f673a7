//! The global allocator: a bump inside the region while it is on, the system's allocator otherwise.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    ptr,
};

use crate::alloc::{checked, range, thread, watch};

/// The allocator to install in a test binary, with [`install!`](crate::alloc::install).
///
/// While no region is on, it passes every request to [`System`].
pub struct BegetAlloc(());

impl BegetAlloc {
    /// The allocator.
    ///
    /// # Safety
    ///
    /// By installing it as the global allocator you promise, for the whole program, that the code
    /// which runs in a [`Region`](crate::alloc::Region) is *confined*, as the [crate
    /// page](crate::alloc#the-promise) defines. Until a region is opened, nothing is promised or
    /// needed.
    pub const unsafe fn new() -> Self {
        BegetAlloc(())
    }
}

/// Installs [`BegetAlloc`] as the global allocator of this binary.
///
/// ```
/// beget_process::alloc::install!(unsafe);
///
/// assert_eq!(beget_process::alloc::is_installed(), cfg!(all(target_os = "linux", target_pointer_width = "64")));
/// ```
///
/// The word `unsafe` is part of the call because the binary makes [a
/// promise](crate::alloc#the-promise).
#[macro_export]
macro_rules! install {
    (unsafe) => {
        #[global_allocator]
        static BEGET_ALLOC: $crate::alloc::BegetAlloc =
            // SAFETY: the caller of the macro wrote `unsafe` and so made the promise.
            unsafe { $crate::alloc::BegetAlloc::new() };
    };
}

// In a development build the crate that installs it is not optimised, and its own copies of these
// functions would be slow: with them runs execute 7 to 12 % more instructions.
//
// SAFETY: blocks in the region are handed out by a bump that never goes back over a block that may
// still be in use (`region.rs` says when it goes back); all other blocks are the system's.
unsafe impl GlobalAlloc for BegetAlloc {
    #[cfg_attr(not(debug_assertions), inline)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match thread::take(layout) {
            Some(address) => ptr::with_exposed_provenance_mut(address),
            // SAFETY: the caller's promise is passed on.
            None => noted_alloc(layout, Contents::Any, |layout| unsafe { System.alloc(layout) }),
        }
    }

    #[cfg_attr(not(debug_assertions), inline)]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let Some(address) = thread::take(layout) else {
            // SAFETY: the caller's promise is passed on.
            let alloc = |layout| unsafe { System.alloc_zeroed(layout) };
            return noted_alloc(layout, Contents::Zero, alloc);
        };
        let block: *mut u8 = ptr::with_exposed_provenance_mut(address);
        // A region's memory is reused, so it is not zero.
        // SAFETY: the block is fresh, writable, and `layout.size()` bytes long.
        unsafe { block.write_bytes(0, layout.size()) };
        block
    }

    #[cfg_attr(not(debug_assertions), inline)]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if range::contains(block.addr()) || note_going(block.addr(), layout) == Going::Kept {
            return;
        }
        // SAFETY: a block outside all regions that is not checked came from the system.
        unsafe { System.dealloc(block, layout) }
    }

    #[cfg_attr(not(debug_assertions), inline)]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if range::contains(block.addr()) {
            // SAFETY: the caller's promise is passed on.
            return unsafe { self.realloc_in_region(block, layout, size) };
        }
        if has_to_move(block.addr()) {
            // SAFETY: the caller's promise is passed on.
            return unsafe { self.realloc_by_moving(block, layout, size) };
        }
        let was_known = note_going(block.addr(), layout) == Going::Known;
        // SAFETY: a block outside all regions that is not checked came from the system.
        let moved = unsafe { System.realloc(block, layout, size) };
        if thread::marks() != 0 {
            note_resized(moved.addr(), size, was_known);
        }
        moved
    }
}

impl BegetAlloc {
    /// # Safety
    ///
    /// The requirements of [`GlobalAlloc::realloc`], for a block inside some region.
    #[inline]
    unsafe fn realloc_in_region(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // The rest of a block that shrinks is not reused: no address is used twice.
        if size <= layout.size() || thread::grow_newest(block.addr(), layout.size(), size) {
            return block;
        }
        // SAFETY: the caller promises that `size`, rounded up to the alignment, is no overflow.
        let layout_now = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: `size` is larger than the old size, so it is not zero.
        let copy = unsafe { self.alloc(layout_now) };
        if !copy.is_null() {
            // SAFETY: both blocks hold the old size, and the new one is fresh.
            unsafe { copy.copy_from_nonoverlapping(block, layout.size()) };
        }
        copy
    }

    /// Moves a checked block whenever it is resized, so that uses of old pointers are detected.
    ///
    /// # Safety
    ///
    /// The requirements of [`GlobalAlloc::realloc`], for a block outside all regions.
    #[cold]
    unsafe fn realloc_by_moving(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises that `size`, rounded up to the alignment, is no overflow.
        let layout_now = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: the caller promises that the new size is not zero.
        let moved = unsafe { self.alloc(layout_now) };
        if !moved.is_null() {
            // SAFETY: both blocks are that long, as the caller promises; a wrong size for a checked
            // block is capped, and the memory behind it is its arena's. The old one is freed once.
            unsafe {
                moved.copy_from_nonoverlapping(block, layout.size().min(size));
                self.dealloc(block, layout);
            }
        }
        moved
    }
}

/// The initial contents of a block from the system.
#[derive(Clone, Copy)]
pub(crate) enum Contents {
    Any,
    Zero,
}

/// The state of a block outside all regions that is about to be freed or resized.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Going {
    /// Neither recorded nor watched.
    Unknown,
    /// It was recorded or watched.
    Known,
    /// The system must not free it.
    Kept,
}

/// Allocates outside the region and sets the marks that this requires.
#[inline]
fn noted_alloc(
    layout: Layout,
    contents: Contents,
    alloc: impl FnOnce(Layout) -> *mut u8,
) -> *mut u8 {
    if thread::marks() & thread::CHECKING != 0
        && let Some(block) = checked::alloc(layout, contents)
    {
        return block;
    }
    // Inlined, so that the layout is often known where it is compiled.
    let block = alloc(layout);
    if thread::marks() != 0 {
        note_alloc(block.addr(), layout.size());
    }
    block
}

#[cold]
fn note_alloc(block: usize, size: usize) {
    if thread::is_on() {
        thread::mark(thread::OVERFLOWED);
    }
    note_resized(block, size, true);
}

/// Notes a resized block. It is recorded if it is new, or was recorded before.
#[cold]
fn note_resized(block: usize, size: usize, is_recorded: bool) {
    thread::count(1, size.cast_signed());
    if is_recorded && thread::marks() & thread::RECORDING != 0 {
        watch::note_alloc(block, size);
    }
}

/// Notes that a block outside all regions is about to be freed or resized.
#[inline]
fn note_going(block: usize, layout: Layout) -> Going {
    let going = if thread::marks() != 0 { note_free(block, layout) } else { Going::Unknown };
    if going == Going::Unknown && watch::listens_to(block) {
        return tell_going(block, layout);
    }
    going
}

/// Sets the marks of a free.
#[cold]
fn note_free(block: usize, layout: Layout) -> Going {
    thread::count(-1, -layout.size().cast_signed());
    if thread::is_on() {
        thread::mark(thread::FOREIGN);
    }
    let marks = thread::marks();
    if marks & thread::CHECKING != 0 && checked::free(block, layout) {
        return Going::Kept;
    }
    match marks & thread::RECORDING != 0 && watch::note_free(block) {
        true => Going::Known,
        false => Going::Unknown,
    }
}

/// Informs the watch and the check.
#[cold]
fn tell_going(block: usize, layout: Layout) -> Going {
    if checked::contains(block) && checked::free(block, layout) {
        return Going::Kept;
    }
    if watch::forget(block) { Going::Known } else { Going::Unknown }
}

/// Returns whether a block outside all regions has to move when it is resized, because it is
/// checked.
#[inline]
fn has_to_move(block: usize) -> bool {
    thread::marks() & thread::CHECKING != 0 || watch::listens_to(block) && checked::contains(block)
}
