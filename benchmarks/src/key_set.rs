//! The set of keys that the one-word model needs, and a small exact implementation.
//!
//! [`KeySet`] is all that [`floor`](crate::floor) asks of a store, so that another store can take
//! the place of [`ArenaSet`] and be measured without objects around it. Keys stay in the order of
//! their first insertion; a breadth-first search reads its frontier back from them by index.

/// An exact, insertion-ordered set of one-word keys.
pub trait KeySet {
    /// An empty set for keys below `256^key_bytes`.
    fn with_key_bytes(key_bytes: usize) -> Self;

    /// Adds the key; false if it was there already.
    fn insert(&mut self, key: u64) -> bool;

    /// How many keys there are; new keys get this index.
    fn n_keys(&self) -> usize;

    /// The key inserted as number `index`, counted from 0.
    fn key(&self, index: usize) -> u64;
}

const INDEX_BITS: u32 = 26;
const INDEX_MASK: u32 = (1 << INDEX_BITS) - 1;
const EMPTY: u32 = u32::MAX;

/// Keys at a fixed stride in one arena, found through open-addressed slots of 32 bits.
///
/// A slot holds 26 bits of index and 6 bits of the hash, so that most probes of a wrong slot end
/// without reading the arena. Nothing is lost: equal means equal keys.
#[derive(Debug)]
pub struct ArenaSet {
    key_bytes: usize,
    key_mask: u64,
    n_keys: usize,
    /// Invariant: `n_keys * key_bytes` bytes of keys, then 8 bytes of padding, which let a key be
    /// read as a whole word.
    arena: Vec<u8>,
    /// Invariant: the length is a power of two and at least one slot is empty.
    slots: Vec<u32>,
}

impl KeySet for ArenaSet {
    fn with_key_bytes(key_bytes: usize) -> Self {
        assert!((1..=8).contains(&key_bytes), "a key has 1 to 8 bytes, not {key_bytes}");
        let key_mask = u64::MAX >> (64 - 8 * key_bytes);
        Self { key_bytes, key_mask, n_keys: 0, arena: vec![0; 8], slots: vec![EMPTY; 1 << 10] }
    }

    fn insert(&mut self, key: u64) -> bool {
        let hash = hash(key);
        match self.probe(key, hash) {
            Probe::Found => false,
            Probe::Free(slot) => {
                self.slots[slot] = tagged(hash, self.n_keys);
                self.push(key);
                if self.n_keys * 20 > self.slots.len() * 17 {
                    self.grow();
                }
                true
            }
        }
    }

    fn n_keys(&self) -> usize {
        self.n_keys
    }

    fn key(&self, index: usize) -> u64 {
        let start = index * self.key_bytes;
        let word: [u8; 8] = self.arena[start..start + 8].try_into().expect("8 bytes were sliced");
        u64::from_le_bytes(word) & self.key_mask
    }
}

enum Probe {
    Found,
    Free(usize),
}

impl ArenaSet {
    fn probe(&self, key: u64, hash: u64) -> Probe {
        let mut slot = self.home(hash);
        loop {
            let entry = self.slots[slot];
            if entry == EMPTY {
                return Probe::Free(slot);
            }
            let has_same_tag = (entry ^ tag(hash)) >> INDEX_BITS == 0;
            if has_same_tag && self.key((entry & INDEX_MASK) as usize) == key {
                return Probe::Found;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// The slot comes from the high bits, the tag from the low ones.
    fn home(&self, hash: u64) -> usize {
        (hash >> (64 - self.slots.len().trailing_zeros())) as usize
    }

    fn push(&mut self, key: u64) {
        // The all-ones index is left out because with an all-ones tag it would read as `EMPTY`.
        assert!(self.n_keys < INDEX_MASK as usize, "more keys than {INDEX_BITS} bits can number");
        debug_assert_eq!(key & self.key_mask, key, "the key is wider than the set was made for");
        let start = self.n_keys * self.key_bytes;
        self.arena[start..].copy_from_slice(&key.to_le_bytes());
        self.arena.resize(start + self.key_bytes + 8, 0);
        self.n_keys += 1;
    }

    /// Doubles the slots. The old ones are freed first: the arena alone can rebuild them.
    fn grow(&mut self) {
        let n_slots = 2 * self.slots.len();
        self.slots = Vec::new();
        self.slots = vec![EMPTY; n_slots];
        for index in 0..self.n_keys {
            let hash = hash(self.key(index));
            let mut slot = self.home(hash);
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & (n_slots - 1);
            }
            self.slots[slot] = tagged(hash, index);
        }
    }
}

/// Multiplies, then folds the well-mixed high half back into the low one.
fn hash(key: u64) -> u64 {
    let product = u128::from(key ^ 0x9E37_79B9_7F4A_7C15) * 0xD6E8_FEB8_6659_FD93;
    (product as u64) ^ (product >> 64) as u64
}

fn tag(hash: u64) -> u32 {
    (hash as u32) << INDEX_BITS
}

fn tagged(hash: u64, index: usize) -> u32 {
    tag(hash) | index as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn keys_keep_their_insertion_order_across_growth() {
        let mut set = ArenaSet::with_key_bytes(3);
        let keys: Vec<u64> = (0..5_000).map(|i| i * 769 % 5_003).collect();
        for key in &keys {
            assert!(set.insert(*key));
        }
        assert_eq!((0..set.n_keys()).map(|index| set.key(index)).collect::<Vec<_>>(), keys);
    }

    #[test]
    fn arena_set_agrees_with_the_standard_set() {
        for key_bytes in 1..=8 {
            let mut set = ArenaSet::with_key_bytes(key_bytes);
            let mut twin = HashSet::new();
            let mut state = 1_u64;
            for _ in 0..20_000 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let key = ((state >> 48) % 9_000) & set.key_mask;
                assert_eq!(set.insert(key), twin.insert(key));
            }
            assert_eq!(set.n_keys(), twin.len());
        }
    }
}
