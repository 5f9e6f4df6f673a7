//! The store of one process: its own part of the forms, and the recipes and types of all
//! structures.
//!
//! A form is kept by the process that the hash of its bytes names, and by no other. All processes
//! know the recipes and types of all structures: recipes are needed where there is no time to ask
//! for them, and take about 1.6 bytes each.

mod saving;

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::disk::PartRecorder;
use beget_engine::CallIdx;
use beget_engine::store::{
    Candidate, Candidates, CommitCounts, FormRef, Origin, Origins, Store, StoreError, StructureId,
    TagBits, Totals,
};
use beget_engine::varint::{put, take, take_bytes, take_u32, unzigzag, zigzag};
use xxhash_rust::xxh3::xxh3_64;

use crate::cluster::known::KnownForms;
use crate::cluster::link::{Messages, ProcessLink, RoundStep};
use crate::cluster::part::{FetchedForms, OwnPart};
use crate::cluster::reading::Reading;
use crate::cluster::wire::{BitSource, PackedBits};

/// Structures spread over all processes.
#[derive(Debug)]
pub(crate) struct SpreadStore {
    link: Arc<ProcessLink>,
    part: Arc<Mutex<OwnPart>>,
    reading: Arc<Reading>,
    origins: Origins,
    tags: TypeTags,
    totals: Totals,
    /// The bytes of the stores of all processes after the last batch.
    bytes: u64,
    matches: bool,
    known: KnownForms,
    /// The forms read last, for all processes.
    read: Mutex<(Range<u32>, FetchedForms)>,
    /// The recorder that saves this process's part, if it is saved.
    recorder: Option<Arc<Mutex<PartRecorder>>>,
    /// The bytes of the files of all processes when they were last written.
    disk_bytes: u64,
}

/// The number of forms read at once.
const AT_ONCE: u32 = 4096;

/// Returns the process that keeps a form, by the hash of its bytes without padding. The hash in the
/// tables of a machine may be another one; this one is the same on all.
fn owner_of(hash: u64, n: usize) -> usize {
    ((u128::from(hash) * n as u128) >> 64) as usize
}

/// The most structures of a run.
const MOST: u64 = (1 << 31) - 1;

/// Stands for the owner of a form that is known not to be new.
const NOBODY: u8 = u8::MAX;

/// The blocks of a batch that a process makes.
pub(crate) fn own_blocks(me: usize, n: usize, n_blocks: usize) -> impl Iterator<Item = usize> {
    (me..n_blocks).step_by(n)
}

impl SpreadStore {
    pub(crate) fn new(
        link: Arc<ProcessLink>,
        part: Arc<Mutex<OwnPart>>,
        reading: Arc<Reading>,
        n_calls: u32,
        tag_bits: TagBits,
    ) -> Self {
        let matches = lock(&part).store.matches();
        SpreadStore {
            link,
            part,
            reading,
            origins: Origins::new(n_calls),
            tags: TypeTags::new(tag_bits),
            totals: Totals::default(),
            bytes: 0,
            matches,
            known: KnownForms::new(),
            read: Mutex::default(),
            recorder: None,
            disk_bytes: 0,
        }
    }

