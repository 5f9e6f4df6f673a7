//! One shard of the exact store: a hash table of indices into the shard's arena.
//!
//! A slot holds an index and six bits of the hash. The hash is an index only: equality is
//! decided by comparing forms. Linear probing in a table whose size need not be a power of two, so that it can
//! grow by a quarter when it is large: a structure costs 4.7 to 5.9 bytes of slots.

use ahash::RandomState;
use xxhash_rust::xxh3::xxh3_128;

use super::arena::Arena;
use super::candidates::{Head, ShardCandidates, hash_words, hasher};

/// Bits of a slot that hold the index, plus one so that zero means empty.
const INDEX_BITS: u32 = 26;
const INDEX_MASK: u32 = (1 << INDEX_BITS) - 1;

/// The most structures of one shard.
const MOST: usize = INDEX_MASK as usize - 1;

/// How many candidates are looked up at once, so that their cache misses overlap.
const GROUP: usize = 16;

/// What the shard knows of its structures, summed up.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShardTotals {
    pub(crate) by_type: Vec<u64>,
    pub(crate) by_objects: Vec<u64>,
    pub(crate) digest: u128,
}

#[derive(Clone, Debug)]
pub(crate) struct Shard {
    pub(crate) arena: Arena,
    slots: Vec<u32>,
    hasher: RandomState,
    tag_bits: u32,
    is_matching: bool,
    pub(crate) totals: ShardTotals,
}

