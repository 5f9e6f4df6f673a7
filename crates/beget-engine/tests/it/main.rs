//! Runs of small suites.

pub mod chance;
pub mod closure;
#[path = "../common/mod.rs"]
mod common;
pub mod copies;
pub mod dropping;
pub mod generation;
pub mod messages;
pub mod panics;
pub mod reading;
pub mod reports;
pub mod stores;
pub mod watching;
