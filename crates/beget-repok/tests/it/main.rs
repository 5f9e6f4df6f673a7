//! Searches from repOKs.

#[path = "../common/mod.rs"]
mod common;
pub mod compare;
pub mod counts;
pub mod exact;
pub mod scope;
pub mod search;
