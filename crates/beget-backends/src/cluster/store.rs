//! The store of one process: its own part of the forms, and the recipes and types of all
//! structures.
//!
//! A form is kept by the process that the hash of its bytes names, and by no other. All processes
//! know the recipes and types of all structures: recipes are needed where there is no time to ask
//! for them, and take about 1.6 bytes each.

mod saving;

use std::ops::Range;
use std::sync::{Arc, Mutex, RwLock};

use crate::disk::PartRecorder;
use beget_engine::CallIdx;
use beget_engine::store::{
    Candidate, Candidates, CommitCounts, Form, FormRef, Origin, Origins, Store, StoreError,
    StructureId, TagBits, Totals,
};
use beget_engine::varint::{put, take, take_bytes};

use crate::cluster::checked::exchange_checked;
use crate::cluster::known::{KnownForms, SentForm};
use crate::cluster::link::{Messages, ProcessLink, RoundStep};
use crate::cluster::news::{
    BlockNews, NewsWidths, SpreadStructure, put_totals, read_news, take_totals,
};
use crate::cluster::part::{KeptForms, OwnPart};
use crate::cluster::reading::{Reading, SpreadForms, owner_of};
use crate::cluster::saving::lock_any;
use crate::cluster::wire::{BitSource, PackedBits};

/// Structures spread over all processes.
#[derive(Debug)]
pub(crate) struct SpreadStore {
    link: Arc<ProcessLink>,
    part: Arc<Mutex<OwnPart>>,
    forms: SpreadForms,
    origins: Origins,
    tags: TypeTags,
    totals: Totals,
    /// The bytes of the stores of all processes after the last batch.
    bytes: u64,
    matches: bool,
    known: KnownForms,
    /// The recorder that saves this process's part, if it is saved.
    recorder: Option<Arc<RwLock<PartRecorder>>>,
    /// The bytes of the files of all processes when they were last written.
    disk_bytes: u64,
}

/// Stands for the owner of a form that is known not to be new.
const NO_OWNER: u8 = u8::MAX;

