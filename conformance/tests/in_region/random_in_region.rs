//! Suites drawn by chance, with beget's allocator: values lie in the region.

use crate::common;

#[test]
fn random_suites_have_the_structures_that_an_independent_enumeration_finds() {
    assert!(beget_process::alloc::is_installed());
    common::check_all_that_are_small(&beget_conformance::random::all(), &[1, 2, 4]);
}
