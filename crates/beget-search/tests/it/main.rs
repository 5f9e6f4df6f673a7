//! Searches for builders, and calls that go well.

pub mod certificates;
#[path = "../common/mod.rs"]
mod common;
pub mod consts;
pub mod exactness;
pub mod families;
pub mod file;
pub mod fuller;
pub mod live;
pub mod nearest;
pub mod panic_messages;
pub mod recordings;
mod repok;
pub mod samples;
pub mod searches;
pub mod subjects;
pub mod watched;
