//! What documentation becomes a harness of, and `cargo beget` on crates that are written for it.
#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

#[path = "../../../beget-cli/tests/common/ended.rs"]
mod common;
mod emitted_tests;
mod fixture;
mod foreign;
mod own_crate;
