//! Arenas: the memory of one thread's checks, with a list of its blocks.

use std::alloc::Layout;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::MemoryFill;
use super::fault::{MemoryFault, NoBlock};
use crate::alloc::global::Contents;
use crate::alloc::{range, watch};

/// Bytes of one arena.
const ARENA_BYTES: usize = 16 << 20;
/// The most arenas. One is lost only when blocks that outlive their checks have filled it.
const ARENAS: usize = 256;
const RANGE_BYTES: usize = ARENAS * ARENA_BYTES;

/// The least distance between two blocks, in bytes, and the least alignment of a block.
const ZONE: usize = 16;
/// The byte of red zones.
const RED: u8 = 0xFA;
/// Larger blocks come from the system: in an arena, they would soon fill it.
const MOST_BYTES: usize = 1 << 20;
/// Blocks with a larger alignment come from the system.
const MOST_ALIGN: usize = 4096;
/// The most faults kept of one check.
const MOST_FAULTS: usize = 8;

/// An address outside of user space.
const NOWHERE: usize = 1 << (usize::BITS - 1);

/// The address of the first arena.
static BASE: AtomicUsize = AtomicUsize::new(NOWHERE);

/// Made when first needed: root scans read all statics.
static ARENA_LIST: OnceLock<Vec<Mutex<CheckArena>>> = OnceLock::new();

static ARENA_POOL: Mutex<ArenaPool> = Mutex::new(ArenaPool { returned: Vec::new(), n_used: 0 });

struct ArenaPool {
    returned: Vec<ArenaIdx>,
    n_used: usize,
}

/// The number of an arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ArenaIdx(usize);

impl ArenaIdx {
    fn base(self) -> usize {
        BASE.load(Ordering::Relaxed) + self.0 * ARENA_BYTES
    }
}

/// Returns whether `address` lies in some arena.
#[inline]
pub(crate) fn contains(address: usize) -> bool {
    address.wrapping_sub(BASE.load(Ordering::Relaxed)) < RANGE_BYTES
}

/// The arena in which `address` lies.
pub(super) fn of(address: usize) -> Option<ArenaIdx> {
    contains(address).then(|| ArenaIdx((address - BASE.load(Ordering::Relaxed)) / ARENA_BYTES))
}

/// Gives `work` an arena. The subject does not run meanwhile.
pub(crate) fn with<R>(arena: ArenaIdx, work: impl FnOnce(&mut CheckArena) -> R) -> R {
    let all = ARENA_LIST.get_or_init(|| (0..ARENAS).map(|_| Mutex::new(CheckArena::NEW)).collect());
    work(&mut all[arena.0].lock().unwrap_or_else(PoisonError::into_inner))
}

/// An unused arena; `None` if there is none.
pub(crate) fn acquire() -> Option<ArenaIdx> {
    let mut pool = ARENA_POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(returned) = pool.returned.pop() {
        return Some(returned);
    }
    if pool.n_used == 0 {
        let base = range::reserve(RANGE_BYTES)?;
        BASE.store(base, Ordering::Relaxed);
        watch::listen_to(base..base + RANGE_BYTES);
    }
    let next = ArenaIdx(pool.n_used);
    if next.0 == ARENAS {
        return None;
    }
    // SAFETY: the arena lies inside the reserved range and is not in use yet.
    unsafe { range::open(next.base(), ARENA_BYTES) }.then_some(())?;
    pool.n_used += 1;
    with(next, |arena| arena.base = next.base());
    Some(next)
}

/// Gives an arena back. Blocks still allocated in it stay allocated.
pub(crate) fn release(arena: ArenaIdx) {
    if with(arena, |arena| !arena.is_nearly_full()) {
        ARENA_POOL.lock().unwrap_or_else(PoisonError::into_inner).returned.push(arena);
    }
}

/// The block to which an address leads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BlockMet {
    /// It is allocated.
    Live {
        /// Its address.
        start: usize,
        /// The layout of its allocation.
        layout: Layout,
    },
    /// It is freed.
    Freed,
}

