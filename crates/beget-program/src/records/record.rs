//! Structures in files: the record of one structure, and the stream of them.

use std::io::Write;

use beget_engine::store::{Store, StoreError, StructureId, Totals};
use beget_engine::{Corpus, Reader, StructureReport};
use beget_suite::{TypeIdx, to_source};
use serde::{Deserialize, Serialize};

use crate::records::heap::objects_of;
use crate::records::lines::LineMaker;
use crate::records::{EmitError, ObjectRecord};

/// The version of the formats of this crate. It changes when a field changes its name or meaning.
pub const FORMAT_VERSION: u32 = 1;

/// One structure of a corpus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StructureRecord {
    /// Its number: its position in discovery order, from 0.
    pub id: u32,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// Calls of its recipe.
    pub calls: u32,
    /// Its canonical form, in hexadecimal digits.
    pub form: String,
    /// A shortest recipe, as Rust statements.
    pub recipe: Vec<String>,
    /// The variable that holds the structure after the recipe.
    pub variable: String,
    /// Its heap, the root first. `None` if it could not be reconstructed: the subject is not
    /// deterministic.
    pub heap: Option<Vec<ObjectRecord>>,
}

impl StructureRecord {
    /// The record of structure `id`, reconstructed by `reader`; `None` if it lies in the slack
    /// only.
    ///
    /// # Errors
    /// If the store cannot read it.
    pub fn of<S: Store>(
        corpus: &Corpus<S>,
        reader: &mut Reader<'_, S>,
        id: StructureId,
    ) -> Result<Option<StructureRecord>, StoreError> {
        let Some(reported) = reader.reported(id)? else { return Ok(None) };
        Self::of_report(corpus, &reported, id, corpus.type_of(id)?).map(Some)
    }

    pub(super) fn of_report<S: Store>(
        corpus: &Corpus<S>,
        reported: &StructureReport,
        id: StructureId,
        ty: TypeIdx,
    ) -> Result<StructureRecord, StoreError> {
        let suite = &corpus.plan.suite;
        let recipe = corpus.recipe(id)?;
        let (source, variable) = to_source(suite, &recipe);
        Ok(StructureRecord {
            id: id.number(),
            ty: suite.types[ty.index()].name.to_owned(),
            calls: corpus.cost(id),
            form: hex(reported.form.as_bytes()),
            recipe: source.lines().map(str::to_owned).collect(),
            variable,
            heap: reported.heap.as_ref().map(objects_of),
        })
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// Writes those of the first `n` structures that are reported, in discovery order, to `lines`: one
/// JSON object a line. Their recipes make them again, one after another.
///
/// # Errors
/// If a writer fails, or the store.
pub fn write_structures<S: Store>(
    corpus: &Corpus<S>,
    n: u32,
    lines: &mut dyn Write,
) -> Result<(), EmitError> {
    let maker = LineMaker { corpus, reader: Corpus::reader_by_calls, threads: 1 };
    StructureWriter::new(lines).write(&maker, n, &mut || true).map(drop)
}

/// Structures on their way to a file.
pub(crate) struct StructureWriter<'w> {
    lines: &'w mut dyn Write,
    /// The number of structures to write.
    pub(crate) n_written: u64,
    /// The totals of these.
    pub(crate) totals: Totals,
}

impl<'w> StructureWriter<'w> {
    pub(crate) fn new(lines: &'w mut dyn Write) -> Self {
        StructureWriter { lines, n_written: 0, totals: Totals::default() }
    }

    /// Writes those of the first `n` structures that are reported, as long as `may_go_on` says so
    /// before each. Returns whether all were written.
    pub(crate) fn write<S: Store>(
        &mut self,
        maker: &LineMaker<'_, S>,
        n: u32,
        may_go_on: &mut dyn FnMut() -> bool,
    ) -> Result<bool, EmitError> {
        let StructureWriter { lines, n_written, totals } = self;
        totals.by_type = vec![0; maker.corpus.plan.suite.types.len()];
        let is_whole = maker.make(n, may_go_on, &mut |line| {
            lines.write_all(&line.text)?;
            line.reported.add_to(totals, line.ty);
            *n_written += 1;
            Ok(())
        })?;
        lines.flush()?;
        Ok(is_whole)
    }
}
