//! What a crate gets that has beget as a dev-dependency.
#![allow(clippy::disallowed_methods, reason = "the test asks Cargo and the compiler")]

use std::collections::BTreeSet;
use std::process::Command;

/// The packages that a test with a scope builds, with those that build them.
fn packages() -> BTreeSet<String> {
    let cargo = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--package", "beget", "--edges", "normal,build"])
        .args(["--prefix", "none", "--format", "{p}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    let tree = String::from_utf8(cargo.stdout).unwrap();
    let names = tree.lines().filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}

#[test]
fn a_test_with_a_scope_builds_few_crates() {
    let packages = packages();
    let foreign: Vec<&str> =
        packages.iter().map(String::as_str).filter(|name| !name.starts_with("beget")).collect();
    // Scopes, forms, the region; then what the macros are made of.
    let known = [
        "libc",
        "proc-macro2",
        "quote",
        "regex-lite",
        "strsim",
        "syn",
        "unicode-ident",
        "xxhash-rust",
    ];
    assert_eq!(foreign, known);
    // The side of the program is not built.
    for name in ["beget-search", "beget-backends", "beget-program"] {
        assert!(!packages.contains(name), "{packages:?}");
    }
    assert!(packages.len() <= 17, "{packages:?}");
}
