//! Searches for builders, and what they leave.

pub mod certificates;
#[path = "../common/mod.rs"]
mod common;
pub mod exactness;
pub mod file;
pub mod searches;
pub mod subjects;
