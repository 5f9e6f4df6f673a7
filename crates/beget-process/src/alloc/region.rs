//! One thread's region: building a frame in it, calling on the frame, and putting it back.
//!
//! An *epoch* is the time between two clean root scans. Within an epoch, no address is used twice:
//! each frame is built behind the last, and calls allocate behind the frame they are called on. So
//! memory held by a static stays intact at least until the scan finds the static, and then for
//! ever, because the whole slot is abandoned.

use std::{any::TypeId, marker::PhantomData, mem::ManuallyDrop, ops::Range, ptr};

use crate::alloc::{
    kept::{DifferenceList, KeptMemories, KeptPlace},
    live,
    loss::{BuildError, RegionLoss},
    range,
    range::{RangeSlot, SLOT_BYTES},
    roots, thread,
    thread::{HiddenAddress, Switch, SwitchedOn},
    warm, watch,
    words::{LINE_BYTES, MemoryCopy, WORD},
};

/// The memory that an epoch may use before its root scan. Half of it fits a small second-level
/// cache beside the engine's data, and the cost of the scan is spread over many calls.
const EPOCH_BYTES: usize = 128 << 10;
/// The first bytes of a slot stay free, so that the end of one slot's newest block is never
/// mistaken for the start of the next slot.
const LEAD_BYTES: usize = 64;

/// The region of the current thread.
///
/// All code that runs in it makes [the promise of the crate page](crate::alloc#the-promise).
/// Dropping it runs a last root scan.
pub struct Region {
    /// Invariant: the thread's bump lies in this slot.
    slot: Option<RangeSlot>,
    saved: MemoryCopy,
    /// Invariant: belongs to the image built last, and to its patches.
    kept: Box<KeptMemories>,
    /// The image built last. Invariant: its saved bytes lie in the slot whenever no image borrows
    /// the region.
    newest: BuiltImage,
    n_built: u64,
    /// The bump belongs to the thread, so the handle stays on its thread.
    not_send: PhantomData<*mut ()>,
}

impl Region {
    /// Opens the region of this thread.
    ///
    /// `None` if region mode is unavailable: the allocator is not installed, the platform has no
    /// root scan, or the thread's region is already open.
    pub fn open() -> Option<Region> {
        let _off = Switch::off();
        if thread::marks() & thread::OPEN != 0 || !live::sees_allocations() {
            return None;
        }
        warm::warm_up();
        let mut region = Region {
            slot: None,
            saved: MemoryCopy::default(),
            kept: Box::default(),
            newest: BuiltImage::NONE,
            n_built: 0,
            not_send: PhantomData,
        };
        region.slot().ok()?;
        thread::mark(thread::OPEN);
        Some(region)
    }

