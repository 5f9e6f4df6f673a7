//! The bytes of an image, word by word: copying them aside, comparing, copying them back.
//!
//! The words of a frame hold whatever the subject left in them: padding, dead fields, live
//! pointers. So they are moved as uninitialised memory, and compared by volatile reads or in
//! assembly, which the language does not look into.

#[cfg(target_arch = "x86_64")]
use std::arch::{
    asm,
    x86_64::{__m128i, _mm_cmpeq_epi32, _mm_movemask_epi8, _mm_packs_epi16, _mm_packs_epi32},
};
use std::{mem::MaybeUninit, ops::ControlFlow, ptr};

pub(crate) const WORD: usize = size_of::<u64>();
type Word = MaybeUninit<u64>;

/// The number of words compared at once.
const LINE: usize = 8;

/// The parts of a word that are compared separately.
const HALVES: usize = 2;

/// The length and alignment of a line, in bytes.
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
pub(crate) struct MemoryCopy {
    /// Zeros follow the last word.
    lines: Vec<WordLine>,
    n_words: usize,
    /// True if whole lines are compared by instructions that not all processors have. Determined
    /// once, not at each comparison.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "none has them"))]
    is_wide: bool,
}

impl Default for MemoryCopy {
    fn default() -> Self {
        MemoryCopy { lines: Vec::new(), n_words: 0, is_wide: has_wide_lines() }
    }
}

impl MemoryCopy {
    /// Replaces the copy by `n_words` words from `live`.
    ///
    /// # Safety
    ///
    /// `live` is aligned for words, and that many words can be read from it.
    pub(crate) unsafe fn save(&mut self, live: *const u8, n_words: usize) {
        let n_lines = n_words.div_ceil(LINE);
        self.lines.clear();
        self.lines.reserve(n_lines);
        // SAFETY: the room was reserved, the caller gives the source, and a `MaybeUninit` may hold
        // any bytes.
        unsafe {
            if !n_words.is_multiple_of(LINE) {
                self.lines.as_mut_ptr().add(n_lines - 1).write(WordLine::ZERO);
            }
            let words = self.lines.as_mut_ptr().cast::<Word>();
            ptr::copy_nonoverlapping(live.cast::<Word>(), words, n_words);
            self.lines.set_len(n_lines);
        }
        self.n_words = n_words;
    }

