//! The bytes of an image, word by word: copying them aside, comparing, copying them back.
//!
//! The words of a frame are whatever the subject left in them: padding, dead fields, live
//! pointers. So they are moved as uninitialised memory and compared by volatile reads.

use std::{mem::MaybeUninit, ops::ControlFlow, ptr};

pub(crate) const WORD: usize = size_of::<u64>();
type Word = MaybeUninit<u64>;

/// The words that one read takes where many are compared.
const PAIR: usize = 2;

#[derive(Clone, Copy)]
#[repr(align(16))]
struct Pair {
    #[expect(dead_code, reason = "read as memory")]
    words: [Word; PAIR],
}

/// A copy of a range of memory.
#[derive(Default)]
pub(crate) struct MemoryCopy {
    pairs: Vec<Pair>,
    n_words: usize,
}

impl MemoryCopy {
    /// Copies `n_words` words from `live`, in place of what was saved before.
    ///
    /// # Safety
    ///
    /// `live` is aligned for words, and as many bytes can be read from it.
    pub(crate) unsafe fn save(&mut self, live: *const u8, n_words: usize) {
        let n_pairs = n_words.div_ceil(PAIR);
        self.pairs.clear();
        self.pairs.reserve(n_pairs);
        // SAFETY: the room was reserved, the caller gives the source, and a `MaybeUninit` may hold
        // anything.
        unsafe {
            let words = self.pairs.as_mut_ptr().cast::<Word>();
            ptr::copy_nonoverlapping(live.cast::<Word>(), words, n_words);
            self.pairs.set_len(n_pairs);
        }
        self.n_words = n_words;
    }

    /// The number of words saved.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.n_words
    }

    /// The index of the first word of `live` that differs from the copy, if any does.
    ///
    /// # Safety
    ///
    /// `live` is aligned for words, and as many as were saved can be read from it.
    #[inline]
    pub(crate) unsafe fn first_difference(&self, live: *const u8) -> Option<usize> {
        // SAFETY: the caller's promise.
        let found =
            unsafe { self.for_each_difference(live, 0, |index, _, _| ControlFlow::Break(index)) };
        found.break_value()
    }

    /// Calls `visit` with the index of each word of `live` that differs from the copy, what it was
    /// and what it is, in order, until it breaks. Words before index `from` are left out.
    ///
    /// # Safety
    ///
    /// As for [`MemoryCopy::first_difference`].
    #[inline(always)]
    pub(crate) unsafe fn for_each_difference<B>(
        &self,
        live: *const u8,
        from: usize,
        mut visit: impl FnMut(usize, u64, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (saved, live) = (self.pairs.as_ptr().cast::<Word>(), live.cast::<Word>());
        let is_aligned = live.cast::<Pair>().is_aligned();
        // SAFETY: all that is read lies in front of the last word saved. A group begins at an even
        // index, so it is aligned as `live` is.
        unsafe {
            let mut look_at = |index| match (read(saved.add(index)), read(live.add(index))) {
                (old, new) if old == new => ControlFlow::Continue(()),
                (old, new) => visit(index, old, new),
            };
            let mut index = from;
            if !index.is_multiple_of(PAIR) && index < self.n_words {
                look_at(index)?;
                index += 1;
            }
            while is_aligned && index + GROUP <= self.n_words {
                let mut bytes = differing_bytes(saved.add(index).cast(), live.add(index).cast());
                while bytes != 0 {
                    let within = bytes.trailing_zeros() as usize / WORD;
                    look_at(index + within)?;
                    bytes &= !(0xff << (within * WORD));
                }
                index += GROUP;
            }
            while index < self.n_words {
                look_at(index)?;
                index += 1;
            }
        }
        ControlFlow::Continue(())
    }

    /// Copies the words from index `first` on back to `live`.
    ///
    /// # Safety
    ///
    /// `live` is aligned for words, as many as were saved can be written to it, and `first` is at
    /// most that number. Nobody may hold a reference into them.
    #[inline]
    pub(crate) unsafe fn restore(&self, live: *mut u8, first: usize) {
        debug_assert!(first <= self.n_words);
        // SAFETY: the caller's promise.
        unsafe {
            let words = self.pairs.as_ptr().cast::<Word>().add(first);
            ptr::copy_nonoverlapping(words, live.cast::<Word>().add(first), self.n_words - first);
        }
    }
}

