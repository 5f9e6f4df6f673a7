//! The store that keeps its structures on disk alone.

use std::fmt;
use std::ops::Range;
use std::sync::Mutex;

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
use crate::disk::segment::{CHUNK, Unpacker};
use crate::disk::settling::settle;
use crate::disk::stored::{ScanCursor, StoredSegments};

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
    directory: Directory,
    stored: StoredSegments,
    pending: Pending,
    totals: Totals,
    tag_bits: TagBits,
    /// The end of the last scan.
    cursor: Mutex<Option<Box<ScanCursor>>>,
    origins: Mutex<OriginCache>,
    limit: SaveLimit,
}

impl fmt::Debug for DiskStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("DiskStore");
        shown.field("directory", &self.directory).field("len", &self.len());
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
        let pending = Pending::new(directory.path(), memory / ROOM);
        DiskStore {
            stored: StoredSegments::new(&directory),
            directory,
            pending,
            totals: Totals::default(),
            tag_bits,
            cursor: Mutex::default(),
            origins: Mutex::new(OriginCache::new()),
            limit: SaveLimit::default(),
        }
    }

    /// The same, which gives up settling when `limit` says so: candidates stay candidates.
    pub fn with_limit(self, limit: SaveLimit) -> Self {
        DiskStore { limit, ..self }
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
        let mut store = Self::new(directory, tag_bits, memory);
        store.stored = StoredSegments::open(store.directory.path(), &manifest)?;
        store.totals = manifest.totals;
        Ok((store, manifest.state))
    }

    /// Returns the written segments and the directory.
    pub(crate) fn into_parts(self) -> (Directory, StoredSegments) {
        (self.directory, self.stored)
    }

    pub(crate) fn stored(&self) -> &StoredSegments {
        &self.stored
    }
}

impl Store for DiskStore {
    fn commit(&mut self, blocks: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError> {
        self.pending.push_all(blocks)?;
        Ok(vec![CommitCounts::default(); blocks.len()])
    }

    fn settle(&mut self) -> Result<CommitCounts, StoreError> {
        let settled = settle(&self.pending, &self.stored, self.tag_bits, &self.limit.begin())?;
        if u64::from(self.len()) + settled.counts.new > MOST {
            // No manifest names it yet.
            let _ = std::fs::remove_file(self.stored.next_path());
            return Err(StoreError::Full);
        }
        self.pending.clear();
        if let Some(segment) = settled.segment {
            self.stored.push(segment);
        }
        self.totals.merge(&settled.totals);
        Ok(settled.counts)
    }

    fn unsettled(&self) -> UnsettledCandidates {
        let stored = self.stored.n_bytes();
        UnsettledCandidates { candidates: self.pending.n(), is_due: self.pending.is_over(stored) }
    }

    fn lasts(&self) -> bool {
        true
    }

    fn save(&mut self, state: &[u8]) -> Result<(), StoreError> {
        let form = StoreForm::Disk;
        Ok(self.directory.save(self.stored.segments(), &self.totals, form, state)?)
    }

    fn scan(
        &self,
        ids: Range<u32>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        if ids.is_empty() {
            return Ok(());
        }
        // `visit` may read the store too: it finds no cursor then and makes one.
        let kept = self.cursor.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
        let mut cursor = kept.unwrap_or_else(|| Box::new(ScanCursor::new()));
        let scanned = cursor.scan(&self.stored, ids, visit);
        *self.cursor.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(cursor);
        Ok(scanned?)
    }

    fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        let form = trimmed(form.as_bytes());
        let partition = partition_of(hash_of(form));
        let (mut unpacker, mut forms) = (Unpacker::new(), Vec::new());
        for (segment, first) in self.stored.with_firsts() {
            for chunk in 0..segment.n_chunks(partition) {
                let stride = segment.read_chunk(partition, chunk, &mut unpacker, &mut forms)?;
                let mut known = (0..segment.chunk_len(partition, chunk))
                    .map(|index| trimmed(&forms[index * stride..][..stride]));
                if let Some(index) = known.position(|known| known == form) {
                    let within = segment.within(partition, (chunk * CHUNK + index) as u32)?;
                    return Ok(Some(StructureId::new(first + within)));
                }
            }
        }
        Ok(None)
    }

    fn find_all(&self, forms: &[FormRef<'_>]) -> Result<Vec<Option<StructureId>>, StoreError> {
        Ok(find_all(self.stored.segments(), forms)?)
    }

    fn lookup_bytes(&self) -> u64 {
        self.pending.room()
    }

    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        let mut origins = self.origins.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        Ok(self.stored.origin(id, &mut origins)?)
    }

    fn totals(&self) -> Totals {
        self.totals.clone()
    }

    fn len(&self) -> u32 {
        self.stored.len()
    }

    fn bytes(&self) -> u64 {
        let indices = self.stored.index_bytes();
        let cursor = self.cursor.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let cursor = cursor.as_ref().map_or(0, |cursor| cursor.memory());
        let origins = self.origins.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        indices + self.pending.memory() + cursor + origins.memory()
    }

    fn disk_bytes(&self) -> u64 {
        self.stored.n_bytes() + self.pending.n_spilled_bytes()
    }
}
