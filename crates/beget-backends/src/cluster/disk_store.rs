//! The store of one process of a run on disk.
//!
//! The directory of a process has the forms that it owns, and the types and origins of all
//! structures. Which candidates are new is decided late, as by
//! [`DiskStore`](crate::disk::DiskStore) and by its code:
//!
//! 1. `commit`, a batch: each process sends the form of each candidate to its owner, which appends
//!    it to one of its partitions, and writes the head (owner, type, call, arguments) to a list of
//!    its own.
//! 2. `settle`: each owner matches its partitions. It has a bit for each form that arrived then.
//! 3. The processes go through all blocks since they last settled, in order, some at a time. Owners
//!    send their bits to the makers of the blocks, and the makers send the heads of what is new to
//!    all. Each process writes the new structures to a segment, in the order of the blocks.
//!
//! Owners take forms in the order of the blocks, and new structures are numbered in that order, so
//! the first of equal candidates wins, whichever process made it. The segments are those of a part
//! ([`parts`](crate::disk::PartRecorder)), so a saved run differs from one in memory only in that
//! nothing has to be written again.
//!
//! **Held by all**, on disk, is the origin of each structure and the byte that names its partition,
//! both compressed: 0.9 bytes a structure of `korat/dllist` by two processes, 1.4 of
//! `korat/searchtree` by two and 1.2 by four. Its form takes 2.4 and 5 bytes, on one disk. Most of
//! it is the partition; origins take 0.03 and 0.4 bytes. They stay with all: replays, notes and
//! findings need them one at a time, also when a process is lost. Kept by owners alone they were
//! tried (`docs/dev/experiments.md`, "Tried, and not kept").
//!
//! In memory a process has indices of 60 bytes for each thousand structures, what a batch needs,
//! its share of a partition's table, and while it settles a bit for each candidate that arrived. No
//! message grows with the run: one of `settle` is for some blocks, of about a million candidates.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use beget_engine::store::{
    Candidates, CommitCounts, FormRef, Origin, Store, StoreError, StructureId, TagBits, Totals,
    UnsettledCandidates,
};
use beget_engine::varint::{put, take, take_u32};
use xxhash_rust::xxh3::xxh3_64;

use crate::cluster::checked::exchange_checked;
use crate::cluster::disk_candidates::{BlockForms, SpreadCandidates};
use crate::cluster::disk_part::DiskPart;
use crate::cluster::disk_settling::{PartSettling, PendingBlock, SettledPart};
use crate::cluster::known::KnownForms;
use crate::cluster::link::{Messages, ProcessLink, RoundStep};
use crate::cluster::part::KeptForms;
use crate::cluster::reading::{Reading, SpreadForms, owner_of};
use crate::cluster::saving::{all_did, read_any, write_any};
use crate::cluster::store::own_blocks;
use crate::disk::DUE;

/// Structures spread over the disks of all processes.
pub(crate) struct SpreadDiskStore {
    link: Arc<ProcessLink>,
    part: Arc<DiskPart>,
    forms: SpreadForms,
    tag_bits: TagBits,
    pending: SpreadCandidates,
    /// The blocks of the pending candidates, in order.
    blocks: Vec<PendingBlock>,
    known: KnownForms,
    totals: Totals,
    sums: SharedSums,
}

impl fmt::Debug for SpreadDiskStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("SpreadDiskStore");
        shown.field("link", &self.link).field("part", &self.part).finish_non_exhaustive()
    }
}

/// Numbers on which all processes agree after each batch.
#[derive(Clone, Copy, Debug, Default)]
struct SharedSums {
    candidates: u64,
    /// True if one process should settle.
    is_due: bool,
    /// The memory of all processes, and the bytes of their files.
    bytes: u64,
    disk_bytes: u64,
}

/// The share of the memory that known forms may take.
const KNOWN: u64 = 16;

/// The share of the memory that candidates may take before they go to files, as in
/// [`DiskStore`](crate::disk::DiskStore).
const ROOM: u64 = 3;

impl SpreadDiskStore {
    /// Makes the store of the structures that `part` has, with these totals. It takes about
    /// `memory` bytes.
    pub(crate) fn new(
        link: Arc<ProcessLink>,
        reading: Arc<Reading>,
        part: Arc<DiskPart>,
        (totals, tag_bits, memory): (Totals, TagBits, u64),
    ) -> Self {
        let directory: PathBuf = read_any(part.recorder()).stored().path().to_owned();
        let kept = Arc::clone(&part) as Arc<dyn KeptForms>;
        SpreadDiskStore {
            forms: SpreadForms::new(Arc::clone(&link), reading, kept),
            link,
            part,
            tag_bits,
            pending: SpreadCandidates::new(&directory, memory / ROOM),
            blocks: Vec::new(),
            known: KnownForms::within(memory / KNOWN),
            totals,
            sums: SharedSums::default(),
        }
    }

    /// Sends the candidates of this process's blocks to their owners, and keeps the heads. Returns
    /// the numbers of heads, by block, and the messages of the others.
    fn send(&mut self, blocks: &[Candidates]) -> Result<(Vec<u32>, Messages), StoreError> {
        let (me, n) = (self.link.me(), self.link.n());
        let mut messages = vec![Vec::new(); n];
        let mut forms = vec![BlockForms::default(); n];
        let mut n_heads = Vec::new();
        for index in own_blocks(me, n, blocks.len()) {
            n_heads.push(0);
            let sent = self.known.note_all(&blocks[index]);
            for (candidate, sent) in blocks[index].iter().zip(sent) {
                if sent.is_known {
                    self.pending.skip(&candidate);
                    continue;
                }
                let owner = owner_of(sent.hash, n);
                forms[owner].push(&candidate);
                let tag = candidate.form.type_tag(self.tag_bits) as u32;
                self.pending.push_head(&candidate, owner as u8, tag);
                *n_heads.last_mut().expect("one was pushed") += 1;
            }
            for (forms, message) in forms.iter_mut().zip(&mut messages) {
                forms.write_to(message);
            }
        }
        let step = RoundStep::Candidates;
        Ok((n_heads, self.link.exchange(step, blocks.len() as u64, messages)?))
    }

