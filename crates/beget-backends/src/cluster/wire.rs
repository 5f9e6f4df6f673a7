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
        let free = self.bytes.len() as u32 * u8::BITS - self.n_bits;
        let number = number & ((1 << width) - 1);
        if let Some(last) = self.bytes.last_mut() {
            *last |= (number << (u8::BITS - free)) as u8;
        }
        if width > free {
            self.bytes.push((number >> free) as u8);
        }
        self.n_bits += width;
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Reads the numbers of a [`PackedBits`], each of eight bits at most.
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
        let (at, before) = (self.next / 8, (self.next % 8) as u32);
        let low = match width {
            0 => 0,
            _ => *self.bytes.get(at)?,
        };
        let high = match before + width > u8::BITS {
            true => *self.bytes.get(at + 1)?,
            false => 0,
        };
        self.next += width as usize;
        Some(u32::from(u16::from_le_bytes([low, high]) >> before) & ((1 << width) - 1))
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
