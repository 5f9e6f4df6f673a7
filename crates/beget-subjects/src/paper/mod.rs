//! Programs on which papers compare input generators, with marks for coverage.

pub mod triangle;

use beget::HasSuite;
use beget::suites::Suite;

/// The suites of these programs.
pub(crate) fn suites() -> Vec<Suite> {
    vec![triangle::Triangle::suite()]
}
