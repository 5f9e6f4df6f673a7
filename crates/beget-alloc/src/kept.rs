//! The memory of a frame after one call, kept to compare it with that after the next.
//!
//! Two calls on one image leave their new blocks at different addresses, because an epoch uses no address twice. So
//! a word that points into the first call's blocks is equal to one that points to the same place in the second's.
//! Other words are equal if their bits are. This module knows no more of what words mean.

use std::{mem::MaybeUninit, ops::Range, ptr};

use crate::words::WORD;

/// More differences than this are not listed.
const MOST_DIFFERENCES: usize = 4;

/// Four bytes that differ from what was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where they lay when they were kept.
    pub address: usize,
    /// What they were.
    pub old: [u8; 4],
    /// What they are.
    pub new: [u8; 4],
}

#[derive(Default)]
pub(crate) struct Kept {
    /// The frame's words, then those of the blocks that the call allocated.
    words: Vec<MaybeUninit<u64>>,
    n_frame_words: usize,
    /// How far behind the frame the call's blocks began, in bytes. The address itself is not kept: a
    /// root scan must not find it here.
    new_offset: usize,
    is_valid: bool,
}

impl Kept {
    /// Nothing is kept from here on.
    #[inline]
    pub(crate) fn forget(&mut self) {
        self.is_valid = false;
    }

    /// # Safety
    ///
    /// `n_words` words can be read from `live`, and so can all whole words of `new`.
    pub(crate) unsafe fn keep(&mut self, live: *const u8, n_words: usize, new: Range<usize>) {
        let n_new = n_words_of(&new);
        self.words.clear();
        self.words.reserve(n_words + n_new);
        let target = self.words.as_mut_ptr();
        // SAFETY: the room was reserved, the caller gives the sources; the copies may be uninitialised.
        unsafe {
            ptr::copy_nonoverlapping(live.cast(), target, n_words);
            ptr::copy_nonoverlapping(aligned(new.start), target.add(n_words), n_new);
            self.words.set_len(n_words + n_new);
        }
        self.n_frame_words = n_words;
        self.new_offset = new.start - live.addr();
        self.is_valid = true;
    }

    /// Lists how the memory differs from what was kept; false if it does not compare.
    ///
    /// # Safety
    ///
    /// As for [`Kept::keep`].
    #[inline]
    pub(crate) unsafe fn compare(
        &self,
        live: *const u8,
        n_words: usize,
        new: Range<usize>,
        differences: &mut Vec<Difference>,
    ) -> bool {
        differences.clear();
        let n_new = n_words_of(&new);
        if !self.is_valid || self.n_frame_words != n_words || self.words.len() != n_words + n_new {
            return false;
        }
        let old_new = live.addr() + self.new_offset;
        let shift = new.start.wrapping_sub(old_new);
        if !shift.is_multiple_of(WORD) {
            return false;
        }
        let moved = Moved { old: old_new, len: (new.len()) as u64, shift: shift as u64 };
        let (frame, blocks) = self.words.split_at(n_words);
        // SAFETY: the caller's promise.
        unsafe {
            compare_words(frame, live.cast(), live.addr(), &moved, differences)
                && compare_words(
                    blocks,
                    aligned(new.start),
                    old_new & !(WORD - 1),
                    &moved,
                    differences,
                )
        }
    }
}

/// How many words hold the bytes of `range`.
fn n_words_of(range: &Range<usize>) -> usize {
    (range.end - (range.start & !(WORD - 1))).div_ceil(WORD)
}

/// The word that holds the byte at `address`.
fn aligned(address: usize) -> *const MaybeUninit<u64> {
    ptr::with_exposed_provenance(address & !(WORD - 1))
}

/// Where the blocks of the kept call were, and how far from there those of this call are.
struct Moved {
    old: usize,
    len: u64,
    shift: u64,
}

impl Moved {
    /// What a kept word would be today if nothing but the addresses of new blocks had changed.
    #[inline(always)]
    fn apply(&self, word: u64) -> u64 {
        // One past the end counts: ends of blocks are pointed at, too.
        if word.wrapping_sub(self.old as u64) <= self.len {
            word.wrapping_add(self.shift)
        } else {
            word
        }
    }
}

/// Words looked at together before any of them is looked at alone.
const GROUP: usize = 4;

/// # Safety
///
/// As many words as `kept` has can be read from `live`.
#[inline(always)]
unsafe fn compare_words(
    kept: &[MaybeUninit<u64>],
    live: *const MaybeUninit<u64>,
    kept_address: usize,
    moved: &Moved,
    differences: &mut Vec<Difference>,
) -> bool {
    let kept = (kept.as_ptr().cast::<u64>(), kept.len());
    // SAFETY: `index` is below the number of words, so both can be read by the caller's promise;
    // volatile because padding may be uninitialised, see `words`.
    let words = |index: usize| unsafe {
        (kept.0.add(index).read_volatile(), live.cast::<u64>().add(index).read_volatile())
    };
    // A word that points into new blocks differs, because no address is used twice, and is found below.
    let differs = |index: usize| {
        let (old, new) = words(index);
        old ^ new
    };
    let mut is_like = |index: usize| {
        let (old, new) = words(index);
        let expected = moved.apply(old);
        old == new
            || expected == new
            || list(expected, new, kept_address + index * WORD, differences)
    };
    let mut index = 0;
    while index + GROUP <= kept.1 {
        let any = differs(index) | differs(index + 1) | differs(index + 2) | differs(index + 3);
        if any != 0 && !(index..index + GROUP).all(&mut is_like) {
            return false;
        }
        index += GROUP;
    }
    (index..kept.1).all(is_like)
}

/// Lists the halves in which two words differ.
#[cold]
fn list(old: u64, new: u64, address: usize, differences: &mut Vec<Difference>) -> bool {
    let (old, new) = (old.to_ne_bytes(), new.to_ne_bytes());
    for half in [0, 4] {
        let of = |bytes: [u8; 8]| -> [u8; 4] {
            [bytes[half], bytes[half + 1], bytes[half + 2], bytes[half + 3]]
        };
        if of(old) != of(new) {
            differences.push(Difference { address: address + half, old: of(old), new: of(new) });
        }
    }
    differences.len() <= MOST_DIFFERENCES
}
