//! Partitions: the parts of the set of forms that are matched one after another.

use xxhash_rust::xxh3::xxh3_64;

/// The number of partitions. Of 2^32 structures, 2^24 meet in one table.
pub(crate) const N_PARTITIONS: usize = 256;

/// Returns the form without the zero bytes at its end; forms are compared in this shape.
#[inline]
pub(crate) fn trimmed(form: &[u8]) -> &[u8] {
    let zeros = form.iter().rev().take_while(|&&byte| byte == 0).count();
    &form[..form.len() - zeros]
}

/// Returns the hash of a trimmed form. It is the same in every build: saved runs depend on it.
#[inline]
pub(crate) fn hash_of(trimmed: &[u8]) -> u64 {
    xxh3_64(trimmed)
}

/// The partition of the type tags of structures that other processes keep, in a part of a run on
/// disk. None of the process's own forms is in it.
pub(crate) const OF_OTHERS: u8 = 0;

/// Returns the partition of forms with this hash among those that one of several processes keeps.
/// The highest bits of the hash name the process, so the partition comes from those below.
#[inline]
pub(crate) fn own_partition_of(hash: u64) -> u8 {
    let below = hash >> 24 & u64::from(u32::MAX);
    1 + ((below * (N_PARTITIONS as u64 - 1)) >> 32) as u8
}

/// Returns the partition of forms with this hash: its highest bits, which tables do not use.
#[inline]
pub(crate) fn partition_of(hash: u64) -> usize {
    (hash >> 56) as usize
}
