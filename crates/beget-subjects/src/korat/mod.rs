//! Case studies of the Korat benchmark.

pub mod binheap;
pub mod dllist;
pub mod fibheap;
pub mod rbt;
pub mod searchtree;
pub mod slist;
pub mod sortedlist;
