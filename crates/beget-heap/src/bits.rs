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

    #[inline]
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
    bytes: Vec<u8>,
    position: usize,
}

impl BitReader {
    pub(crate) fn begin(&mut self, bytes: &[u8]) {
        self.bytes.clear();
        self.bytes.extend_from_slice(bytes);
        self.position = 0;
    }

    /// Reads `width` bits; bits past the end are zero.
    #[inline]
    pub(crate) fn get(&mut self, width: u32) -> u64 {
        if width == 0 {
            return 0;
        }
        let byte = self.position / 8;
        let shift = (self.position % 8) as u32;
        self.position += width as usize;
        let low = self.word_at(byte) >> shift;
        let value =
            if shift + width > 64 { low | self.word_at(byte + 8) << (64 - shift) } else { low };
        value & (u64::MAX >> (64 - width))
    }

    #[inline]
    fn word_at(&self, byte: usize) -> u64 {
        match self.bytes.get(byte..byte + 8) {
            Some(word) => u64::from_le_bytes(word.try_into().expect("eight bytes")),
            None => {
                let mut word = [0; 8];
                let tail = self.bytes.get(byte..).unwrap_or(&[]);
                word[..tail.len()].copy_from_slice(tail);
                u64::from_le_bytes(word)
            }
        }
    }
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
