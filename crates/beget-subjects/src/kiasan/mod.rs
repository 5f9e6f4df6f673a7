//! Subjects of the Kiasan benchmark.

pub mod disjsets_fast;
pub mod treeset;
