//! A store in memory whose structures are written down too, so that the run can go on elsewhere.

use std::ops::Range;

use beget_engine::store::{
    Candidate, Candidates, CommitCounts, Form, FormRef, Origin, Store, StoreError, StructureId,
    TagBits, Totals, Unsettled,
};

use crate::directory::{Directory, StoreForm};
use crate::disk_store::DiskStore;
use crate::error::DiskError;
use crate::partition::{N_PARTITIONS, hash_of, partition_of, trimmed};
use crate::segment::{ChunkBuilder, Segment, SegmentWriter};

/// Another store, of which each [`save`](Store::save) writes down what is new.
#[derive(Debug)]
pub struct RecordedStore<S> {
    inner: S,
    directory: Directory,
    segments: Vec<Segment>,
    /// The totals of what was read from the directory, and what the inner store takes them for: it
    /// is not told how many objects these structures have.
    read: Totals,
    taken_for: Totals,
}

/// Structures given to the inner store at once.
const AT_ONCE: usize = 1 << 16;

impl<S: Store> RecordedStore<S> {
    /// Records an empty store.
    pub fn new(inner: S, directory: Directory) -> Self {
        let (read, taken_for) = (Totals::default(), Totals::default());
        RecordedStore { inner, directory, segments: Vec::new(), read, taken_for }
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
        let mut block = Candidates::default();
        let mut words = Vec::new();
        let mut failed = None;
        saved.for_each(&mut |form, call, arguments| {
            words.clear();
            words.extend(form.to_words());
            let form = Form { words: &words, len: form.as_bytes().len() };
            let (objects, continues_call) = (0, false);
            block.push(Candidate { form, call, arguments, objects, continues_call });
            if block.len() == AT_ONCE && failed.is_none() {
                failed = inner.commit(&[std::mem::take(&mut block)]).err();
            }
        })?;
        match failed {
            Some(error) => return Err(error),
            None => inner.commit(&[block])?,
        };
        if inner.len() != saved.len() {
            let what = "structures are in it twice";
            return Err(DiskError::damaged(saved.directory_path(), what).into());
        }
        let (read, taken_for) = (saved.totals(), inner.totals());
        let (directory, segments) = saved.into_parts();
        Ok((RecordedStore { inner, directory, segments, read, taken_for }, state))
    }

    /// Writes the structures that are not in a segment yet.
    fn write_new(&mut self) -> Result<(), StoreError> {
        let saved: u32 = self.segments.iter().map(Segment::len).sum();
        let end = self.inner.len();
        if saved == end {
            return Ok(());
        }
        let path = self.directory.segment_path(self.segments.len() as u32);
        match write(&self.inner, saved..end, SegmentWriter::create(&path)?) {
            Ok(segment) => {
                self.segments.push(segment);
                Ok(())
            }
            Err(error) => {
                let _ = std::fs::remove_file(&path);
                Err(error)
            }
        }
    }
}

fn write<S: Store>(
    store: &S,
    ids: Range<u32>,
    mut writer: SegmentWriter,
) -> Result<Segment, StoreError> {
    let mut builders = vec![ChunkBuilder::default(); N_PARTITIONS];
    let mut failed = Ok(());
    store.scan(ids, &mut |id, form| {
        let form = trimmed(form.as_bytes());
        let partition = partition_of(hash_of(form));
        let mut push = || -> Result<(), StoreError> {
            let builder = &mut builders[partition];
            builder.push(form);
            writer.push_chunks(partition, builder.take_done())?;
            let Origin { call, arguments } = store.origin(id)?;
            Ok(writer.push(partition as u8, call, &arguments)?)
        };
        if failed.is_ok() {
            failed = push();
        }
    })?;
    failed?;
    for (partition, builder) in builders.into_iter().enumerate() {
        writer.push_chunks(partition, builder.finish())?;
    }
    Ok(writer.finish()?)
}

impl<S: Store> Store for RecordedStore<S> {
    fn commit(&mut self, blocks: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError> {
        self.inner.commit(blocks)
    }

    fn settle(&mut self) -> Result<CommitCounts, StoreError> {
        self.inner.settle()
    }

    fn unsettled(&self) -> Unsettled {
        self.inner.unsettled()
    }

    fn lasts(&self) -> bool {
        true
    }

    fn save(&mut self, state: &[u8]) -> Result<(), StoreError> {
        self.write_new()?;
        let (totals, form) = (self.totals(), StoreForm::Recorded);
        Ok(self.directory.save(&self.segments, &totals, form, state)?)
    }

    fn scan(
        &self,
        ids: Range<u32>,
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

    fn len(&self) -> u32 {
        self.inner.len()
    }

    fn bytes(&self) -> u64 {
        self.inner.bytes()
    }

    fn disk_bytes(&self) -> u64 {
        self.segments.iter().map(Segment::n_bytes).sum()
    }

    fn matches(&self) -> bool {
        self.inner.matches()
    }
}

/// Takes `old` off the counts and adds `new`.
fn replace(counts: &mut Vec<u64>, old: &[u64], new: &[u64]) {
    counts.resize(counts.len().max(new.len()), 0);
    counts.iter_mut().zip(old).for_each(|(count, old)| *count -= old);
    counts.iter_mut().zip(new).for_each(|(count, new)| *count += new);
    let n_zeros = counts.iter().rev().take_while(|&&count| count == 0).count();
    counts.truncate(counts.len() - n_zeros);
}
