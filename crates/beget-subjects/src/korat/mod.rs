//! Case studies of the Korat benchmark.

pub mod binheap;
pub mod rbt;
pub mod sortedlist;