impl Shard {
    /// `tag_bits`: how many bits of a form tell its type.
    pub(crate) fn new(tag_bits: u32, is_matching: bool) -> Self {
        Shard {
            arena: Arena::default(),
            slots: vec![0; 256],
            hasher: hasher(),
            tag_bits,
            is_matching,
            totals: ShardTotals::default(),
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.arena.bytes() + (self.slots.capacity() * size_of::<u32>()) as u64
    }

    /// Keeps what is new of `candidates` and notes which those were.
    pub(crate) fn insert_all(&mut self, candidates: &mut ShardCandidates) {
        let mut word = 0;
        let ShardCandidates { heads, words, new } = candidates;
        for (group, heads) in heads.chunks(GROUP).enumerate() {
            let mut positions = self.find_likely(heads);
            let size = self.slots.len();
            for (index, head) in heads.iter().enumerate() {
                if self.slots.len() != size {
                    positions[index] = self.home(head.hash);
                }
                let n_words = usize::from(head.len).div_ceil(8);
                if self.insert(head, &words[word..word + n_words], positions[index]) {
                    new.push((group * GROUP + index) as u32);
                }
                word += n_words;
            }
        }
    }

    /// For each of a group of candidates the first slot that may be its own: one with its tag, or an empty one.
    ///
    /// Step by step for the whole group: the loads of one step are independent, so the processor waits for all of them at
    /// once. In the end the slots and the forms they point at are in the cache.
    #[inline(always)]
    fn find_likely(&self, heads: &[Head]) -> [usize; GROUP] {
        let mut positions = [0; GROUP];
        let mut sum = 0;
        for (position, head) in positions.iter_mut().zip(heads) {
            *position = self.home(head.hash);
            sum ^= self.slots[*position];
        }
        for (position, head) in positions.iter_mut().zip(heads) {
            if self.is_matching {
                *position = self.first_likely(*position, tag(head.hash));
            }
            let slot = self.slots[*position];
            if slot != 0 {
                sum ^= u32::from(self.arena.get(index_of(slot))[0]);
            }
        }
        std::hint::black_box(sum);
        positions
    }

    /// The first slot from `position` on that is empty or has the tag.
    #[inline(always)]
    fn first_likely(&self, mut position: usize, tag: u32) -> usize {
        loop {
            let slot = self.slots[position];
            if slot == 0 || slot >> INDEX_BITS == tag {
                return position;
            }
            position = self.after(position);
        }
    }

    /// Keeps a candidate if it is new. No slot before `position` is its own.
    #[inline(always)]
    fn insert(&mut self, head: &Head, words: &[u64], mut position: usize) -> bool {
        if self.is_matching {
            let tag = tag(head.hash);
            loop {
                position = self.first_likely(position, tag);
                let slot = self.slots[position];
                if slot == 0 {
                    break;
                }
                if self.arena.is(index_of(slot), words, head.len.into()) {
                    return false;
                }
                position = self.after(position);
            }
            self.slots[position] = slot(tag, self.arena.len());
        }
        self.keep(head, words);
        true
    }

    /// The index of the form in `words`, which has this hash.
    pub(crate) fn find(&self, hash: u64, words: &[u64]) -> Option<usize> {
        let mut position = self.home(hash);
        loop {
            let slot = self.slots[position];
            if slot == 0 {
                return None;
            }
            if slot >> INDEX_BITS == tag(hash) && self.arena.is_padded(index_of(slot), words) {
                return Some(index_of(slot));
            }
            position = self.after(position);
        }
    }

    fn keep(&mut self, head: &Head, words: &[u64]) {
        assert!(self.arena.len() < MOST, "the exact store is full: more than a billion structures");
        self.arena.push(words, head.len.into());
        self.count(head, words);
        // At most 85 of 100 slots are taken.
        if self.is_matching && self.arena.len() * 20 >= self.slots.len() * 17 {
            self.grow();
        }
    }

    fn count(&mut self, head: &Head, words: &[u64]) {
        let ty = words.first().map_or(0, |word| word & ((1 << self.tag_bits) - 1)) as usize;
        add_at(&mut self.totals.by_type, ty);
        if ty == 0 {
            add_at(&mut self.totals.by_objects, head.objects.into());
        }
        let len = usize::from(head.len);
        let hash = match *words {
            [word] => xxh3_128(&word.to_le_bytes()[..len]),
            [low, high] => {
                let both = u128::from(high) << 64 | u128::from(low);
                xxh3_128(&both.to_le_bytes()[..len])
            }
            _ => {
                let bytes = words.iter().flat_map(|word| word.to_le_bytes()).take(len);
                xxh3_128(&bytes.collect::<Vec<u8>>())
            }
        };
        self.totals.digest = self.totals.digest.wrapping_add(hash);
    }

    #[cold]
    fn grow(&mut self) {
        let factor = match self.slots.len() {
            0..0x4000 => (2, 1),
            0x4000..0x20_0000 => (3, 2),
            _ => (5, 4),
        };
        let size = self.slots.len() * factor.0 / factor.1;
        self.slots = Vec::new();
        self.slots = vec![0; size];
        let mut words = Vec::new();
        for index in 0..self.arena.len() {
            words.clear();
            self.arena.read_words(index, &mut words);
            let hash = hash_words(&self.hasher, &words);
            let mut position = self.home(hash);
            while self.slots[position] != 0 {
                position = self.after(position);
            }
            self.slots[position] = slot(tag(hash), index);
        }
    }

    #[inline(always)]
    fn home(&self, hash: u64) -> usize {
        (((hash & 0xffff_ffff) * self.slots.len() as u64) >> 32) as usize
    }

    #[inline(always)]
    fn after(&self, position: usize) -> usize {
        if position + 1 == self.slots.len() { 0 } else { position + 1 }
    }
}

#[inline(always)]
fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32 >> INDEX_BITS & 0x3f
}

#[inline(always)]
fn slot(tag: u32, index: usize) -> u32 {
    tag << INDEX_BITS | (index as u32 + 1)
}

#[inline(always)]
fn index_of(slot: u32) -> usize {
    (slot & INDEX_MASK) as usize - 1
}

fn add_at(counts: &mut Vec<u64>, index: usize) {
    if counts.len() <= index {
        counts.resize(index + 1, 0);
    }
    counts[index] += 1;
}
