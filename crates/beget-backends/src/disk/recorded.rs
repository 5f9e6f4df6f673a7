//! A store in memory that also writes its structures to files, so that another process can continue
//! the run.

use std::ops::Range;
use std::path::Path;

use beget_engine::CallIdx;
use beget_engine::store::{
    Candidates, CommitCounts, FormRef, Origin, Store, StoreError, StructureId, TagBits, Totals,
    UnsettledCandidates,
};

use crate::disk::directory::{Directory, StoreForm};
use crate::disk::disk_store::DiskStore;
use crate::disk::error::DiskError;
use crate::disk::limit::SaveLimit;
use crate::disk::parts::{PartForm, PartOf, SavedRest, SavedStep, older_than, read_saved};
use crate::disk::recording::{RecordSource, SegmentRecorder};
use crate::disk::stored::StructureReader;

/// Another store, whose new structures each [`save`](Store::save) writes to files.
#[derive(Debug)]
pub struct RecordedStore<S> {
    inner: S,
    recording: SegmentRecorder,
    /// The totals read from the directory, and those that the inner store counts for the same
    /// structures: it does not know how many objects they have.
    read: Totals,
    taken_for: Totals,
}

/// The number of structures given to the inner store at once.
const AT_ONCE: usize = 1 << 16;

/// An empty store that is being filled.
struct StoreLoader<'s, S> {
    store: &'s mut S,
    block: Candidates,
    words: Vec<u64>,
    failed: Option<StoreError>,
}

impl<'s, S: Store> StoreLoader<'s, S> {
    fn new(store: &'s mut S) -> Self {
        StoreLoader { store, block: Candidates::default(), words: Vec::new(), failed: None }
    }

    fn push(&mut self, form: FormRef<'_>, call: CallIdx, arguments: &[StructureId]) {
        self.block.push_stored(form, call, arguments, &mut self.words);
        if self.block.len() == AT_ONCE {
            self.commit();
        }
    }

    fn commit(&mut self) {
        let block = std::mem::take(&mut self.block);
        if self.failed.is_none() {
            self.failed = self.store.commit(&[block]).err();
        }
    }

    /// Checks that the store has `n` structures now, each of them once.
    fn finish(mut self, n: u64, directory: &Path) -> Result<(), StoreError> {
        self.commit();
        match self.failed {
            Some(error) => Err(error),
            None if self.store.len() == n => Ok(()),
            None => Err(DiskError::damaged(directory, "structures are in it twice").into()),
        }
    }
}

impl<S: Store> RecordedStore<S> {
    /// Records an empty store.
    pub fn new(inner: S, directory: Directory) -> Self {
        let recording = SegmentRecorder::new(directory);
        RecordedStore { inner, recording, read: Totals::default(), taken_for: Totals::default() }
    }

    /// The same, which gives up saving when `limit` says so.
    pub fn with_limit(mut self, limit: SaveLimit) -> Self {
        self.recording.limit = limit;
        self
    }

    /// Fills an empty store with what was saved, and records it from there on; the rest of the run
    /// is returned, too.
    ///
    /// # Errors
    /// If the files are damaged, or the store has no room.
    pub fn open(
        mut inner: S,
        directory: Directory,
        tag_bits: TagBits,
    ) -> Result<(Self, Vec<u8>), StoreError> {
        let (saved, state) = DiskStore::open(directory, tag_bits, 0)?;
        let mut filling = StoreLoader::new(&mut inner);
        StructureReader::new(saved.stored()).read(saved.len(), &mut |form, call, arguments| {
            filling.push(form, call, arguments);
        })?;
        filling.finish(saved.len(), saved.stored().path())?;
        let (read, taken_for) = (saved.totals(), inner.totals());
        let recording = saved.into_recording();
        Ok((RecordedStore { inner, recording, read, taken_for }, state))
    }

    /// Like [`RecordedStore::open`], for parts that several processes have saved below a directory.
    /// They are removed when the run is saved again.
    ///
    /// # Errors
    /// If the files are damaged, another process uses them, or the store has no room.
    pub fn of_parts(
        mut inner: S,
        root: &Path,
        step: &SavedStep,
        identity: Vec<(String, String)>,
    ) -> Result<(Self, Vec<u8>), StoreError> {
        let directory = Directory::replace(root, identity)?;
        let mut filling = StoreLoader::new(&mut inner);
        let rest = read_saved(root, PartOf::WHOLE, step, &mut |form, call, arguments| {
            if let PartForm::Own(form) = form {
                filling.push(form, call, arguments);
            }
        })?;
        filling.finish(step.n_structures, root)?;
        let SavedRest { totals: read, state } = rest;
        let taken_for = inner.totals();
        let recording = SegmentRecorder::new(directory).with_older(older_than(root, None)?);
        Ok((RecordedStore { inner, recording, read, taken_for }, state))
    }
}

/// The structures of a store, with their whole forms.
struct WholeForms<'s, S>(&'s S);

impl<S: Store> RecordSource for WholeForms<'_, S> {
    fn scan(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        self.0.scan(ids, visit)
    }

    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        self.0.origin(id)
    }
}

impl<S: Store> Store for RecordedStore<S> {
    fn commit(&mut self, blocks: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError> {
        self.inner.commit(blocks)
    }

    fn settle(&mut self) -> Result<CommitCounts, StoreError> {
        self.inner.settle()
    }

    fn unsettled(&self) -> UnsettledCandidates {
        self.inner.unsettled()
    }

    fn lasts(&self) -> bool {
        true
    }

    fn save(&mut self, state: &[u8]) -> Result<(), StoreError> {
        self.recording.write(&WholeForms(&self.inner), self.inner.len())?;
        self.recording.save(&self.totals(), StoreForm::Recorded, state)?;
        self.recording.forget_older();
        Ok(())
    }

    fn scan(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        self.inner.scan(ids, visit)
    }

    fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        self.inner.find(form)
    }

    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        self.inner.origin(id)
    }

    fn totals(&self) -> Totals {
        let mut totals = self.inner.totals();
        replace(&mut totals.by_type, &self.taken_for.by_type, &self.read.by_type);
        replace(&mut totals.by_objects, &self.taken_for.by_objects, &self.read.by_objects);
        let digest = totals.digest.wrapping_sub(self.taken_for.digest);
        totals.digest = digest.wrapping_add(self.read.digest);
        totals
    }

    fn len(&self) -> u64 {
        self.inner.len()
    }

    fn bytes(&self) -> u64 {
        self.inner.bytes()
    }

    fn disk_bytes(&self) -> u64 {
        self.recording.n_bytes()
    }

    fn matches(&self) -> bool {
        self.inner.matches()
    }
}

/// Subtracts `old` from the counts and adds `new`.
fn replace(counts: &mut Vec<u64>, old: &[u64], new: &[u64]) {
    counts.resize(counts.len().max(new.len()), 0);
    counts.iter_mut().zip(old).for_each(|(count, old)| *count -= old);
    counts.iter_mut().zip(new).for_each(|(count, new)| *count += new);
    let n_zeros = counts.iter().rev().take_while(|&&count| count == 0).count();
    counts.truncate(counts.len() - n_zeros);
}
