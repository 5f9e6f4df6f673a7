//! Variable-length numbers, for writing structures: small ones take one byte.
//!
//! A reader consumes the front of the bytes; at their end it gives `None`.

/// Writes a number, seven bits per byte, the lowest first.
#[inline]
pub fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads a number written by [`put`].
#[inline]
pub fn take(bytes: &mut &[u8]) -> Option<u64> {
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
pub fn take_u32(bytes: &mut &[u8]) -> Option<u32> {
    take(bytes)?.try_into().ok()
}

/// Takes this many bytes.
#[inline]
pub fn take_bytes<'b>(bytes: &mut &'b [u8], len: usize) -> Option<&'b [u8]> {
    let (taken, rest) = bytes.split_at_checked(len)?;
    *bytes = rest;
    Some(taken)
}

/// Maps small differences, positive or negative, to small numbers.
#[inline]
pub fn zigzag(difference: u32) -> u64 {
    let difference = difference as i32;
    u64::from(((difference << 1) ^ (difference >> 31)) as u32)
}

/// The inverse of [`zigzag`].
#[inline]
pub fn unzigzag(number: u64) -> Option<u32> {
    let number = u32::try_from(number).ok()?;
    Some((number >> 1) ^ (number & 1).wrapping_neg())
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
        assert_eq!(take(&mut &[0x80; 20][..]), None);
        assert_eq!(take_u32(&mut &[0x85, 1][..]), Some(133));
        assert_eq!(take_u32(&mut &[0xff, 0xff, 0xff, 0xff, 0x1f][..]), None);
        assert_eq!(take_bytes(&mut &[1, 2][..], 3), None);
        for difference in [0, 1, u32::MAX, 1 << 31, 77_u32.wrapping_neg()] {
            assert_eq!(unzigzag(zigzag(difference)), Some(difference));
        }
        assert_eq!(unzigzag(1 << 32), None);
    }
}
