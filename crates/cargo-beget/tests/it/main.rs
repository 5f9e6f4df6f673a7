//! Harnesses made of documentation, and `cargo beget` in crates that these tests write.
#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

#[path = "../../../beget-cli/tests/common/ended.rs"]
mod common;
mod emitted_tests;
mod fixture;
mod foreign;
mod own_crate;
