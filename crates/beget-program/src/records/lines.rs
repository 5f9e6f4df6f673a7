//! Structures as lines of a file: threads make them, some in a row, and they are taken in order.

use std::ops::Range;

use beget_engine::store::{Store, StoreError, StructureId};
use beget_engine::{Corpus, Pool, Reader};
use beget_heap::CanonicalForm;

use crate::records::record::{BriefRecord, Detail};
use crate::records::{EmitError, StructureRecord};

/// The structures that a thread makes in a row.
const IN_A_ROW: u64 = 32;

/// The structures that are made before their lines are taken. An interrupt waits for them.
const AT_ONCE: u64 = 16 * IN_A_ROW;

/// A structure as a line.
pub(super) struct StructureLine {
    pub(super) id: StructureId,
    /// JSON, and the end of the line.
    pub(super) text: Vec<u8>,
}

/// The lines of a corpus.
pub(super) struct LineMaker<'c, S> {
    pub(super) corpus: &'c Corpus<S>,
    pub(super) detail: Detail,
    /// True if each structure is made again by its calls, whatever the store has of it.
    pub(super) by_calls: bool,
    /// The number of threads; 0 stands for all cores.
    pub(super) threads: usize,
}

impl<S: Store> LineMaker<'_, S> {
    /// Gives `take` the lines of the first `n` structures, in order, as long as `may_go_on` says so
    /// before each structure. Returns whether all were given.
    ///
    /// # Errors
    /// If the store cannot read a structure, or `take` fails.
    pub(super) fn make(
        &self,
        n: u64,
        may_go_on: &mut dyn FnMut() -> bool,
        take: &mut dyn FnMut(StructureLine) -> Result<(), EmitError>,
    ) -> Result<bool, EmitError> {
        let pool = Pool::new(self.threads);
        for batch in in_parts(0..n, AT_ONCE) {
            let rows: Vec<Range<u64>> = in_parts(batch, IN_A_ROW).collect();
            for row in pool.run_all(&rows, |row| self.lines(row.clone()), &mut || ()) {
                for line in row? {
                    if !may_go_on() {
                        return Ok(false);
                    }
                    line.map_or(Ok(()), &mut *take)?;
                }
            }
        }
        Ok(true)
    }

    /// The lines of structures in a row; `None` for one that is not reported.
    fn lines(&self, ids: Range<u64>) -> Result<Vec<Option<StructureLine>>, EmitError> {
        let mut reader = match self.by_calls {
            true => self.corpus.reader_by_calls(),
            false => self.corpus.reader(),
        };
        ids.map(|id| self.line(&mut reader, StructureId::new(id))).collect()
    }

    fn line(
        &self,
        reader: &mut Reader<'_, S>,
        id: StructureId,
    ) -> Result<Option<StructureLine>, EmitError> {
        let mut text = match self.detail {
            Detail::Full => match StructureRecord::of(self.corpus, reader, id)? {
                Some(record) => serde_json::to_vec(&record)?,
                None => return Ok(None),
            },
            Detail::Brief => match self.form(reader, id)? {
                Some(form) => {
                    serde_json::to_vec(&BriefRecord::of(self.corpus, form.as_ref(), id)?)?
                }
                None => return Ok(None),
            },
        };
        text.push(b'\n');
        Ok(Some(StructureLine { id, text }))
    }

    /// The form in which a structure is reported. Without slack that is the stored one.
    fn form(
        &self,
        reader: &mut Reader<'_, S>,
        id: StructureId,
    ) -> Result<Option<CanonicalForm>, StoreError> {
        if self.by_calls || self.corpus.plan.slack.is_some() {
            return Ok(reader.reported(id)?.map(|reported| reported.form));
        }
        self.corpus.store.form(id).map(Some)
    }
}

/// The range in parts of `len`; the last one may be shorter.
fn in_parts(range: Range<u64>, len: u64) -> impl Iterator<Item = Range<u64>> {
    let end = range.end;
    range.step_by(len as usize).map(move |first| first..end.min(first.saturating_add(len)))
}
