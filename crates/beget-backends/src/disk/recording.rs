//! Writing structures down that are kept elsewhere.

use std::ops::Range;
use std::path::PathBuf;

use beget_engine::store::{FormRef, Origin, StoreError, StructureId, Totals};

use crate::disk::directory::{Directory, StoreForm, remove_manifests};
use crate::disk::error::DiskError;
use crate::disk::limit::{SaveLimit, SaveTime};
use crate::disk::partition::{N_PARTITIONS, hash_of, partition_of, trimmed};
use crate::disk::segment::{ChunkBuilder, Segment, SegmentWriter};
use crate::disk::stored::StoredSegments;

/// A directory, and the structures that are in its segments.
#[derive(Debug)]
pub(crate) struct SegmentRecorder {
    directory: Directory,
    stored: StoredSegments,
    /// What the run went on from, elsewhere in the directory: of no use once it is saved anew.
    older: Vec<PathBuf>,
    pub(crate) limit: SaveLimit,
}

/// Where structures are read that are to be written down.
pub(crate) trait RecordSource {
    /// Calls `visit` with what is to be written of the form of each structure of `ids`, in order.
    fn scan(
        &self,
        ids: Range<u32>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError>;

    /// How a structure was made.
    fn origin(&self, id: StructureId) -> Result<Origin, StoreError>;
}

impl SegmentRecorder {
    /// Of nothing.
    pub(crate) fn new(directory: Directory) -> Self {
        let stored = StoredSegments::new(&directory);
        Self::of(directory, stored)
    }

    /// Of what is in these segments of the directory.
    pub(crate) fn of(directory: Directory, stored: StoredSegments) -> Self {
        let limit = SaveLimit::default();
        SegmentRecorder { directory, stored, older: Vec::new(), limit }
    }

    /// The run has gone on from what is there.
    pub(crate) fn with_older(self, older: Vec<PathBuf>) -> Self {
        SegmentRecorder { older, ..self }
    }

    /// Forgets all of it.
    pub(crate) fn begin_again(&mut self) -> Result<(), DiskError> {
        self.directory.clear()?;
        self.stored = StoredSegments::new(&self.directory);
        Ok(())
    }

    /// How many structures are written.
    pub(crate) fn len(&self) -> u32 {
        self.stored.len()
    }

    pub(crate) fn n_bytes(&self) -> u64 {
        self.stored.n_bytes()
    }

    /// Writes the structures up to number `end` that are not written yet.
    pub(crate) fn write(&mut self, from: &dyn RecordSource, end: u32) -> Result<(), StoreError> {
        if self.len() == end {
            return Ok(());
        }
        let path = self.stored.next_path();
        let writer = SegmentWriter::create(&path, self.stored.next_place())?;
        match write(from, self.len()..end, writer, &self.limit.begin()) {
            Ok(segment) => {
                self.stored.push(segment);
                Ok(())
            }
            Err(error) => {
                let _ = std::fs::remove_file(&path);
                Err(error)
            }
        }
    }

    /// Makes what is written, and the rest of the run, what the directory holds.
    pub(crate) fn save(
        &self,
        totals: &Totals,
        form: StoreForm,
        state: &[u8],
    ) -> Result<(), DiskError> {
        self.directory.save(self.stored.segments(), totals, form, state)
    }

    /// Removes what the run went on from.
    pub(crate) fn forget_older(&mut self) {
        for path in self.older.drain(..) {
            // Other processes may do so too. What stays is older than what is saved.
            if path.is_dir() {
                let _ = remove_manifests(&path);
                let _ = std::fs::remove_dir_all(path);
            } else {
                let _ = std::fs::remove_file(path);
            }
        }
    }
}

fn write(
    from: &dyn RecordSource,
    ids: Range<u32>,
    mut writer: SegmentWriter,
    time: &SaveTime,
) -> Result<Segment, StoreError> {
    let mut builders = vec![ChunkBuilder::default(); N_PARTITIONS];
    let mut failed = Ok(());
    from.scan(ids, &mut |id, form| {
        let form = trimmed(form.as_bytes());
        let partition = partition_of(hash_of(form));
        let mut push = || -> Result<(), StoreError> {
            time.check_at(id.0)?;
            let builder = &mut builders[partition];
            builder.push(form);
            writer.push_chunks(partition, builder.take_done())?;
            let Origin { call, arguments } = from.origin(id)?;
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
