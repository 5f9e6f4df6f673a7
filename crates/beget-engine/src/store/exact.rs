//! The exact store: every form in memory, compact.
//!
//! A structure costs its form, about five bytes of hash table, six bytes of origin and half a byte of order. The forms are frontier and
//! output too; nothing else is kept alive.

use ahash::RandomState;
use rayon::prelude::*;

use super::candidates::{hash_words, hasher, shard_of};
use super::chunked::ChunkedVec;
use super::order::Order;
use super::shard::Shard;
use super::{Candidates, Committed, N_SHARDS, Origin, Store, StructureId, Totals};

/// Exact and in memory: the default.
#[derive(Clone, Debug)]
pub struct ExactStore {
    shards: Vec<Shard>,
    order: Order,
    /// The first structure argument, or where the arguments begin in `tails`.
    parents: ChunkedVec<u32>,
    calls: ChunkedVec<u16>,
    /// The upper half of call numbers, if the plan has more than 65,536 calls.
    calls_high: Option<ChunkedVec<u16>>,
    tails: Vec<u32>,
    arity_of: Vec<u8>,
    hasher: RandomState,
}

/// The structures of one block that turned out to be new, in order.
struct NewOfBlock {
    shards: Vec<u8>,
    parents: Vec<u32>,
    calls: Vec<u32>,
    calls_with_new: u64,
}

impl ExactStore {
    /// An empty store. `arity_of` gives for each call number how many structures the call takes, `tag_bits`
    /// how many bits at a form's start tell its type.
    pub fn new(arity_of: Vec<u8>, tag_bits: u32) -> Self {
        Self::with_matching(arity_of, tag_bits, true)
    }

    /// A store that keeps every candidate, known or not: only to measure what state matching is worth.
    pub fn without_matching(arity_of: Vec<u8>, tag_bits: u32) -> Self {
        Self::with_matching(arity_of, tag_bits, false)
    }

    fn with_matching(arity_of: Vec<u8>, tag_bits: u32, is_matching: bool) -> Self {
        let has_many_calls = arity_of.len() > 1 << 16;
        ExactStore {
            shards: (0..N_SHARDS).map(|_| Shard::new(tag_bits, is_matching)).collect(),
            order: Order::default(),
            parents: ChunkedVec::default(),
            calls: ChunkedVec::default(),
            calls_high: has_many_calls.then(ChunkedVec::default),
            tails: Vec::new(),
            arity_of,
            hasher: hasher(),
        }
    }

    /// The structure with this form; `None` if there is none. Zeros may follow the form. A store without matching finds nothing.
    pub fn find(&self, form: &[u8]) -> Option<StructureId> {
        let mut words: Vec<u64> = form.chunks(8).map(word_of).collect();
        words.resize(words.len().max(1), 0);
        let hash = hash_words(&self.hasher, &words);
        let shard = shard_of(hash);
        let index = self.shards[shard].find(hash, &words)?;
        Some(StructureId(self.order.id_of(shard, index) as u32))
    }

    fn append(&mut self, new: &NewOfBlock, tails: &[u32]) {
        for ((&shard, &parent), &call) in new.shards.iter().zip(&new.parents).zip(&new.calls) {
            self.order.push(shard.into());
            self.calls.push(call as u16);
            if let Some(high) = &mut self.calls_high {
                high.push((call >> 16) as u16);
            }
            let arity = usize::from(self.arity_of[call as usize]);
            if arity < 2 {
                self.parents.push(parent);
            } else {
                self.parents.push(self.tails.len() as u32);
                self.tails.extend_from_slice(&tails[parent as usize..parent as usize + arity]);
            }
        }
    }
}

