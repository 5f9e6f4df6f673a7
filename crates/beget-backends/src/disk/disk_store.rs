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
        self.pending.clear();
        if let Some(segment) = settled.segment {
            self.recording.stored.push(segment);
        }
        self.totals.merge(&settled.totals);
        Ok(settled.counts)
    }

    fn unsettled(&self) -> UnsettledCandidates {
        let stored = self.stored().n_bytes();
        UnsettledCandidates { candidates: self.pending.n(), is_due: self.pending.is_over(stored) }
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
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        Ok(self.scanned.scan(self.stored(), ids, visit)?)
    }

    fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        let form = trimmed(form.as_bytes());
        Ok(self.stored().find(partition_of(hash_of(form)), form)?)
    }

    fn find_all(&self, forms: &[FormRef<'_>]) -> Result<Vec<Option<StructureId>>, StoreError> {
        Ok(find_all(self.stored(), forms)?)
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

    fn len(&self) -> u64 {
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
        large.recording.stored = large.recording.stored.counted_from(first);
        for _ in 0..3 {
            let blocks = [block(&mut fastrand::Rng::with_seed(usual.len()), large.len())];
            for store in [&mut usual, &mut large] {
                store.commit(&blocks).unwrap();
            }
            assert_eq!(large.settle(), usual.settle());
        }
        let ends: Vec<u64> = large.stored().with_firsts().map(|(_, first)| first).collect();
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
