//! The exact store: every form in memory, compact.
//!
//! A structure costs its form, about five bytes of hash table, and a byte of origin and order. The
//! forms are frontier and output too; no values are kept alive.

use std::ops::Range;

use beget_heap::hash::{FixedState, fixed_state};
use beget_heap::{FormRef, TagBits};
use beget_plan::scope::Plan;

use crate::CallTable;
use crate::data::parallel::{both, map_all};

use super::arena::FormRoom;
use super::candidates::{Head, hash_words};
use super::drop_rule::{DropRule, DroppedForms};
use super::order::Order;
use super::origins::Origins;
use super::shard::{N_SHARDS, Shard, shard_of};
use super::{Candidates, CommitCounts, Origin, Store, StoreError, StructureId, Totals};

/// The default store: exact and in memory.
#[derive(Clone, Debug)]
pub struct ExactStore {
    shards: Vec<Shard>,
    order: Order,
    origins: Origins,
    hasher: FixedState,
    /// The rule for dropping forms that can no longer occur.
    drop_rule: Option<Box<DropRule>>,
}

/// The positions of a block's candidates by shard, in order.
type Parts = [Vec<u32>; N_SHARDS];

/// Marks a candidate that is not new.
const KNOWN: u8 = u8::MAX;

impl ExactStore {
    /// An empty store for a plan with `n_calls` calls, whose forms have type tags of this width.
    pub fn new(n_calls: u32, tag_bits: TagBits) -> Self {
        ExactStore {
            shards: (0..N_SHARDS).map(|_| Shard::new(tag_bits)).collect(),
            order: Order::default(),
            origins: Origins::new(n_calls),
            hasher: fixed_state(),
            drop_rule: None,
        }
    }

    /// An empty store for a plan.
    pub fn of(plan: &Plan) -> Self {
        Self::new(CallTable::new(plan).n_calls(), plan.tag_bits())
    }

    /// The same store, but full when one of its 16 parts, over which forms are spread by hash,
    /// holds `most` structures, for testing full stores. No part can hold more than 2^26 - 2.
    pub fn full_at(mut self, most: u32) -> Self {
        self.shards.iter_mut().for_each(|shard| shard.limit(most));
        self
    }

    /// The same store, but it drops forms that no call can lead to any more, as long as no call
    /// removes objects (see [`DroppedForms`]). It still finds out what is new, or rejects a batch
    /// if it cannot. Dropped forms cannot be requested.
    pub fn that_drops(mut self) -> Self {
        self.drop_rule = Some(Box::default());
        self
    }

    /// Fills all shards; returns the positions of new candidates for each shard and block.
    fn insert(&mut self, blocks: &[Candidates]) -> Result<Vec<Vec<Vec<u32>>>, StoreError> {
        let parts: Vec<Parts> = map_all(blocks, parts_of);
        let fill = |(index, shard): (usize, &mut Shard)| {
            let blocks = blocks.iter().zip(&parts);
            blocks.map(|(block, parts)| shard.insert_all(block, &parts[index])).collect()
        };
        let new = map_all(self.shards.iter_mut().enumerate(), fill);
        let new: Vec<Vec<Vec<u32>>> = new.into_iter().collect::<Result<_, _>>()?;
        if let Some(rule) = &mut self.drop_rule {
            let floor = rule.look(blocks);
            let is_below = |(block, new): (&Candidates, &Vec<u32>)| {
                new.iter().any(|&at| block.heads()[at as usize].objects < floor)
            };
            if new.iter().any(|of_shard| blocks.iter().zip(of_shard).any(is_below)) {
                return Err(StoreError::FormDropped);
            }
        }
        Ok(new)
    }

    /// The number of structures without a form.
    fn n_dropped(&self) -> u64 {
        self.dropped().map_or(0, |dropped| dropped.structures)
    }

    /// Like [`Store::commit`]; returns the new candidates of each block.
    fn commit_all(&mut self, blocks: &[Candidates]) -> Result<Vec<NewCandidates>, StoreError> {
        let new = match self.insert(blocks) {
            Ok(new) => new,
            Err(error) => {
                map_all(&mut self.shards, Shard::roll_back);
                return Err(error);
            }
        };
        self.shards.iter_mut().for_each(Shard::settle);
        let in_order = |(number, block): (usize, &Candidates)| {
            NewCandidates::of(block, new.iter().map(|of_shard| &*of_shard[number]))
        };
        let by_block: Vec<NewCandidates> = map_all(blocks.iter().enumerate(), in_order);
        let ExactStore { order, origins, drop_rule, .. } = self;
        let all = || blocks.iter().zip(&by_block).flat_map(|(block, new)| new.heads(block));
        both(
            || {
                by_block
                    .iter()
                    .flat_map(|of| &of.new)
                    .for_each(|&(_, shard)| order.push(shard.into()))
            },
            || all().for_each(|(head, block)| origins.push(head.call, block.arguments(head))),
        );
        if let Some(rule) = drop_rule {
            rule.add(order.len() as u64, all().map(|(head, _)| head.objects));
        }
        Ok(by_block)
    }
}