impl Store for ExactStore {
    fn commit(&mut self, blocks: &mut [Candidates]) -> Committed {
        let mut by_shard: Vec<Vec<_>> = (0..N_SHARDS).map(|_| Vec::new()).collect();
        for block in blocks.iter_mut() {
            for (parts, part) in by_shard.iter_mut().zip(&mut block.shards) {
                parts.push(part);
            }
        }
        self.shards.par_iter_mut().zip(by_shard).for_each(|(shard, parts)| {
            for part in parts {
                shard.insert_all(part);
            }
        });
        let new: Vec<NewOfBlock> = blocks.par_iter().map(new_of_block).collect();
        let mut committed = Committed::default();
        for (new, block) in new.iter().zip(blocks.iter()) {
            self.append(new, &block.tails);
            committed.new += new.shards.len() as u64;
            committed.calls_with_new += new.calls_with_new;
        }
        committed
    }

    fn scan(&self, ids: std::ops::Range<u32>, visit: &mut dyn FnMut(StructureId, &[u8])) {
        let mut cursor = self.order.cursor(ids.start as usize);
        for id in ids {
            let (shard, index) = self.order.advance(&mut cursor);
            visit(StructureId(id), self.shards[shard].arena.get(index));
        }
    }

    fn origin(&self, id: StructureId) -> Origin {
        let index = id.0 as usize;
        let high = self.calls_high.as_ref().map_or(0, |high| high.get(index));
        let call = u32::from(high) << 16 | u32::from(self.calls.get(index));
        let parent = self.parents.get(index);
        let arguments = match usize::from(self.arity_of[call as usize]) {
            0 => Vec::new(),
            1 => vec![StructureId(parent)],
            arity => {
                let tail = &self.tails[parent as usize..parent as usize + arity];
                tail.iter().map(|&id| StructureId(id)).collect()
            }
        };
        Origin { call, arguments }
    }

    fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for shard in &self.shards {
            add_all(&mut totals.by_type, &shard.totals.by_type);
            add_all(&mut totals.by_objects, &shard.totals.by_objects);
            totals.digest = totals.digest.wrapping_add(shard.totals.digest);
        }
        totals
    }

    fn len(&self) -> u32 {
        self.order.len() as u32
    }

    fn bytes(&self) -> u64 {
        let shards: u64 = self.shards.iter().map(Shard::bytes).sum();
        let high = self.calls_high.as_ref().map_or(0, ChunkedVec::bytes);
        let tails = (self.tails.capacity() * size_of::<u32>()) as u64;
        shards + self.order.bytes() + self.parents.bytes() + self.calls.bytes() + high + tails
    }
}

/// Brings the new structures of all shards of a block back into the block's order.
fn new_of_block(block: &Candidates) -> NewOfBlock {
    const NOT_NEW: u32 = u32::MAX;
    let mut head_at = vec![(0_u8, NOT_NEW); block.len() as usize];
    for (shard, part) in block.shards.iter().enumerate() {
        for &head in &part.new {
            head_at[part.heads[head as usize].position as usize] = (shard as u8, head);
        }
    }
    let n_new = block.shards.iter().map(|part| part.new.len()).sum();
    let mut new = NewOfBlock {
        shards: Vec::with_capacity(n_new),
        parents: Vec::with_capacity(n_new),
        calls: Vec::with_capacity(n_new),
        calls_with_new: 0,
    };
    let mut continuing = block.continuing.iter().copied().peekable();
    let mut call_counted = false;
    for (position, &(shard, head)) in head_at.iter().enumerate() {
        if continuing.next_if_eq(&(position as u32)).is_none() {
            call_counted = false;
        }
        if head == NOT_NEW {
            continue;
        }
        let head = block.shards[usize::from(shard)].heads[head as usize];
        new.shards.push(shard);
        new.parents.push(head.parent);
        new.calls.push(head.call);
        new.calls_with_new += u64::from(!call_counted);
        call_counted = true;
    }
    new
}

/// Up to eight bytes as a word, zero-padded.
fn word_of(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

fn add_all(sums: &mut Vec<u64>, counts: &[u64]) {
    if sums.len() < counts.len() {
        sums.resize(counts.len(), 0);
    }
    for (sum, count) in sums.iter_mut().zip(counts) {
        *sum += count;
    }
}
