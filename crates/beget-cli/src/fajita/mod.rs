//! Case studies of the FAJITA benchmark.

pub mod avl;
pub mod binheap;
pub mod bintree;
pub mod cdlist;
pub mod ncl;
pub mod rbt;
pub mod slist;

use beget::HasSuite;
use beget::suites::Suite;

use crate::checked::{SuiteRepOks, checked, checked_in};

/// Returns the suites of this benchmark.
pub(crate) fn suites() -> Vec<Suite> {
    vec![
        avl::AvlTree::suite(),
        binheap::Binheap::suite(),
        bintree::BinTree::suite(),
        ncl::NodeCachingLinkedList::suite(),
        cdlist::Cdlist::suite(),
        slist::SinglyLinkedList::suite(),
        rbt::Rbt::suite(),
    ]
}

/// Returns these suites with their repOKs.
pub(crate) fn subjects() -> Vec<SuiteRepOks> {
    vec![
        checked(avl::rep_ok::REP_OKS),
        checked_in::<binheap::Binheap, _>(binheap::rep_ok::REP_OKS),
        checked(bintree::rep_ok::REP_OKS),
        checked(ncl::rep_ok::REP_OKS),
        checked_in::<cdlist::Cdlist, _>(cdlist::rep_ok::REP_OKS),
        checked(slist::rep_ok::REP_OKS),
        checked_in::<rbt::Rbt, _>(rbt::rep_ok::REP_OKS),
    ]
}
