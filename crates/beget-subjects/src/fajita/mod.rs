//! Case studies of the FAJITA benchmark.

pub mod avl;
pub mod binheap;
pub mod bintree;
pub mod cdlist;
pub mod ncl;
pub mod rbt;
pub mod slist;

use beget::suites::Suite;

/// The suites of this benchmark.
pub(crate) fn suites() -> Vec<Suite> {
    vec![]
}
