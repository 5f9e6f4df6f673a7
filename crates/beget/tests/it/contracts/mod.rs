//! Contracts and elements, asked about the structures of runs.
//!
//! `beget-oracle` is optimised when tests are built, and its own tests with it. Here these suites
//! compile in less time, and run as fast.

pub mod applicability;
#[path = "../../../../beget-oracle/tests/common/mod.rs"]
mod common;
pub mod contents;
pub mod destructors;
pub mod elements;
pub mod lookalikes;
pub mod ranges;
pub mod rep_oks;
pub mod sayings;
pub mod tallies;