/// The candidates of a batch after they were sent.
struct SentCandidates {
    /// The owners of this process's candidates, by block.
    owners: Vec<Vec<u8>>,
    /// Those of them that this process keeps itself, by block.
    own: Vec<Candidates>,
    arrived: Messages,
}

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
        let matches = lock_any(&part).store.matches();
        let kept = Arc::clone(&part) as Arc<dyn KeptForms>;
        SpreadStore {
            forms: SpreadForms::new(Arc::clone(&link), reading, kept),
            link,
            part,
            origins: Origins::new(n_calls),
            tags: TypeTags::new(tag_bits),
            totals: Totals::default(),
            bytes: 0,
            matches,
            known: if matches { KnownForms::within(u64::MAX) } else { KnownForms::none() },
            recorder: None,
            disk_bytes: 0,
        }
    }

    /// Sends each candidate of this process's blocks to the owner of its form.
    fn send(&mut self, blocks: &[Candidates]) -> Result<SentCandidates, StoreError> {
        let (me, n) = (self.link.me(), self.link.n());
        let mut messages = vec![Vec::new(); n];
        let (mut owners, mut own) = (Vec::new(), Vec::new());
        for index in own_blocks(me, n, blocks.len()) {
            let mut kept_here = Candidates::default();
            let owner = |(form, sent): (Form<'_>, &SentForm)| {
                if sent.is_known {
                    return NO_OWNER;
                }
                let owner = owner_of(sent.hash, n);
                if owner == me {
                    let len = sent.len.max(1) as usize;
                    let form = Form { words: &form.words[..len.div_ceil(8)], len };
                    let ((call, arguments), objects) = (NO_ORIGIN, 0);
                    let continues_call = false;
                    kept_here.push(Candidate { form, call, arguments, objects, continues_call });
                } else {
                    put(&mut messages[owner], u64::from(sent.len) + 1);
                    sent.append_to(form, &mut messages[owner]);
                }
                owner as u8
            };
            let sent = self.known.note_all(&blocks[index]);
            owners.push(blocks[index].forms().zip(sent).map(owner).collect());
            own.push(kept_here);
            // No form has this length.
            messages.iter_mut().for_each(|message| message.push(0));
        }
        let arrived = self.link.exchange(RoundStep::Candidates, blocks.len() as u64, messages)?;
        Ok(SentCandidates { owners, own, arrived })
    }

    /// Keeps the new ones of the candidates that have arrived, or stay here. Returns for each
    /// process which of its candidates are new.
    fn keep(
        &mut self,
        n_blocks: usize,
        own: Vec<Candidates>,
        arrived: &[Vec<u8>],
    ) -> Result<Messages, StoreError> {
        let (me, n) = (self.link.me(), self.link.n());
        let mut rest: Vec<&[u8]> = arrived.iter().map(Vec::as_slice).collect();
        let mut own = own.into_iter();
        let read = |index| match index % n {
            from if from == me => own.next().ok_or(from),
            from => read_block(&mut rest[from]).ok_or(from),
        };
        let blocks: Result<Vec<Candidates>, usize> = (0..n_blocks).map(read).collect();
        let blocks = blocks.map_err(|from| self.link.garbled(from))?;
        let kept = lock_any(&self.part).store.commit_each(&blocks);
        let messages = kept.map(|kept| {
            let mut answers: Vec<PackedBits> = (0..n).map(|_| PackedBits::default()).collect();
            let mut kept = kept.into_iter();
            for (index, block) in blocks.iter().enumerate() {
                for is_new in kept.by_ref().take(block.len()) {
                    answers[index % n].push(is_new.into(), 1);
                }
            }
            answers.into_iter().map(PackedBits::into_bytes).collect()
        });
        exchange_checked(&self.link, (RoundStep::New, n_blocks as u64), messages)
    }

    /// Sends to all how the new structures of this process's blocks were made.
    fn tell(
        &self,
        blocks: &[Candidates],
        owners: &[Vec<u8>],
        answers: &[Vec<u8>],
    ) -> Result<Messages, StoreError> {
        let (me, n) = (self.link.me(), self.link.n());
        let mut bits: Vec<BitSource<'_>> =
            answers.iter().map(|bits| BitSource::new(bits)).collect();
        let mut message = Vec::new();
        put(&mut message, self.held_bytes());
        let mut totals = Totals::default();
        for (index, owners) in own_blocks(me, n, blocks.len()).zip(owners) {
            let mut news = BlockNews::new(self.widths());
            for (candidate, &owner) in blocks[index].iter().zip(owners) {
                news.begin_candidate(candidate.continues_call);
                let bit = match owner {
                    NO_OWNER => Some(0),
                    _ => bits[usize::from(owner)].take(1),
                };
                if bit.ok_or_else(|| self.link.garbled(owner.into()))? == 1 {
                    let Candidate { call, arguments, form, .. } = candidate;
                    let tag = form.type_tag(self.tags.bits) as u32;
                    news.push(&SpreadStructure { owner, tag, call, arguments });
                    totals.add(&candidate, self.tags.bits);
                }
            }
            news.write_to(&mut message);
        }
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
        let mut bytes = 0;
        for (from, rest) in rest.iter_mut().enumerate() {
            bytes += take(rest).ok_or_else(|| garbled(from))?;
        }
        let part = Arc::clone(&self.part);
        let mut part = lock_any(&part);
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
        let (widths, me) = (self.widths(), self.link.me());
        read_news(rest, widths, &mut |new| {
            self.origins.push(new.call, new.arguments);
            self.tags.push(new.tag);
            part.owned.push(usize::from(new.owner) == me);
        })
    }

    fn widths(&self) -> NewsWidths {
        NewsWidths::new(self.link.n(), self.tags.bits)
    }

    /// Returns the bytes that this process holds.
    fn held_bytes(&self) -> u64 {
        let part = lock_any(&self.part);
        let own = part.store.bytes() + part.owned.bytes();
        own + self.origins.bytes() + self.tags.bytes.capacity() as u64
    }
}

impl Store for SpreadStore {
    fn commit(&mut self, blocks: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError> {
        let SentCandidates { owners, own, arrived } = self.send(blocks)?;
        let answers = self.keep(blocks.len(), own, &arrived)?;
        let messages = self.tell(blocks, &owners, &answers)?;
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
        self.forms.scan(ids, self.len(), visit)
    }

    fn scan_types(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        ids.for_each(|id| visit(StructureId::new(id), self.tags.get(id)));
        Ok(())
    }

    fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        self.forms.find(form)
    }

    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        Ok(self.origins.get(id.index()))
    }

    fn totals(&self) -> Totals {
        self.totals.clone()
    }

    fn len(&self) -> u64 {
        lock_any(&self.part).owned.len()
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn matches(&self) -> bool {
        self.matches
    }
}

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

/// The origin of a candidate of which only the form matters to the part.
const NO_ORIGIN: (CallIdx, &[StructureId]) = (CallIdx::new(0), &[StructureId::new(0)]);

/// Adds a candidate of which only the form matters to the part. `words` is scratch space.
fn push_form(block: &mut Candidates, form: FormRef<'_>, words: &mut Vec<u64>) {
    let (call, arguments) = NO_ORIGIN;
    block.push_stored(form, call, arguments, words);
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
        // The only type needs no tag, and no call to copy it.
        if self.n_bytes == 0 {
            return;
        }
        self.bytes.extend_from_slice(&tag.to_le_bytes()[..self.n_bytes]);
    }

    fn get(&self, id: u64) -> FormRef<'_> {
        FormRef::new(&self.bytes[id as usize * self.n_bytes..][..self.n_bytes])
    }
}

#[cfg(test)]
pub(crate) mod tests;
