//! Literals, and the source of calls.

pub mod literals;
pub mod lockstep;
pub mod sources;