/// The block in which an address lies, or right behind which it lies: in its zone.
pub(crate) fn block_at(address: usize) -> Option<BlockMet> {
    with(of(address)?, |arena| arena.block_at(address - arena.base))
}

/// Memory with blocks one after another, and red zones between them.
pub(crate) struct CheckArena {
    base: usize,
    /// The end of the zones of the last block, from the base.
    end: usize,
    /// Sorted by place.
    blocks: Vec<CheckedBlock>,
    faults: Vec<MemoryFault>,
    pub(crate) fill: MemoryFill,
}

/// A block, by places from the base of its arena.
#[derive(Clone, Copy)]
struct CheckedBlock {
    /// The start of the zone in front.
    front: usize,
    start: usize,
    layout: Layout,
    state: BlockLife,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BlockLife {
    Allocated,
    /// Freed, and filled with this byte: another check may fill with another one.
    Freed(u8),
    /// It was already allocated when an earlier check ended.
    Old,
}

impl CheckedBlock {
    fn end(&self) -> usize {
        self.start + self.layout.size()
    }

    /// The end of the zone behind it.
    fn back(&self) -> usize {
        self.end().next_multiple_of(ZONE) + ZONE
    }
}

impl CheckArena {
    const NEW: CheckArena = CheckArena {
        base: 0,
        end: 0,
        blocks: Vec::new(),
        faults: Vec::new(),
        fill: MemoryFill::PAIR[0],
    };

    pub(crate) fn is_nearly_full(&self) -> bool {
        self.end > ARENA_BYTES / 2
    }

    /// The address of a new block.
    pub(super) fn alloc(&mut self, layout: Layout, contents: Contents) -> Option<usize> {
        if layout.size() > MOST_BYTES || layout.align() > MOST_ALIGN {
            return None;
        }
        let front = self.end;
        let start = (front + ZONE).next_multiple_of(layout.align().max(ZONE));
        let block = CheckedBlock { front, start, layout, state: BlockLife::Allocated };
        if block.back() > ARENA_BYTES {
            return None;
        }
        self.end = block.back();
        self.write(front..start, RED);
        let fill = match contents {
            Contents::Any => self.fill.fresh,
            Contents::Zero => 0,
        };
        self.write(start..block.end(), fill);
        self.write(block.end()..block.back(), RED);
        self.blocks.push(block);
        Some(self.base + start)
    }

    /// Frees a block, or an address that the subject takes for one.
    pub(super) fn free(&mut self, address: usize, layout: Layout) {
        let place = address - self.base;
        let Ok(index) = self.blocks.binary_search_by_key(&place, |block| block.start) else {
            return self.note(MemoryFault::FreedNoBlock(NoBlock::Place));
        };
        let block = self.blocks[index];
        if let BlockLife::Freed(_) = block.state {
            return self.note(MemoryFault::FreedTwice { size: block.layout.size() });
        }
        if block.layout != layout {
            self.note(MemoryFault::WrongLayout { allocated: block.layout, freed: layout });
        }
        self.check_zones(&block);
        self.blocks[index].state = BlockLife::Freed(self.fill.freed);
        self.write(block.start..block.end(), self.fill.freed);
    }

    /// Reuses the memory after the last block that is still allocated, from `first` on.
    pub(crate) fn forget_freed(&mut self, first: usize) {
        while let Some(CheckedBlock { state: BlockLife::Freed(_), .. }) = self.blocks.last() {
            self.blocks.pop();
        }
        self.end = self.blocks.last().map_or(first, CheckedBlock::back);
    }

    fn block_at(&self, place: usize) -> Option<BlockMet> {
        let n_before = self.blocks.partition_point(|block| block.start <= place);
        let block = self.blocks[..n_before].last().filter(|block| place <= block.end())?;
        Some(match block.state {
            BlockLife::Freed(_) => BlockMet::Freed,
            BlockLife::Allocated | BlockLife::Old => {
                BlockMet::Live { start: self.base + block.start, layout: block.layout }
            }
        })
    }

