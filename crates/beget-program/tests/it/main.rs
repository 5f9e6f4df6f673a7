//! Tests of written structures, findings and runs.

pub mod finding;
pub mod heap;
mod laws;
pub mod ring;
pub mod text;
