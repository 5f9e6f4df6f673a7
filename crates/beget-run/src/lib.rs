//! From a scope file and a catalog of suites to the result of a run.
//!
//! The command line, `beget::check!`, benchmarks and tests all make their runs here, so that each
//! of them refuses, warns about and stops at the same things. A run goes
//!
//! ```text
//! scope file + catalog ──> Input ──> plan ──> search, under a Watch ──> checks ──> a result
//! ```
//!
//! - [`Input`]: a scope file with its suite and repOKs. All that can be wrong with it is an
//!   [`InputError`] before anything runs.
//! - [`Watch`]: the limits of a run, kept by what its [`Host`] measures.
//! - [`generate`], [`check`], [`search_rep_ok`], [`ComparePlan`], [`DiffPlan`],
//!   [`BuildersPlan`], [`random()`], `call`, `evolve`: the runs. `EstimatePlan`: what one would
//!   take.
//! - [`behaviors`], [`failure_tests`]: calls of a run made again, to be written as tests.
//!
//! The crate does not know of arguments, terminals or formats. It reads neither clock nor file by
//! itself: the [`Host`] has the clock, and files come from the function that [`Input::read`] is
//! given.
#![warn(missing_docs)]

mod catalog;
#[cfg_attr(not(feature = "random"), allow(dead_code, reason = "random runs have sequences"))]
mod elements;
mod error;
#[cfg(feature = "searches")]
mod estimate;
mod limits;
mod open;
mod waiting;

#[cfg(feature = "searches")]
mod builders;
mod bytes;
#[cfg(feature = "searches")]
mod call;
mod check;
#[cfg(feature = "searches")]
mod compare;
mod contracts;
mod deepen;
mod diff;
#[cfg(feature = "searches")]
mod evolve;
mod generate;
mod growth;
mod integers;
mod leaving;
#[cfg(feature = "random")]
mod random;
#[cfg(feature = "searches")]
mod recording;
#[cfg(feature = "searches")]
mod repok;
#[cfg(feature = "searches")]
mod selection;
mod thin;
mod widening;

mod failure_test;
mod film;
#[cfg(feature = "searches")]
mod live;
#[cfg(feature = "searches")]
mod regression;
mod replay;

pub use beget_oracle::{ContractTally, contract_names};
#[cfg(feature = "searches")]
pub use beget_search::estimate::{CONFIDENCE, ErrorBar};
#[cfg(feature = "random")]
pub use beget_search::random::{
    Constants, Direction, Matching, MethodTally, RandomOptions, RandomReport,
};
#[cfg(feature = "searches")]
pub use builders::{BuildersPlan, BuildersRun};
pub use bytes::N_PEERS;
#[cfg(feature = "searches")]
pub use call::{CallRun, call};
pub use catalog::Catalog;
pub use check::{CheckRun, MAX_READS, Rejection, RepOkTally, check};
#[cfg(feature = "searches")]
pub use compare::{ComparePlan, CompareRun, CompareStep, SideWitness, SlackStep};
pub use deepen::{DeepenedRun, Deepening, Depth, DepthEnd, PlanAt, first_plan};
pub use diff::{DiffPlan, DiffRun};
pub use error::{InputError, RunError};
#[cfg(feature = "searches")]
pub use estimate::{
    CountedScope, DISK_BYTES, EstimateBudget, EstimatePlan, EstimateRun, MEMORY_STORE_ROOM,
    ScopeEstimate,
};
#[cfg(feature = "searches")]
pub use evolve::{EvolveRun, PointKind, evolve};
pub use failure_test::{FailureTest, NoFailure, RepOkSource, StructureQuestion, failure_tests};
pub use film::{Film, FilmGap, FilmMaker, FilmStep};
pub use generate::{StoreKind, Stores, generate};
pub use growth::{GrownField, IntGrowth, advice_for};
pub use leaving::LeavingThreads;
pub use limits::{AfterBatch, Event, Host, Machines, Watch, Workers, resident_bytes};
#[cfg(feature = "searches")]
pub use live::{LeftStructure, LiveCall, LiveCalls, LiveOutcome, make_calls_on};
#[cfg(feature = "searches")]
pub use open::RepOkSpace;
pub use open::{FileReader, Input};
#[cfg(feature = "random")]
pub use random::{MarkCoverage, RandomRun, random};
#[cfg(feature = "searches")]
pub use recording::{
    AskRecorded, RecordedSequence, Recording, RecordingDiff, compare_recording, record, replay_all,
};
#[cfg(feature = "searches")]
pub use regression::{Behavior, Behaviors, behaviors, behaviors_by_chance};
#[cfg(feature = "searches")]
pub use repok::{RepOkRun, search_rep_ok};
#[cfg(feature = "searches")]
pub use selection::{Selection, SelectionError};
pub use thin::{Thin, warnings};
pub use waiting::{Observation, Questions};
pub use widening::Widening;