    pub(super) fn note(&mut self, fault: MemoryFault) {
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(fault);
        }
    }

    fn check_zones(&mut self, block: &CheckedBlock) {
        let size = block.layout.size();
        if let Some(at) = self.find_other(block.front..block.start, RED) {
            let distance = block.start - at;
            self.note(MemoryFault::WrittenBefore { size, distance });
        }
        if let Some(at) = self.find_other(block.end()..block.back(), RED) {
            let distance = at - block.end() + 1;
            self.note(MemoryFault::WrittenBehind { size, distance });
        }
    }

    /// Returns whether a block is allocated that was not when the last check ended.
    pub(super) fn has_new_live(&self) -> bool {
        self.blocks.iter().any(|block| block.state == BlockLife::Allocated)
    }

    /// The blocks that were already allocated when the last check ended, by their addresses.
    pub(super) fn old_blocks(&self) -> Vec<std::ops::Range<usize>> {
        let old = self.blocks.iter().filter(|block| block.state == BlockLife::Old);
        old.map(|block| self.base + block.start..self.base + block.end()).collect()
    }

    /// The first fault since the last call, and the blocks still allocated, by address and size,
    /// without those that were allocated at the last call.
    pub(super) fn finish(&mut self) -> (Option<MemoryFault>, Vec<(usize, usize)>) {
        let mut live = Vec::new();
        for block in std::mem::take(&mut self.blocks) {
            match block.state {
                BlockLife::Freed(fill) => {
                    self.check_freed(&block, fill);
                    continue;
                }
                BlockLife::Allocated => {
                    self.check_zones(&block);
                    live.push((self.base + block.start, block.layout.size()));
                }
                BlockLife::Old => {}
            }
            self.blocks.push(CheckedBlock { state: BlockLife::Old, ..block });
        }
        if self.blocks.is_empty() {
            self.end = 0;
        }
        let fault = self.faults.first().copied();
        self.faults.clear();
        (fault, live)
    }

    fn check_freed(&mut self, block: &CheckedBlock, fill: u8) {
        self.check_zones(block);
        if let Some(at) = self.find_other(block.start..block.end(), fill) {
            let size = block.layout.size();
            self.note(MemoryFault::WrittenAfterFree { size, at: at - block.start });
        }
    }

    fn write(&mut self, places: std::ops::Range<usize>, byte: u8) {
        let start = ptr::with_exposed_provenance_mut::<u8>(self.base + places.start);
        // SAFETY: the places lie in the arena, which is open, and in no block that is allocated.
        unsafe { start.write_bytes(byte, places.len()) };
    }

    /// The first place with another byte.
    fn find_other(&self, mut places: std::ops::Range<usize>, byte: u8) -> Option<usize> {
        let read = |place: usize| {
            let address = ptr::with_exposed_provenance::<u8>(self.base + place);
            // SAFETY: the place lies in the arena, which is open. Another thread may write to it,
            // but has no block there: hence the volatile read.
            unsafe { address.read_volatile() }
        };
        places.find(|&place| read(place) != byte)
    }
}

#[cfg(all(test, target_os = "linux", target_pointer_width = "64", not(miri)))]
mod tests {
    use super::*;

    #[test]
    fn blocks_may_fill_an_arena_to_its_last_byte() {
        assert!(!contains(1 << 20), "nothing is reserved so far");
        let arena = acquire().expect("no other test has one");
        let has_room_for = |size| {
            let layout = Layout::from_size_align(size, 8).expect("a layout");
            with(arena, |arena| arena.alloc(layout, Contents::Any)).is_some()
        };
        assert!((0..15).all(|_| has_room_for(MOST_BYTES)));
        // Each block lies between two zones.
        let left = ARENA_BYTES - 15 * (MOST_BYTES + 2 * ZONE) - 2 * ZONE;
        assert!(!has_room_for(left + 1));
        assert!(has_room_for(left));
        assert!(!has_room_for(0));
    }
}
