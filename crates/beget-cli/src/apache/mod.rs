//! Case studies from the Apache Commons Collections, with their whole API.

pub mod ncl;

use beget::HasSuite;
use beget::suites::Suite;

/// Returns the suites of this collection.
pub(crate) fn suites() -> Vec<Suite> {
    vec![ncl::NodeCachingLinkedList::suite()]
}