    /// The number of words saved.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.n_words
    }

    /// The index of the first word of the first line of `live` that differs from the copy, if any
    /// does.
    ///
    /// # Safety
    ///
    /// The saved words fill whole lines, and can be read from `live`, which is aligned for words.
    #[inline(always)]
    pub(crate) unsafe fn first_difference(&self, live: *const u8) -> Option<usize> {
        debug_assert_eq!(self.n_words, self.lines.len() * LINE);
        #[cfg(target_arch = "x86_64")]
        if self.is_wide && self.n_words > 0 {
            let n_words = self.n_words;
            // SAFETY: the caller's promise, and the processor has the instructions.
            let n_left = unsafe {
                let (saved, live) = (self.lines.as_ptr().cast::<Word>(), live.cast::<Word>());
                skip_equal_wide(saved.add(n_words), live.add(n_words), n_words * WORD) / WORD
            };
            return (n_left != 0).then_some(n_words - n_left);
        }
        // SAFETY: the caller's promise.
        unsafe { self.first_difference_plain(live) }
    }

    /// # Safety
    ///
    /// The requirements of [`MemoryCopy::for_each_difference`].
    #[cfg_attr(target_arch = "x86_64", cold)]
    #[inline(never)]
    unsafe fn first_difference_plain(&self, live: *const u8) -> Option<usize> {
        let stop = |index, _, _| ControlFlow::Break(index - index % LINE);
        // SAFETY: the caller's promise.
        unsafe { self.for_each_difference(live, 0, stop) }.break_value()
    }

    /// Calls `visit` with the index of each word of `live` that differs from the copy, its old and
    /// its new value, in order, until it breaks. Words before index `from` are equal.
    ///
    /// # Safety
    ///
    /// `live` is aligned for words, and all words of the saved lines can be read from it.
    #[inline(always)]
    pub(crate) unsafe fn for_each_difference<B>(
        &self,
        live: *const u8,
        from: usize,
        mut visit: impl FnMut(usize, u64, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (saved, live) = (self.lines.as_ptr().cast::<Word>(), live.cast::<Word>());
        let mut index = from - from % LINE;
        // SAFETY: all reads lie in the saved lines.
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

    /// Returns whether `bytes`, which lie within the saved ones, were saved at an offset.
    #[inline]
    pub(crate) fn holds(&self, offset: usize, bytes: &[u8]) -> bool {
        debug_assert!(offset + bytes.len() <= self.n_words * WORD);
        // SAFETY: as many bytes were saved, and they are initialised.
        let saved = unsafe {
            let start = self.lines.as_ptr().cast::<u8>().add(offset);
            std::slice::from_raw_parts(start, bytes.len())
        };
        // Most integers have four bytes, which need no call.
        match (<&[u8; 4]>::try_from(saved), <&[u8; 4]>::try_from(bytes)) {
            (Ok(saved), Ok(bytes)) => saved == bytes,
            _ => saved == bytes,
        }
    }

    /// Writes `bytes` at an offset into the copy and into `live`.
    ///
    /// # Safety
    ///
    /// All saved bytes can be written to `live`, into which no reference may exist, and `bytes` lie
    /// within them.
    #[inline]
    pub(crate) unsafe fn patch(&mut self, live: *mut u8, offset: usize, bytes: &[u8]) {
        self.put(offset, bytes);
        // SAFETY: the caller's promise.
        unsafe { put(live.add(offset), bytes) };
    }

    /// Writes `bytes` at an offset into the copy.
    ///
    /// # Panics
    ///
    /// If they do not lie within the saved bytes.
    #[inline]
    pub(crate) fn put(&mut self, offset: usize, bytes: &[u8]) {
        let end = offset.checked_add(bytes.len());
        assert!(end.is_some_and(|end| end <= self.n_words * WORD), "bytes behind the copy");
        // SAFETY: that many bytes were saved.
        unsafe { put(self.lines.as_mut_ptr().cast::<u8>().add(offset), bytes) };
    }

    /// Copies the words from index `first` on back to `live`.
    ///
    /// # Safety
    ///
    /// `live` is aligned for lines, the saved words fill whole lines and can be written to it.
    /// `first` begins a line, or is their number. No reference into them may exist.
    #[inline]
    pub(crate) unsafe fn restore(&self, live: *mut u8, first: usize) {
        debug_assert!(first <= self.n_words && first.is_multiple_of(LINE));
        #[cfg(target_arch = "x86_64")]
        if self.is_wide {
            let n_words = self.n_words;
            let saved = self.lines.as_ptr().cast::<Word>();
            // SAFETY: the caller's promise, and the processor has the instructions.
            unsafe {
                let live = live.cast::<Word>();
                copy_wide(saved.add(n_words), live.add(n_words), (n_words - first) * WORD);
            }
            return;
        }
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
/// They can be written to `place`.
#[inline]
unsafe fn put(place: *mut u8, bytes: &[u8]) {
    // SAFETY: the caller's promise.
    unsafe {
        match <&[u8; 4]>::try_from(bytes) {
            // Most integers have four bytes, which need no call.
            Ok(bytes) => place.cast::<[u8; 4]>().write(*bytes),
            Err(_) => ptr::copy_nonoverlapping(bytes.as_ptr(), place, bytes.len()),
        }
    }
}

/// Reads a word that may be padding. Volatile, because the language leaves its value unspecified.
///
/// # Safety
///
/// `word` can be read.
#[inline(always)]
unsafe fn read(word: *const Word) -> u64 {
    // SAFETY: the caller's promise.
    unsafe { word.cast::<u64>().read_volatile() }
}

/// The halves of words in which a line differs from the words at `live`, as bits, the first half
/// lowest.
///
/// # Safety
///
/// Both can be read, and the line is aligned.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn differing_halves(saved: *const WordLine, live: *const Word) -> u32 {
    /// It may be at any address.
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
        // The bits of equal bytes are all set, and stay so when the numbers are narrowed.
        let (low, high) =
            (_mm_packs_epi32(equal(0), equal(1)), _mm_packs_epi32(equal(2), equal(3)));
        (_mm_movemask_epi8(_mm_packs_epi16(low, high)) ^ 0xffff).cast_unsigned()
    }
}

/// Portable version.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
unsafe fn differing_halves(saved: *const WordLine, live: *const Word) -> u32 {
    let saved = saved.cast::<Word>();
    // SAFETY: the caller's promise.
    let differs = |index| unsafe { read(saved.add(index)) ^ read(live.add(index)) };
    let line: [u64; LINE] = std::array::from_fn(differs);
    // For a word that differs, both halves are reported.
    line.iter().rev().fold(0, |all, &word| all << HALVES | if word == 0 { 0 } else { 0b11 })
}

/// Returns how many of the last `n_bytes` bytes before two places, whole lines, are left at the
/// first line that differs.
///
/// In assembly, because otherwise only code compiled for these instructions could hold them. The
/// bytes may be padding, whose value the language leaves unspecified, and the processor does not.
///
/// # Safety
///
/// There is at least one line, all can be read, and the processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn skip_equal_wide(saved: *const Word, live: *const Word, n_bytes: usize) -> usize {
    let mut from_end = n_bytes.wrapping_neg();
    // SAFETY: it reads only the bytes that the caller names.
    unsafe {
        asm!(
            "2:",
            "vmovdqu ymm0, ymmword ptr [{saved} + {from_end}]",
            "vmovdqu ymm1, ymmword ptr [{saved} + {from_end} + 32]",
            "vpxor ymm0, ymm0, ymmword ptr [{live} + {from_end}]",
            "vpxor ymm1, ymm1, ymmword ptr [{live} + {from_end} + 32]",
            "vpor ymm0, ymm0, ymm1",
            "vptest ymm0, ymm0",
            "jnz 3f",
            "add {from_end}, 64",
            "jnz 2b",
            "3:",
            "vzeroupper",
            saved = in(reg) saved,
            live = in(reg) live,
            from_end = inout(reg) from_end,
            out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
            out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
            out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
            out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
            options(readonly, nostack),
        );
    }
    from_end.wrapping_neg()
}

