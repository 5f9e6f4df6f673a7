//! Case studies of the Korat benchmark.

pub mod rbt;
