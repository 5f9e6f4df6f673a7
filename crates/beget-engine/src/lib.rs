//! Breadth-first generation of every structure of a scope.
//!
//! The engine takes a plan and an empty store, makes every call on every structure level by level,
//! and leaves a [`Corpus`]: the structures in the order of their discovery, each with a shortest
//! recipe, and a report. It knows nothing of files, terminals, clocks, repOK or tests.
#![warn(missing_docs)]

mod data;
mod read;
mod rebuild;
mod run;
pub mod store;
mod strategy;
mod worker;

#[cfg(test)]
#[path = "../tests/common/mod.rs"]
mod common;

pub use beget_process::guard::PanicReport;
pub use data::after_call::AfterCall;
pub use data::after_panic::{AfterPanicFault, PanicStepIdx, PanicTally, look_at_value};
pub use data::block::{Block, Member};
pub use data::call_audit::{AskedTally, AuditTally, CallAudit};
pub use data::calls::{CallGroup, CallParts, CallTable, recipe_of, recipe_of_call};
pub use data::counted::counted_class;
pub use data::ids::{CallIdx, GroupIdx};
pub use data::in_progress::named_by_work;
pub use data::ledger::{
    BoundCount, CountLog, Counters, ExpectedPanic, Ledger, MethodReach, ProbeTally,
};
pub use data::merged::MergedValues;
pub use data::parallel::{PlacedResults, Pool, map_all, wait_for_threads};
pub use data::report::{Level, Report};
pub use data::varint;
pub use read::dropping::NeedsForms;
pub use read::reader::{Reader, StructureReport};
pub use rebuild::reconstruct::{
    CopyOptions, CopyPolicy, CopyStrategy, Reconstruction, choose_copy_strategy,
};
pub use run::closure::Closure;
pub use run::corpus::Corpus;
pub use run::executor::{BlockRunner, Executor, Threads};
pub use run::generate::{NewStore, Run, RunSpec, SavedRun};
pub use run::interim::{Interim, Observer};
pub use run::merged::StoreView;
pub use strategy::effects::Effect;
pub use strategy::levels::Levels;
pub use strategy::proposal::{Batch, Lesson, Proposal, Situation, Strategy};
pub use worker::explorer::{Explorer, Settings};
pub use worker::message;
pub use worker::pieces::{CallPlace, Pieces};
pub use worker::{BlockResult, broken_invariant};