/// Copies the last `n_bytes` bytes before `saved`, whole lines, to those before `live`; in assembly
/// for the same reason.
///
/// # Safety
///
/// The bytes can be read and written, and no reference into the latter exists. The processor has
/// AVX2.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn copy_wide(saved: *const Word, live: *mut Word, n_bytes: usize) {
    if n_bytes == 0 {
        return;
    }
    // SAFETY: it reads and writes only the bytes that the caller names.
    unsafe {
        asm!(
            "2:",
            "vmovdqu ymm0, ymmword ptr [{saved} + {from_end}]",
            "vmovdqu ymm1, ymmword ptr [{saved} + {from_end} + 32]",
            "vmovdqu ymmword ptr [{live} + {from_end}], ymm0",
            "vmovdqu ymmword ptr [{live} + {from_end} + 32], ymm1",
            "add {from_end}, 64",
            "jnz 2b",
            "vzeroupper",
            saved = in(reg) saved,
            live = in(reg) live,
            from_end = inout(reg) n_bytes.wrapping_neg() => _,
            out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
            out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
            out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
            out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
            options(nostack),
        );
    }
}

/// Returns whether the processor compares whole lines.
fn has_wide_lines() -> bool {
    #[cfg(target_arch = "x86_64")]
    return !cfg!(miri) && std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected result of [`MemoryCopy::for_each_difference`], word by word.
    fn differences(saved: &[u64], live: &[u64]) -> Vec<(usize, u64, u64)> {
        let both = saved.iter().zip(live).enumerate();
        both.filter(|(_, (old, new))| old != new)
            .map(|(index, (old, new))| (index, *old, *new))
            .collect()
    }

    #[test]
    fn words_compare_in_lines_as_they_do_one_by_one() {
        compare_in_lines(has_wide_lines());
        compare_in_lines(false);
    }

    fn compare_in_lines(is_wide: bool) {
        let mut places = [WordLine::ZERO; 5];
        // SAFETY: lines are words, and all of them were given a value.
        let places: &mut [u64] =
            unsafe { std::slice::from_raw_parts_mut(places.as_mut_ptr().cast(), 40) };
        // A slice may begin and end a line, or not.
        for (start, n_words) in
            [0, 1, 4].into_iter().flat_map(|start| (0..=27).map(move |n_words| (start, n_words)))
        {
            let live = &mut places[start..][..n_words];
            (0..).zip(&mut *live).for_each(|(index, word)| *word = index);
            let saved = live.to_vec();
            let mut copy = MemoryCopy::default();
            // SAFETY: `n_words` words lie there.
            unsafe { copy.save(saved.as_ptr().cast(), n_words) };
            copy.is_wide = is_wide;
            let by_lines = |live: &[u64]| {
                let is_in_lines = start == 0 && n_words.is_multiple_of(LINE);
                // SAFETY: all saved words lie there; both are whole lines.
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
                // SAFETY: all saved words lie there, followed by others that fill the last line.
                let whole = unsafe { copy.for_each_difference(bytes, one.min(other), tell) };
                assert!(whole.is_continue());
                let all = differences(&saved, live);
                assert_eq!(told, all, "{one} {other} {bit}");
                match by_lines(live) {
                    Some(first) => {
                        let expected = all.first().map(|(index, ..)| index - index % LINE);
                        assert_eq!(first, expected, "{one} {other} {bit}");
                        // SAFETY: same; the place begins a line, or follows the last one.
                        unsafe { copy.restore(live.as_mut_ptr().cast(), first.unwrap_or(n_words)) };
                    }
                    None => live.copy_from_slice(&saved),
                }
                assert_eq!(live, saved);
            }
        }
    }
}
