//! Scope files, good and bad; what plans, findings and files of builders say.

pub mod bad;
#[path = "../common/mod.rs"]
mod common;
pub mod ends;
pub mod findings;
pub mod good;
pub mod settings;
pub mod states;
