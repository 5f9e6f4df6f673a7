//! Without beget's allocator: values are cloned or made again.

pub mod awkward;
#[path = "../common/mod.rs"]
mod common;
pub mod random;
pub mod recipes;
pub mod ways;
