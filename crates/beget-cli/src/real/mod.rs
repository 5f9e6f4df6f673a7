//! Widely used collections, called only through their public functions.
//!
//! The types come unchanged from the standard library and from well-known crates. A suite calls
//! their functions. If a function takes a closure, an iterator or a range, the suite calls it
//! through an extension trait of the module, with one fixed choice. Each module says what the state
//! of its type is: usually the contents, and more if the public functions show more.

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

/// Returns the suites of this group.
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
