//! Structures in files: the record of one structure, and the stream of them.

use std::io::Write;

use beget_engine::store::{Store, StoreError, StructureId};
use beget_engine::{CallParts, Corpus, Reader};
use beget_heap::FormRef;
use beget_suite::to_source;
use serde::{Deserialize, Serialize};

use crate::records::heap::objects_of;
use crate::records::lines::LineMaker;
use crate::records::{EmitError, ObjectRecord};

/// The version of the formats of this crate. It changes when a field changes its name or meaning.
pub const FORMAT_VERSION: u32 = 1;

/// The parts of structures that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The last call and the form: a [`BriefRecord`].
    Brief,
    /// The recipe and the heap too: a [`StructureRecord`].
    Full,
}

/// One structure of a corpus, by the call that made it. Its recipe is that of the structures that
/// the call was made on, and the call. Some of these have no record if they lie in the slack only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BriefRecord {
    /// Its number: its position in discovery order, from 0.
    pub id: u64,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// Calls of its recipe.
    pub calls: u32,
    /// The last of them, on structures named by their numbers, such as `#3.add(4)`.
    pub made_by: String,
    /// The structure meant among those that the call leaves: its arguments, then its results.
    #[serde(default, skip_serializing_if = "is_first")]
    pub output: usize,
    /// True if the call panics. The structure is then an argument, as the panic left it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub panics: bool,
    /// Its canonical form, in hexadecimal digits.
    pub form: String,
}

fn is_first(output: &usize) -> bool {
    *output == 0
}

impl BriefRecord {
    /// The record of structure `id`, which has this form.
    pub(super) fn of<S: Store>(
        corpus: &Corpus<S>,
        form: FormRef<'_>,
        id: StructureId,
    ) -> Result<Self, StoreError> {
        let (made_by, CallParts { output, panics, .. }) = corpus.last_call(id)?;
        Ok(BriefRecord {
            id: id.number(),
            ty: corpus.plan.suite.types[corpus.type_of_form(form).index()].name.to_owned(),
            calls: corpus.cost(id),
            made_by,
            output,
            panics,
            form: hex(form),
        })
    }
}

/// One structure of a corpus, with all that can be written of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StructureRecord {
    /// Its number: its position in discovery order, from 0.
    pub id: u64,
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
        let (source, variable) = to_source(suite, &corpus.recipe(id)?);
        Ok(Some(StructureRecord {
            id: id.number(),
            ty: suite.types[corpus.type_of(id)?.index()].name.to_owned(),
            calls: corpus.cost(id),
            form: hex(reported.form.as_ref()),
            recipe: source.lines().map(str::to_owned).collect(),
            variable,
            heap: reported.heap.as_ref().map(objects_of),
        }))
    }
}

/// A form in hexadecimal digits, without the zero bytes at its end, which mean nothing.
pub(crate) fn hex(form: FormRef<'_>) -> String {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let bytes = form.unpadded().as_bytes();
    let mut digits = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        digits.push(DIGITS[usize::from(byte >> 4)]);
        digits.push(DIGITS[usize::from(byte & 0xf)]);
    }
    digits
}

/// Writes those of the first `n` structures that are reported, in discovery order, to `lines`: one
/// JSON object a line. Their recipes make them again, one after another.
///
/// # Errors
/// If a writer fails, or the store.
pub fn write_structures<S: Store>(
    corpus: &Corpus<S>,
    n: u64,
    detail: Detail,
    lines: &mut dyn Write,
) -> Result<(), EmitError> {
    let maker = LineMaker { corpus, detail, by_calls: true, threads: 1 };
    StructureWriter::new(lines).write(&maker, n, &mut || true).map(drop)
}

/// Structures on their way to a file.
pub(crate) struct StructureWriter<'w> {
    lines: &'w mut dyn Write,
    /// The number of structures written.
    pub(crate) n_written: u64,
    /// One more than the number of the last of them.
    pub(crate) end: u64,
}

impl<'w> StructureWriter<'w> {
    pub(crate) fn new(lines: &'w mut dyn Write) -> Self {
        StructureWriter { lines, n_written: 0, end: 0 }
    }

    /// Writes those of the first `n` structures that are reported, as long as `may_go_on` says so
    /// before each. Returns whether all were written.
    pub(crate) fn write<S: Store>(
        &mut self,
        maker: &LineMaker<'_, S>,
        n: u64,
        may_go_on: &mut dyn FnMut() -> bool,
    ) -> Result<bool, EmitError> {
        let StructureWriter { lines, n_written, end } = self;
        let is_whole = maker.make(n, may_go_on, &mut |line| {
            lines.write_all(&line.text)?;
            *n_written += 1;
            *end = line.id.number() + 1;
            Ok(())
        })?;
        lines.flush()?;
        Ok(is_whole)
    }
}
