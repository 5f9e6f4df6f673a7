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

use crate::checked::Checked;

/// The suites of this benchmark.
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

/// Their types with their repOKs.
pub(crate) fn subjects() -> Vec<Checked> {
    vec![]
}
