//! Bit strings: the alphabet of canonical forms, least significant bit first.

/// Appends values of a few bits each to a reusable buffer of words.
#[derive(Debug, Default)]
pub(crate) struct BitWriter {
    words: Vec<u64>,
    current: u64,
    fill: u32,
}

impl BitWriter {
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.current = 0;
        self.fill = 0;
    }

    /// The words written, without a last partial one unless `finish` was called.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// The number of bits written.
    #[inline(always)]
    pub(crate) fn position(&self) -> u32 {
        self.words.len() as u32 * 64 + self.fill
    }

    /// Takes back all but the first `width` bits, which lie in one word.
    pub(crate) fn keep_first(&mut self, width: u32) {
        debug_assert!(width < 64);
        let first = self.words.first().copied().unwrap_or(self.current);
        self.clear();
        self.put(first & ((1 << width) - 1), width);
    }

    /// Appends the lowest `width` bits of `value`; the bits above must be zero.
    #[inline(always)]
    pub(crate) fn put(&mut self, value: u64, width: u32) {
        debug_assert!(width <= 64 && (width == 64 || value >> width == 0));
        self.current |= value << self.fill;
        self.fill += width;
        if self.fill >= 64 {
            self.flush(value, width);
        }
    }

    #[cold]
    #[inline(never)]
    fn flush(&mut self, value: u64, width: u32) {
        self.words.push(self.current);
        self.fill -= 64;
        // The shift is 64 when the value ended exactly at the word's end.
        self.current = value.checked_shr(width - self.fill).unwrap_or(0);
    }

    /// Writes the last, partial word and returns all words with the length in bytes.
    #[inline(always)]
    pub(crate) fn finish(&mut self) -> (&[u64], usize) {
        let bytes = self.words.len() * 8 + self.fill.div_ceil(8) as usize;
        if self.fill > 0 {
            self.words.push(self.current);
            self.current = 0;
            self.fill = 0;
        }
        (&self.words, bytes)
    }
}

/// Reads what a [`BitWriter`] wrote.
///
/// It buffers the next bits, so that most reads do not touch the bytes.
#[derive(Debug, Default)]
pub(crate) struct BitReader {
    /// The bytes, followed by zeros so that whole words can be read.
    bytes: Vec<u8>,
    /// The next `n_ahead` bits, followed by zeros.
    ahead: u64,
    n_ahead: u32,
    /// The first byte after those in `ahead`.
    next: usize,
}

const WORD: usize = size_of::<u64>();

/// The number of bits that one word always provides, wherever the first of them lies in its byte.
const AT_ONCE: u32 = u64::BITS - 7;

impl BitReader {
    pub(crate) fn begin(&mut self, bytes: &[u8]) {
        self.bytes.clear();
        self.bytes.reserve(bytes.len() + WORD);
        self.bytes.extend_from_slice(bytes);
        self.bytes.extend_from_slice(&[0; WORD]);
        (self.ahead, self.n_ahead, self.next) = (0, 0, 0);
    }

    /// The number of bits read.
    pub(crate) fn position(&self) -> usize {
        self.next * 8 - self.n_ahead as usize
    }

    /// Reads `width` bits; bits past the end are zero.
    #[inline(always)]
    pub(crate) fn get(&mut self, width: u32) -> u64 {
        if width > AT_ONCE {
            return self.get_long(width);
        }
        let value = self.peek(width) & ((1 << width) - 1);
        self.skip(width);
        value
    }

    /// Skips `width` bits that were peeked at.
    #[inline(always)]
    pub(crate) fn skip(&mut self, width: u32) {
        self.ahead >>= width;
        self.n_ahead -= width;
    }

    /// The next bits: at least `width` of them, which may be at most [`AT_ONCE`].
    #[inline(always)]
    pub(crate) fn peek(&mut self, width: u32) -> u64 {
        if self.n_ahead < width {
            self.look_ahead();
        }
        self.ahead
    }

    /// Loads the word of the next bit.
    #[inline(never)]
    fn look_ahead(&mut self) {
        let position = self.next * 8 - self.n_ahead as usize;
        let (at, within) = (position / 8, position as u32 % 8);
        // Only zeros follow the last byte.
        let word = self
            .bytes
            .get(at..at + WORD)
            .map_or(0, |bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes")));
        self.ahead = word >> within;
        self.n_ahead = u64::BITS - within;
        self.next = at + WORD;
    }

    #[cold]
    #[inline(never)]
    fn get_long(&mut self, width: u32) -> u64 {
        let low = self.get(32);
        low | self.get(width - 32) << 32
    }
}

/// The bits needed to distinguish `n` values: the smallest `b` with `2^b >= n`.
#[inline(always)]
pub(crate) fn bits_for(n: usize) -> u32 {
    usize::BITS - n.saturating_sub(1).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_at_every_alignment() {
        for offset in 0..64 {
            for width in 1..=64 {
                let value = 0xdead_beef_cafe_f00d_u64 & (u64::MAX >> (64 - width));
                let mut writer = BitWriter::default();
                writer.put(0, offset);
                writer.put(value, width);
                writer.put(1, 1);
                let (words, length) = writer.finish();
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                assert_eq!(length, (offset + width + 1).div_ceil(8) as usize);
                let mut reader = BitReader::default();
                reader.begin(&bytes[..length]);
                reader.get(offset);
                assert_eq!(reader.get(width), value, "offset {offset}, width {width}");
                assert_eq!(reader.get(1), 1);
                // Reads past the end give zeros.
                for width in [7, 64, 57, 1, 64] {
                    assert_eq!(reader.get(width), 0, "offset {offset}");
                }
            }
        }
    }
}
