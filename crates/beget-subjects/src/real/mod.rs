//! Collections in everyday use, through their public functions alone.
//!
//! The types are those of the standard library and of well-known crates, as they are. A suite calls
//! their functions; what takes a closure, an iterator or a range is called through an extension
//! trait of the module, with one closure that is written out there. The state is what the module's
//! page says: contents in most cases, and more where the public functions show more.

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
