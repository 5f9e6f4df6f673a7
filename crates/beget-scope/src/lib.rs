//! Scope files: the bounds of a run, read, checked, and resolved to a plan.
#![warn(missing_docs)]

mod plan;

pub use plan::{Budget, Misuse, Plan, PlannedMethod};
