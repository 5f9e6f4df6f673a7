//! Outputs of a run: summaries, corpora in files, pictures.
//!
//! Everything here reads the result of a run ([`Corpus`](beget_engine::Corpus) or a result of
//! [`beget_run`]) and writes it in some format to a writer or a place that the caller names. The
//! formats are types of their own with a version, apart from the engine's.
//!
//! This module never prints and knows no terminal. Times and memory are passed in as [`Measures`].
//!
//! - [`Summary`]: the result of a run, as one serializable value and as text ([`TextSummary`]).
//! - [`RepokSummary`]: the same for a search from a repOK.
//! - [`CompareSummary`]: how the structures of an API and of a repOK relate.
//! - [`DiffSummary`]: two suites in lockstep.
//! - [`CheckSummary`]: a run with the verdicts of contracts and repOKs on each structure.
//! - [`RandomSummary`]: a random run.
//! - [`CallSummary`]: a call of every method; [`BenchFile`]: these calls as benchmarks.
//! - [`EstimateSummary`]: the estimated cost of a scope.
//! - [`EvolveSummary`]: a search for a chromosome.
//! - [`OutputDir`]: every structure with its recipe and heap, in JSON lines, streamed
//!   from the store.
//! - [`list_suites`], [`list_plan`]: the suites and scopes that can be run.
//! - [`TestFile`]: structures and failures as Rust tests.
//! - [`picture`]: structures drawn as SVG, DOT or text; [`type_graph`]: the types that methods take
//!   and return.
#![warn(missing_docs)]

mod builders;
mod error;
mod finding;
mod header;
mod heap;
mod lines;
mod listing;
mod record;
mod recording;
mod step;
mod summary;
mod text;

mod call;
mod check;
mod compare;
mod diff;
mod estimate;
mod evolve;
mod observation;
mod random;
mod repok;
mod witness;

mod manifest;
mod output;
mod verify;
mod written;

mod color;
mod diagram;
mod figure;
mod geometry;
mod labels;
mod layout;
pub mod picture;
mod svg;
pub mod type_graph;

mod emitted;
mod rust_tests;

pub use beget_args::cli::Verbosity;
pub use builders::{
    BuildersSummary, BuildersText, ConfirmedRecord, ExtentRecord, NeedRecord, ObserverRecord,
    UnusedMethodRecord, WitnessedRecord,
};
pub use call::{CallSummary, CallText, CalledRecord, FamilyRecord, NotCalledRecord};
pub use check::{
    CheckSummary, CheckText, CheckedContract, CheckedRepok, DeepeningRecord, RejectionRecord,
};
pub use compare::{CompareSummary, CompareText, SidesRecord, SlackRecord, write_comparison};
pub(crate) use diagram::{ChangeMarks, marks_of, shown};
pub use diff::{DiffSummary, DiffText, UnpairedRecord};
pub use emitted::{EmitSummary, EmitText};
pub use error::EmitError;
pub use estimate::{BegunRecord, CountedRecord, ErrorBarRecord, EstimateSummary, EstimateText};
pub use evolve::{EvolveSummary, EvolveText, GenerationRecord, PointsRecord};
pub(crate) use figure::figure;
pub use finding::FindingRecord;
pub use header::{EmptySummary, Header};
pub use heap::{FieldRecord, ObjectRecord, objects_of};
pub use listing::{list_plan, list_suites};
pub use observation::{CallList, ObservationRecord, ObservedRun, SequenceFeatures, SequenceNumber};
pub(crate) use output::JSON_LINES;
pub use output::{OutputDir, REPOSITORY_FILE, SCOPE_FILE, StagedFile, remove_leftovers};
pub use random::{
    ComparedRecord, CoverageRecord, FlakyRecord, MethodRecord, RandomSummary, RandomText,
    UncoveredRecord,
};
pub(crate) use record::hex;
pub use record::{BriefRecord, Detail, FORMAT_VERSION, StructureRecord, write_structures};
pub use recording::{RecordingError, RecordingFile};
pub use repok::{AdmittedRecord, AdmittedWriter, RepokSummary, RepokText};
pub use rust_tests::{BenchFile, RegressionTests, TestFile, TestPlace, is_written_by_beget};
pub use step::{ChangeRecord, StepRecord};
pub use summary::{
    ExpectedPanicRecord, LevelRecord, Measures, PassedRecord, ProbesRecord, ResourceUse, Summary,
    SummaryFile,
};
pub(crate) use svg::{PICTURE_STYLE, escape};
pub use text::{RunEnd, TextSummary};
pub(crate) use text::{counted, grouped};
pub use verify::{VerifySummary, VerifyText};
pub use witness::{NearestRecord, WitnessRecord};
pub use written::{DifferenceRecord, LineComparison, WrittenDir, WrittenError};
