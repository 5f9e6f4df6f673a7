//! Checked memory: blocks between red zones, whose misuse is detected.
//!
//! While a thread [checks](MemoryCheck::run), its blocks come from an *arena* in a separate range
//! of addresses, each between two *red zones*. They are filled when they are allocated and again
//! when they are freed, and no address is used twice until the check is
//! [over](MemoryCheck::finish). So freeing a block twice, with another layout, or without an
//! allocation is detected at once; writes beside a block, or into a freed one, at the end of the
//! check. Reads of such memory see the fill.
//!
//! The module knows no region and no subject. Its main invariant: a block that may still be in use
//! is never handed out again, so an arena is reused only when all its blocks are freed.
//!
//! # How
//!
//! This is the allocator's third mode, beside passing through and the region. While a thread
//! checks, its blocks come from an arena, between red zones of at least 16 bytes, and no address is
//! used twice until the check is over: freed blocks stay filled, in quarantine. The description of
//! a block is in a separate list, which no write can damage. A free recognises a checked block by
//! its address alone, on any thread and at any time, because a static may hold one for ever. An
//! arena is reused when all its blocks are freed, and given up when surviving blocks have filled
//! it.
//!
//! - When *off*, an allocation outside the region checks one more mark, and a free none: the range
//!   of watched addresses is tested anyway, and includes the arenas once there are some. The six
//!   counted runs take 0.7 to 2 % more instructions than before there were audits.
//! - A block is filled by one of two pairs of bytes. Calls are made with both; an integer in a
//!   result that equals the one fill and then the other was read from memory that should not be
//!   read.
//! - A block allocated before the check is the system's and is freed as usual; anything else, on
//!   the stack or in a segment of the program, is a fault.
//! - A leak is a block that is live at the end, both times, and held by no root (as in the root
//!   scan of the region).
//! - AddressSanitizer sees more (each access), but needs a nightly compiler and its own allocator:
//!   the two exclude each other in one binary. An option of beget would only pass flags on; the
//!   book names them.

pub(crate) mod arena;
mod fault;
mod place;

use std::alloc::Layout;
use std::cell::Cell;
use std::marker::PhantomData;
use std::ptr;

use crate::alloc::global::Contents;
use crate::alloc::thread::{self, MarkPause, Switch};
use crate::alloc::{live, roots};
pub(crate) use arena::contains;
use arena::{ArenaIdx, CheckArena};
pub use fault::{MemoryFault, NoBlock};

thread_local! {
    /// The arena in which this thread allocates, if it checks.
    static CURRENT: Cell<Option<ArenaIdx>> = const { Cell::new(None) };
}

/// The bytes that fill blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryFill {
    /// When they are allocated.
    pub fresh: u8,
    /// When they are freed.
    pub freed: u8,
}

impl MemoryFill {
    /// Two fills that differ in both bytes: a read of memory that should not be read gives a
    /// different result with each.
    pub const PAIR: [MemoryFill; 2] =
        [MemoryFill { fresh: 0xC5, freed: 0xD3 }, MemoryFill { fresh: 0xA9, freed: 0xB5 }];
}

/// Checks how pieces of code on this thread use the memory that they allocate.
///
/// While none runs, an allocation outside the region only checks one more mark.
///
/// ```
/// # fn main() {
/// use beget_process::alloc::{MemoryFill, MemoryCheck};
///
/// beget_process::alloc::install!(unsafe);
///
/// let Some(mut check) = MemoryCheck::open() else { return }; // not on this platform
/// check.run(MemoryFill::PAIR[0], || drop(vec![1, 2, 3]));
/// assert!(check.finish().is_sound());
///
/// let kept = check.run(MemoryFill::PAIR[0], || Box::new(1));
/// let checked = check.finish();
/// assert_eq!((checked.fault, checked.live_blocks), (None, 1));
/// # drop(kept);
/// # }
/// ```
#[derive(Debug)]
pub struct MemoryCheck {
    arena: ArenaIdx,
    /// How often it still waits for other threads.
    yields_left: u32,
    /// The arena belongs to the thread.
    _of_thread: PhantomData<*const ()>,
}

/// The result of a [`MemoryCheck`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckedMemory {
    /// The first fault.
    pub fault: Option<MemoryFault>,
    /// Blocks that are still allocated.
    pub live_blocks: usize,
    /// Their bytes.
    pub live_bytes: usize,
    /// True if a static, a thread-local variable, watched memory, or a block that an earlier check
    /// left points to some of them. A leak is not held.
    pub are_held: bool,
}

impl CheckedMemory {
    /// Returns whether there is no fault and no block is left.
    pub fn is_sound(&self) -> bool {
        self.fault.is_none() && self.live_blocks == 0
    }

    /// Returns whether some block is left that nothing holds.
    pub fn has_leak(&self) -> bool {
        self.live_blocks > 0 && !self.are_held
    }
}