    /// Makes a frame in the region and takes its image.
    ///
    /// `make` runs with the region on: the frame's heap is exactly what it allocates. It must not
    /// move values from outside into the frame.
    pub fn build<F: 'static, E: Copy>(
        &mut self,
        make: impl FnOnce() -> Result<F, E>,
    ) -> Result<Image<'_, F>, BuildError<E>> {
        let slot = self.slot()?;
        self.newest = BuiltImage::NONE;
        if thread::bump() - slot.base() > EPOCH_BYTES {
            self.recycle(slot, slot.base() + LEAD_BYTES)?;
        }
        let start = thread::bump().next_multiple_of(LINE_BYTES.max(align_of::<F>()));
        let frame_end = start + size_of::<F>();
        if frame_end > end_of_room(slot) {
            return Err(self.lose(RegionLoss::Overflow).into());
        }
        thread::set_bump(frame_end);
        let made = self.run(HiddenAddress::of(end_of_room(slot)), make)?;
        let frame = ManuallyDrop::new(made.map_err(BuildError::Make)?);
        // Whole lines: no word behind the last one is compared by itself.
        let end = thread::bump().next_multiple_of(LINE_BYTES);
        thread::set_bump(end);
        // SAFETY: the frame's place lies in the slot, is aligned, and was handed out only here.
        // Everything from there to `end` is the slot's, which ends with a whole line.
        unsafe {
            pointer(start).cast::<ManuallyDrop<F>>().write(frame);
            self.saved.save(pointer(start), (end - start) / WORD);
        }
        self.kept.forget();
        let place = ImagePlace::new(slot, start..end);
        self.n_built += 1;
        let id = ImageId(self.n_built);
        let (start, end) = (place.start, place.end);
        self.newest = BuiltImage { id, start, end, frame: TypeId::of::<F>() };
        Ok(Image { id, place, region: self, lost: None, frame: PhantomData })
    }

    /// Writes `patches` into the memory of the image built last, as if it had been made with them.
    /// Use [`newest`](Region::newest) to get the image again.
    ///
    /// That these bytes may change, with nothing else changing, is part of [the
    /// promise](crate::alloc#the-promise); it holds for integers of a value on which nothing else
    /// in it depends. Returns false, and changes nothing, if the image is not the one meant, or if
    /// a patch lies outside it or does not find the integer that it replaces.
    ///
    /// The memory [kept](After::keep) of calls on the image is forgotten, except at the places for
    /// which `follows` is true: it is patched as if the calls had been made on the patched image,
    /// and had left these integers alone.
    pub fn patch(
        &mut self,
        meant: ImageId,
        patches: &[Patch],
        follows: impl FnMut(KeptPlace) -> bool,
    ) -> bool {
        let Some(place) = self.newest_place() else { return false };
        let live = place.live();
        let fits = |patch: &Patch| {
            let Some(offset) = patch.address.checked_sub(live.addr()) else { return false };
            let end = offset.checked_add(patch.n_bytes);
            end.is_some_and(|end| end <= place.end - place.start)
                && self.saved.holds(offset, &patch.old[..patch.n_bytes])
        };
        if self.newest.id != meant || !patches.iter().all(fits) {
            return false;
        }
        for patch in patches {
            let offset = patch.address - live.addr();
            // SAFETY: as many bytes lie there and in the copy, and no image lends them.
            unsafe { self.saved.patch(live, offset, &patch.new[..patch.n_bytes]) };
        }
        // An integer that a call has written stays.
        self.kept.follow(follows, |frame| {
            for Patch { address, n_bytes, old, new } in patches {
                let offset = address - live.addr();
                if frame.holds(offset, &old[..*n_bytes]) {
                    frame.put(offset, &new[..*n_bytes]);
                }
            }
        });
        true
    }

    /// The image built last, as it was before any call; `None` if it is gone, or has another frame
    /// type.
    pub fn newest<F: 'static>(&mut self) -> Option<Image<'_, F>> {
        let BuiltImage { id, frame, .. } = self.newest;
        let place = self.newest_place().filter(|_| frame == TypeId::of::<F>())?;
        Some(Image { id, place, region: self, lost: None, frame: PhantomData })
    }

    /// The place of the image built last, if there is one.
    fn newest_place(&self) -> Option<ImagePlace> {
        let slot = self.slot.filter(|_| self.newest.id != ImageId::NONE)?;
        let BuiltImage { start, end, .. } = self.newest;
        Some(ImagePlace { slot, start, end })
    }

    /// Looks for pointers into the region. If one is found, the region is lost, and the next
    /// [`build`](Region::build) begins a fresh one.
    ///
    /// [`build`](Region::build) and [`attempt`](Image::attempt) do this themselves before they
    /// reuse memory. An engine calls it to confirm the results so far.
    pub fn check_escape(&mut self) -> Result<(), RegionLoss> {
        match self.slot {
            Some(slot) => self.scan(slot),
            None => Ok(()),
        }
    }

    /// The slot in use, or a fresh one.
    fn slot(&mut self) -> Result<RangeSlot, RegionLoss> {
        if let Some(slot) = self.slot {
            return Ok(slot);
        }
        let slot = RangeSlot::acquire().ok_or(RegionLoss::Exhausted)?;
        thread::set_bump(slot.base() + LEAD_BYTES);
        self.slot = Some(slot);
        Ok(slot)
    }

    /// Runs `work` with the region on; its blocks end at `limit`.
    #[inline]
    fn run<R>(&mut self, limit: HiddenAddress, work: impl FnOnce() -> R) -> Result<R, RegionLoss> {
        let unwinding = LoseOnUnwind(self);
        let result = {
            let _on = SwitchedOn::up_to(limit);
            ManuallyDrop::new(work())
        };
        std::mem::forget(unwinding);
        match thread::marks() & thread::LOSSES {
            0 => Ok(ManuallyDrop::into_inner(result)),
            // Nothing is dropped: blocks outside the region may be referred to from anywhere.
            marks => Err(self.lose(RegionLoss::by_marks(marks))),
        }
    }

    #[cold]
    fn lose(&mut self, lost: RegionLoss) -> RegionLoss {
        self.slot = None;
        self.newest = BuiltImage::NONE;
        thread::unmark(thread::LOSSES);
        lost
    }

    /// Returns the reason if the region was given up; without a reason, a call unwound.
    #[inline]
    fn still_there(&self, lost: Option<RegionLoss>) -> Result<(), RegionLoss> {
        match self.slot {
            Some(_) => Ok(()),
            None => Err(lost.unwrap_or(RegionLoss::Unwound)),
        }
    }

    /// Scans the roots for pointers into the memory that the epoch has used.
    #[cold]
    fn scan(&mut self, slot: RangeSlot) -> Result<(), RegionLoss> {
        match roots::find(slot.base()..thread::bump()) {
            Some(escape) => Err(self.lose(RegionLoss::Escape(escape))),
            None => Ok(()),
        }
    }

    /// Begins a new epoch, whose first block is at `bump`.
    #[cold]
    fn recycle(&mut self, slot: RangeSlot, bump: usize) -> Result<(), RegionLoss> {
        self.scan(slot)?;
        // New blocks will lie at the addresses of the kept calls' blocks.
        self.kept.forget();
        let used = thread::bump() - slot.base();
        if used > 4 * EPOCH_BYTES {
            let kept = (bump - slot.base()).next_multiple_of(4 * EPOCH_BYTES);
            // SAFETY: both ends are multiples of a page in the slot; the memory behind `bump` was
            // used by this epoch's calls only, and the scan found no pointer into it.
            unsafe { range::discard(slot.base() + kept, SLOT_BYTES - kept) };
        }
        thread::set_bump(bump);
        Ok(())
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        let _off = Switch::off();
        thread::unmark(thread::OPEN);
        let Some(slot) = self.slot else { return };
        if self.recycle(slot, slot.base() + LEAD_BYTES).is_ok() {
            // SAFETY: the scan found no pointer into the slot, and images borrow the region.
            unsafe { slot.release() };
        }
    }
}

