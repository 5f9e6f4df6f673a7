//! One shard of the exact store: a hash table of indices into the shard's arena.
//!
//! A slot holds an index and six bits of the hash. The hash is an index only: equality is decided
//! by comparing forms. The six bits differ from those that choose the shard and the slot, which all
//! forms in question share. The table uses linear probing, and its size need not be a power of two,
//! so that it can grow by a quarter when it is large: a structure costs 4.7 to 5.9 bytes of slots.

use beget_heap::TagBits;
use beget_heap::hash::{FixedState, fixed_state};

use super::arena::Arena;
use super::candidates::{Candidates, Head, hash_words};
use super::{StoreError, Totals};

/// Bits of a slot that hold the index, plus one so that zero means empty.
const INDEX_BITS: u32 = 26;
const INDEX_MASK: u32 = (1 << INDEX_BITS) - 1;

/// The most structures of one shard.
const MOST: u32 = INDEX_MASK - 1;

/// The number of bits of a hash that choose the shard: the highest ones.
const SHARD_BITS: u32 = 4;

/// The number of shards of a store. Only one thread at a time accesses a shard.
pub(crate) const N_SHARDS: usize = 1 << SHARD_BITS;

/// The number of bits of a hash that lead to a slot: the lowest ones.
const HOME_BITS: u32 = 32;

/// The number of bits of a hash in a slot: those below the shard's.
const TAG_BITS: u32 = u32::BITS - INDEX_BITS;
const TAG_SHIFT: u32 = u64::BITS - SHARD_BITS - TAG_BITS;
const _: () = assert!(TAG_SHIFT >= HOME_BITS, "no bit of a hash is used twice");

/// Marks an entry of a group without a form to compare.
const NO_INDEX: usize = usize::MAX;

/// The number of slots of an empty shard.
const LEAST_SLOTS: usize = 256;

/// The number of candidates looked up at once, so that their cache misses overlap.
const GROUP: usize = 16;

#[derive(Clone, Debug)]
pub(crate) struct Shard {
    pub(crate) arena: Arena,
    slots: Vec<u32>,
    hasher: FixedState,
    tag_bits: TagBits,
    most: u32,
    /// The number of structures before the batch being inserted, and totals over them.
    n_settled: usize,
    totals: Totals,
    /// The batch's part of the totals.
    added: Totals,
    /// The number of structures, the first ones, without a slot.
    n_forgotten: usize,
}

impl Shard {
    /// `tag_bits`: the width of a form's type tag.
    pub(crate) fn new(tag_bits: TagBits) -> Self {
        Shard {
            arena: Arena::default(),
            slots: vec![0; LEAST_SLOTS],
            hasher: fixed_state(),
            tag_bits,
            most: MOST,
            n_settled: 0,
            totals: Totals::default(),
            added: Totals::default(),
            n_forgotten: 0,
        }
    }

    /// Limits the number of structures to `most`.
    pub(crate) fn limit(&mut self, most: u32) {
        self.most = most.min(MOST);
    }

    pub(crate) fn totals(&self) -> &Totals {
        &self.totals
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.arena.bytes() + (self.slots.capacity() * size_of::<u32>()) as u64
    }

    /// Keeps the new ones of the candidates at `positions` of a block; returns their positions.
    /// Nothing is final before [`Shard::settle`].
    pub(crate) fn insert_all(
        &mut self,
        block: &Candidates,
        positions: &[u32],
    ) -> Result<Vec<u32>, StoreError> {
        let mut new = Vec::new();
        for group in positions.chunks(GROUP) {
            let mut slots = self.find_likely(block, group);
            let size = self.slots.len();
            for (slot, &position) in slots.iter_mut().zip(group) {
                let head = &block.heads()[position as usize];
                if self.slots.len() != size {
                    *slot = self.home(head.hash);
                }
                if self.insert(block, head, *slot)? {
                    new.push(position);
                }
            }
        }
        Ok(new)
    }

    /// Makes the insertions final.
    pub(crate) fn settle(&mut self) {
        self.totals.merge(&self.added);
        self.added.clear();
        self.n_settled = self.arena.len();
    }

    /// Undoes the insertions since the last [`Shard::settle`].
    #[cold]
    pub(crate) fn roll_back(&mut self) {
        self.added.clear();
        self.arena.truncate(self.n_settled);
        self.fill_slots(self.slots.len());
    }

    /// Drops the forms of the structures below `below`, which still count. Everything must be
    /// settled.
    pub(crate) fn forget(&mut self, below: usize) {
        self.arena.forget(below);
        self.n_forgotten = below;
        let n_kept = self.arena.len() - below;
        let n_slots = (n_kept + n_kept / 2).max(LEAST_SLOTS);
        self.fill_slots(n_slots.min(self.slots.len()));
    }

    /// For each of a group of candidates, the first slot that may be its own: one with its tag, or
    /// an empty one.
    ///
    /// It proceeds step by step for the whole group: the loads of one step are independent, so the
    /// processor waits for all of them at once. Afterwards the slots, the forms they point at and
    /// the candidates' own are in the cache.
    #[inline(always)]
    fn find_likely(&self, block: &Candidates, group: &[u32]) -> [usize; GROUP] {
        let mut slots = [0; GROUP];
        let mut indices = [NO_INDEX; GROUP];
        let mut sum = 0;
        let heads = || group.iter().map(|&position| &block.heads()[position as usize]);
        for (slot, head) in slots.iter_mut().zip(heads()) {
            *slot = self.home(head.hash);
            sum ^= self.slots[*slot];
        }
        for ((slot, index), head) in slots.iter_mut().zip(&mut indices).zip(heads()) {
            *slot = self.first_likely(*slot, tag(head.hash));
            let found = self.slots[*slot];
            sum ^= block.touch(head);
            if found != 0 {
                *index = index_of(found);
                sum ^= self.arena.touch_chunk(*index);
            }
        }
        for index in indices.into_iter().filter(|&index| index != NO_INDEX) {
            sum ^= self.arena.touch(index);
        }
        std::hint::black_box(sum);
        slots
    }

