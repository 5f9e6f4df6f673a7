//! Programs that papers use to compare input generators, with marks for coverage.

pub mod triangle;

use beget::HasSuite;
use beget::suites::Suite;

/// Returns the suites of these programs.
pub(crate) fn suites() -> Vec<Suite> {
    vec![triangle::Triangle::suite()]
}
