//! Tracked memory: the blocks that a piece of code allocates are known, and zeroed at first.
//!
//! While a thread [tracks](track), its blocks come from its own arena, like those of a
//! [`MemoryCheck`](crate::alloc::MemoryCheck), and a value made there can be
//! [imaged](crate::alloc::MemoryImage) with all its allocations.
//!
//! Unwritten bytes of a value still hold something: moves copy remains of the stack into padding.
//! So the stack is painted before the code runs, and padding holds the paint. Remains of addresses
//! are left, because calls write them there themselves. [`vary`] changes these in a process, by
//! another depth of the stack and other places of blocks.
//!
//! The module knows no subject. Its main invariant: a block that may still be in use is never
//! handed out again.

use std::cell::Cell;
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::alloc::checked::arena::{self, ArenaIdx};
use crate::alloc::checked::{CheckingScope, MemoryFill};
use crate::alloc::live;
use crate::alloc::thread::{self, Switch};

/// The number of painted bytes of the stack: as many as calls usually need.
const PAINTED: usize = 16 << 10;

/// The byte in padding to which nothing else was written.
const PAINT: u8 = 0x5A;

/// The displacement of stack, heap and arenas in a process that varies: added to an address, it
/// changes each of the three lowest bytes, except the part within a page.
const SHIFT: usize = 0x0003_15C0;

static IS_VARIED: AtomicBool = AtomicBool::new(false);

thread_local! {
    static OWN_ARENA: OwnArena = const { OwnArena(Cell::new(None)) };
}

/// The arena in which a thread tracks.
struct OwnArena(Cell<Option<ArenaIdx>>);

impl Drop for OwnArena {
    fn drop(&mut self) {
        if let Some(arena) = self.0.take() {
            thread::unnoted(|| arena::release(arena));
        }
    }
}

/// Returns whether this binary has installed the allocator and memory can be tracked here.
pub fn can_track() -> bool {
    let _off = Switch::off();
    live::sees_allocations() && thread::unnoted(|| own_arena().is_some())
}

/// Runs `work`, whose blocks can be inspected as long as they are allocated. They are zero at
/// first.
///
/// If memory cannot be tracked, or is being checked, `work` just runs.
pub fn track<R>(work: impl FnOnce() -> R) -> R {
    if thread::marks() & thread::CHECKING != 0 {
        return work();
    }
    let Some(arena) = thread::unnoted(own_arena) else { return work() };
    thread::unnoted(|| {
        arena::with(arena, |arena| {
            arena.fill = MemoryFill { fresh: 0, freed: 0 };
            arena.forget_freed(first_place());
        });
    });
    let _off = Switch::off();
    let _tracking = CheckingScope::start(arena);
    match IS_VARIED.load(Ordering::Relaxed) {
        true => deeper(work),
        false => on_painted_stack(work),
    }
}

/// The arena of this thread; a full one is replaced.
fn own_arena() -> Option<ArenaIdx> {
    OWN_ARENA.with(|own| {
        let is_usable = |arena: &ArenaIdx| arena::with(*arena, |arena| !arena.is_nearly_full());
        if own.0.get().filter(is_usable).is_none() {
            own.0.set(arena::acquire());
        }
        own.0.get()
    })
}

fn first_place() -> usize {
    if IS_VARIED.load(Ordering::Relaxed) { SHIFT } else { 0 }
}

/// Runs `work` on a stack without remains of earlier calls.
#[inline(never)]
fn on_painted_stack<R>(work: impl FnOnce() -> R) -> R {
    paint_stack();
    work()
}

#[inline(never)]
fn paint_stack() {
    let mut frame = [PAINT; PAINTED];
    black_box(&mut frame);
}

/// Runs `work` deeper in the stack.
#[inline(never)]
fn deeper<R>(work: impl FnOnce() -> R) -> R {
    let mut frame = MaybeUninit::<[u8; SHIFT]>::uninit();
    black_box(&mut frame);
    let result = on_painted_stack(work);
    black_box(&mut frame);
    result
}

/// From now on, makes this process leave different bytes where remains of addresses are.
pub fn vary() {
    IS_VARIED.store(true, Ordering::Relaxed);
    // Later allocations lie elsewhere.
    std::mem::forget(black_box(vec![0_u8; SHIFT]));
}

/// The addresses of the parts of a process. Two processes whose parts lie far apart leave different
/// bytes where remains of addresses are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressAnchors([u64; 2]);

impl AddressAnchors {
    /// Those of this process: of the program and of mapped memory.
    pub fn here() -> Self {
        let objects = crate::alloc::roots::loaded_objects();
        let base = |object: Option<&std::ops::Range<usize>>| object.map_or(0, |one| one.start);
        let anchors = [base(objects.first()), base(objects.last())];
        AddressAnchors(anchors.map(|address| address as u64))
    }

    /// Returns whether every byte that varies between processes differs in each address of either
    /// part.
    pub fn are_apart(self, other: AddressAnchors) -> bool {
        self.0.into_iter().zip(other.0).all(|(one, other)| is_apart(one, other))
    }

    /// The anchors as bytes, for another process.
    pub fn to_bytes(self) -> [u8; 16] {
        (u128::from(self.0[0]) | u128::from(self.0[1]) << 64).to_le_bytes()
    }

    /// Those of another process.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        let both = u128::from_le_bytes(bytes);
        AddressAnchors([both as u64, (both >> 64) as u64])
    }
}

/// An address is a base, whose lowest twelve bits are zero, plus a distance. The sum may carry, so
/// adjacent bytes are too near. The fifth byte takes about two values, and differs only by chance.
fn is_apart(one: u64, other: u64) -> bool {
    let differs = |byte: usize, by: u8| {
        let distance = one.to_le_bytes()[byte].wrapping_sub(other.to_le_bytes()[byte]);
        (by..=by.wrapping_neg()).contains(&distance)
    };
    differs(1, 1) && differs(2, 2) && differs(3, 2) && differs(4, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_processes_that_are_apart_differ_in_each_byte_that_varies() {
        let one: u64 = 0x5601_2233_4000;
        for (other, apart) in [
            (0x5555_7788_9000, true),
            (0x5601_2233_4000, false),
            (0x5555_7788_4000, false),
            (0x5555_7734_9000, false),
            (0x5555_2388_9000, false),
            (0x5602_7788_9000, false),
        ] {
            assert_eq!(is_apart(one, other), apart, "{other:#x}");
            for distance in (0..1 << 24).step_by(0x3_7D38).filter(|_| apart) {
                let sums = [one + distance, other + distance].map(u64::to_le_bytes);
                assert!((1..=4).all(|byte| sums[0][byte] != sums[1][byte]), "{distance:#x}");
            }
        }
    }

    #[test]
    fn a_shift_changes_each_of_the_lowest_bytes() {
        for address in (0x7f00_0000_0000..0x7f00_0100_0000_usize).step_by(16) {
            let both = [address, address + SHIFT].map(usize::to_le_bytes);
            assert!((0..3).all(|byte| both[0][byte] != both[1][byte]), "{address:#x}");
        }
    }
}
