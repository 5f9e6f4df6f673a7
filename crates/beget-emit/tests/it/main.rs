//! What is written of structures, findings and runs.

pub mod finding;
pub mod heap;
pub mod ring;
pub mod text;
