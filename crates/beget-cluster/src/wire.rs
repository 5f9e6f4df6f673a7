//! Numbers and bits in messages.
//!
//! A reader that runs out of bytes gives `None`: the message is torn.

/// Writes a number, seven bits a byte, the lowest first.
#[inline]
pub(crate) fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads what [`put`] has written.
#[inline]
pub(crate) fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Reads a number that must fit.
#[inline]
pub(crate) fn take_u32(bytes: &mut &[u8]) -> Option<u32> {
    take(bytes)?.try_into().ok()
}

/// Takes so many bytes.
#[inline]
pub(crate) fn take_bytes<'b>(bytes: &mut &'b [u8], len: usize) -> Option<&'b [u8]> {
    let (taken, rest) = bytes.split_at_checked(len)?;
    *bytes = rest;
    Some(taken)
}

/// Small differences, up or down, as small numbers.
#[inline]
pub(crate) fn zigzag(difference: u32) -> u64 {
    let difference = difference as i32;
    u64::from(((difference << 1) ^ (difference >> 31)) as u32)
}

/// The inverse of [`zigzag`].
#[inline]
pub(crate) fn unzigzag(number: u64) -> Option<u32> {
    let number = u32::try_from(number).ok()?;
    Some((number >> 1) ^ (number & 1).wrapping_neg())
}

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

/// Reads what a [`PackedBits`] has written.
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
    fn numbers_come_out_as_they_went_in_and_torn_ones_do_not() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&number| put(&mut bytes, number));
        let mut rest = &bytes[..];
        assert_eq!(numbers.map(|_| take(&mut rest)), numbers.map(Some));
        assert!(rest.is_empty());
        assert_eq!(take(&mut &bytes[bytes.len() - 10..bytes.len() - 1]), None);
        for difference in [0, 1, u32::MAX, 1 << 31, 77_u32.wrapping_neg()] {
            assert_eq!(unzigzag(zigzag(difference)), Some(difference));
        }
        assert_eq!(unzigzag(1 << 32), None);
    }

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
