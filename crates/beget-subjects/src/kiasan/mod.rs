//! Case studies of the Kiasan benchmark.

pub mod binaryheap;
pub mod bst;
pub mod disjsets;
pub mod disjsets_fast;
pub mod dllist;
pub mod stack;
pub mod treemap;
pub mod treeset;

use beget::HasSuite;
use beget::suites::Suite;

/// The suites of this benchmark.
pub(crate) fn suites() -> Vec<Suite> {
    vec![disjsets_fast::DisjSetsFast::suite(), treeset::TreeSet::suite()]
}