/// The new candidates of a block.
struct NewCandidates {
    /// Position and shard, in order.
    new: Vec<(u32, u8)>,
    counts: CommitCounts,
}

impl NewCandidates {
    /// Puts the positions of a block's new candidates, which are known by shard, in order.
    fn of<'n>(block: &Candidates, by_shard: impl Iterator<Item = &'n [u32]>) -> Self {
        let mut shard_at = vec![KNOWN; block.len()];
        let mut n_new = 0;
        for (shard, new) in by_shard.enumerate() {
            n_new += new.len();
            new.iter().for_each(|&at| shard_at[at as usize] = shard as u8);
        }
        let mut new = Vec::with_capacity(n_new);
        let mut calls_with_new = 0;
        let mut continuing = block.continuing().iter().copied().peekable();
        let mut is_call_counted = false;
        for (&shard, position) in shard_at.iter().zip(0..) {
            is_call_counted &= continuing.next_if_eq(&position).is_some();
            if shard != KNOWN {
                new.push((position, shard));
                calls_with_new += u64::from(!is_call_counted);
                is_call_counted = true;
            }
        }
        NewCandidates { new, counts: CommitCounts { new: n_new as u64, calls_with_new } }
    }

    /// The head of each, with the block, which has its arguments.
    fn heads<'c>(&self, block: &'c Candidates) -> impl Iterator<Item = (&'c Head, &'c Candidates)> {
        self.new.iter().map(move |&(at, _)| (&block.heads()[at as usize], block))
    }
}

impl Store for ExactStore {
    fn commit(&mut self, blocks: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError> {
        Ok(self.commit_all(blocks)?.into_iter().map(|new| new.counts).collect())
    }

    fn commit_each(&mut self, blocks: &[Candidates]) -> Result<Vec<bool>, StoreError> {
        let by_block = self.commit_all(blocks)?;
        let mut is_new = vec![false; blocks.iter().map(Candidates::len).sum()];
        let mut start = 0;
        for (block, of_block) in blocks.iter().zip(by_block) {
            of_block.new.iter().for_each(|&(at, _)| is_new[start + at as usize] = true);
            start += block.len();
        }
        Ok(is_new)
    }

    fn pass(&mut self, passed: u64) {
        let Some(below) = self.drop_rule.as_mut().and_then(|rule| rule.pass(passed)) else {
            return;
        };
        let firsts = self.order.cursor(below as usize).positions();
        map_all(self.shards.iter_mut().zip(firsts), |(shard, first)| shard.forget(first as usize));
    }

    fn dropped(&self) -> Option<&DroppedForms> {
        self.drop_rule.as_ref().map(|rule| rule.dropped())
    }

    fn scan(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        if ids.start < self.n_dropped() && !ids.is_empty() {
            return Err(StoreError::FormDropped);
        }
        let mut room = FormRoom::default();
        if ids.end - ids.start == 1 {
            let (shard, index) = self.order.locate(ids.start as usize);
            visit(StructureId::new(ids.start), self.shards[shard].arena.read(index, &mut room));
            return Ok(());
        }
        let mut cursor = self.order.cursor(ids.start as usize);
        for id in ids {
            let (shard, index) = self.order.advance(&mut cursor);
            visit(StructureId::new(id), self.shards[shard].arena.read(index, &mut room));
        }
        Ok(())
    }

    fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        let words = form.to_words();
        let hash = hash_words(&self.hasher, &words);
        let shard = shard_of(hash);
        match self.shards[shard].find(hash, &words) {
            Some(index) => Ok(Some(StructureId::new(self.order.id_of(shard, index) as u64))),
            None if self.n_dropped() > 0 => Err(StoreError::FormDropped),
            None => Ok(None),
        }
    }

    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        Ok(self.origins.get(id.index()))
    }

    fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        self.shards.iter().for_each(|shard| totals.merge(shard.totals()));
        totals
    }

    fn len(&self) -> u64 {
        self.order.len() as u64
    }

    fn bytes(&self) -> u64 {
        let shards: u64 = self.shards.iter().map(Shard::bytes).sum();
        shards + self.order.bytes() + self.origins.bytes()
    }
}

fn parts_of(block: &Candidates) -> Parts {
    let room = block.len() / N_SHARDS;
    let mut parts: Parts = std::array::from_fn(|_| Vec::with_capacity(room + room / 8));
    for (head, position) in block.heads().iter().zip(0..) {
        parts[shard_of(head.hash)].push(position);
    }
    parts
}
