//! The one range of addresses that all regions of the process are cut from.
//!
//! A block's address alone tells whether it lies in some region, on any thread and at any time:
//! one subtraction and one comparison. The range costs address space only; pages come with use.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

/// Bytes of one slot: the most that one structure and one call on it may allocate together.
pub(crate) const SLOT_BYTES: usize = 8 << 20;
/// Slots of the range. A slot is lost only by an escape or an overflow, so this is plenty.
const SLOTS: usize = 2048;
const RANGE_BYTES: usize = SLOTS * SLOT_BYTES;

/// Where no user-space address lies: the test fails for every address until the range is reserved.
const NOWHERE: usize = 1 << (usize::BITS - 1);

static BASE: AtomicUsize = AtomicUsize::new(NOWHERE);

/// The slots that can be handed out.
static SLOT_POOL: Mutex<SlotPool> = Mutex::new(SlotPool { returned: Vec::new(), n_used: 0 });

struct SlotPool {
    returned: Vec<RangeSlot>,
    n_used: usize,
}

/// One slot of the range, known by its number, so that no word of ours reads as an address in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RangeSlot(u32);

impl RangeSlot {
    /// The address of its first byte.
    #[inline]
    pub(crate) fn base(self) -> usize {
        BASE.load(Ordering::Relaxed) + self.0 as usize * SLOT_BYTES
    }

    /// The address after its last byte.
    #[inline]
    pub(crate) fn end(self) -> usize {
        self.base() + SLOT_BYTES
    }

    /// A slot that nobody uses; `None` if the platform has no region mode or all slots are lost.
    pub(crate) fn acquire() -> Option<RangeSlot> {
        let mut pool = SLOT_POOL.lock().unwrap_or_else(PoisonError::into_inner);
        pool.returned.pop().or_else(|| pool.cut())
    }

    /// Gives the slot back.
    ///
    /// # Safety
    ///
    /// Nobody may hold a pointer into it any more.
    pub(crate) unsafe fn release(self) {
        SLOT_POOL.lock().unwrap_or_else(PoisonError::into_inner).returned.push(self);
    }
}

impl SlotPool {
    fn cut(&mut self) -> Option<RangeSlot> {
        if self.n_used == 0 {
            os::reserve()?;
            // Slot 0 stays empty: `BASE` itself is a word in static memory and holds its address.
            self.n_used = 1;
        }
        if self.n_used == SLOTS {
            return None;
        }
        let slot = RangeSlot(u32::try_from(self.n_used).ok()?);
        os::open(slot)?;
        self.n_used += 1;
        Some(slot)
    }
}

/// Whether `address` lies in some region.
#[inline]
pub(crate) fn contains(address: usize) -> bool {
    address.wrapping_sub(BASE.load(Ordering::Relaxed)) < RANGE_BYTES
}

pub(crate) use os::discard;

#[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
mod os {
    use std::{ptr, sync::atomic::Ordering};

    use super::{BASE, NOWHERE, RANGE_BYTES, RangeSlot, SLOT_BYTES};

    /// Reserves the range, without memory behind it.
    pub(super) fn reserve() -> Option<()> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: an anonymous mapping at an address of the kernel's choice touches nothing.
        let base =
            unsafe { libc::mmap(ptr::null_mut(), RANGE_BYTES, libc::PROT_NONE, flags, -1, 0) };
        if base == libc::MAP_FAILED || base.addr() >= NOWHERE - RANGE_BYTES {
            return None;
        }
        BASE.store(base.expose_provenance(), Ordering::Relaxed);
        Some(())
    }

    /// Makes the slot's memory readable and writable.
    pub(super) fn open(slot: RangeSlot) -> Option<()> {
        let base = ptr::with_exposed_provenance_mut(slot.base());
        // SAFETY: the slot lies inside the range that was reserved, and nobody uses it yet.
        let answer =
            unsafe { libc::mprotect(base, SLOT_BYTES, libc::PROT_READ | libc::PROT_WRITE) };
        (answer == 0).then_some(())
    }

    /// Gives the memory of `bytes` bytes from `address` back; they read as zero afterwards.
    ///
    /// # Safety
    ///
    /// The bytes lie in one open slot, both ends on page boundaries, and nobody uses them.
    pub(crate) unsafe fn discard(address: usize, bytes: usize) {
        // A failure only means that the memory stays resident.
        // SAFETY: the caller's promise.
        unsafe {
            libc::madvise(ptr::with_exposed_provenance_mut(address), bytes, libc::MADV_DONTNEED)
        };
    }
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64", not(miri))))]
mod os {
    use super::RangeSlot;

    pub(super) fn reserve() -> Option<()> {
        None
    }

    pub(super) fn open(_: RangeSlot) -> Option<()> {
        None
    }

    /// # Safety
    ///
    /// Does nothing: there is no slot to discard from.
    pub(crate) unsafe fn discard(_: usize, _: usize) {}
}
