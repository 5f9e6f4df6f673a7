//! The store that keeps its structures on disk alone.

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;

use beget_engine::CallIdx;
use beget_engine::store::{
    Candidates, CommitCounts, FormRef, Origin, Store, StoreError, StructureId, TagBits, Totals,
    UnsettledCandidates,
};

use crate::disk::candidates::Pending;
use crate::disk::directory::{Directory, StoreForm};
use crate::disk::error::DiskError;
use crate::disk::limit::SaveLimit;
use crate::disk::lookup::find_all;
use crate::disk::origin_cache::OriginCache;
use crate::disk::partition::{hash_of, partition_of, trimmed};
use crate::disk::parts::{PartForm, PartOf, SavedRest, SavedStep, older_than, read_saved};
use crate::disk::recording::SegmentRecorder;
use crate::disk::settling::settle;
use crate::disk::stored::{LastScan, StoredSegments};

/// The most structures, as [`Store::len`] promises.
const MOST: u64 = (1 << 31) - 1;

/// Exact, on disk, in bounded memory: candidates are decided on when a level ends, or when there
/// are more candidates than structures.
///
/// A structure takes its compressed form, a byte of order, and its compressed origin. Reading one
/// by its number takes two logarithmic searches and the unpacking of 1024 forms, and of as many
/// origins, unless these were read recently; scans unpack each form once. [`find`](Store::find)
/// reads a whole partition, and [`find_all`](Store::find_all) each partition once.
pub struct DiskStore {
    recording: SegmentRecorder,
    pending: Pending,
    totals: Totals,
    tag_bits: TagBits,
    scanned: LastScan,
    origins: Mutex<OriginCache>,
}

impl fmt::Debug for DiskStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("DiskStore");
        shown.field("recording", &self.recording).field("len", &self.len());
        shown.finish_non_exhaustive()
    }
}

/// The share of the memory that candidates may take before they go to files: lists grow to twice
/// their size, and tables need room too.
const ROOM: u64 = 3;

impl DiskStore {
    /// Makes an empty store for forms with type tags of `tag_bits`, which takes about `memory`
    /// bytes.
    pub fn new(directory: Directory, tag_bits: TagBits, memory: u64) -> Self {
        Self::of(SegmentRecorder::new(directory), Totals::default(), tag_bits, memory)
    }

    fn of(recording: SegmentRecorder, totals: Totals, tag_bits: TagBits, memory: u64) -> Self {
        DiskStore {
            pending: Pending::new(recording.stored.path(), memory / ROOM),
            recording,
            totals,
            tag_bits,
            scanned: LastScan::new(),
            origins: Mutex::new(OriginCache::new()),
        }
    }

    /// The same, which gives up settling when `limit` says so: candidates stay candidates.
    pub fn with_limit(mut self, limit: SaveLimit) -> Self {
        self.recording.limit = limit;
        self
    }

    /// The store that was saved in a directory, with the rest of the run.
    ///
    /// # Errors
    /// If its files are damaged.
    pub fn open(
        directory: Directory,
        tag_bits: TagBits,
        memory: u64,
    ) -> Result<(Self, Vec<u8>), DiskError> {
        let manifest = directory.manifest()?;
        let stored = StoredSegments::open(directory.path(), &manifest)?;
        let recording = SegmentRecorder::of(directory, stored);
        Ok((Self::of(recording, manifest.totals, tag_bits, memory), manifest.state))
    }

    /// Like [`DiskStore::open`], for parts that several processes have saved below a directory.
    /// They are removed when the run is saved again.
    ///
    /// # Errors
    /// If the files are damaged, or another process uses them.
    pub fn of_parts(
        root: &Path,
        step: &SavedStep,
        identity: Vec<(String, String)>,
        (tag_bits, memory): (TagBits, u64),
    ) -> Result<(Self, Vec<u8>), StoreError> {
        let mut recording = SegmentRecorder::new(Directory::replace(root, identity)?);
        let SavedRest { totals, state } = recording.fill(|filler| {
            let visit = &mut |form: PartForm<'_>, call: CallIdx, arguments: &[StructureId]| {
                let (PartForm::Own(form) | PartForm::Other(form)) = form;
                let form = trimmed(form.as_bytes());
                filler.push(partition_of(hash_of(form)) as u8, form, call, arguments);
            };
            Ok(read_saved(root, PartOf::WHOLE, step, visit)?)
        })?;
        let recording = recording.with_older(older_than(root, None)?);
        Ok((Self::of(recording, totals, tag_bits, memory), state))
    }

    /// Returns the written structures.
    pub(crate) fn into_recording(self) -> SegmentRecorder {
        self.recording
    }

    pub(crate) fn stored(&self) -> &StoredSegments {
        &self.recording.stored
    }
}

impl Store for DiskStore {
    fn commit(&mut self, blocks: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError> {
        self.pending.push_all(blocks)?;
        Ok(vec![CommitCounts::default(); blocks.len()])
    }

    fn settle(&mut self) -> Result<CommitCounts, StoreError> {
        let settled =
            settle(&self.pending, self.stored(), self.tag_bits, &self.recording.limit.begin())?;
        if u64::from(self.len()) + settled.counts.new > MOST {
            // No manifest names it yet.
            let _ = std::fs::remove_file(self.stored().next_path());
            return Err(StoreError::Full);
        }
        self.pending.clear();
        if let Some(segment) = settled.segment {
            self.recording.stored.push(segment);
        }
        self.totals.merge(&settled.totals);
        Ok(settled.counts)
    }

    fn unsettled(&self) -> UnsettledCandidates {
        let stored = self.stored().n_bytes();
        UnsettledCandidates {
            candidates: self.pending.n(),
            is_due: self.pending.lists.is_over(stored),
        }
    }

    fn lasts(&self) -> bool {
        true
    }

    fn save(&mut self, state: &[u8]) -> Result<(), StoreError> {
        self.recording.save(&self.totals, StoreForm::Disk, state)?;
        self.recording.forget_older();
        Ok(())
    }

    fn scan(
        &self,
        ids: Range<u32>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        Ok(self.scanned.scan(self.stored(), ids, visit)?)
    }

    fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        let form = trimmed(form.as_bytes());
        Ok(self.stored().find(partition_of(hash_of(form)), form)?)
    }

    fn find_all(&self, forms: &[FormRef<'_>]) -> Result<Vec<Option<StructureId>>, StoreError> {
        Ok(find_all(self.stored().segments(), forms)?)
    }

    fn lookup_bytes(&self) -> u64 {
        self.pending.lists.room()
    }

    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        let mut origins = self.origins.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        Ok(self.stored().origin(id, &mut origins)?)
    }

    fn totals(&self) -> Totals {
        self.totals.clone()
    }

    fn len(&self) -> u32 {
        self.stored().len()
    }

    fn bytes(&self) -> u64 {
        let indices = self.stored().index_bytes();
        let origins = self.origins.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        indices + self.pending.lists.memory() + self.scanned.memory() + origins.memory()
    }

    fn disk_bytes(&self) -> u64 {
        self.stored().n_bytes() + self.pending.lists.n_spilled_bytes()
    }
}
