//! The one range of addresses that all regions of the process are cut from.
//!
//! A block's address alone shows whether it lies in some region, on any thread and at any time: one
//! subtraction and one comparison. The range costs address space only; pages are added on use.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

/// Bytes of one slot: the most that one structure and one call on it may allocate together.
pub(crate) const SLOT_BYTES: usize = 8 << 20;
/// The number of slots. A slot is lost only by an escape or an overflow, so this is plenty.
const SLOTS: usize = 2048;
const RANGE_BYTES: usize = SLOTS * SLOT_BYTES;

/// An address outside of user space: the test fails for every address until the range is reserved.
const NOWHERE: usize = 1 << (usize::BITS - 1);

static BASE: AtomicUsize = AtomicUsize::new(NOWHERE);

/// The available slots.
static SLOT_POOL: Mutex<SlotPool> = Mutex::new(SlotPool { returned: Vec::new(), n_used: 0 });

struct SlotPool {
    returned: Vec<RangeSlot>,
    n_used: usize,
}

/// A slot of the range, identified by number, so that no word of ours reads as an address in it.
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

    /// An unused slot; `None` if the platform has no region mode or all slots are lost.
    pub(crate) fn acquire() -> Option<RangeSlot> {
        let mut pool = SLOT_POOL.lock().unwrap_or_else(PoisonError::into_inner);
        pool.returned.pop().or_else(|| pool.cut())
    }

    /// Gives the slot back.
    ///
    /// # Safety
    ///
    /// No pointer into it may be left.
    pub(crate) unsafe fn release(self) {
        SLOT_POOL.lock().unwrap_or_else(PoisonError::into_inner).returned.push(self);
    }
}

impl SlotPool {
    fn cut(&mut self) -> Option<RangeSlot> {
        if self.n_used == 0 {
            BASE.store(reserve(RANGE_BYTES)?, Ordering::Relaxed);
            // Slot 0 stays empty: `BASE` itself is a word in static memory and holds its address.
            self.n_used = 1;
        }
        if self.n_used == SLOTS {
            return None;
        }
        let slot = RangeSlot(u32::try_from(self.n_used).ok()?);
        // SAFETY: the slot lies inside the reserved range and is not in use yet.
        unsafe { open(slot.base(), SLOT_BYTES) }.then_some(())?;
        self.n_used += 1;
        Some(slot)
    }
}

/// Returns whether `address` lies in some region.
#[inline]
pub(crate) fn contains(address: usize) -> bool {
    address.wrapping_sub(BASE.load(Ordering::Relaxed)) < RANGE_BYTES
}

pub(crate) use os::{discard, open, reserve};

#[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
mod os {
    use std::ptr;

    use super::NOWHERE;

    /// Reserves this many bytes of address space; returns the first address.
    pub(crate) fn reserve(bytes: usize) -> Option<usize> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: an anonymous mapping at an address of the kernel's choice touches nothing.
        let base = unsafe { libc::mmap(ptr::null_mut(), bytes, libc::PROT_NONE, flags, -1, 0) };
        let is_mapped = base != libc::MAP_FAILED && base.addr() < NOWHERE - bytes;
        is_mapped.then(|| base.expose_provenance())
    }

    /// Makes reserved memory readable and writable; returns whether that worked.
    ///
    /// # Safety
    ///
    /// The bytes were [reserved](reserve) and are not in use; both ends are page boundaries.
    pub(crate) unsafe fn open(address: usize, bytes: usize) -> bool {
        let base = ptr::with_exposed_provenance_mut(address);
        // SAFETY: the caller's promise.
        unsafe { libc::mprotect(base, bytes, libc::PROT_READ | libc::PROT_WRITE) == 0 }
    }

    /// Gives the memory of `bytes` bytes from `address` back; they read as zero afterwards.
    ///
    /// # Safety
    ///
    /// The bytes were [opened](open) and are not in use; both ends are page boundaries.
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
    pub(crate) fn reserve(_: usize) -> Option<usize> {
        None
    }

    /// # Safety
    ///
    /// Does nothing: nothing was reserved.
    pub(crate) unsafe fn open(_: usize, _: usize) -> bool {
        false
    }

    /// # Safety
    ///
    /// Does nothing: there is nothing to discard.
    pub(crate) unsafe fn discard(_: usize, _: usize) {}
}
