//! Contracts and elements.

pub mod applicability;
#[path = "../common/mod.rs"]
mod common;
pub mod contents;
pub mod destructors;
pub mod elements;
pub mod lookalikes;
pub mod ranges;
pub mod rep_oks;
pub mod sayings;
pub mod tallies;
