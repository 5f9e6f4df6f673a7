//! Bits in messages.
//!
//! A reader that runs out of bytes gives `None`: the message is torn.

/// Small numbers of a fixed width, packed.
#[derive(Debug, Default)]
pub(crate) struct PackedBits {
    bytes: Vec<u8>,
    n_bits: u32,
}

impl PackedBits {
    /// Appends the `width` lowest bits of a number; eight at most.
    #[inline]
    pub(crate) fn push(&mut self, number: u32, width: u32) {
        for bit in 0..width {
            if self.n_bits.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let last = self.bytes.last_mut().expect("one was pushed");
            *last |= ((number >> bit & 1) as u8) << (self.n_bits % 8);
            self.n_bits += 1;
        }
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Reads the numbers of a [`PackedBits`].
#[derive(Debug)]
pub(crate) struct BitSource<'b> {
    bytes: &'b [u8],
    next: usize,
}

impl<'b> BitSource<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        BitSource { bytes, next: 0 }
    }

    #[inline]
    pub(crate) fn take(&mut self, width: u32) -> Option<u32> {
        let mut number = 0;
        for bit in 0..width {
            let byte = self.bytes.get(self.next / 8)?;
            number |= u32::from(byte >> (self.next % 8) & 1) << bit;
            self.next += 1;
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_out_as_they_went_in() {
        for width in 0..=8 {
            let numbers: Vec<u32> = (0..100).map(|at| (at * 37) & ((1 << width) - 1)).collect();
            let mut writer = PackedBits::default();
            numbers.iter().for_each(|&number| writer.push(number, width));
            let bytes = writer.into_bytes();
            assert_eq!(bytes.len(), (100 * width as usize).div_ceil(8));
            let mut reader = BitSource::new(&bytes);
            numbers.iter().for_each(|&number| assert_eq!(reader.take(width), Some(number)));
            let left = bytes.len() * 8 - 100 * width as usize;
            assert_eq!(reader.take(left as u32 + 1), None);
        }
    }
}
