//! Case studies of the ROOPS benchmark.

pub mod avl;
pub mod binheap;
pub mod bintree;
pub mod fibheap;
pub mod llist;
pub mod ncl;
pub mod rbt;
