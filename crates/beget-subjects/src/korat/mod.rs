//! Case studies of the Korat benchmark.

pub mod binheap;
pub mod dllist;
pub mod fibheap;
pub mod rbt;
pub mod searchtree;
pub mod slist;
pub mod sortedlist;

use beget::HasSuite;
use beget::suites::Suite;

/// One suite a case study.
pub(crate) fn suites() -> Vec<Suite> {
    vec![sortedlist::SortedList::suite(), binheap::Binheap::suite(), rbt::RedBlackTree::suite()]
}
