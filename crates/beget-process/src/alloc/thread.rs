//! The state of one thread's region: the place of the next block, the end of the region, and a few
//! marks that allocation leaves for the caller.
//!
//! The module knows no region handle and no root scan. Its main invariant: no word of the
//! bookkeeping ever reads as an address inside a region, because the scan reads thread-local
//! memory, too, and must find only the subject's pointers.

use std::{alloc::Layout, cell::Cell};

/// An address stored with all bits inverted.
///
/// Invariant: user-space addresses have a clear top bit, so a hidden address never equals a
/// visible one.
#[derive(Clone, Copy)]
pub(crate) struct HiddenAddress(usize);

impl HiddenAddress {
    pub(crate) const NULL: HiddenAddress = HiddenAddress::of(0);

    pub(crate) const fn of(address: usize) -> Self {
        HiddenAddress(!address)
    }

    pub(crate) const fn address(self) -> usize {
        !self.0
    }

    /// Returns whether it lies behind another one, without revealing either.
    #[inline]
    pub(crate) const fn is_behind(self, other: HiddenAddress) -> bool {
        self.0 < other.0
    }
}

/// Allocations and frees of this thread are being counted.
pub(crate) const COUNTING: u8 = 1;
/// A block was allocated outside because the region had no room left.
pub(crate) const OVERFLOWED: u8 = 2;
/// A block from outside was freed or resized while the region was on.
pub(crate) const FOREIGN: u8 = 4;
/// The marks by which a region is lost. They are set only while it is on, and cleared when it is
/// given up.
pub(crate) const LOSSES: u8 = OVERFLOWED | FOREIGN;
/// The thread has an open region.
pub(crate) const OPEN: u8 = 8;
/// Allocations and frees outside are being recorded, see [`crate::alloc::MemoryWatch`].
pub(crate) const RECORDING: u8 = 16;
/// Blocks are [checked](crate::alloc::MemoryCheck).
pub(crate) const CHECKING: u8 = 32;

struct Thread {
    bump: Cell<HiddenAddress>,
    /// Invariant: null while the region is off, so that one comparison answers both "is it on"
    /// and "is there room".
    limit: Cell<HiddenAddress>,
    marks: Cell<u8>,
    live_blocks: Cell<isize>,
    live_bytes: Cell<isize>,
}

thread_local! {
    // Constant and without a destructor: access is one load relative to the thread register, works
    // during thread exit, and never allocates.
    static THREAD: Thread = const {
        Thread {
            bump: Cell::new(HiddenAddress::NULL),
            limit: Cell::new(HiddenAddress::NULL),
            marks: Cell::new(0),
            live_blocks: Cell::new(0),
            live_bytes: Cell::new(0),
        }
    };
}

/// The address of a new block in this thread's region; `None` if the region is off or full.
#[inline]
pub(crate) fn take(layout: Layout) -> Option<usize> {
    THREAD.with(|thread| {
        // No overflow: an address is below 2^47, a size rounded up to its alignment below 2^63.
        let start = (thread.bump.get().address() + layout.align() - 1) & !(layout.align() - 1);
        let end = start + layout.size();
        (end <= thread.limit.get().address()).then(|| {
            thread.bump.set(HiddenAddress::of(end));
            start
        })
    })
}

/// Grows the block at `address` where it lies, if it is the newest block of a region that is on.
#[inline]
pub(crate) fn grow_newest(address: usize, old: usize, new: usize) -> bool {
    THREAD.with(|thread| {
        let grows =
            address + old == thread.bump.get().address() && address + new <= limit_of(thread);
        if grows {
            thread.bump.set(HiddenAddress::of(address + new));
        }
        grows
    })
}

fn limit_of(thread: &Thread) -> usize {
    thread.limit.get().address()
}

/// Returns whether the region is on.
#[inline]
pub(crate) fn is_on() -> bool {
    THREAD.with(|thread| limit_of(thread) != 0)
}

/// The end of the newest block.
#[inline]
pub(crate) fn bump() -> usize {
    hidden_bump().address()
}

/// The end of the newest block, hidden.
#[inline]
pub(crate) fn hidden_bump() -> HiddenAddress {
    THREAD.with(|thread| thread.bump.get())
}

/// Moves the place of the next block.
#[inline]
pub(crate) fn set_bump(address: usize) {
    THREAD.with(|thread| thread.bump.set(HiddenAddress::of(address)));
}

/// The marks that are set.
#[inline]
pub(crate) fn marks() -> u8 {
    THREAD.with(|thread| thread.marks.get())
}

/// Sets `marks` and leaves the others as they are.
pub(crate) fn mark(marks: u8) {
    THREAD.with(|thread| thread.marks.set(thread.marks.get() | marks));
}

/// Clears `marks` and leaves the others as they are.
#[inline]
pub(crate) fn unmark(marks: u8) {
    THREAD.with(|thread| thread.marks.set(thread.marks.get() & !marks));
}

/// Adds to the counts of live blocks and bytes.
pub(crate) fn count(blocks: isize, bytes: isize) {
    THREAD.with(|thread| {
        thread.live_blocks.set(thread.live_blocks.get() + blocks);
        thread.live_bytes.set(thread.live_bytes.get() + bytes);
    });
}

/// The counts of live blocks and bytes so far.
pub(crate) fn counts() -> (isize, isize) {
    THREAD.with(|thread| (thread.live_blocks.get(), thread.live_bytes.get()))
}

/// Runs `work` with ordinary allocation that leaves no marks and is not counted, for the
/// bookkeeping of the watch and the check.
pub(crate) fn unnoted<R>(work: impl FnOnce() -> R) -> R {
    let _off = Switch::off();
    let _unmarked = MarkPause::of(u8::MAX);
    work()
}

/// Clears marks until dropped, and then restores them.
pub(crate) struct MarkPause(u8);

impl MarkPause {
    pub(crate) fn of(cleared: u8) -> Self {
        let were_set = marks() & cleared;
        unmark(cleared);
        MarkPause(were_set)
    }
}

impl Drop for MarkPause {
    fn drop(&mut self) {
        mark(self.0);
    }
}

/// Keeps the region on until dropped. It was off before, because a thread has one open region,
/// which is borrowed while it is on.
pub(crate) struct SwitchedOn(());

impl SwitchedOn {
    /// Allocates in the region, up to `limit`.
    #[inline]
    pub(crate) fn up_to(limit: HiddenAddress) -> Self {
        debug_assert!(!is_on());
        THREAD.with(|thread| thread.limit.set(limit));
        SwitchedOn(())
    }
}

impl Drop for SwitchedOn {
    #[inline]
    fn drop(&mut self) {
        THREAD.with(|thread| thread.limit.set(HiddenAddress::NULL));
    }
}

/// Keeps the region off until dropped, and then restores the state before.
pub(crate) struct Switch {
    before: HiddenAddress,
}

impl Switch {
    /// Allocates outside.
    #[inline]
    pub(crate) fn off() -> Self {
        Switch { before: THREAD.with(|thread| thread.limit.replace(HiddenAddress::NULL)) }
    }
}

impl Drop for Switch {
    #[inline]
    fn drop(&mut self) {
        THREAD.with(|thread| thread.limit.set(self.before));
    }
}
