//! Case studies of the ROOPS benchmark.

pub mod avl;
pub mod rbt;
