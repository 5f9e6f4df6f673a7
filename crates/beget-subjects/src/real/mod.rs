//! Collections in everyday use, through their public functions alone.
//!
//! The types are those of the standard library and of well-known crates, unchanged. A suite calls
//! their functions; a function that takes a closure, an iterator or a range is called through an
//! extension trait of the module, with one fixed closure. Each module states its type's state: the
//! contents in most cases, and more if the public functions show more.

pub mod binaryheap;
pub mod btreemap;
pub mod btreeset;
pub mod hashmap;
pub mod indexmap;
pub mod linkedlist;
pub mod slab;
pub mod smallvec;
pub mod stablegraph;
pub mod vecdeque;

use beget::HasSuite;
use beget::suites::Suite;

/// The suites of this group.
pub(crate) fn suites() -> Vec<Suite> {
    vec![
        btreemap::Btreemap::suite(),
        btreeset::Btreeset::suite(),
        hashmap::Hashmap::suite(),
        linkedlist::Linkedlist::suite(),
        vecdeque::Vecdeque::suite(),
        binaryheap::Binaryheap::suite(),
        indexmap::Indexmap::suite(),
        slab::SlabSuite::suite(),
        smallvec::Smallvec::suite(),
        stablegraph::Stablegraph::suite(),
    ]
}
