//! Messages as they go over a connection: packed, if that makes them shorter.

use beget_engine::varint::{put, take};
use zstd::bulk::{Compressor, Decompressor};

/// Packs messages, and unpacks them.
pub(crate) struct Packer {
    compressor: Compressor<'static>,
    decompressor: Decompressor<'static>,
}

/// A message of forms becomes a tenth as long by the fastest level, and hardly shorter by others.
const LEVEL: i32 = 1;

/// Shorter messages are not worth it.
const LEAST: usize = 256;

/// The most bytes that a packed one stands for: four bytes are a block of 128 KiB at most.
const MOST_A_BYTE: u64 = 1 << 15;

impl Packer {
    pub(crate) fn new() -> std::io::Result<Self> {
        Ok(Packer { compressor: Compressor::new(LEVEL)?, decompressor: Decompressor::new()? })
    }

    /// Appends a message to `packed`: its length, and the shorter one of the message and what it
    /// is packed to.
    pub(crate) fn pack(&mut self, message: &[u8], packed: &mut Vec<u8>) {
        put(packed, message.len() as u64);
        let short = (message.len() >= LEAST).then(|| self.compressor.compress(message));
        match short {
            Some(Ok(short)) if short.len() < message.len() => packed.extend_from_slice(&short),
            _ => packed.extend_from_slice(message),
        }
    }

    /// Returns the message; `None` if it is torn.
    pub(crate) fn unpack(&mut self, mut packed: &[u8]) -> Option<Vec<u8>> {
        let len = take(&mut packed)?;
        if len == packed.len() as u64 {
            return Some(packed.to_vec());
        }
        // No more memory is asked for than what has come can stand for.
        if len / MOST_A_BYTE > packed.len() as u64 {
            return None;
        }
        let message = self.decompressor.decompress(packed, len as usize).ok()?;
        (message.len() as u64 == len).then_some(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(message: &[u8]) -> Vec<u8> {
        let mut packed = Vec::new();
        Packer::new().unwrap().pack(message, &mut packed);
        packed
    }

    #[test]
    fn messages_come_out_as_they_went_in() {
        let mut rng = fastrand::Rng::with_seed(1);
        let random: Vec<u8> = (0..100_000).map(|_| rng.u8(..)).collect();
        let forms: Vec<u8> =
            (0..100_000_u64).flat_map(|at| (0x55 << 48 | at).to_le_bytes()).collect();
        let mut packer = Packer::new().unwrap();
        for message in [&[][..], &[7], &[7; 255], &[7; 256], &[0; 9 << 20], &random, &forms] {
            let mut packed = Vec::new();
            packer.pack(message, &mut packed);
            assert!(packer.unpack(&packed).unwrap() == message);
            // It never takes more than its length beside.
            assert!(packed.len() <= message.len() + 4);
        }
        assert!(packed(&forms).len() < forms.len() / 2);
    }

    #[test]
    fn what_is_torn_is_no_message() {
        let mut packer = Packer::new().unwrap();
        let whole = packed(&[7; 5000]);
        for len in 0..whole.len() {
            assert_eq!(packer.unpack(&whole[..len]), None, "{len} bytes");
        }
        let mut longer = Vec::new();
        put(&mut longer, 5001);
        longer.extend_from_slice(&whole[2..]);
        assert_eq!(packer.unpack(&longer), None);
        let mut endless = Vec::new();
        put(&mut endless, u64::MAX);
        endless.extend_from_slice(&whole[2..]);
        assert_eq!(packer.unpack(&endless), None);
    }
}
