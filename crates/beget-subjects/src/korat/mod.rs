//! Subjects of the Korat benchmark.

pub mod dllist;
pub mod fibheap;
pub mod searchtree;
pub mod slist;
