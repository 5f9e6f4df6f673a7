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

/// The suites of this benchmark.
pub(crate) fn suites() -> Vec<Suite> {
    vec![
        dllist::DoublyLinkedList::suite(),
        slist::SinglyLinkedList::suite(),
        searchtree::SearchTree::suite(),
        fibheap::FibonacciHeap::suite(),
    ]
}
