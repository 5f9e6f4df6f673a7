//! What a run is to do, and what runs of all kinds tell.
//!
//! - [`scope`]: the scope file, its diagnostics, and the plan that it resolves to.
//! - [`finding`]: findings with witnesses, progress, limits, why a run ended.

pub mod finding;
pub mod scope;