    /// Sends each candidate of this process's blocks to the owner of its form. Returns the owners,
    /// block by block, and the messages of the others.
    fn send(&mut self, blocks: &[Candidates]) -> Result<(Vec<Vec<u8>>, Messages), StoreError> {
        let (me, n) = (self.link.me(), self.link.n());
        let mut messages = vec![Vec::new(); n];
        let mut bytes = Vec::new();
        let mut owners = Vec::new();
        for index in own_blocks(me, n, blocks.len()) {
            let owner = |candidate: Candidate<'_>| {
                bytes.clear();
                candidate.form.append_to(&mut bytes);
                let form = FormRef::new(&bytes).unpadded().as_bytes();
                let hash = xxh3_64(form);
                if self.matches && self.known.note(hash, form) {
                    return NOBODY;
                }
                let owner = owner_of(hash, n);
                put(&mut messages[owner], form.len() as u64 + 1);
                messages[owner].extend_from_slice(form);
                owner as u8
            };
            owners.push(blocks[index].iter().map(owner).collect());
            // No form has this length.
            messages.iter_mut().for_each(|message| message.push(0));
        }
        let arrived = self.link.exchange(RoundStep::Candidates, blocks.len() as u64, messages)?;
        Ok((owners, arrived))
    }

    /// Keeps the new ones of the candidates that have arrived. Returns for each process which of
    /// its candidates are new.
    fn keep(&mut self, n_blocks: usize, arrived: &[Vec<u8>]) -> Result<Messages, StoreError> {
        let n = self.link.n();
        let mut rest: Vec<&[u8]> = arrived.iter().map(Vec::as_slice).collect();
        let read = |index| read_block(&mut rest[index % n]).ok_or(index % n);
        let blocks: Result<Vec<Candidates>, usize> = (0..n_blocks).map(read).collect();
        let blocks = blocks.map_err(|from| self.link.garbled(from))?;
        let kept = keep_in(&mut *lock(&self.part).store, &blocks);
        let mut told: Vec<PackedBits> = (0..n).map(|_| PackedBits::default()).collect();
        let status = match &kept {
            Ok(_) => KEPT,
            Err(StoreError::Full) => FULL,
            Err(_) => FAILED,
        };
        let mut kept = kept.unwrap_or_default().into_iter();
        for (index, block) in blocks.iter().enumerate() {
            for is_new in kept.by_ref().take(block.len()) {
                told[index % n].push(is_new.into(), 1);
            }
        }
        let message = |bits: PackedBits| [vec![status], bits.into_bytes()].concat();
        let messages = told.into_iter().map(message).collect();
        let told = self.link.exchange(RoundStep::New, n_blocks as u64, messages)?;
        for (from, told) in told.iter().enumerate() {
            match told.first() {
                Some(&KEPT) => {}
                Some(&FULL) => return Err(StoreError::Full),
                Some(&FAILED) => {
                    let name = self.link.name(from);
                    return Err(StoreError::Failed(format!("the store of {name} failed")));
                }
                _ => return Err(self.link.garbled(from)),
            }
        }
        Ok(told)
    }

    /// Tells all processes how the new structures of this process's blocks were made.
    fn tell(
        &self,
        blocks: &[Candidates],
        owners: &[Vec<u8>],
        told: &[Vec<u8>],
    ) -> Result<Messages, StoreError> {
        let (me, n) = (self.link.me(), self.link.n());
        let mut bits: Vec<BitSource<'_>> =
            told.iter().map(|told| BitSource::new(&told[1..])).collect();
        let mut message = Vec::new();
        put(&mut message, self.held_bytes());
        let mut n_new = 0;
        let mut all_news = Vec::new();
        let mut totals = Totals::default();
        for (index, owners) in own_blocks(me, n, blocks.len()).zip(owners) {
            let mut news = BlockNews::new(self.owner_bits(), self.tags.bits);
            for (candidate, &owner) in blocks[index].iter().zip(owners) {
                let bit = match owner {
                    NOBODY => Some(0),
                    _ => bits[usize::from(owner)].take(1),
                };
                let is_new = bit.ok_or_else(|| self.link.garbled(owner.into()))? == 1;
                news.push(&candidate, owner, is_new);
                if is_new {
                    totals.add(&candidate, self.tags.bits);
                }
            }
            n_new += news.n_new;
            news.write_to(&mut all_news);
        }
        put(&mut message, n_new);
        message.extend(all_news);
        put_totals(&mut message, &totals);
        self.link.broadcast(RoundStep::Origins, blocks.len() as u64, message)
    }

    /// Takes in what all processes have sent.
    fn learn(
        &mut self,
        n_blocks: usize,
        messages: &[Vec<u8>],
    ) -> Result<Vec<CommitCounts>, StoreError> {
        let n = self.link.n();
        let mut rest: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        let garbled = |from: usize| self.link.garbled(from);
        let (mut bytes, mut n_new) = (0, 0);
        for (from, rest) in rest.iter_mut().enumerate() {
            bytes += take(rest).ok_or_else(|| garbled(from))?;
            n_new += take(rest).ok_or_else(|| garbled(from))?;
        }
        if self.len() + n_new > MOST {
            return Err(StoreError::Full);
        }
        let part = Arc::clone(&self.part);
        let mut part = lock(&part);
        let mut committed = Vec::with_capacity(n_blocks);
        for index in 0..n_blocks {
            let from = index % n;
            let learnt = self.learn_block(&mut rest[from], &mut part);
            committed.push(learnt.ok_or_else(|| self.link.garbled(from))?);
        }
        for (from, rest) in rest.iter_mut().enumerate() {
            let read = take_totals(rest, &mut self.totals).filter(|()| rest.is_empty());
            read.ok_or_else(|| self.link.garbled(from))?;
        }
        self.bytes = bytes;
        Ok(committed)
    }

    fn learn_block(&mut self, rest: &mut &[u8], part: &mut OwnPart) -> Option<CommitCounts> {
        let n_new = take(rest)?;
        let calls_with_new = take(rest)?;
        let mut arguments = Vec::new();
        let mut last = 0_u32;
        for _ in 0..n_new {
            let head = take(rest)?;
            let call = CallIdx::new(u32::try_from(head >> 2).ok()?);
            let n_arguments = match head & 3 {
                MANY => take(rest)?,
                few => few,
            };
            arguments.clear();
            for _ in 0..n_arguments {
                last = last.wrapping_add(unzigzag(take(rest)?)?);
                arguments.push(StructureId::new(last.into()));
            }
            self.origins.push(call, &arguments);
            if self.tags.n_bytes > 0 {
                self.tags.push(take_u32(rest)?);
            }
        }
        let width = self.owner_bits();
        let n_bytes = (n_new * u64::from(width)).div_ceil(8);
        let mut owners = BitSource::new(take_bytes(rest, usize::try_from(n_bytes).ok()?)?);
        for _ in 0..n_new {
            part.owned.push(owners.take(width)? as usize == self.link.me());
        }
        Some(CommitCounts { new: n_new, calls_with_new })
    }

    /// Returns the number of bits of a process number.
    fn owner_bits(&self) -> u32 {
        usize::BITS - (self.link.n() - 1).leading_zeros()
    }

    /// Returns the bytes that this process holds.
    fn held_bytes(&self) -> u64 {
        let part = lock(&self.part);
        let own = part.store.bytes() + part.owned.bytes();
        own + self.origins.bytes() + self.tags.bytes.capacity() as u64
    }

    /// Reads the forms around `id`, up to the end of a chunk.
    fn read_chunk(&self, id: u32) -> Result<(Range<u32>, FetchedForms), StoreError> {
        let start = id / AT_ONCE * AT_ONCE;
        let ids = start..(start + AT_ONCE).min(self.len() as u32);
        let messages = self.reading.forms(&self.link, &lock(&self.part), ids.clone())?;
        let table = FetchedForms::read(ids.clone().collect(), &messages);
        Ok((ids, table.map_err(|from| self.link.garbled(from))?))
    }
}