/// Abandons the region when dropped: the payload of the panic that unwinds may lie in it.
struct LoseOnUnwind<'a>(&'a mut Region);

impl Drop for LoseOnUnwind<'_> {
    fn drop(&mut self) {
        self.0.lose(RegionLoss::Unwound);
    }
}

/// The latest end of a slot's blocks: behind each block, a whole line can be read.
fn end_of_room(slot: RangeSlot) -> usize {
    slot.end() - LINE_BYTES
}

fn pointer(address: usize) -> *mut u8 {
    ptr::with_exposed_provenance_mut(address)
}

/// The place of an image's bytes: offsets in a slot, because a scan might find an address.
#[derive(Clone, Copy)]
struct ImagePlace {
    slot: RangeSlot,
    start: usize,
    end: usize,
}

impl ImagePlace {
    fn new(slot: RangeSlot, bytes: Range<usize>) -> Self {
        ImagePlace { slot, start: bytes.start - slot.base(), end: bytes.end - slot.base() }
    }

    fn live(self) -> *mut u8 {
        pointer(self.slot.base() + self.start)
    }
}

/// The name of an image of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageId(u64);

impl ImageId {
    const NONE: ImageId = ImageId(0);
}

/// The data of an image that is not borrowed: offsets in the slot.
///
/// All fields are always written, even without an image: the region lies in a thread-local
/// variable, and the unused bytes of an absent value might read as an address.
struct BuiltImage {
    id: ImageId,
    start: usize,
    end: usize,
    frame: TypeId,
}

