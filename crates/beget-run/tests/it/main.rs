//! Runs from scope files.

pub mod behaviors;
pub mod builders;
#[path = "../common/mod.rs"]
mod common;
pub mod comparisons;
pub mod deepening;
pub mod inputs;
pub mod leaving;
pub mod memory;
pub mod mutants;
pub mod questions;
pub mod recordings;
pub mod runs;
pub mod spaces;
pub mod workers;
