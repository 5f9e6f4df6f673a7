//! The structures of a run on disk, as one process has them: the forms of its own, and the types
//! and origins of all.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, RwLock};

use beget_engine::store::{FormRef, Origin, StoreError, StructureId, TagBits};

use crate::cluster::part::{KeptForms, NEAR, put_form};
use crate::cluster::saving::{lock_any, read_any};
use crate::disk::{LastScan, OriginCache, PartForm, PartRecorder, put_own};

/// A part in a directory.
pub(crate) struct DiskPart {
    recorder: Arc<RwLock<PartRecorder>>,
    tag_bits: TagBits,
    /// Types and forms are read at different places.
    types: LastScan,
    forms: LastScan,
    origins: Mutex<OriginCache>,
}

impl fmt::Debug for DiskPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DiskPart").field("len", &self.len()).finish_non_exhaustive()
    }
}

impl DiskPart {
    pub(crate) fn new(recorder: Arc<RwLock<PartRecorder>>, tag_bits: TagBits) -> Self {
        DiskPart {
            recorder,
            tag_bits,
            types: LastScan::new(),
            forms: LastScan::new(),
            origins: Mutex::new(OriginCache::new()),
        }
    }

    pub(crate) fn recorder(&self) -> &RwLock<PartRecorder> {
        &self.recorder
    }

    /// Returns the number of structures of the run.
    pub(crate) fn len(&self) -> u64 {
        read_any(&self.recorder).len()
    }

    /// Returns the memory that indices and caches take.
    pub(crate) fn memory(&self) -> u64 {
        let index = read_any(&self.recorder).stored().index_bytes();
        let read = self.types.memory() + self.forms.memory();
        index + read + lock_any(&self.origins).memory()
    }

    /// Returns the bytes of the files.
    pub(crate) fn n_bytes(&self) -> u64 {
        read_any(&self.recorder).n_bytes()
    }

    /// Calls `visit` with the type of each structure of `ids`.
    pub(crate) fn scan_types(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        // The only type needs no reading.
        if self.tag_bits.width() == 0 {
            ids.for_each(|id| visit(StructureId::new(id), FormRef::new(&[])));
            return Ok(());
        }
        self.scan_records(&self.types, ids, &mut |id, record| {
            let (PartForm::Own(form) | PartForm::Other(form)) = record;
            visit(id, form);
        })
    }

    pub(crate) fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        let recorder = read_any(&self.recorder);
        Ok(recorder.stored().origin(id, &mut lock_any(&self.origins))?)
    }

    fn scan_records(
        &self,
        last: &LastScan,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, PartForm<'_>),
    ) -> Result<(), StoreError> {
        let recorder = read_any(&self.recorder);
        let mut is_whole = true;
        last.scan(recorder.stored(), ids, &mut |id, record| match PartForm::of_record(
            record.as_bytes(),
        ) {
            Some(form) => visit(id, form),
            None => is_whole = false,
        })?;
        match is_whole {
            true => Ok(()),
            false => Err(recorder.no_record().into()),
        }
    }
}

impl KeptForms for DiskPart {
    fn forms_of(&self, wanted: &[u64]) -> Result<Vec<u8>, StoreError> {
        let mut bytes = Vec::new();
        let (mut position, mut next) = (0, 0);
        for run in wanted.chunk_by(|one, other| other - one <= NEAR) {
            let ids = run[0]..run[run.len() - 1] + 1;
            let mut left = run.iter();
            let mut sought = left.next();
            self.scan_records(&self.forms, ids, &mut |id, record| {
                if sought != Some(&id.number()) {
                    return;
                }
                if let PartForm::Own(form) = record {
                    put_form(&mut bytes, position - next, form);
                    next = position + 1;
                }
                position += 1;
                sought = left.next();
            })?;
        }
        Ok(bytes)
    }

    fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        let mut record = Vec::new();
        let partition = put_own(form, &mut record);
        Ok(read_any(&self.recorder).stored().find(partition.into(), &record)?)
    }
}
