//! Writing structures to files that are kept elsewhere.

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

fn write(
    from: &dyn RecordSource,
    ids: Range<u64>,
    mut writer: SegmentWriter,
    time: &SaveTime,
) -> Result<Segment, StoreError> {
    let mut builders = vec![ChunkBuilder::default(); N_PARTITIONS];
    let mut failed = Ok(());
    from.scan(ids, &mut |id, form| {
        let form = trimmed(form.as_bytes());
        let partition = partition_of(hash_of(form));
        let mut push = || -> Result<(), StoreError> {
            time.check_at(id.number() as u32)?;
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
