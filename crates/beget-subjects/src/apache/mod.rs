//! Case studies of the Apache Commons Collections, with their whole API.

pub mod ncl;

use beget::HasSuite;
use beget::suites::Suite;

/// The suites of this collection.
pub(crate) fn suites() -> Vec<Suite> {
    vec![ncl::NodeCachingLinkedList::suite()]
}
