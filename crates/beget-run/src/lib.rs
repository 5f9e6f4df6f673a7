//! From a scope file and a catalog of suites to the result of a run.
//!
//! The command line, `beget::check!`, benchmarks and tests all make their runs here, so they have
//! the same errors, warnings and stop reasons. The steps of a run:
//!
//! ```text
//! scope file + catalog ──> Input ──> plan ──> search, under a Watch ──> checks ──> a result
//! ```
//!
//! - [`Input`]: a scope file with its suite and repOKs. All that can be wrong with it is an
//!   [`InputError`] before anything runs.
//! - [`Watch`]: the limits of a run, kept by what its [`Host`] measures.
//! - [`generate`], [`check`], [`Deepening`], [`DiffPlan`], [`random()`]: the runs. Those that only
//!   programs make are in `beget-search`.
//! - [`failure_tests`], [`FilmMaker`]: calls of a run made again, to be printed as tests and shown.
//! - [`random`](mod@random): sequences of calls drawn by chance, by their parts.
//!
//! The crate knows no arguments, terminals or formats. It reads neither clock nor file by itself:
//! the [`Host`] has the clock, and the function passed to [`Input::read`] reads files.
#![warn(missing_docs)]

mod catalog;
mod elements;
mod error;
mod limits;
mod open;
mod oracles;
mod waiting;

mod ask_job;
mod asking;
mod breach;
mod bytes;
mod check;
mod checked;
mod deepen;
mod diff;
mod generate;
mod growth;
mod integers;
mod leaving;
pub mod random;
mod random_run;
mod stores;
mod thin;
mod widening;

mod failure_test;
mod film;
mod leavable;
mod replay;

pub use ask_job::{AskError, AskJob, LevelEnds, OracleProgress};
pub use asking::{BorrowedStructures, OracleSession};
pub use beget_oracle::{ContractTally, contract_names};
pub use bytes::N_PEERS;
pub use catalog::Catalog;
pub use check::{check, failure_tests};
pub use checked::{CheckRun, Rejection, RepOkTally};
pub use deepen::{DeepenedRun, Deepening, Depth, DepthEnd, PlanAt, first_plan};
pub use diff::{DiffPlan, DiffRun};
pub use error::{InputError, RunError};
pub use failure_test::{FailureTest, NoFailure, RepOkSource, StructureQuestion, bind_all};
pub use film::{Film, FilmGap, FilmMaker, FilmStep};
pub use generate::generate;
pub use growth::{GrownField, IntGrowth, advice_for};
pub use integers::with_int_ranges;
pub use leavable::{MOST_LOOKS, ThreadLoss, on_leavable_thread, on_watched_thread};
pub use leaving::LeavingThreads;
pub use limits::{AfterBatch, Event, Host, Machines, Watch, Workers, is_debugged, resident_bytes};
pub use open::{FileReader, Input};
pub use oracles::{MAX_READS, OracleSet};
pub use random::{Constants, Direction, Matching, MethodTally, RandomOptions, RandomReport};
pub use random_run::{
    MarkCoverage, RandomRun, Rehearsal, Rehearse, RoundSettings, SequenceInProgress, random,
    random_on,
};
pub use replay::{MakeCall, Replay, ReplayError, literals_of, observed};
pub use stores::{StoreKind, Stores};
pub use thin::{SpaceVerdict, Thin};
pub use waiting::{AskedPlace, Observation, Questions, matter_of, wait_for, words_of};
pub use widening::Widening;
