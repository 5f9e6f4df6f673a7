//! Subjects of our own, for what the published ones do not exercise.

pub mod skewheap;

use beget::HasSuite;
use beget::suites::Suite;

/// The suites of this benchmark.
pub(crate) fn suites() -> Vec<Suite> {
    vec![skewheap::SkewHeap::suite()]
}
