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
#[derive(Debug, Default)]
pub(crate) struct BitReader {
    /// The bits after the present word, in words; zero past the end.
    words: Vec<u64>,
    next: usize,
    /// The present word without what was read of it, and how many of its bits are left.
    window: u64,
    left: u32,
}

impl BitReader {
    pub(crate) fn begin(&mut self, bytes: &[u8]) {
        self.words.clear();
        let chunks = bytes.chunks_exact(8);
        let tail = chunks.remainder();
        self.words
            .extend(chunks.map(|chunk| u64::from_le_bytes(chunk.try_into().expect("eight bytes"))));
        self.words.push(tail.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)));
        (self.next, self.window, self.left) = (0, 0, 0);
    }

    /// Reads `width` bits; bits past the end are zero.
    #[inline(always)]
    pub(crate) fn get(&mut self, width: u32) -> u64 {
        if width < self.left {
            let value = self.window & ((1 << width) - 1);
            self.window >>= width;
            self.left -= width;
            value
        } else {
            self.get_across(width)
        }
    }

    /// Reads the rest of the present word and the beginning of the next.
    #[inline(never)]
    fn get_across(&mut self, width: u32) -> u64 {
        let (low, low_bits) = (self.window, self.left);
        let word = self.words.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        let needed = width - low_bits;
        // Shifts by 64 happen at the ends of words.
        let high = word.checked_shl(low_bits).unwrap_or(0);
        self.window = word.checked_shr(needed).unwrap_or(0);
        self.left = 64 - needed;
        (low | high) & u64::MAX.checked_shr(64 - width).unwrap_or(0)
    }
}

/// The bits needed to tell `n` values apart: the smallest `b` with `2^b >= n`.
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
            }
        }
    }
}
