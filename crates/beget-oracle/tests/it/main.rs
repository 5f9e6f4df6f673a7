//! Contracts and elements.

#[path = "../common/mod.rs"]
mod common;
pub mod destructors;
pub mod elements;
pub mod lookalikes;
