//! Subjects of the ROOPS benchmark.

pub mod llist;
pub mod ncl;