impl BuiltImage {
    const NONE: BuiltImage =
        BuiltImage { id: ImageId::NONE, start: 0, end: 0, frame: TypeId::of::<()>() };
}

/// An integer that replaces another in the memory of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patch {
    address: usize,
    n_bytes: usize,
    old: [u8; 8],
    new: [u8; 8],
}

impl Patch {
    /// The integer of `n_bytes` bytes, at most eight, at `address`: the lowest bytes of `new`
    /// replace those of `old`.
    ///
    /// # Panics
    ///
    /// If there are more bytes.
    #[inline]
    pub fn of_int(address: usize, n_bytes: usize, old: u64, new: u64) -> Self {
        assert!(n_bytes <= size_of::<u64>(), "an integer of {n_bytes} bytes");
        // The lowest bytes come first in memory, or last.
        let unused = if cfg!(target_endian = "big") { 8 * (8 - n_bytes as u32) } else { 0 };
        let bytes = |value: u64| value.checked_shl(unused).unwrap_or(0).to_ne_bytes();
        Patch { address, n_bytes, old: bytes(old), new: bytes(new) }
    }
}

/// A frame in a region, and the copy of its bytes that it is restored to after each call.
///
/// It borrows the region: one image at a time. Nothing in it is ever dropped.
pub struct Image<'r, F> {
    region: &'r mut Region,
    id: ImageId,
    place: ImagePlace,
    lost: Option<RegionLoss>,
    frame: PhantomData<*mut F>,
}

impl<F: 'static> Image<'_, F> {
    /// Its name, by which it can be [patched](Region::patch) when it is not borrowed.
    pub fn id(&self) -> ImageId {
        self.id
    }

    /// Calls `call` on the frame with the region on, then `inspect` with the region off, then
    /// restores the frame.
    ///
    /// `inspect` gets the frame as the call left it, the call's result, and information about the
    /// frame's memory. Its own result lies outside the region and may be kept. It must leave the
    /// frame as it finds it.
    ///
    /// An error is final for this image, and `inspect` has not run if the call was the cause.
    #[inline]
    pub fn attempt<R, S>(
        &mut self,
        call: impl FnOnce(&mut F) -> R,
        inspect: impl FnOnce(&F, &R, After<'_>) -> S,
    ) -> Result<S, RegionLoss> {
        let mut calls = self.calls()?;
        let (returned, called) = calls.call(call)?;
        let first_changed = called.first_changed.unwrap_or(calls.region.saved.len());
        Ok(inspect_changed(calls.region, called, first_changed, |frame, after| {
            inspect(frame, &returned, after)
        }))
    }

    /// Begins calls one after another.
    #[inline]
    pub fn calls(&mut self) -> Result<ImageCalls<'_, F>, RegionLoss> {
        self.region.still_there(self.lost)?;
        let place = self.place;
        let room_end = place.slot.base() + place.end + EPOCH_BYTES;
        Ok(ImageCalls {
            region: self.region,
            lost: &mut self.lost,
            place,
            live: place.live(),
            room_end: HiddenAddress::of(room_end),
            limit: HiddenAddress::of(end_of_room(place.slot)),
            frame: PhantomData,
        })
    }

