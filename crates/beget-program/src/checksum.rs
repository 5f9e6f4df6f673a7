//! The checksum of a file.

use std::io::{self, Read};

use xxhash_rust::xxh3::Xxh3;

/// Reads a file to its end. Returns the number of bytes, and their checksum.
pub(crate) fn checksum_of(file: &mut impl Read) -> io::Result<(u64, String)> {
    let (mut hasher, mut n_bytes) = (Xxh3::new(), 0);
    let mut buffer = vec![0; 1 << 16];
    loop {
        let n = file.read(&mut buffer)?;
        if n == 0 {
            return Ok((n_bytes, format!("{:032x}", hasher.digest128())));
        }
        hasher.update(&buffer[..n]);
        n_bytes += n as u64;
    }
}