    /// Takes in the forms of a batch that have arrived.
    fn take(&mut self, n_blocks: usize, arrived: &[Vec<u8>]) -> Result<(), StoreError> {
        let n = self.link.n();
        let mut rest: Vec<&[u8]> = arrived.iter().map(Vec::as_slice).collect();
        for from in (0..n_blocks).map(|index| index % n) {
            let taken = self.pending.take_block(&mut rest[from]);
            taken.ok_or_else(|| self.link.garbled(from))?;
        }
        match rest.iter().position(|rest| !rest.is_empty()) {
            Some(from) => Err(self.link.garbled(from)),
            None => Ok(()),
        }
    }

    /// Sends to all what this process has after a batch, or why it has failed.
    fn agree(
        &mut self,
        n_blocks: usize,
        own: Result<(u64, Vec<u32>), StoreError>,
    ) -> Result<(), StoreError> {
        let n = self.link.n();
        let message = own.map(|(n_candidates, n_heads)| {
            let mut message = Vec::new();
            let is_due = self.pending.lists.is_over(self.part.n_bytes());
            for number in [n_candidates, is_due.into(), self.held_bytes(), self.file_bytes()] {
                put(&mut message, number);
            }
            n_heads.iter().for_each(|&n_heads| put(&mut message, n_heads.into()));
            vec![message; n]
        });
        let said = exchange_checked(&self.link, (RoundStep::Kept, n_blocks as u64), message)?;
        let mut rest: Vec<&[u8]> = said.iter().map(Vec::as_slice).collect();
        let garbled = |from: usize| self.link.garbled(from);
        let candidates = self.sums.candidates;
        let mut sums = SharedSums { candidates, ..SharedSums::default() };
        for (from, rest) in rest.iter_mut().enumerate() {
            sums.add(rest).ok_or_else(|| garbled(from))?;
        }
        for from in (0..n_blocks).map(|index| index % n) {
            let n_heads = take_u32(&mut rest[from]).ok_or_else(|| garbled(from))?;
            self.blocks.push(PendingBlock { maker: from as u8, n_heads });
        }
        sums.is_due |= sums.candidates >= DUE;
        self.sums = sums;
        Ok(())
    }

    /// Returns the bytes that this process holds.
    fn held_bytes(&self) -> u64 {
        self.pending.lists.memory() + self.part.memory() + self.known.memory()
    }

    /// Returns the bytes of this process's files.
    fn file_bytes(&self) -> u64 {
        self.pending.lists.n_spilled_bytes() + self.part.n_bytes()
    }
}

impl SharedSums {
    /// Adds what a process says.
    fn add(&mut self, rest: &mut &[u8]) -> Option<()> {
        self.candidates += take(rest)?;
        self.is_due |= take(rest)? != 0;
        self.bytes += take(rest)?;
        self.disk_bytes += take(rest)?;
        Some(())
    }
}

impl Store for SpreadDiskStore {
    fn commit(&mut self, blocks: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError> {
        let (me, n) = (self.link.me(), self.link.n());
        let had_room = self.pending.make_room();
        let (n_heads, arrived) = self.send(blocks)?;
        self.take(blocks.len(), &arrived)?;
        let own = own_blocks(me, n, blocks.len()).map(|index| blocks[index].len() as u64);
        let own = had_room.map(|()| (own.sum(), n_heads)).map_err(StoreError::from);
        self.agree(blocks.len(), own)?;
        Ok(vec![CommitCounts::default(); blocks.len()])
    }

    fn settle(&mut self) -> Result<CommitCounts, StoreError> {
        let settled = {
            let recorder = read_any(self.part.recorder());
            let (link, pending, tag_bits) = (&*self.link, &self.pending, self.tag_bits);
            PartSettling { link, pending, recorder: &recorder, tag_bits }.settle(&self.blocks)?
        };
        let SettledPart { counts, totals, segment } = settled;
        if let Some(segment) = segment {
            write_any(self.part.recorder()).push(segment);
        }
        self.totals.merge(&totals);
        self.pending.clear();
        self.blocks.clear();
        self.sums = SharedSums { candidates: 0, is_due: false, ..self.sums };
        Ok(counts)
    }

    fn unsettled(&self) -> UnsettledCandidates {
        let SharedSums { candidates, is_due, .. } = self.sums;
        UnsettledCandidates { candidates, is_due }
    }

    fn lasts(&self) -> bool {
        true
    }

    fn save(&mut self, state: &[u8]) -> Result<(), StoreError> {
        let mut recorder = write_any(self.part.recorder());
        let saved = recorder.save_written(&self.totals, state).map_err(StoreError::from);
        let n_bytes = recorder.n_bytes();
        self.sums.disk_bytes = all_did(&self.link, xxh3_64(state), saved.map(|()| n_bytes))?;
        recorder.all_have_saved();
        Ok(())
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
        self.part.scan_types(ids, visit)
    }

    fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        self.forms.find(form)
    }

    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        self.part.origin(id)
    }

    fn totals(&self) -> Totals {
        self.totals.clone()
    }

    fn len(&self) -> u64 {
        self.part.len()
    }

    fn bytes(&self) -> u64 {
        self.sums.bytes
    }

    fn disk_bytes(&self) -> u64 {
        self.sums.disk_bytes
    }
}

#[cfg(test)]
mod tests;