    /// Like [`Region::check_escape`], but keeps the image if nothing is found.
    pub fn check_escape(&mut self) -> Result<(), RegionLoss> {
        self.region.still_there(self.lost)?;
        let scanned = self.region.scan(self.place.slot);
        self.lost = scanned.err();
        scanned
    }
}

/// Calls on an image, one after another, which share the preparation.
pub struct ImageCalls<'i, F> {
    region: &'i mut Region,
    lost: &'i mut Option<RegionLoss>,
    place: ImagePlace,
    live: *mut u8,
    /// A call that begins behind this begins a new epoch. Null if the next call must check whether
    /// the region still exists.
    room_end: HiddenAddress,
    /// The latest end of blocks.
    limit: HiddenAddress,
    frame: PhantomData<*mut F>,
}

impl<F: 'static> ImageCalls<'_, F> {
    /// Like [`Image::attempt`], for calls most of which change nothing: runs `unchanged`, or
    /// `changed` if the frame's memory has changed. Either is given `context`.
    #[inline(always)]
    pub fn attempt<C: ?Sized, R, S>(
        &mut self,
        context: &mut C,
        call: impl FnOnce(&mut F) -> R,
        unchanged: impl FnOnce(&mut C, &F, &R) -> S,
        changed: impl FnOnce(&mut C, &F, &R, After<'_>) -> S,
    ) -> Result<S, RegionLoss> {
        let (returned, called) = self.call(call)?;
        match called.first_changed {
            // SAFETY: the frame lies there; the call's borrow is over.
            None => Ok(unchanged(context, unsafe { &*called.live.cast::<F>() }, &returned)),
            Some(first) => Ok(inspect_changed(self.region, called, first, |frame, after| {
                changed(context, frame, &returned, after)
            })),
        }
    }

    /// Makes a call with the region on, without restoring the frame.
    #[inline(always)]
    fn call<R>(
        &mut self,
        call: impl FnOnce(&mut F) -> R,
    ) -> Result<(ManuallyDrop<R>, CallFootprint), RegionLoss> {
        let mut new_start = thread::hidden_bump();
        if new_start.is_behind(self.room_end) {
            self.make_room()?;
            new_start = thread::hidden_bump();
        }
        let live = self.live;
        // SAFETY: the frame lies there, and is borrowed for this call only.
        let frame = unsafe { &mut *live.cast::<F>() };
        let unwinding = EndOnUnwind(&mut self.room_end);
        let returned = self.region.run(self.limit, || ManuallyDrop::new(call(frame)));
        std::mem::forget(unwinding);
        match returned {
            Ok(returned) => {
                // An image cannot exist while a region is on, so it is off again.
                debug_assert!(!thread::is_on());
                // SAFETY: all saved words lie there, in whole lines.
                let first_changed = unsafe { self.region.saved.first_difference(live) };
                Ok((returned, CallFootprint { live, new_start, first_changed }))
            }
            Err(lost) => Err(self.end(lost)),
        }
    }

    /// Begins a new epoch, because the calls so far have used up this one; the image stays.
    #[cold]
    fn make_room(&mut self) -> Result<(), RegionLoss> {
        self.region.still_there(*self.lost)?;
        let ImagePlace { slot, end, .. } = self.place;
        let recycled = self.region.recycle(slot, slot.base() + end);
        recycled.map_err(|lost| self.end(lost))
    }

    /// Ends the calls.
    #[cold]
    fn end(&mut self, lost: RegionLoss) -> RegionLoss {
        self.room_end = HiddenAddress::NULL;
        *self.lost = Some(lost);
        lost
    }
}

/// The place of a call, and the words that it has changed there.
struct CallFootprint {
    live: *mut u8,
    /// The start of its allocations.
    new_start: HiddenAddress,
    /// The first word of the first line of the frame that it has changed.
    first_changed: Option<usize>,
}

/// Ends the calls on an image when dropped: a call has unwound.
struct EndOnUnwind<'a>(&'a mut HiddenAddress);

