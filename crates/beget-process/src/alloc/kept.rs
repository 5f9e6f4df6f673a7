//! The memory of a frame after one call, kept to compare it with that after others.
//!
//! Two calls on one image leave their new blocks at different addresses, because an epoch uses no
//! address twice. So a word that points into the first call's blocks equals one that points to the
//! same place in the second's. Other words are equal if their bits are. This module knows nothing
//! else about words.

use std::{
    ops::{ControlFlow, Deref, Range},
    ptr,
};

use crate::alloc::words::{MemoryCopy, WORD};

/// The most differences listed.
const MOST_DIFFERENCES: usize = 4;

/// A few differences.
#[derive(Clone, Debug)]
pub struct DifferenceList {
    places: [Difference; MOST_DIFFERENCES],
    len: usize,
}

impl DifferenceList {
    /// Lists the halves in which two words differ; false if the list is full.
    #[inline(always)]
    fn list(&mut self, old: u64, new: u64, address: usize) -> bool {
        let (old, new) = (old.to_ne_bytes(), new.to_ne_bytes());
        [0, 4].into_iter().all(|half| {
            let of = |bytes: [u8; 8]| -> [u8; 4] {
                [bytes[half], bytes[half + 1], bytes[half + 2], bytes[half + 3]]
            };
            let (address, old, new) = (address + half, of(old), of(new));
            old == new || self.push(Difference { address, old, new })
        })
    }

    #[inline(always)]
    fn push(&mut self, difference: Difference) -> bool {
        let Some(place) = self.places.get_mut(self.len) else { return false };
        *place = difference;
        self.len += 1;
        true
    }
}

impl Default for DifferenceList {
    fn default() -> Self {
        let none = Difference { address: 0, old: [0; 4], new: [0; 4] };
        DifferenceList { places: [none; MOST_DIFFERENCES], len: 0 }
    }
}

impl Deref for DifferenceList {
    type Target = [Difference];

    #[inline(always)]
    fn deref(&self) -> &[Difference] {
        // It is never longer.
        self.places.get(..self.len).unwrap_or_default()
    }
}

/// Four bytes that differ from what was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The address when they were kept.
    pub address: usize,
    /// The old bytes.
    pub old: [u8; 4],
    /// The new bytes.
    pub new: [u8; 4],
}

/// One of a few places that keep the memory after a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptPlace(usize);

impl KeptPlace {
    /// The number of places.
    pub const COUNT: usize = 16;

    /// The place for this number. Some numbers share one.
    #[inline(always)]
    pub fn of(number: usize) -> Self {
        KeptPlace(number % KeptPlace::COUNT)
    }

    /// Its position among all of them.
    #[inline(always)]
    pub fn index(self) -> usize {
        // It is less already: this lets the compiler drop bounds checks.
        self.0 % KeptPlace::COUNT
    }
}

#[derive(Default)]
struct KeptMemory {
    frame: MemoryCopy,
    /// The blocks that the call allocated.
    blocks: MemoryCopy,
    /// No word of the frame before this one was changed by the call.
    first_changed: usize,
    /// The distance in bytes from the frame to the call's blocks. The address itself is not kept,
    /// because a root scan must not find it here.
    new_offset: usize,
    /// The length of the blocks in bytes.
    new_len: usize,
}

/// The memory of a frame after several calls.
#[derive(Default)]
pub(crate) struct KeptMemories {
    memories: [KeptMemory; KeptPlace::COUNT],
    /// The places in use, as bits.
    kept: u16,
}

const _: () = assert!(KeptPlace::COUNT == u16::BITS as usize);

impl KeptMemories {
    /// Forgets everything kept.
    #[inline]
    pub(crate) fn forget(&mut self) {
        self.kept = 0;
    }

    /// Returns whether a place is in use.
    #[inline(always)]
    pub(crate) fn is_kept(&self, place: KeptPlace) -> bool {
        self.kept >> place.index() & 1 == 1
    }

    /// Forgets the places for which `follows` is false, and calls `exchange` with the frame's
    /// memory at the others.
    pub(crate) fn follow(
        &mut self,
        mut follows: impl FnMut(KeptPlace) -> bool,
        mut exchange: impl FnMut(&mut MemoryCopy),
    ) {
        let mut rest = self.kept;
        while rest != 0 {
            let place = KeptPlace::of(rest.trailing_zeros() as usize);
            let bit = rest & rest.wrapping_neg();
            rest ^= bit;
            match follows(place) {
                true => exchange(&mut self.memories[place.index()].frame),
                false => self.kept ^= bit,
            }
        }
    }

    /// Like [`KeptMemory::keep`], at a place.
    ///
    /// # Safety
    ///
    /// The requirements of [`KeptMemory::keep`].
    pub(crate) unsafe fn keep(
        &mut self,
        place: KeptPlace,
        live: *const u8,
        n_words: usize,
        first_changed: usize,
        new: Range<usize>,
    ) {
        // SAFETY: the caller's promise.
        unsafe { self.memories[place.index()].keep(live, n_words, first_changed, new) };
        self.kept |= 1 << place.index();
    }

