//! Writing structures to files that are kept elsewhere.

use std::ops::Range;
use std::path::PathBuf;

use beget_engine::CallIdx;
use beget_engine::store::{FormRef, Origin, StoreError, StructureId, Totals};

use crate::disk::directory::{Directory, StoreForm, remove_manifests, segment_path};
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
        ids: Range<u64>,
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
    pub(crate) fn len(&self) -> u64 {
        self.stored.len()
    }

    pub(crate) fn n_bytes(&self) -> u64 {
        self.stored.n_bytes()
    }

    /// Writes the structures up to number `end` that are not yet written.
    pub(crate) fn write(&mut self, from: &dyn RecordSource, end: u64) -> Result<(), StoreError> {
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

    /// Writes segments of the structures that `read` gives it. If that fails, nothing is written.
    pub(crate) fn fill<R>(
        &mut self,
        read: impl FnOnce(&mut SegmentFiller) -> Result<R, StoreError>,
    ) -> Result<R, StoreError> {
        let mut filler = SegmentFiller::create(&self.stored, self.limit.begin())?;
        let read = read(&mut filler)?;
        filler.finish()?.into_iter().for_each(|segment| self.stored.push(segment));
        Ok(read)
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

/// The most structures of a segment that is written as they come.
const MOST: u64 = if cfg!(test) { 1000 } else { 1 << 31 };

/// Segments that are written as their structures come. Unless they are finished, they are removed.
pub(crate) struct SegmentFiller {
    directory: PathBuf,
    /// The place of the open segment.
    place: SegmentPlace,
    writer: Option<SegmentWriter>,
    /// Its open chunks, by partition.
    builders: Vec<ChunkBuilder>,
    n: u64,
    done: Vec<Segment>,
    time: SaveTime,
    failed: Result<(), StoreError>,
}

impl SegmentFiller {
    fn create(stored: &StoredSegments, time: SaveTime) -> Result<Self, DiskError> {
        let mut filler = SegmentFiller {
            directory: stored.path().to_owned(),
            place: stored.next_place(),
            writer: None,
            builders: Vec::new(),
            n: 0,
            done: Vec::new(),
            time,
            failed: Ok(()),
        };
        filler.begin()?;
        Ok(filler)
    }

    /// Begins a segment.
    fn begin(&mut self) -> Result<(), DiskError> {
        let path = segment_path(&self.directory, self.place.number);
        self.writer = Some(SegmentWriter::create(&path, self.place)?);
        self.builders = vec![ChunkBuilder::default(); N_PARTITIONS];
        self.n = 0;
        Ok(())
    }

    /// Ends the open segment.
    fn end(&mut self) -> Result<(), DiskError> {
        let mut writer = self.writer.take().expect("a segment is open");
        for (partition, builder) in self.builders.drain(..).enumerate() {
            writer.push_chunks(partition, builder.finish())?;
        }
        self.done.push(writer.finish()?);
        self.place.number += 1;
        self.place.first += self.n;
        Ok(())
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
        self.time.check_at(self.n as u32)?;
        if self.n == MOST {
            self.end()?;
            self.begin()?;
        }
        self.n += 1;
        let builder = &mut self.builders[usize::from(partition)];
        builder.push(trimmed(record));
        let writer = self.writer.as_mut().expect("a segment is open");
        writer.push_chunks(partition.into(), builder.take_done())?;
        writer.push(partition, call, arguments)
    }

    /// Gives up: a structure cannot be read.
    fn fail(&mut self, error: StoreError) {
        self.failed = std::mem::replace(&mut self.failed, Ok(())).and(Err(error));
    }

    fn finish(mut self) -> Result<Vec<Segment>, StoreError> {
        std::mem::replace(&mut self.failed, Ok(()))?;
        self.end()?;
        Ok(std::mem::take(&mut self.done))
    }
}

impl Drop for SegmentFiller {
    fn drop(&mut self) {
        // If one stays, the next run in the directory removes it.
        let _ = std::fs::remove_file(segment_path(&self.directory, self.place.number));
        for segment in &self.done {
            let _ = std::fs::remove_file(segment.path());
        }
    }
}
