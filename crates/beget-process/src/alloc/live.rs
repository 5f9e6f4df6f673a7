//! The survivors probe: the blocks that a piece of code leaves on the heap.

use std::hint::black_box;

use crate::alloc::thread;

/// The memory that a closure allocated minus what it freed, on its own thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LiveDelta {
    /// Blocks.
    pub blocks: isize,
    /// Bytes.
    pub bytes: isize,
}

impl LiveDelta {
    /// Returns whether everything allocated was freed again.
    ///
    /// The bytes count, too: a freed block and a kept one of another size leave the number of
    /// blocks unchanged, and so does a table that grew.
    pub fn is_balanced(self) -> bool {
        self == LiveDelta::default()
    }
}

/// Runs `probe` with ordinary allocation and counts the memory that it leaves behind.
///
/// An engine runs "make a structure, call a method, drop everything" in it before it trusts the
/// region with that method: a cache or a leak shows as a difference. Only blocks that this thread
/// allocated or freed through [`BegetAlloc`](crate::alloc::BegetAlloc) count; if it is not
/// installed, the difference is always zero (see [`is_installed`](crate::alloc::is_installed)).
pub fn count_live<R>(probe: impl FnOnce() -> R) -> (R, LiveDelta) {
    let _off = thread::Switch::off();
    let _counting = CountingScope::start();
    let before = thread::counts();
    let result = probe();
    let after = thread::counts();
    (result, LiveDelta { blocks: after.0 - before.0, bytes: after.1 - before.1 })
}

/// Returns whether the global allocator of this binary is [`BegetAlloc`](crate::alloc::BegetAlloc).
pub(crate) fn sees_allocations() -> bool {
    count_live(|| black_box(Box::new(0_u8))).1.blocks == 1
}

/// Counts until dropped, unless counting was already on.
struct CountingScope {
    was_on: bool,
}

impl CountingScope {
    fn start() -> Self {
        let was_on = thread::marks() & thread::COUNTING != 0;
        thread::mark(thread::COUNTING);
        CountingScope { was_on }
    }
}

impl Drop for CountingScope {
    fn drop(&mut self) {
        if !self.was_on {
            thread::unmark(thread::COUNTING);
        }
    }
}
