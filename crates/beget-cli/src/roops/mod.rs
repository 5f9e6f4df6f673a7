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

use crate::checked::{SuiteRepOks, checked, checked_in};

/// Returns the suites of this benchmark.
pub(crate) fn suites() -> Vec<Suite> {
    vec![
        ncl::NodeCachingLinkedList::suite(),
        llist::LinkedList::suite(),
        avl::AvlTree::suite(),
        bintree::BinTree::suite(),
        binheap::Binheap::suite(),
        fibheap::FibHeap::suite(),
        rbt::TreeSet::suite(),
    ]
}

/// Returns these suites with their repOKs.
pub(crate) fn subjects() -> Vec<SuiteRepOks> {
    vec![
        checked(ncl::rep_ok::REP_OKS),
        checked(llist::rep_ok::REP_OKS),
        checked(avl::rep_ok::REP_OKS),
        checked(bintree::rep_ok::REP_OKS),
        checked_in::<binheap::Binheap, _>(binheap::rep_ok::REP_OKS),
        checked(fibheap::rep_ok::REP_OKS),
        checked(rbt::rep_ok::REP_OKS),
    ]
}
