//! Case studies of the Kiasan benchmark.

pub mod binaryheap;
pub mod bst;
pub mod disjsets;
pub mod disjsets_fast;
pub mod dllist;
pub mod stack;
pub mod treemap;
mod trees;
pub mod treeset;

use beget::HasSuite;
use beget::suites::Suite;

use crate::checked::{SuiteRepOks, checked, checked_in};

/// Returns the suites of this benchmark.
pub(crate) fn suites() -> Vec<Suite> {
    vec![
        binaryheap::BinaryHeap::suite(),
        bst::BinarySearchTree::suite(),
        disjsets_fast::DisjSetsFast::suite(),
        disjsets::DisjSets::suite(),
        dllist::Dllist::suite(),
        treeset::TreeSet::suite(),
        treemap::TreeMap::suite(),
        stack::StackLi::suite(),
    ]
}

/// Returns these suites with their repOKs.
pub(crate) fn subjects() -> Vec<SuiteRepOks> {
    vec![
        checked(binaryheap::rep_ok::REP_OKS),
        checked(bst::rep_ok::REP_OKS),
        checked(disjsets_fast::rep_ok::REP_OKS),
        checked(disjsets::rep_ok::REP_OKS),
        checked_in::<dllist::Dllist, _>(dllist::rep_ok::REP_OKS),
        checked(treeset::rep_ok::REP_OKS),
        checked(treemap::rep_ok::REP_OKS),
        checked(stack::rep_ok::REP_OKS),
    ]
}
