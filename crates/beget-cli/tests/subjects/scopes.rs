//! Every suite has its scope file, and every scope file its suite.

use crate::common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The names of all suites as paths below `scopes/`.
fn suites() -> BTreeSet<String> {
    beget_subjects::suites().iter().map(|suite| suite.name.replace("::", "/")).collect()
}

#[test]
fn scope_files_are_named_after_their_suites() {
    let scopes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scopes");
    let mut found = BTreeSet::new();
    for benchmark in fs::read_dir(&scopes).expect("the directory of the scopes") {
        let benchmark = benchmark.expect("a readable entry").path();
        for file in fs::read_dir(&benchmark).expect("a directory for each benchmark") {
            let file = file.expect("a readable entry").path().with_extension("");
            let name = file.strip_prefix(&scopes).expect("a path below `scopes`");
            found.insert(name.to_str().expect("a plain name").replace('\\', "/"));
        }
    }
    assert_eq!(found, suites());
}

#[test]
fn suites_have_different_names() {
    assert_eq!(suites().len(), beget_subjects::suites().len());
}

#[test]
fn scope_files_are_right_and_without_warnings_at_every_k() {
    for name in suites() {
        for k in 1..=8 {
            let plan = common::plan(&name, k, &[]);
            assert_eq!((plan.suite.name.replace("::", "/"), plan.k), (name.clone(), k));
        }
    }
}