/// Reads a word that may be padding. Volatile, because the language leaves its value open.
///
/// # Safety
///
/// `word` can be read.
#[inline(always)]
unsafe fn read(word: *const Word) -> u64 {
    // SAFETY: the caller's promise.
    unsafe { word.cast::<u64>().read_volatile() }
}

/// The words that are compared at once.
const GROUP: usize = 4;

/// The bytes in which two groups of words differ, as bits, that of the first byte lowest. Of the
/// bytes of a word that differs, at least one is told.
///
/// # Safety
///
/// Both groups are aligned and can be read.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn differing_bytes(saved: *const Pair, live: *const Pair) -> u32 {
    use std::arch::x86_64::{__m128i, _mm_and_si128, _mm_cmpeq_epi32, _mm_movemask_epi8};

    // SAFETY: the caller's promise; volatile as in `read`. All processors of this kind have the
    // instructions.
    unsafe {
        let equal = |pair| {
            let (saved, live) = (saved.add(pair).cast(), live.add(pair).cast());
            let (saved, live): (__m128i, _) = (ptr::read_volatile(saved), ptr::read_volatile(live));
            _mm_cmpeq_epi32(saved, live)
        };
        let (low, high) = (equal(0), equal(1));
        if _mm_movemask_epi8(_mm_and_si128(low, high)) == 0xffff {
            return 0;
        }
        !(_mm_movemask_epi8(low) | _mm_movemask_epi8(high) << 16).cast_unsigned()
    }
}

/// As above.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
unsafe fn differing_bytes(saved: *const Pair, live: *const Pair) -> u32 {
    let (saved, live) = (saved.cast::<Word>(), live.cast::<Word>());
    // SAFETY: the caller's promise.
    let differs = |index| unsafe { read(saved.add(index)) ^ read(live.add(index)) };
    let group: [u64; GROUP] = std::array::from_fn(differs);
    if group.iter().fold(0, |any, word| any | word) == 0 {
        return 0;
    }
    group.iter().rev().fold(0, |all, &word| all << WORD | u32::from(word != 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What [`MemoryCopy::for_each_difference`] is to tell, word by word.
    fn differences(saved: &[u64], live: &[u64], from: usize) -> Vec<(usize, u64, u64)> {
        let both = saved.iter().zip(live).enumerate().skip(from);
        both.filter(|(_, (old, new))| old != new)
            .map(|(index, (old, new))| (index, *old, *new))
            .collect()
    }

    #[test]
    fn words_compare_in_groups_as_they_do_one_by_one() {
        // The first word of the second slice is not aligned for pairs, that of the first is.
        let mut places = [Pair { words: [MaybeUninit::new(0); PAIR] }; 16];
        // SAFETY: pairs of words are words, and all of them were given a value.
        let places: &mut [u64] =
            unsafe { std::slice::from_raw_parts_mut(places.as_mut_ptr().cast(), 32) };
        for (start, n_words) in
            (0..2).flat_map(|start| (0..=27).map(move |n_words| (start, n_words)))
        {
            let live = &mut places[start..][..n_words];
            (0..).zip(&mut *live).for_each(|(index, word)| *word = index);
            let saved = live.to_vec();
            let mut copy = MemoryCopy::default();
            // SAFETY: so many words lie there.
            unsafe { copy.save(saved.as_ptr().cast(), n_words) };
            let pairs = (0..n_words).flat_map(|one| (0..n_words).map(move |other| (one, other)));
            for ((one, other), bit) in pairs.flat_map(|pair| [0, 31, 32, 63].map(|bit| (pair, bit)))
            {
                live[one] ^= 1 << bit;
                live[other] ^= 1 << (63 - bit);
                let mut told = Vec::new();
                // SAFETY: as many words as were saved lie there.
                let (first, whole) = unsafe {
                    let told = |index, old, new| {
                        told.push((index, old, new));
                        ControlFlow::<()>::Continue(())
                    };
                    let whole = copy.for_each_difference(live.as_ptr().cast(), one, told);
                    (copy.first_difference(live.as_ptr().cast()), whole)
                };
                assert!(whole.is_continue());
                assert_eq!(told, differences(&saved, live, one), "{one} {other} {bit}");
                let all = differences(&saved, live, 0);
                assert_eq!(first, all.first().map(|(index, ..)| *index));
                // SAFETY: as above; the first difference is at most their number.
                unsafe { copy.restore(live.as_mut_ptr().cast(), first.unwrap_or(n_words)) };
                assert_eq!(live, saved);
            }
        }
    }
}
