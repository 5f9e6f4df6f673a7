//! Structures in files: the record of one structure, and the streams of them.

use std::io::Write;

use beget_engine::store::{Store, StoreError, StructureId};
use beget_engine::{Corpus, Reader};
use beget_suite::to_source;
use ron::ser::to_writer as write_ron;
use serde::{Deserialize, Serialize};

use crate::heap::objects_of;
use crate::{EmitError, Header, ObjectRecord};

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
        let suite = &corpus.plan.suite;
        let recipe = corpus.recipe(id)?;
        let (source, variable) = to_source(suite, &recipe);
        Ok(Some(StructureRecord {
            id: id.0,
            ty: suite.types[corpus.type_of(id)?.0].name.to_owned(),
            calls: corpus.cost(id),
            form: hex(reported.form.as_bytes()),
            recipe: source.lines().map(str::to_owned).collect(),
            variable,
            heap: reported.heap.as_ref().map(objects_of),
        }))
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
    mut reader: Reader<'_, S>,
    n: u32,
    header: &Header,
    json: &mut dyn Write,
    ron: &mut dyn Write,
) -> Result<(), EmitError> {
    begin_ron(header, ron)?;
    for id in (0..n).map(StructureId) {
        let Some(record) = StructureRecord::of(corpus, &mut reader, id)? else { continue };
        serde_json::to_writer(&mut *json, &record)?;
        writeln!(json)?;
        write!(ron, "        ")?;
        let mut line = String::new();
        write_ron(&mut line, &record)?;
        writeln!(ron, "{line},")?;
    }
    writeln!(ron, "    ],\n)")?;
    json.flush()?;
    ron.flush()?;
    Ok(())
}

fn begin_ron(header: &Header, ron: &mut dyn Write) -> Result<(), EmitError> {
    let text = |text: &str| ron::to_string(text);
    writeln!(ron, "Structures(\n    version: {FORMAT_VERSION},")?;
    let Header { suite, k, methods, complete, stop_reason, beget: _ } = header;
    writeln!(ron, "    suite: {},\n    k: {k},", text(suite)?)?;
    writeln!(ron, "    methods: {},", ron::to_string(methods)?)?;
    writeln!(ron, "    complete: {complete},")?;
    writeln!(ron, "    stop_reason: {},", text(stop_reason)?)?;
    writeln!(ron, "    structures: [")?;
    Ok(())
}