/// The number of live blocks for which the roots are searched.
const MOST_ASKED: usize = 64;

/// The most times that a check lets other threads run before it takes blocks for leaked: about a
/// millisecond.
const YIELDS_AT_ONCE: u32 = 2000;

/// The same for all its ends, most of which wait in vain: about a tenth of a second.
const MOST_YIELDS: u32 = 200_000;

impl MemoryCheck {
    /// A check of code on this thread; `None` if the allocator is not installed, the platform has
    /// no root scan, or there are no arenas left.
    pub fn open() -> Option<MemoryCheck> {
        let _off = Switch::off();
        let _unmarked = MarkPause::of(u8::MAX);
        if !live::sees_allocations() {
            return None;
        }
        let arena = arena::acquire()?;
        Some(MemoryCheck { arena, yields_left: MOST_YIELDS, _of_thread: PhantomData })
    }

    /// Runs `work` and checks the memory that it allocates and frees on this thread. `fill` is used
    /// for the blocks of this check, up to its [end](MemoryCheck::finish).
    pub fn run<R>(&mut self, fill: MemoryFill, work: impl FnOnce() -> R) -> R {
        thread::unnoted(|| arena::with(self.arena, |arena| arena.fill = fill));
        let _off = Switch::off();
        let _checking = CheckingScope::start(self.arena);
        work()
    }

    /// The result since the last call. Blocks that are still allocated stay so, and are not counted
    /// again.
    pub fn finish(&mut self) -> CheckedMemory {
        self.await_threads();
        thread::unnoted(|| {
            // What a static has kept since an earlier check may hold more now.
            let old = arena::with(self.arena, |arena| match arena.has_new_live() {
                true => arena.old_blocks(),
                false => Vec::new(),
            });
            let (fault, live) = arena::with(self.arena, CheckArena::finish);
            let is_held = |&(start, len): &(usize, usize)| {
                let block = start..start + len;
                // SAFETY: the memory of arenas is mapped for ever.
                roots::find(block.clone()).is_some() || unsafe { roots::hold(&old, &block) }
            };
            let checked = CheckedMemory {
                fault,
                live_blocks: live.len(),
                live_bytes: live.iter().map(|(_, len)| len).sum(),
                are_held: live.iter().take(MOST_ASKED).any(is_held),
            };
            self.replace_if_full();
            checked
        })
    }

    /// Waits for blocks to be freed by threads that the code has joined. A thread frees some of
    /// what it was given after that.
    fn await_threads(&mut self) {
        for _ in 0..YIELDS_AT_ONCE.min(self.yields_left) {
            if !thread::unnoted(|| arena::with(self.arena, |arena| arena.has_new_live())) {
                return;
            }
            self.yields_left -= 1;
            std::thread::yield_now();
        }
    }

    /// Replaces an arena that long-lived blocks have filled, if another is free.
    fn replace_if_full(&mut self) {
        if arena::with(self.arena, |arena| arena.is_nearly_full())
            && let Some(next) = arena::acquire()
        {
            self.arena = next;
        }
    }
}

impl Drop for MemoryCheck {
    fn drop(&mut self) {
        thread::unnoted(|| arena::release(self.arena));
    }
}

/// Checks until dropped, and then restores the state before.
pub(crate) struct CheckingScope {
    outer: Option<ArenaIdx>,
    was_checking: bool,
}

impl CheckingScope {
    pub(crate) fn start(arena: ArenaIdx) -> Self {
        let outer = CURRENT.replace(Some(arena));
        let was_checking = thread::marks() & thread::CHECKING != 0;
        thread::mark(thread::CHECKING);
        CheckingScope { outer, was_checking }
    }
}

impl Drop for CheckingScope {
    fn drop(&mut self) {
        CURRENT.set(self.outer);
        if !self.was_checking {
            thread::unmark(thread::CHECKING);
        }
    }
}

/// A block for this thread while it checks; `None` if it is too large, or the arena is full.
#[cold]
pub(crate) fn alloc(layout: Layout, contents: Contents) -> Option<*mut u8> {
    let arena = CURRENT.get()?;
    let address = thread::unnoted(|| arena::with(arena, |arena| arena.alloc(layout, contents)))?;
    thread::count(1, layout.size().cast_signed());
    Some(ptr::with_exposed_provenance_mut(address))
}

/// Called before something is freed. Returns whether the system must not free it: it is freed here,
/// or was never allocated.
#[cold]
pub(crate) fn free(address: usize, layout: Layout) -> bool {
    thread::unnoted(|| match (arena::of(address), CURRENT.get()) {
        (Some(arena), _) => {
            arena::with(arena, |arena| arena.free(address, layout));
            true
        }
        (None, Some(current)) if place::is_no_block(address) => {
            arena::with(current, |arena| arena.note(MemoryFault::FreedNoBlock(NoBlock::Variable)));
            true
        }
        (None, _) => false,
    })
}
