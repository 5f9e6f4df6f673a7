//! Writing structures to files that are kept elsewhere.

use std::ops::Range;
use std::path::{Path, PathBuf};

use beget_engine::CallIdx;
use beget_engine::store::{FormRef, Origin, StoreError, StructureId, Totals};

use crate::disk::directory::{Directory, StoreForm, remove_manifests};
use crate::disk::error::DiskError;
use crate::disk::limit::{SaveLimit, SaveTime};
use crate::disk::partition::{N_PARTITIONS, hash_of, partition_of, trimmed};
use crate::disk::segment::{ChunkBuilder, Segment, SegmentPlace, SegmentWriter};
use crate::disk::stored::StoredSegments;

/// A directory, and the structures that are in its segments.
#[derive(Debug)]
pub(crate) struct SegmentRecorder {
    directory: Directory,
    pub(crate) stored: StoredSegments,
    /// The files that the run continued from; superfluous once it is saved again.
    older: Vec<PathBuf>,
    pub(crate) limit: SaveLimit,
}

/// The source of the structures to write.
pub(crate) trait RecordSource {
    /// Calls `visit` with the bytes to write for the form of each structure of `ids`, in order.
    fn scan(
        &self,
        ids: Range<u32>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError>;

    /// Returns how a structure was made.
    fn origin(&self, id: StructureId) -> Result<Origin, StoreError>;
}

impl SegmentRecorder {
    /// Makes a recorder without structures.
    pub(crate) fn new(directory: Directory) -> Self {
        let stored = StoredSegments::new(&directory);
        Self::of(directory, stored)
    }

    /// Makes a recorder of the structures in these segments of the directory.
    pub(crate) fn of(directory: Directory, stored: StoredSegments) -> Self {
        let limit = SaveLimit::default();
        SegmentRecorder { directory, stored, older: Vec::new(), limit }
    }

    /// Notes the files that the run has continued from.
    pub(crate) fn with_older(self, older: Vec<PathBuf>) -> Self {
        SegmentRecorder { older, ..self }
    }

    /// Removes all saved files.
    pub(crate) fn begin_again(&mut self) -> Result<(), DiskError> {
        self.directory.clear()?;
        self.stored = StoredSegments::new(&self.directory);
        Ok(())
    }

    /// Returns the number of written structures.
    pub(crate) fn len(&self) -> u32 {
        self.stored.len()
    }

    pub(crate) fn n_bytes(&self) -> u64 {
        self.stored.n_bytes()
    }

    /// Writes the structures up to number `end` that are not yet written.
    pub(crate) fn write(&mut self, from: &dyn RecordSource, end: u32) -> Result<(), StoreError> {
        if self.len() == end {
            return Ok(());
        }
        let ids = self.len()..end;
        self.fill(|filler| {
            from.scan(ids, &mut |id, form| {
                let form = trimmed(form.as_bytes());
                let partition = partition_of(hash_of(form)) as u8;
                match from.origin(id) {
                    Ok(Origin { call, arguments }) => {
                        filler.push(partition, form, call, &arguments);
                    }
                    Err(error) => filler.fail(error),
                }
            })
        })
    }

    /// Writes the segment of the structures that `read` gives it. If that fails, nothing is
    /// written.
    pub(crate) fn fill<R>(
        &mut self,
        read: impl FnOnce(&mut SegmentFiller) -> Result<R, StoreError>,
    ) -> Result<R, StoreError> {
        let path = self.stored.next_path();
        let place = self.stored.next_place();
        let mut filler = SegmentFiller::create(&path, place, self.limit.begin())?;
        let read = read(&mut filler);
        let written = read.and_then(|read| Ok((filler.finish()?, read)));
        match written {
            Ok((segment, read)) => {
                self.stored.push(segment);
                Ok(read)
            }
            Err(error) => {
                let _ = std::fs::remove_file(&path);
                Err(error)
            }
        }
    }

    /// Makes the written structures, and the rest of the run, the content of the directory.
    pub(crate) fn save(
        &self,
        totals: &Totals,
        form: StoreForm,
        state: &[u8],
    ) -> Result<(), DiskError> {
        self.directory.save(self.stored.segments(), totals, form, state)
    }

    /// Removes the files that the run continued from.
    pub(crate) fn forget_older(&mut self) {
        for path in self.older.drain(..) {
            // Other processes may do so too. Remaining files are older than the saved ones.
            if path.is_dir() {
                let _ = remove_manifests(&path);
                let _ = std::fs::remove_dir_all(path);
            } else {
                let _ = std::fs::remove_file(path);
            }
        }
    }
}

/// A segment that is written as its structures come.
pub(crate) struct SegmentFiller {
    writer: SegmentWriter,
    /// The open chunks, by partition.
    builders: Vec<ChunkBuilder>,
    time: SaveTime,
    step: u32,
    failed: Result<(), StoreError>,
}

impl SegmentFiller {
    fn create(path: &Path, place: SegmentPlace, time: SaveTime) -> Result<Self, DiskError> {
        let writer = SegmentWriter::create(path, place)?;
        let builders = vec![ChunkBuilder::default(); N_PARTITIONS];
        Ok(SegmentFiller { writer, builders, time, step: 0, failed: Ok(()) })
    }

    /// Appends a structure.
    pub(crate) fn push(
        &mut self,
        partition: u8,
        record: &[u8],
        call: CallIdx,
        arguments: &[StructureId],
    ) {
        if self.failed.is_ok() {
            let pushed = self.try_push(partition, record, call, arguments);
            self.failed = pushed.map_err(StoreError::from);
        }
    }

    fn try_push(
        &mut self,
        partition: u8,
        record: &[u8],
        call: CallIdx,
        arguments: &[StructureId],
    ) -> Result<(), DiskError> {
        self.time.check_at(self.step)?;
        self.step = self.step.wrapping_add(1);
        let builder = &mut self.builders[usize::from(partition)];
        builder.push(trimmed(record));
        self.writer.push_chunks(partition.into(), builder.take_done())?;
        self.writer.push(partition, call, arguments)
    }

    /// Gives up: a structure cannot be read.
    fn fail(&mut self, error: StoreError) {
        self.failed = std::mem::replace(&mut self.failed, Ok(())).and(Err(error));
    }

    fn finish(mut self) -> Result<Segment, StoreError> {
        self.failed?;
        for (partition, builder) in self.builders.into_iter().enumerate() {
            self.writer.push_chunks(partition, builder.finish())?;
        }
        Ok(self.writer.finish()?)
    }
}
