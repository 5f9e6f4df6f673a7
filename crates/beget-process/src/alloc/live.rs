//! The survivors probe: what a piece of code leaves on the heap.

use std::hint::black_box;

use crate::alloc::thread;

/// What a closure allocated minus what it freed, on its own thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LiveDelta {
    /// Blocks.
    pub blocks: isize,
    /// Bytes.
    pub bytes: isize,
}

impl LiveDelta {
    /// Returns whether exactly what was allocated was freed again.
    ///
    /// The bytes count, too: a block that was freed and another of a different size that was kept
    /// leave the number of blocks alone, and so does a table that grew.
    pub fn is_balanced(self) -> bool {
        self == LiveDelta::default()
    }
}

/// Runs `probe` with ordinary allocation and counts what it leaves behind.
///
/// An engine runs "make a structure, call a method, drop everything" in it before it trusts the
/// region with that method: a cache or a leak shows as a difference. Only blocks that this thread
/// allocated or freed through [`BegetAlloc`](crate::alloc::BegetAlloc) are seen; without it
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

/// Counts until dropped, unless counting was already on before.
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
