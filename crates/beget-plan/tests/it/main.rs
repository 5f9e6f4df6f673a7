//! Scope files, good and bad.

pub mod bad;
#[path = "../common/mod.rs"]
mod common;
pub mod ends;
pub mod good;
