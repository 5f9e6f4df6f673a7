//! Case studies of the ROOPS benchmark.

pub mod avl;
pub mod binheap;
pub mod bintree;
pub mod fibheap;
pub mod llist;
pub mod ncl;
pub mod rbt;

use beget::HasSuite;
use beget::suites::Suite;

/// The suites of this benchmark.
pub(crate) fn suites() -> Vec<Suite> {
    vec![ncl::NodeCachingLinkedList::suite(), llist::LinkedList::suite()]
}
