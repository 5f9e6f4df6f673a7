//! The hash of the crate's tables.
//!
//! It knows nothing of what it hashes. Invariant: it has fixed seeds, and nothing visible depends
//! on it. Each number costs one wide multiplication, whose halves are folded into one, as in the
//! fallback of the crate `ahash`. The keys come from the run itself, so the seeds need not be
//! secret.

use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher};

/// Makes hashers that all give the same hash of a value.
pub type FixedState = BuildHasherDefault<FixedHasher>;

/// The only state of this kind.
pub fn fixed_state() -> FixedState {
    FixedState::default()
}

/// A map in the order of the hashes, which is therefore only used for lookups.
#[allow(clippy::disallowed_types, reason = "its seeds are fixed")]
pub type FixedMap<K, V> = std::collections::HashMap<K, V, FixedState>;

/// An empty map.
pub fn fixed_map<K, V>() -> FixedMap<K, V> {
    FixedMap::with_hasher(fixed_state())
}

/// The hash of a value.
#[inline(always)]
pub fn hash_by(state: &FixedState, value: impl Hash) -> u64 {
    state.hash_one(value)
}

/// The multiplier of Knuth's MMIX generator: its bits are spread evenly.
const MULTIPLE: u64 = 6_364_136_223_846_793_005;

/// Four odd numbers without structure: the first digits of pi.
const SEEDS: [u64; 4] =
    [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7345, 0xa409_3822_299f_31d1, 0x082e_fa98_ec4e_6c89];

/// The hash of the values written so far.
#[derive(Clone, Copy, Debug)]
pub struct FixedHasher(u64);

impl Default for FixedHasher {
    #[inline(always)]
    fn default() -> Self {
        FixedHasher(SEEDS[0])
    }
}

impl FixedHasher {
    #[inline(always)]
    fn add(&mut self, number: u64) {
        self.0 = folded_product(number ^ self.0, MULTIPLE);
    }

    #[inline(always)]
    fn add_pair(&mut self, first: u64, second: u64) {
        let pair = folded_product(first ^ SEEDS[2], second ^ SEEDS[3]);
        self.0 = (self.0.wrapping_add(SEEDS[1]) ^ pair).rotate_left(23);
    }
}

impl Hasher for FixedHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.0 = self.0.wrapping_add(bytes.len() as u64).wrapping_mul(MULTIPLE);
        let (pairs, rest) = bytes.as_chunks::<16>();
        for pair in pairs {
            self.add_pair(first_eight(pair), first_eight(&pair[8..]));
        }
        match rest.len() {
            0 => {}
            1..8 => {
                let mut padded = [0; 8];
                padded[..rest.len()].copy_from_slice(rest);
                self.add_pair(u64::from_le_bytes(padded), 0);
            }
            // The two numbers share some bytes if there are fewer than sixteen.
            len => self.add_pair(first_eight(rest), first_eight(&rest[len - 8..])),
        }
    }

    #[inline(always)]
    fn write_u8(&mut self, number: u8) {
        self.add(number.into());
    }

    #[inline(always)]
    fn write_u16(&mut self, number: u16) {
        self.add(number.into());
    }

    #[inline(always)]
    fn write_u32(&mut self, number: u32) {
        self.add(number.into());
    }

    #[inline(always)]
    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }

    #[inline(always)]
    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    #[inline(always)]
    fn finish(&self) -> u64 {
        folded_product(self.0, SEEDS[1]).rotate_left((self.0 & 63) as u32)
    }
}

/// Both halves of a product in one number, so that each of its bits depends on all bits before.
#[inline(always)]
fn folded_product(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    product as u64 ^ (product >> 64) as u64
}

/// The first eight bytes, of at least as many.
#[inline(always)]
fn first_eight(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(*bytes.first_chunk().expect("there are eight bytes"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn values_that_differ_little_have_different_hashes() {
        let state = fixed_state();
        let mut hashes = BTreeSet::new();
        let mut n = 0;
        let mut add = |hash| (hashes.insert(hash), n += 1);
        for number in 0..10_000_u64 {
            add(hash_by(&state, number));
            add(hash_by(&state, number << 40));
            add(hash_by(&state, (number, 1_u8)));
        }
        for len in 1..100 {
            for value in 0..20_u8 {
                add(hash_by(&state, vec![value; len]));
            }
            for at in 0..len {
                let mut bytes = vec![0; len];
                bytes[at] = 0x80;
                add(hash_by(&state, bytes));
            }
        }
        // Only 0 comes twice: shifted, it is itself.
        assert_eq!(hashes.len(), n - 1);
    }

    /// Tables take the lowest bits of a hash for the place, and the highest to compare.
    #[test]
    fn the_lowest_and_the_highest_bits_are_spread() {
        let state = fixed_state();
        for stride in [1, 2, 16, 1 << 16, 1 << 32, 1 << 50] {
            let (mut low, mut high) = ([0_u32; 64], [0_u32; 64]);
            for number in 0..6400_u64 {
                let hash = hash_by(&state, number * stride);
                low[(hash % 64) as usize] += 1;
                high[(hash >> 58) as usize] += 1;
            }
            for counts in [low, high] {
                // A hundred are expected, with a deviation of ten.
                let all = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
                assert!(*all.0 > 50 && *all.1 < 150, "{stride}: {counts:?}");
            }
        }
    }
}