    /// Like [`KeptMemory::compare`], with the memory kept at a place; false if the place is not in
    /// use.
    ///
    /// # Safety
    ///
    /// The requirements of [`KeptMemory::compare`].
    #[inline(always)]
    pub(crate) unsafe fn compare(
        &self,
        place: KeptPlace,
        live: *const u8,
        first_changed: usize,
        new: Range<usize>,
        differences: &mut DifferenceList,
    ) -> bool {
        let memory = &self.memories[place.index()];
        // SAFETY: the caller's promise.
        self.is_kept(place) && unsafe { memory.compare(live, first_changed, new, differences) }
    }
}

impl KeptMemory {
    /// Keeps a copy. The frame's words before `first_changed` are the same as before each call.
    ///
    /// # Safety
    ///
    /// `n_words` words can be read from `live`, which is aligned for words, and so can all words
    /// that hold bytes of `new`.
    unsafe fn keep(
        &mut self,
        live: *const u8,
        n_words: usize,
        first_changed: usize,
        new: Range<usize>,
    ) {
        // SAFETY: the caller's promise.
        unsafe {
            self.frame.save(live, n_words);
            self.blocks.save(first_word(&new), n_words_of(&new));
        }
        self.first_changed = first_changed;
        self.new_offset = new.start - live.addr();
        self.new_len = new.end - new.start;
    }

    /// Lists how the memory differs from the memory kept of the same frame; false if they cannot be
    /// compared. The frame's words before `first_changed` are the same as before each call; words
    /// that neither call has changed need not be compared.
    ///
    /// # Safety
    ///
    /// All words that were kept can be read from `live`, which is aligned for words, and so can all
    /// words that hold bytes of `new`; both can be read up to the end of a line.
    #[inline(always)]
    unsafe fn compare(
        &self,
        live: *const u8,
        first_changed: usize,
        new: Range<usize>,
        differences: &mut DifferenceList,
    ) -> bool {
        differences.len = 0;
        let old_new = live.addr() + self.new_offset;
        let shift = new.start.wrapping_sub(old_new);
        let is_alike = new.end - new.start == self.new_len && shift.is_multiple_of(WORD);
        if !is_alike {
            return false;
        }
        let moved = BlockShift { old: old_new, len: self.new_len as u64, shift: shift as u64 };
        let first = first_changed.min(self.first_changed);
        // SAFETY: the caller's promise.
        unsafe {
            let blocks = (first_word(&new), old_new & !(WORD - 1));
            compare_words(&self.frame, (live, live.addr()), first, &moved, differences)
                && compare_words(&self.blocks, blocks, 0, &moved, differences)
        }
    }
}

/// The number of words that hold the bytes of `range`.
fn n_words_of(range: &Range<usize>) -> usize {
    (range.end - (range.start & !(WORD - 1))).div_ceil(WORD)
}

/// The word that holds the first byte of `range`.
fn first_word(range: &Range<usize>) -> *const u8 {
    ptr::with_exposed_provenance(range.start & !(WORD - 1))
}

/// The address of the kept call's blocks, and their distance from those of this call.
struct BlockShift {
    old: usize,
    len: u64,
    shift: u64,
}

impl BlockShift {
    /// The value that a kept word would have now if only the addresses of new blocks had changed.
    #[inline(always)]
    fn apply(&self, word: u64) -> u64 {
        // One past the end counts, because ends of blocks are pointed at, too.
        if word.wrapping_sub(self.old as u64) <= self.len {
            word.wrapping_add(self.shift)
        } else {
            word
        }
    }
}

