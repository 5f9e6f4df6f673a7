//! Literals, and the source of calls.

pub mod literals;
pub mod sources;