impl Store for SpreadStore {
    fn commit(&mut self, blocks: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError> {
        let (owners, arrived) = self.send(blocks)?;
        let told = self.keep(blocks.len(), &arrived)?;
        let messages = self.tell(blocks, &owners, &told)?;
        self.learn(blocks.len(), &messages)
    }

    fn lasts(&self) -> bool {
        self.recorder.is_some()
    }

    fn save(&mut self, state: &[u8]) -> Result<(), StoreError> {
        self.save_part(state)
    }

    fn disk_bytes(&self) -> u64 {
        self.disk_bytes
    }

    fn scan(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        for id in ids {
            if !read.0.contains(&(id as u32)) {
                *read = self.read_chunk(id as u32)?;
            }
            let form = read.1.get(StructureId::new(id)).expect("the chunk has it");
            visit(StructureId::new(id), form);
        }
        Ok(())
    }

    fn scan_types(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        ids.for_each(|id| visit(StructureId::new(id), self.tags.get(id as u32)));
        Ok(())
    }

    fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        let form = form.unpadded();
        let owner = owner_of(xxh3_64(form.as_bytes()), self.link.n());
        self.reading.find(&self.link, &lock(&self.part), form, owner)
    }

    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        Ok(self.origins.get(id.index()))
    }

    fn totals(&self) -> Totals {
        self.totals.clone()
    }

    fn len(&self) -> u64 {
        lock(&self.part).owned.len().into()
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn matches(&self) -> bool {
        self.matches
    }
}

fn lock(part: &Mutex<OwnPart>) -> std::sync::MutexGuard<'_, OwnPart> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The answer of a process for a batch: it has kept the new forms, ...
const KEPT: u8 = 0;
/// ... it has no room, ...
const FULL: u8 = 1;
/// ... or it failed.
const FAILED: u8 = 2;

/// Marks a call that takes three structures or more.
const MANY: u64 = 3;

/// Reads the candidates of a block that a process has sent.
fn read_block(rest: &mut &[u8]) -> Option<Candidates> {
    let mut block = Candidates::default();
    let mut words = Vec::new();
    loop {
        let len = usize::try_from(take(rest)?).ok()?;
        let Some(len) = len.checked_sub(1) else { return Some(block) };
        push_form(&mut block, FormRef::new(take_bytes(rest, len)?), &mut words);
    }
}

