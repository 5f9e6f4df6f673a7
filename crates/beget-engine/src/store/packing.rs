//! The packing of a word of many forms: without the bits that all of them share.
//!
//! The others are kept as at most two runs of neighbouring bits, so that a word is assembled by two
//! masks and two shifts; bits within a run are kept even if shared.

const WORD_BYTES: usize = size_of::<u64>();

/// The packing of one word of each form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WordPacking {
    /// The bits outside the runs, shared by all forms.
    common: u64,
    /// The kept bits of the lower run, and of the upper one.
    low: u64,
    high: u64,
    /// The shift of either run to its place.
    low_shift: u8,
    high_shift: u8,
    /// The start of the kept bits among the bytes of a form.
    start: u32,
}

impl WordPacking {
    /// Word number `at` of forms of `len` bytes, unpacked.
    pub(super) fn whole(len: usize, at: usize) -> Self {
        let start = at * WORD_BYTES;
        let width = ((len - start) * 8).min(64) as u32;
        let start = start as u32;
        WordPacking { common: 0, low: ones(width), high: 0, low_shift: 0, high_shift: 0, start }
    }

    /// Each word of forms of `len` bytes, unpacked.
    pub(super) fn of_all(len: usize) -> impl Iterator<Item = Self> {
        (0..len.div_ceil(WORD_BYTES)).map(move |at| WordPacking::whole(len, at))
    }

    /// The packings of `n_forms` forms of `n_words` words, which `word` returns, and the number of
    /// bytes that each form then takes.
    pub(super) fn for_all(
        n_words: usize,
        n_forms: usize,
        word: impl Fn(usize, usize) -> u64,
    ) -> (Vec<Self>, usize) {
        let mut kept = 0;
        let packings = (0..n_words).map(|at| {
            let one = word(0, at);
            let differing = (1..n_forms).fold(0, |bits, form| bits | (word(form, at) ^ one));
            let (packing, width) = WordPacking::for_word(one, differing, kept as u32);
            kept += width.div_ceil(8) as usize;
            packing
        });
        (packings.collect(), kept)
    }

    /// The packing of words that differ from `one` only in the `differing` bits, and the number of
    /// kept bits.
    fn for_word(one: u64, differing: u64, start: u32) -> (Self, u32) {
        let (first, end) = (differing.trailing_zeros() % 64, 64 - differing.leading_zeros());
        // The runs are on both sides of the longest gap.
        let (mut gap, mut gap_end) = (end, end);
        let mut next = first;
        while next < end {
            let run_end = next + (differing >> next).trailing_ones();
            let after = match differing.checked_shr(run_end).unwrap_or(0) {
                0 => run_end,
                rest => run_end + rest.trailing_zeros(),
            };
            if after - run_end > gap_end - gap {
                (gap, gap_end) = (run_end, after);
            }
            next = after;
        }
        let (low_width, high_width) = (gap - first, end - gap_end);
        let mut packing = WordPacking {
            common: 0,
            low: ones(low_width),
            high: ones(high_width).checked_shl(low_width).unwrap_or(0),
            low_shift: first as u8,
            // The place of an absent upper run does not matter.
            high_shift: (gap_end - low_width).min(63) as u8,
            start,
        };
        packing.common = one & !packing.put_together(u64::MAX);
        (packing, low_width + high_width)
    }

    /// The word, from the bytes of a form, which other bytes follow.
    #[inline(always)]
    pub(super) fn read(&self, form: &[u8]) -> u64 {
        let start = self.start as usize;
        let kept = form[start..start + WORD_BYTES].try_into().expect("eight bytes");
        self.put_together(u64::from_le_bytes(kept))
    }

    #[inline(always)]
    fn put_together(&self, kept: u64) -> u64 {
        self.common | (kept & self.low) << self.low_shift | (kept & self.high) << self.high_shift
    }

    /// Writes the kept bits of the word among the bytes of its form, and zeros after it.
    pub(super) fn write(&self, word: u64, form: &mut [u8]) {
        let start = self.start as usize;
        let kept = word >> self.low_shift & self.low | word >> self.high_shift & self.high;
        form[start..start + WORD_BYTES].copy_from_slice(&kept.to_le_bytes());
    }

    /// Loads the packing into the cache; the result is meaningless.
    #[inline(always)]
    pub(super) fn touch(&self) -> u32 {
        self.start
    }
}

/// The lowest `width` bits.
fn ones(width: u32) -> u64 {
    u64::MAX.checked_shr(u64::BITS - width).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_differ_in_any_bits_come_out_as_they_went_in() {
        let mut rng = fastrand::Rng::with_seed(3);
        let masks = [0, 1, 1 << 63, 1 << 63 | 1, u64::MAX, u64::MAX << 1, u64::MAX >> 1, 0xff00];
        let random = (0..2000).map(|_| rng.u64(..) & rng.u64(..) & rng.u64(..));
        for differing in masks.into_iter().chain(random) {
            let one = differing.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(7);
            let (packing, width) = WordPacking::for_word(one, differing, 2);
            assert!(differing.count_ones() <= width && width <= 64, "{differing:x}");
            for bits in [0, u64::MAX, 0x5555_5555_5555_5555, one, !one] {
                let word = one & !differing | bits & differing;
                let mut bytes = [0xaa; 10];
                packing.write(word, &mut bytes);
                // The kept bits have no more than that.
                let kept = u64::from_le_bytes(bytes[2..].try_into().unwrap());
                assert_eq!(kept & !ones(width), 0, "{differing:x}");
                bytes[2..][width.div_ceil(8) as usize..].fill(0xbb);
                assert_eq!(packing.read(&bytes), word, "{differing:x}");
            }
        }
    }

    #[test]
    fn the_longest_gap_is_left_out() {
        let width = |differing| WordPacking::for_word(0, differing, 0).1;
        assert_eq!(width(0), 0);
        assert_eq!(width(0xff00), 8);
        assert_eq!(width(1 << 63 | 1), 2);
        // Gaps of 3 and 5 bits.
        assert_eq!(width(0b10_0000_1000_1000), 5 + 1);
        assert_eq!(width(u64::MAX), 64);
    }

    #[test]
    fn a_word_kept_as_it_is_ends_with_its_form() {
        let bytes = [0xff; 24];
        let words: Vec<_> = WordPacking::of_all(11).map(|packing| packing.read(&bytes)).collect();
        assert_eq!(words, [u64::MAX, 0xff_ffff]);
        assert_eq!(WordPacking::of_all(0).count(), 0);
    }
}
