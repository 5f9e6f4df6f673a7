//! The task of a run, and the results that runs of all kinds have in common.
//!
//! - [`scope`]: the scope file, its diagnostics, and the plan that it resolves to.
//! - [`finding`]: findings with witnesses, progress, limits, stop reasons.

pub mod finding;
pub mod scope;
