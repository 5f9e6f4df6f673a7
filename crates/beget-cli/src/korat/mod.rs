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

use crate::checked::{SuiteRepOks, checked, checked_in};

/// Returns the suites of this benchmark.
pub(crate) fn suites() -> Vec<Suite> {
    vec![
        dllist::DoublyLinkedList::suite(),
        slist::SinglyLinkedList::suite(),
        sortedlist::SortedList::suite(),
        searchtree::SearchTree::suite(),
        binheap::Binheap::suite(),
        fibheap::FibonacciHeap::suite(),
        rbt::RedBlackTree::suite(),
    ]
}

/// Returns these suites with their repOKs.
pub(crate) fn subjects() -> Vec<SuiteRepOks> {
    vec![
        checked(dllist::rep_ok::REP_OKS),
        checked(slist::rep_ok::REP_OKS),
        checked(sortedlist::rep_ok::REP_OKS),
        checked(searchtree::rep_ok::REP_OKS),
        checked_in::<binheap::Binheap, _>(binheap::rep_ok::REP_OKS),
        checked(fibheap::rep_ok::REP_OKS),
        checked(rbt::rep_ok::REP_OKS),
    ]
}
