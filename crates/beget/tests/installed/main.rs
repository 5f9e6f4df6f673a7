//! Tests with beget's allocator: values may lie in the region.
#![allow(unsafe_code, reason = "an allocator is installed")]

beget::install_allocator!(unsafe);

pub mod abstractions;
pub mod after_panic;
pub mod audits;
pub mod bytes;
#[path = "../common/mod.rs"]
mod common;
pub mod conditions;
pub mod consts;
pub mod diff;
pub mod errors;
pub mod foreign_keys;
pub mod integers;
pub mod invariants;
pub mod keys;
pub mod listed_values;
pub mod probes;
pub mod reencoding;
pub mod seeded_arguments;
pub mod shown;
pub mod siblings;
#[path = "../../../beget-oracle/tests/common/table.rs"]
mod table;
