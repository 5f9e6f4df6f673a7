//! The awkward suites, with beget's allocator: values lie in the region.

use crate::common;

#[test]
fn awkward_suites_have_the_structures_that_an_independent_enumeration_finds() {
    assert!(beget_process::alloc::is_installed());
    common::check(&beget_conformance::awkward::all(), &[1, 4]);
}
