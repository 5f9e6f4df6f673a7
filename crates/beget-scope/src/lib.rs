//! Scope files: the bounds of a run, read, checked, and resolved to a plan.
#![warn(missing_docs)]

mod diagnostic;
mod expr;
mod file;
mod plan;
mod read;
mod resolve;

pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use file::{ScopeFile, unknown_suite};
pub use plan::{Budget, FieldLimit, Misuse, Plan, PlannedMethod, Proper};
pub use resolve::{
    ArrayLengths, FieldDomain, FieldValues, Finitization, MethodsOverride, Overrides, Resolved,
};
