//! Programs on which papers compare generators of inputs, with marks for what is covered.

pub mod triangle;

use beget::HasSuite;
use beget::suites::Suite;

/// The suites of these programs.
pub(crate) fn suites() -> Vec<Suite> {
    vec![triangle::Triangle::suite()]
}
