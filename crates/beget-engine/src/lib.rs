//! Breadth-first generation of every structure of a scope.
//!
//! The engine takes a plan and an empty store, makes every call on every structure level by level,
//! and leaves a [`Corpus`]: the structures in the order of their discovery, each with a shortest
//! recipe, and a report. It knows nothing of files, terminals, clocks, repOK or tests.
#![warn(missing_docs)]

mod abstraction;
mod after_panic;
mod block;
mod call_audit;
mod calls;
mod closure;
mod corpus;
mod dropping;
mod engine;
mod executor;
mod explorer;
mod interim;
mod ledger;
mod levels;
#[cfg(feature = "messages")]
pub mod message;
#[cfg(feature = "messages")]
mod packed;
mod parallel;
mod pieces;
mod probe;
mod reader;
mod reconstruct;
mod reencode;
mod report;
mod sightings;
#[cfg(feature = "messages")]
mod state;
pub mod store;
mod strategy;
mod tuples;
#[cfg(feature = "messages")]
pub mod varint;
mod worker;

pub use after_panic::{AfterPanicFault, PanicStepIdx, PanicTally, look_at_value};
pub use beget_process::guard::PanicReport;
pub use block::{Block, Member};
pub use call_audit::{AskedTally, AuditTally, CallAudit};
pub use calls::{CallGroup, CallIdx, CallParts, CallTable, GroupIdx, recipe_of, recipe_of_call};
pub use closure::{Closure, Effect};
pub use corpus::Corpus;
pub use dropping::NeedsForms;
pub use engine::{
    NewStore, SavedRun, counted_class, generate, generate_into, generate_on, generate_watched,
    generate_watched_on, resume_watched_on,
};
pub use executor::{BlockRunner, Executor, Settings, Threads};
pub use explorer::Explorer;
pub use interim::{Interim, StoreView, Watcher, with_contract};
pub use ledger::{CountLog, Counters, ExpectedPanic, Ledger, MethodReach, Passed, ProbeTally};
pub use levels::Levels;
pub use parallel::{gather, map_all};
pub use pieces::{CallPlace, Pieces};
pub use reader::{Reader, StructureReport};
pub use reconstruct::{
    CopyOptions, CopyPolicy, CopyStrategy, Reconstruction, choose_copy_strategy,
};
pub use report::{Level, Report};
pub use strategy::{Batch, Lesson, Proposal, Situation, Strategy};
pub use worker::{BlockResult, broken_invariant};
