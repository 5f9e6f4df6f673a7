//! The bytes of an image, word by word: copying them aside, comparing, copying them back.
//!
//! The words of a frame are whatever the subject left in them: padding, dead fields, live
//! pointers. So they are moved as uninitialised memory and compared by volatile reads.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    __m128i, __m256i, _mm_cmpeq_epi32, _mm_movemask_epi8, _mm_packs_epi16, _mm_packs_epi32,
    _mm256_castsi256_pd, _mm256_cmpeq_epi64, _mm256_movemask_pd, _mm256_or_si256,
    _mm256_testz_si256, _mm256_xor_si256,
};
use std::{mem::MaybeUninit, ops::ControlFlow, ptr};

pub(crate) const WORD: usize = size_of::<u64>();
type Word = MaybeUninit<u64>;

/// The words that are compared at once.
const LINE: usize = 8;

/// What is told apart of a word.
const HALVES: usize = 2;

/// How long a line is, and where one may begin.
pub(crate) const LINE_BYTES: usize = LINE * WORD;

#[derive(Clone, Copy)]
#[repr(align(64))]
struct WordLine {
    #[expect(dead_code, reason = "read as memory")]
    words: [Word; LINE],
}

impl WordLine {
    const ZERO: WordLine = WordLine { words: [Word::new(0); LINE] };
}

/// A copy of a range of memory.
#[derive(Default)]
pub(crate) struct MemoryCopy {
    /// Behind the last word there are zeros.
    lines: Vec<WordLine>,
    n_words: usize,
    /// Whether whole lines are compared by instructions that not all processors have. Asked when
    /// memory is saved, not at each comparison.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "none has them"))]
    is_wide: bool,
}

impl MemoryCopy {
    /// Copies `n_words` words from `live`, in place of what was saved before.
    ///
    /// # Safety
    ///
    /// `live` is aligned for words, and as many bytes can be read from it.
    pub(crate) unsafe fn save(&mut self, live: *const u8, n_words: usize) {
        let n_lines = n_words.div_ceil(LINE);
        self.lines.clear();
        self.lines.reserve(n_lines);
        // SAFETY: the room was reserved, the caller gives the source, and a `MaybeUninit` may hold
        // anything.
        unsafe {
            if !n_words.is_multiple_of(LINE) {
                self.lines.as_mut_ptr().add(n_lines - 1).write(WordLine::ZERO);
            }
            let words = self.lines.as_mut_ptr().cast::<Word>();
            ptr::copy_nonoverlapping(live.cast::<Word>(), words, n_words);
            self.lines.set_len(n_lines);
        }
        self.n_words = n_words;
        self.is_wide = has_wide_lines();
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
    /// `live` is aligned for lines, so many words were saved as fill lines, and they can be read
    /// from it.
    #[inline]
    pub(crate) unsafe fn first_difference(&self, live: *const u8) -> Option<usize> {
        debug_assert_eq!(self.n_words, self.lines.len() * LINE);
        #[cfg(target_arch = "x86_64")]
        if self.is_wide {
            // SAFETY: the caller's promise, and the processor has the instructions.
            return unsafe { self.first_difference_wide(live) };
        }
        // SAFETY: the caller's promise.
        unsafe { self.first_difference_plain(live) }
    }

    /// As [`MemoryCopy::first_difference`], a line at a time: most are equal.
    ///
    /// # Safety
    ///
    /// As there.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn first_difference_wide(&self, live: *const u8) -> Option<usize> {
        let (saved, live) = (self.lines.as_ptr(), live.cast::<WordLine>());
        let n_bytes = self.lines.len() * LINE_BYTES;
        let mut offset = 0;
        while offset != n_bytes {
            // SAFETY: the caller's promise.
            unsafe {
                let (saved, live) = (saved.byte_add(offset), live.byte_add(offset));
                if are_different(saved, live) {
                    let within = differing_words(saved, live).trailing_zeros();
                    return Some(offset / WORD + within as usize);
                }
            }
            offset += LINE_BYTES;
        }
        None
    }

    /// # Safety
    ///
    /// As for [`MemoryCopy::for_each_difference`].
    #[inline(always)]
    unsafe fn first_difference_plain(&self, live: *const u8) -> Option<usize> {
        let stop = |index, _, _| ControlFlow::Break(index);
        // SAFETY: the caller's promise.
        unsafe { self.for_each_difference(live, 0, stop) }.break_value()
    }

