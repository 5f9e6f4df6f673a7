//! Our own subjects, for cases that the published ones do not exercise.

pub mod skewheap;

use beget::HasSuite;
use beget::suites::Suite;

use crate::checked::{SuiteRepOks, checked};

/// Returns the suites of this benchmark.
pub(crate) fn suites() -> Vec<Suite> {
    vec![skewheap::SkewHeap::suite()]
}

/// Returns these suites with their repOKs.
pub(crate) fn subjects() -> Vec<SuiteRepOks> {
    vec![checked(skewheap::rep_ok::REP_OKS)]
}
