//! Breadth-first generation of every structure of a scope.
//!
//! The engine takes a plan and an empty store, makes every call on every structure level by level, and
//! leaves a [`Corpus`]: the structures in the order of their discovery, each with a shortest recipe, and a report.
//! It knows nothing of files, terminals, clocks, repOK or tests.
#![warn(missing_docs)]

mod calls;
mod closure;
mod corpus;
mod engine;
mod interim;
mod make;
mod reader;
mod report;
pub mod store;
mod sweep;
mod worker;

pub use beget_guard::PanicReport;
pub use calls::{CallParts, CallTable, recipe_of, recipe_of_call};
pub use closure::{Closure, Effect, Explorer};
pub use corpus::Corpus;
pub use engine::{Settings, counted_class, generate, generate_into, generate_watched, tag_bits};
pub use interim::{Interim, Lent, Watcher};
pub use make::{Copying, Making, Way, Wishes, choose_way};
pub use reader::{Reader, Reported};
pub use report::{Counters, Level, Report};
