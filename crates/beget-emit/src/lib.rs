//! Outputs of a run: summaries, corpora in files, pictures.
//!
//! Everything here reads a finished [`Corpus`](beget_engine::Corpus) and writes it in some format to a writer or a place
//! that the caller names. The formats are types of their own with a version, apart from the engine's.
//!
//! This crate decides nothing about terminals and never prints. It measures nothing either: times and memory
//! are handed in as [`Measures`].
//!
//! - [`Summary`]: what a run found, as one serializable value and as text ([`TextSummary`]).
//! - [`OutputDir`]: every structure with its recipe and heap, in JSON lines and in RON, streamed from the store.
//! - [`picture`]: structures drawn as SVG, DOT or text.
#![warn(missing_docs)]

mod builders;
mod error;
mod heap;
mod record;
mod summary;
mod text;

mod output;
pub mod picture;
mod svg;

pub use builders::{
    BuildersSummary, BuildersText, ConfirmedRecord, ExtentRecord, LeftOutRecord, NeedRecord,
    ObserverRecord, WitnessedRecord,
};
pub use error::EmitError;
pub use heap::{FieldRecord, ObjectRecord, objects_of};
pub use output::{OutputDir, StagedFile};
pub use record::{FORMAT_VERSION, StructureRecord, write_structures};
pub use summary::{
    FindingRecord, LevelRecord, Measures, Summary, SummaryFile, methods_of, witness_source,
};
pub use text::{TextSummary, Verbosity};
