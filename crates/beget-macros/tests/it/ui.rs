//! What the macros say to misuse. The expected messages are of the pinned toolchain.
#![deny(missing_docs)]

#[test]
fn every_misuse_is_explained_where_it_stands() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
