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
        ids: Range<u64>,
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
                    return Ok(Some(StructureId::new(first + u64::from(within))));
                }
            }
        }
        Ok(None)
    }

    fn find_all(&self, forms: &[FormRef<'_>]) -> Result<Vec<Option<StructureId>>, StoreError> {
        Ok(find_all(&self.stored, forms)?)
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

    fn len(&self) -> u64 {
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

#[cfg(test)]
mod tests {
    use beget_engine::CallIdx;
    use beget_engine::store::{Candidate, Form};

    use super::*;

    /// Candidates of which some come again, on structures up to number `last`.
    fn block(rng: &mut fastrand::Rng, last: u64) -> Candidates {
        let mut block = Candidates::default();
        for _ in 0..700 {
            let form = Form { words: &[rng.u64(..2000) << 1], len: 2 };
            let arguments = &[last, rng.u64(..=last)].map(StructureId::new)[..rng.usize(..3)];
            let (call, objects) = (CallIdx::new(rng.u32(..300)), rng.u16(..7));
            block.push(Candidate { form, call, arguments, objects, continues_call: false });
        }
        block
    }

    fn scanned(store: &DiskStore, ids: Range<u64>) -> Vec<(u64, Vec<u8>)> {
        let mut found = Vec::new();
        let visit = &mut |id: StructureId, form: FormRef<'_>| {
            found.push((id.number(), trimmed(form.as_bytes()).to_vec()));
        };
        store.scan(ids, visit).unwrap();
        found
    }

    /// The second of its three segments begins below 2^32 and ends above.
    #[test]
    fn structures_beyond_the_first_four_billion_are_found() {
        let first = (1 << 32) - 800;
        let dir = tempfile::tempdir().unwrap();
        let store = |name| {
            let directory = Directory::create(&dir.path().join(name), Vec::new()).unwrap();
            DiskStore::new(directory, TagBits::default(), 1 << 20)
        };
        let (mut usual, mut large) = (store("usual"), store("large"));
        large.stored = large.stored.counted_from(first);
        for _ in 0..3 {
            let blocks = [block(&mut fastrand::Rng::with_seed(usual.len()), large.len())];
            for store in [&mut usual, &mut large] {
                store.commit(&blocks).unwrap();
            }
            assert_eq!(large.settle(), usual.settle());
        }
        let ends: Vec<u64> = large.stored.with_firsts().map(|(_, first)| first).collect();
        assert!(ends.len() == 3 && ends[1] < 1 << 32 && ends[2] > 1 << 32, "{ends:?}");
        assert_eq!((large.len(), large.totals()), (usual.len() + first, usual.totals()));
        let all = scanned(&usual, 0..usual.len());
        let moved = |id: u64| id + first;
        let wanted: Vec<_> = all.iter().map(|(id, form)| (moved(*id), form.clone())).collect();
        assert!(scanned(&large, first..large.len()) == wanted);
        assert!(scanned(&large, 1 << 32..(1 << 32) + 9) == wanted[800..809]);
        for (id, form) in wanted.iter().map(|(id, form)| (StructureId::new(*id), form)) {
            assert_eq!(large.find(FormRef::new(form)), Ok(Some(id)));
            let usual_id = StructureId::new(id.number() - first);
            assert_eq!(large.origin(id), usual.origin(usual_id));
            assert_eq!(trimmed(large.form(id).unwrap().as_bytes()), form);
        }
        let forms: Vec<FormRef<'_>> = wanted.iter().map(|(_, form)| FormRef::new(form)).collect();
        let ids: Vec<_> = wanted.iter().map(|(id, _)| Some(StructureId::new(*id))).collect();
        assert_eq!(large.find_all(&forms), Ok(ids));
        assert!(large.origin(StructureId::new(large.len())).is_err());
    }
}