/// Compares `kept`, which was kept at the second place, with the memory at the first. Words before
/// index `from` are equal.
///
/// # Safety
///
/// All words of the lines of `kept` can be read from the first place, which is aligned for words.
#[inline(always)]
unsafe fn compare_words(
    kept: &MemoryCopy,
    (live, kept_address): (*const u8, usize),
    from: usize,
    moved: &BlockShift,
    differences: &mut DifferenceList,
) -> bool {
    // A word that points into new blocks always differs, because no address is used twice.
    let is_like = |index: usize, old: u64, new: u64| {
        let old = moved.apply(old);
        match old == new || differences.list(old, new, kept_address + index * WORD) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    };
    // SAFETY: the caller's promise.
    unsafe { kept.for_each_difference(live, from, is_like).is_continue() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Memory as in a region: a frame, then the blocks of one call, then those of another.
    struct Memory {
        /// The words behind the last block fill its line.
        words: Box<[u64; 24]>,
    }

    const FRAME: usize = 6;
    const PLACE: KeptPlace = KeptPlace(3);

    impl Memory {
        fn address(&self, word: usize) -> usize {
            self.words.as_ptr().expose_provenance() + word * WORD
        }

        /// From the start of one word to the start of another.
        fn range(&self, words: Range<usize>) -> Range<usize> {
            self.address(words.start)..self.address(words.end)
        }

        fn keep(&self, kept: &mut KeptMemories, new: Range<usize>) {
            // SAFETY: the frame and the blocks are words of the array.
            unsafe { kept.keep(PLACE, self.words.as_ptr().cast(), FRAME, 0, self.range(new)) };
        }

        /// The differences as (word, half) and the values there; `None` if it cannot be compared.
        fn compare(
            &self,
            kept: &KeptMemories,
            new: Range<usize>,
        ) -> Option<Vec<(usize, u32, u32)>> {
            let mut differences = DifferenceList::default();
            // SAFETY: as above.
            let compares = unsafe {
                let (live, new) = (self.words.as_ptr().cast(), self.range(new));
                kept.compare(PLACE, live, 0, new, &mut differences)
            };
            let of = |difference: &Difference| {
                let place = (difference.address - self.address(0)) / 4;
                (place, u32::from_ne_bytes(difference.old), u32::from_ne_bytes(difference.new))
            };
            compares.then(|| differences.iter().map(of).collect())
        }
    }

    fn kept_after_first_call() -> (Memory, KeptMemories) {
        let mut memory = Memory { words: Box::new([7; 24]) };
        memory.words[2] = memory.address(6) as u64;
        memory.words[3] = memory.address(8) as u64;
        memory.words[6] = memory.address(7) as u64;
        let mut kept = KeptMemories::default();
        memory.keep(&mut kept, 6..8);
        (memory, kept)
    }

    #[test]
    fn nothing_compares_before_something_is_kept_or_after_it_is_forgotten() {
        let (memory, mut kept) = kept_after_first_call();
        assert_eq!(memory.compare(&KeptMemories::default(), 6..8), None);
        assert_eq!(memory.compare(&kept, 6..8), Some(vec![]));
        kept.forget();
        assert_eq!(memory.compare(&kept, 6..8), None);
    }

    #[test]
    fn pointers_into_new_blocks_are_equal_where_they_mean_the_same_block() {
        let (mut memory, kept) = kept_after_first_call();
        memory.words[2] = memory.address(9) as u64;
        memory.words[3] = memory.address(11) as u64;
        memory.words[9] = memory.address(10) as u64;
        assert_eq!(memory.compare(&kept, 9..11), Some(vec![]));
        memory.words[9] = memory.address(9) as u64;
        let differences = memory.compare(&kept, 9..11).unwrap();
        assert_eq!(differences.iter().map(|difference| difference.0).collect::<Vec<_>>(), [12]);
    }

    #[test]
    fn integers_that_look_like_addresses_of_new_blocks_are_equal_if_they_stay() {
        let (mut memory, kept) = kept_after_first_call();
        memory.words[9] = memory.address(10) as u64;
        // No pointer of the second call can point into the first call's blocks, so these are
        // integers.
        assert_eq!(memory.compare(&kept, 9..11), Some(vec![]));
    }

    #[test]
    fn differences_are_listed_by_halves_of_words_with_their_kept_places() {
        let (mut memory, kept) = kept_after_first_call();
        memory.words[0] = 8;
        memory.words[5] = 7 | 5 << 32;
        memory.words[7] = 9;
        // The low half comes first in memory.
        let little_endian = cfg!(target_endian = "little");
        let half = |word: usize, low: bool| word * 2 + usize::from(low != little_endian);
        let expected = vec![(half(0, true), 7, 8), (half(5, false), 0, 5), (half(7, true), 7, 9)];
        assert_eq!(memory.compare(&kept, 6..8), Some(expected));
    }

    #[test]
    fn lines_before_the_first_word_that_either_call_has_changed_are_not_compared() {
        let (mut words, n_words) = (vec![7_u64; 24], 16);
        let (mut kept, mut differences) = (KeptMemories::default(), DifferenceList::default());
        let end = words.as_ptr().expose_provenance() + n_words * WORD;
        // SAFETY: `n_words` words lie there, and the call has allocated nothing.
        unsafe { kept.keep(PLACE, words.as_ptr().cast(), n_words, 9, end..end) };
        (words[0], words[9], words[12]) = (1, 1, 1);
        for (first_changed, n_different) in [(0, 3), (7, 3), (8, 2), (9, 2), (16, 2)] {
            let live = words.as_ptr().cast();
            // SAFETY: as above; the words are whole lines.
            assert!(unsafe {
                kept.compare(PLACE, live, first_changed, end..end, &mut differences)
            });
            assert_eq!(differences.len(), n_different, "{first_changed}");
        }
    }

    #[test]
    fn more_than_a_few_differences_do_not_compare() {
        let (mut memory, kept) = kept_after_first_call();
        for (n_changed, word) in [0, 1, 4, 5, 7].into_iter().enumerate() {
            assert_eq!(memory.compare(&kept, 6..8).map(|listed| listed.len()), Some(n_changed));
            memory.words[word] = 1;
        }
        assert_eq!(memory.compare(&kept, 6..8), None);
    }

    #[test]
    fn calls_that_allocate_different_amounts_do_not_compare() {
        let (memory, kept) = kept_after_first_call();
        assert_eq!(memory.compare(&kept, 6..7), None);
        assert_eq!(memory.compare(&kept, 6..9), None);
        assert_eq!(memory.compare(&kept, 6..6), None);
    }
}
