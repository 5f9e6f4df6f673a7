//! The awkward suites, without beget's allocator: values are cloned or made again.

use crate::common;

#[test]
fn awkward_suites_have_the_structures_that_an_independent_enumeration_finds() {
    common::check(&beget_conformance::awkward::all(), &[1, 2, 4]);
}