/// Adds a candidate of which only the form matters to the part. `words` is scratch space.
fn push_form(block: &mut Candidates, form: FormRef<'_>, words: &mut Vec<u64>) {
    block.push_stored(form, CallIdx::new(0), &[StructureId::new(0)], words);
}

/// Commits blocks. Returns which of their candidates are new.
fn keep_in(store: &mut dyn Store, blocks: &[Candidates]) -> Result<Vec<bool>, StoreError> {
    let before = store.len();
    store.commit(blocks)?;
    let n: usize = blocks.iter().map(Candidates::len).sum();
    let mut candidates = blocks.iter().flat_map(Candidates::iter);
    let mut kept = Vec::with_capacity(n);
    // New structures are in the order of the candidates, the first of each form.
    store.scan(before..store.len(), &mut |_, form| {
        for candidate in candidates.by_ref() {
            kept.push(candidate.form == form);
            if kept.last() == Some(&true) {
                break;
            }
        }
    })?;
    kept.resize(n, false);
    Ok(kept)
}

/// The new structures of a block, for all processes.
struct BlockNews {
    n_new: u64,
    calls_with_new: u64,
    is_call_counted: bool,
    owner_bits: u32,
    tag_bits: TagBits,
    last: u32,
    origins: Vec<u8>,
    owners: PackedBits,
}

impl BlockNews {
    fn new(owner_bits: u32, tag_bits: TagBits) -> Self {
        BlockNews {
            n_new: 0,
            calls_with_new: 0,
            is_call_counted: false,
            owner_bits,
            tag_bits,
            last: 0,
            origins: Vec::new(),
            owners: PackedBits::default(),
        }
    }

    fn push(&mut self, candidate: &Candidate<'_>, owner: u8, is_new: bool) {
        self.is_call_counted &= candidate.continues_call;
        if !is_new {
            return;
        }
        self.n_new += 1;
        self.calls_with_new += u64::from(!self.is_call_counted);
        self.is_call_counted = true;
        let n_arguments = candidate.arguments.len() as u64;
        put(&mut self.origins, u64::from(candidate.call.number()) << 2 | n_arguments.min(MANY));
        if n_arguments >= MANY {
            put(&mut self.origins, n_arguments);
        }
        for argument in candidate.arguments {
            put(&mut self.origins, zigzag((argument.number() as u32).wrapping_sub(self.last)));
            self.last = argument.number() as u32;
        }
        if self.tag_bits.width() > 0 {
            put(&mut self.origins, candidate.form.type_tag(self.tag_bits));
        }
        self.owners.push(owner.into(), self.owner_bits);
    }

    fn write_to(self, message: &mut Vec<u8>) {
        put(message, self.n_new);
        put(message, self.calls_with_new);
        message.extend(self.origins);
        message.extend(self.owners.into_bytes());
    }
}

fn put_totals(message: &mut Vec<u8>, totals: &Totals) {
    for counts in [&totals.by_type, &totals.by_objects] {
        put(message, counts.len() as u64);
        counts.iter().for_each(|&count| put(message, count));
    }
    message.extend_from_slice(&totals.digest.to_le_bytes());
}

/// Adds totals from a message.
fn take_totals(rest: &mut &[u8], totals: &mut Totals) -> Option<()> {
    for counts in [&mut totals.by_type, &mut totals.by_objects] {
        let n = usize::try_from(take(rest)?).ok().filter(|&n| n <= rest.len())?;
        counts.resize(counts.len().max(n), 0);
        for count in counts.iter_mut().take(n) {
            *count += take(rest)?;
        }
    }
    let digest = take_bytes(rest, 16)?.try_into().ok()?;
    totals.digest = totals.digest.wrapping_add(u128::from_le_bytes(digest));
    Some(())
}

/// The types of all structures, as the tags of their forms.
#[derive(Debug)]
struct TypeTags {
    bits: TagBits,
    /// The number of `bytes` of one tag.
    n_bytes: usize,
    bytes: Vec<u8>,
}

impl TypeTags {
    fn new(bits: TagBits) -> Self {
        TypeTags { bits, n_bytes: bits.width().div_ceil(8) as usize, bytes: Vec::new() }
    }

    fn push(&mut self, tag: u32) {
        self.bytes.extend_from_slice(&tag.to_le_bytes()[..self.n_bytes]);
    }

    fn get(&self, id: u32) -> FormRef<'_> {
        FormRef::new(&self.bytes[id as usize * self.n_bytes..][..self.n_bytes])
    }
}

#[cfg(test)]
mod tests;
