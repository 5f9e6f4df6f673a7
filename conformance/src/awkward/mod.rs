//! Suites made to be awkward, each a file with one idea.

pub mod counted;

use crate::case::Case;

/// All of them.
pub fn all() -> Vec<Case> {
    vec![counted::case()]
}