impl Drop for EndOnUnwind<'_> {
    fn drop(&mut self) {
        *self.0 = HiddenAddress::NULL;
    }
}

/// Shows the state after a call to `inspect`, and then restores the frame.
#[inline(always)]
fn inspect_changed<F: 'static, S>(
    region: &mut Region,
    CallFootprint { live, new_start, .. }: CallFootprint,
    first_changed: usize,
    inspect: impl FnOnce(&F, After<'_>) -> S,
) -> S {
    let Region { saved, kept, .. } = region;
    let n_words = saved.len();
    let _restored = Restore { saved, live, first: first_changed };
    let new = new_start.address()..thread::bump();
    let after = After { first_changed, live, n_words, new, kept };
    // SAFETY: the frame lies there; the call's borrow is over.
    inspect(unsafe { &*live.cast::<F>() }, after)
}

/// The changes to a frame's memory by a call, without their meaning.
pub struct After<'a> {
    /// The first word of the first line of the frame that the call has changed; the number of words
    /// if there is none.
    first_changed: usize,
    live: *const u8,
    n_words: usize,
    /// The memory that the call allocated.
    new: Range<usize>,
    kept: &'a mut KeptMemories,
}

impl After<'_> {
    /// Returns whether the frame or anything it owned has changed.
    #[inline]
    pub fn is_changed(&self) -> bool {
        self.first_changed < self.n_words
    }

    /// An address before which the call has changed nothing in the frame's memory. Its allocations
    /// lie behind it.
    #[inline]
    pub fn changed_from(&self) -> usize {
        self.live.addr() + self.first_changed * WORD
    }

    /// Keeps a copy of the frame's memory as it is now, to compare later calls with.
    pub fn keep(&mut self, place: KeptPlace) {
        let (n_words, first_changed) = (self.n_words, self.first_changed);
        // SAFETY: the frame's words and those the call allocated lie there.
        unsafe { self.kept.keep(place, self.live, n_words, first_changed, self.new.clone()) };
    }

    /// Returns whether a place is in use.
    #[inline(always)]
    pub fn is_kept(&self, place: KeptPlace) -> bool {
        self.kept.is_kept(place)
    }

    /// Returns whether the frame's memory is the same as when it was kept at a place, except for
    /// `differences`, which are filled in. Addresses in the two calls' allocations count as equal
    /// if they mean the same block.
    ///
    /// False if the place is not in use, or if there are more than a few differences.
    #[inline(always)]
    pub fn is_like_kept(&self, place: KeptPlace, differences: &mut DifferenceList) -> bool {
        let new = self.new.clone();
        // SAFETY: the frame's words and those the call allocated lie there, the former in whole
        // lines; behind the latter a line can be read. The kept memory is of this frame, or empty.
        unsafe { self.kept.compare(place, self.live, self.first_changed, new, differences) }
    }
}

/// Restores the frame when dropped, even when the inspection unwinds.
struct Restore<'a> {
    saved: &'a MemoryCopy,
    live: *mut u8,
    first: usize,
}

impl Drop for Restore<'_> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: all saved words lie there, in whole lines, and all borrows of the frame are over.
        unsafe { self.saved.restore(self.live, self.first) };
    }
}

/// Runs `work` with ordinary allocation, whether or not a region is on.
///
/// For the framework's own code that runs inside a call, such as a panic hook: its allocations may
/// outlive the call, and its frees do not count as the call's.
pub fn pause<R>(work: impl FnOnce() -> R) -> R {
    let _off = Switch::off();
    let _unchecked = thread::MarkPause::of(thread::CHECKING);
    watch::suspended(work)
}

/// Returns whether this binary has installed the allocator, and region mode works here.
pub fn is_installed() -> bool {
    let _off = Switch::off();
    live::sees_allocations()
        && RangeSlot::acquire().is_some_and(|slot| {
            // SAFETY: the slot has not been used since it was acquired.
            unsafe { slot.release() };
            true
        })
}
