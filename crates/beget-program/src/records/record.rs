//! Structures in files: the record of one structure, and the streams of them.

use std::io::Write;

use beget_engine::store::{Store, StoreError, StructureId, Totals};
use beget_engine::{Corpus, Reader, StructureReport};
use beget_suite::{TypeIdx, to_source};
use ron::ser::to_writer as write_ron;
use serde::{Deserialize, Serialize};

use crate::records::heap::objects_of;
use crate::records::{EmitError, Header, ObjectRecord};

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

    fn of_report<S: Store>(
        corpus: &Corpus<S>,
        reported: &StructureReport,
        id: StructureId,
        ty: TypeIdx,
    ) -> Result<StructureRecord, StoreError> {
        let suite = &corpus.plan.suite;
        let recipe = corpus.recipe(id)?;
        let (source, variable) = to_source(suite, &recipe);
        Ok(StructureRecord {
            id: id.0,
            ty: suite.types[ty.0].name.to_owned(),
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

/// Writes those of the first `n` structures that are reported, in discovery order: one JSON object
/// a line to `json`, and to `ron` one RON value that holds them as a list. `reader` makes them
/// again; one structure is held at a time.
///
/// # Errors
/// If a writer fails, or the store.
pub fn write_structures<S: Store>(
    corpus: &Corpus<S>,
    reader: Reader<'_, S>,
    n: u32,
    header: &Header,
    json: &mut dyn Write,
    ron: &mut dyn Write,
) -> Result<(), EmitError> {
    let mut writer = StructureWriter::new(header, json, ron)?;
    writer.write(corpus, reader, n, &mut || true)?;
    writer.finish(header)
}

/// Structures on their way to both files.
pub(crate) struct StructureWriter<'w> {
    json: &'w mut dyn Write,
    ron: &'w mut dyn Write,
    /// The number of structures to write.
    pub(crate) n_written: u64,
    /// The totals of these.
    pub(crate) totals: Totals,
}

impl<'w> StructureWriter<'w> {
    /// Begins the files of a run of `header`.
    pub(crate) fn new(
        header: &Header,
        json: &'w mut dyn Write,
        ron: &'w mut dyn Write,
    ) -> Result<Self, EmitError> {
        let Header { suite, k, methods, .. } = header;
        writeln!(ron, "Structures(\n    version: {FORMAT_VERSION},")?;
        writeln!(ron, "    suite: {},\n    k: {k},", ron::to_string(suite)?)?;
        writeln!(ron, "    methods: {},", ron::to_string(methods)?)?;
        writeln!(ron, "    structures: [")?;
        Ok(StructureWriter { json, ron, n_written: 0, totals: Totals::default() })
    }

    /// Writes those of the first `n` structures that are reported, as long as `may_go_on` says so
    /// before each. Returns whether all were written.
    pub(crate) fn write<S: Store>(
        &mut self,
        corpus: &Corpus<S>,
        mut reader: Reader<'_, S>,
        n: u32,
        may_go_on: &mut dyn FnMut() -> bool,
    ) -> Result<bool, EmitError> {
        self.totals.by_type = vec![0; corpus.plan.suite.types.len()];
        for id in (0..n).map(StructureId) {
            if !may_go_on() {
                return Ok(false);
            }
            let Some(reported) = reader.reported(id)? else { continue };
            let ty = corpus.type_of(id)?;
            self.push(&StructureRecord::of_report(corpus, &reported, id, ty)?)?;
            reported.add_to(&mut self.totals, ty);
            self.n_written += 1;
        }
        Ok(true)
    }

    fn push(&mut self, record: &StructureRecord) -> Result<(), EmitError> {
        serde_json::to_writer(&mut *self.json, record)?;
        writeln!(self.json)?;
        let mut line = String::new();
        write_ron(&mut line, record)?;
        writeln!(self.ron, "        {line},")?;
        Ok(())
    }

    /// Ends the files. How the run ended stands at the end, since writing may be cut short too.
    pub(crate) fn finish(self, header: &Header) -> Result<(), EmitError> {
        let Header { complete, stop_reason, .. } = header;
        writeln!(self.ron, "    ],\n    complete: {complete},")?;
        writeln!(self.ron, "    stop_reason: {},\n)", ron::to_string(stop_reason)?)?;
        self.json.flush()?;
        self.ron.flush()?;
        Ok(())
    }
}