    /// The first slot from `position` that is empty or has the tag.
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
    fn insert(
        &mut self,
        block: &Candidates,
        head: &Head,
        mut position: usize,
    ) -> Result<bool, StoreError> {
        let (form, tag) = (block.form(head), tag(head.hash));
        loop {
            position = self.first_likely(position, tag);
            let slot = self.slots[position];
            if slot == 0 {
                break;
            }
            if self.arena.is(index_of(slot), form.words, form.len) {
                return Ok(false);
            }
            position = self.after(position);
        }
        if self.arena.len() >= self.most as usize {
            return Err(StoreError::Full);
        }
        self.slots[position] = slot(tag, self.arena.len());
        self.arena.push(form.words, form.len);
        self.added.count(form, head.objects, self.tag_bits);
        // At most 85 of 100 slots are used.
        if (self.arena.len() - self.n_forgotten) * 20 >= self.slots.len() * 17 {
            self.grow();
        }
        Ok(true)
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

    #[cold]
    fn grow(&mut self) {
        let factor = match self.slots.len() {
            0..0x4000 => (2, 1),
            0x4000..0x20_0000 => (3, 2),
            _ => (5, 4),
        };
        self.fill_slots(self.slots.len() * factor.0 / factor.1);
    }

    /// Makes a table of `size` slots from the contents of the arena.
    fn fill_slots(&mut self, size: usize) {
        self.slots.clear();
        if size < self.slots.capacity() {
            self.slots = Vec::new();
        }
        // The pages of the smaller table stay: a new list would fault in all of them again.
        self.slots.reserve_exact(size);
        self.slots.resize(size, 0);
        let Shard { arena, slots, hasher, n_forgotten, .. } = self;
        let mut group = FillGroup::default();
        arena.for_each_words(|index, words| {
            if index >= *n_forgotten {
                group.push(hash_words(hasher, words), index, slots);
            }
        });
        group.flush(slots);
    }

    #[inline(always)]
    fn home(&self, hash: u64) -> usize {
        home(hash, self.slots.len())
    }

    #[inline(always)]
    fn after(&self, position: usize) -> usize {
        after(position, self.slots.len())
    }
}

/// Forms on their way into a rebuilt table: as many as [`GROUP`], for the same reason.
#[derive(Default)]
struct FillGroup {
    /// The first slot of each form, and its content.
    forms: [(usize, u32); GROUP],
    len: usize,
}

impl FillGroup {
    #[inline(always)]
    fn push(&mut self, hash: u64, index: usize, slots: &mut [u32]) {
        self.forms[self.len] = (home(hash, slots.len()), slot(tag(hash), index));
        self.len += 1;
        if self.len == GROUP {
            self.flush(slots);
        }
    }

    fn flush(&mut self, slots: &mut [u32]) {
        let forms = &self.forms[..self.len];
        std::hint::black_box(forms.iter().fold(0, |sum, (home, _)| sum ^ slots[*home]));
        for &(home, slot) in forms {
            let mut position = home;
            while slots[position] != 0 {
                position = after(position, slots.len());
            }
            slots[position] = slot;
        }
        self.len = 0;
    }
}

/// The first slot of a form with this hash among `n_slots`.
#[inline(always)]
fn home(hash: u64, n_slots: usize) -> usize {
    let low = hash & ((1 << HOME_BITS) - 1);
    ((low * n_slots as u64) >> HOME_BITS) as usize
}

/// The slot after one of `n_slots`.
#[inline(always)]
fn after(position: usize, n_slots: usize) -> usize {
    if position + 1 == n_slots { 0 } else { position + 1 }
}

/// The shard of forms with this hash.
#[inline(always)]
pub(crate) fn shard_of(hash: u64) -> usize {
    (hash >> (u64::BITS - SHARD_BITS)) as usize
}

#[inline(always)]
fn tag(hash: u64) -> u32 {
    (hash >> TAG_SHIFT) as u32 & ((1 << TAG_BITS) - 1)
}

#[inline(always)]
fn slot(tag: u32, index: usize) -> u32 {
    tag << INDEX_BITS | (index as u32 + 1)
}

#[inline(always)]
fn index_of(slot: u32) -> usize {
    (slot & INDEX_MASK) as usize - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_holds_the_last_index_beside_any_tag() {
        for hash in [0, u64::MAX] {
            let last = MOST as usize - 1;
            let full = slot(tag(hash), last);
            assert_eq!((index_of(full), full >> INDEX_BITS), (last, tag(hash)));
        }
    }

    #[test]
    fn a_table_made_anew_is_empty_and_takes_no_more_memory_than_its_slots() {
        let mut shard = Shard::new(TagBits::default());
        for size in [300, 450, 450, 256, 5000] {
            shard.slots.fill(7);
            shard.fill_slots(size);
            assert_eq!((shard.slots.len(), shard.slots.capacity()), (size, size));
            assert!(shard.slots.iter().all(|&slot| slot == 0));
        }
    }
}