    /// Calls `visit` with the index of each word of `live` that differs from the copy, what it was
    /// and what it is, in order, until it breaks. Words before index `from` are equal.
    ///
    /// # Safety
    ///
    /// `live` is aligned for words, and so many as fill the lines saved can be read from it.
    #[inline(always)]
    pub(crate) unsafe fn for_each_difference<B>(
        &self,
        live: *const u8,
        from: usize,
        mut visit: impl FnMut(usize, u64, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (saved, live) = (self.lines.as_ptr().cast::<Word>(), live.cast::<Word>());
        let mut index = from - from % LINE;
        // SAFETY: all that is read lies in the lines saved.
        unsafe {
            while index < self.n_words {
                let mut halves = differing_halves(saved.add(index).cast(), live.add(index));
                if halves != 0 && self.n_words - index < LINE {
                    halves &= !(u32::MAX << ((self.n_words - index) * HALVES));
                }
                while halves != 0 {
                    let within = halves.trailing_zeros() as usize / HALVES;
                    halves &= !(0b11 << (within * HALVES));
                    let at = index + within;
                    visit(at, read(saved.add(at)), read(live.add(at)))?;
                }
                index += LINE;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether `bytes`, which lie within what was saved, were saved at an offset.
    #[inline]
    pub(crate) fn holds(&self, offset: usize, bytes: &[u8]) -> bool {
        debug_assert!(offset + bytes.len() <= self.n_words * WORD);
        // SAFETY: as many bytes were saved, and they are initialised.
        let saved = unsafe {
            let start = self.lines.as_ptr().cast::<u8>().add(offset);
            std::slice::from_raw_parts(start, bytes.len())
        };
        // Most integers have four bytes, for which nothing need be called.
        match (<&[u8; 4]>::try_from(saved), <&[u8; 4]>::try_from(bytes)) {
            (Ok(saved), Ok(bytes)) => saved == bytes,
            _ => saved == bytes,
        }
    }

    /// Puts `bytes` at an offset into the copy and into `live`.
    ///
    /// # Safety
    ///
    /// As many bytes as were saved can be written to `live`, into which nobody may hold a
    /// reference, and `bytes` lie within them.
    #[inline]
    pub(crate) unsafe fn patch(&mut self, live: *mut u8, offset: usize, bytes: &[u8]) {
        self.put(offset, bytes);
        // SAFETY: the caller's promise.
        unsafe { put(live.add(offset), bytes) };
    }

    /// Puts `bytes` at an offset into the copy.
    ///
    /// # Panics
    /// If they do not lie within what was saved.
    #[inline]
    pub(crate) fn put(&mut self, offset: usize, bytes: &[u8]) {
        let end = offset.checked_add(bytes.len());
        assert!(end.is_some_and(|end| end <= self.n_words * WORD), "bytes behind the copy");
        // SAFETY: as many bytes were saved.
        unsafe { put(self.lines.as_mut_ptr().cast::<u8>().add(offset), bytes) };
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
            let words = self.lines.as_ptr().cast::<Word>().add(first);
            ptr::copy_nonoverlapping(words, live.cast::<Word>().add(first), self.n_words - first);
        }
    }
}

/// Writes `bytes`.
///
/// # Safety
///
/// As many can be written to `place`.
#[inline]
unsafe fn put(place: *mut u8, bytes: &[u8]) {
    // SAFETY: the caller's promise.
    unsafe {
        match <&[u8; 4]>::try_from(bytes) {
            // Most integers have four bytes, for which nothing need be called.
            Ok(bytes) => place.cast::<[u8; 4]>().write(*bytes),
            Err(_) => ptr::copy_nonoverlapping(bytes.as_ptr(), place, bytes.len()),
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

/// The halves of words in which a line differs from as many words, as bits, that of the first half
/// lowest.
///
/// # Safety
///
/// Both can be read, and the line is aligned.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn differing_halves(saved: *const WordLine, live: *const Word) -> u32 {
    /// It may lie anywhere.
    #[derive(Clone, Copy)]
    #[repr(C, packed)]
    struct Unaligned(__m128i);

    let (saved, live) = (saved.cast::<__m128i>(), live.cast::<Unaligned>());
    // SAFETY: the caller's promise; volatile as in `read`. All processors of this kind have the
    // instructions.
    unsafe {
        let equal = |part| {
            let Unaligned(live) = live.add(part).read_volatile();
            _mm_cmpeq_epi32(live, saved.add(part).read_volatile())
        };
        // All bits of what is equal are set, so that it is so as a smaller number too.
        let (low, high) =
            (_mm_packs_epi32(equal(0), equal(1)), _mm_packs_epi32(equal(2), equal(3)));
        (_mm_movemask_epi8(_mm_packs_epi16(low, high)) ^ 0xffff).cast_unsigned()
    }
}

/// As above.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
unsafe fn differing_halves(saved: *const WordLine, live: *const Word) -> u32 {
    let saved = saved.cast::<Word>();
    // SAFETY: the caller's promise.
    let differs = |index| unsafe { read(saved.add(index)) ^ read(live.add(index)) };
    let line: [u64; LINE] = std::array::from_fn(differs);
    // Of a word that differs, both halves are told.
    line.iter().rev().fold(0, |all, &word| all << HALVES | if word == 0 { 0 } else { 0b11 })
}

/// Whether the processor compares whole lines.
fn has_wide_lines() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// Whether two lines differ.
///
/// # Safety
///
/// Both lines are aligned and can be read.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn are_different(saved: *const WordLine, live: *const WordLine) -> bool {
    let (saved, live) = (saved.cast::<__m256i>(), live.cast::<__m256i>());
    // SAFETY: the caller's promise; volatile as in `read`.
    let differences = |half| unsafe {
        _mm256_xor_si256(saved.add(half).read_volatile(), live.add(half).read_volatile())
    };
    let any = _mm256_or_si256(differences(0), differences(1));
    _mm256_testz_si256(any, any) == 0
}

/// The words in which two lines differ, as bits, that of the first word lowest.
///
/// # Safety
///
/// Both lines are aligned and can be read.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn differing_words(saved: *const WordLine, live: *const WordLine) -> u32 {
    let (saved, live) = (saved.cast::<__m256i>(), live.cast::<__m256i>());
    // SAFETY: the caller's promise; volatile as in `read`.
    let equal = |half| unsafe {
        let (saved, live) = (saved.add(half).read_volatile(), live.add(half).read_volatile());
        let equal = _mm256_castsi256_pd(_mm256_cmpeq_epi64(saved, live));
        _mm256_movemask_pd(equal).cast_unsigned()
    };
    (equal(0) | equal(1) << (LINE / 2)) ^ 0xff
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What [`MemoryCopy::for_each_difference`] is to tell, word by word.
    fn differences(saved: &[u64], live: &[u64]) -> Vec<(usize, u64, u64)> {
        let both = saved.iter().zip(live).enumerate();
        both.filter(|(_, (old, new))| old != new)
            .map(|(index, (old, new))| (index, *old, *new))
            .collect()
    }

    #[test]
    fn words_compare_in_lines_as_they_do_one_by_one() {
        let mut places = [WordLine::ZERO; 5];
        // SAFETY: lines are words, and all of them were given a value.
        let places: &mut [u64] =
            unsafe { std::slice::from_raw_parts_mut(places.as_mut_ptr().cast(), 40) };
        // A slice may begin a line, or not, and end one, or not.
        for (start, n_words) in
            [0, 1, 4].into_iter().flat_map(|start| (0..=27).map(move |n_words| (start, n_words)))
        {
            let live = &mut places[start..][..n_words];
            (0..).zip(&mut *live).for_each(|(index, word)| *word = index);
            let saved = live.to_vec();
            let mut copy = MemoryCopy::default();
            // SAFETY: so many words lie there.
            unsafe { copy.save(saved.as_ptr().cast(), n_words) };
            let by_lines = |live: &[u64]| {
                let is_in_lines = start == 0 && n_words.is_multiple_of(LINE);
                // SAFETY: as many words as were saved lie there; both are whole lines.
                is_in_lines.then(|| unsafe { copy.first_difference(live.as_ptr().cast()) })
            };
            assert_eq!(by_lines(live).flatten(), None);
            let pairs = (0..n_words).flat_map(|one| (0..n_words).map(move |other| (one, other)));
            for ((one, other), bit) in pairs.flat_map(|pair| [0, 31, 32, 63].map(|bit| (pair, bit)))
            {
                live[one] ^= 1 << bit;
                live[other] ^= 1 << (63 - bit);
                let mut told = Vec::new();
                let tell = |index, old, new| {
                    told.push((index, old, new));
                    ControlFlow::<()>::Continue(())
                };
                let bytes = live.as_ptr().cast();
                // SAFETY: as many words as were saved lie there, and behind them others that fill
                // the last line.
                let (first, whole) = unsafe {
                    let whole = copy.for_each_difference(bytes, one.min(other), tell);
                    (copy.first_difference_plain(bytes), whole)
                };
                assert!(whole.is_continue());
                let all = differences(&saved, live);
                assert_eq!(told, all, "{one} {other} {bit}");
                assert_eq!(first, all.first().map(|(index, ..)| *index));
                assert!(by_lines(live).is_none_or(|told| told == first), "{one} {other} {bit}");
                // SAFETY: as above; the first difference is at most their number.
                unsafe { copy.restore(live.as_mut_ptr().cast(), first.unwrap_or(n_words)) };
                assert_eq!(live, saved);
            }
        }
    }
}
