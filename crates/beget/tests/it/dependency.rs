//! What a crate gets that has beget as a dev-dependency.
#![allow(clippy::disallowed_methods, reason = "the test asks Cargo and the compiler")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The packages that a test with a scope builds, with those that build them.
fn packages(features: &[&str]) -> BTreeSet<String> {
    let cargo = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--package", "beget", "--edges", "normal,build"])
        .args(["--prefix", "none", "--format", "{p}"])
        .args(features)
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
    let (packages, fewest) = (packages(&[]), packages(&["--no-default-features"]));
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
    assert!(packages.len() <= 20, "{packages:?}");
    let of_random = ["beget-search"].map(str::to_owned);
    assert!(packages.difference(&fewest).eq(&of_random), "{fewest:?}");
}

/// The macro that stands for `random!` is compiled here by itself, since this test has the feature.
#[test]
fn random_without_its_feature_is_a_compile_error_that_names_it() {
    let directory = std::env::temp_dir().join(format!("beget-without-{}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    let without = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/without.rs");
    let source = format!(
        "#[macro_use]\n#[path = {without:?}]\nmod without;\n\
         pub fn test() {{\n    random!(Stack, \"scopes/stack.ron\", calls = 100);\n}}\n"
    );
    fs::write(directory.join("lib.rs"), source).unwrap();
    let compiled = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()))
        .args(["--edition", "2024", "--crate-type", "lib", "--emit", "metadata", "lib.rs"])
        .current_dir(&directory)
        .output()
        .unwrap();
    fs::remove_dir_all(&directory).unwrap();
    let said = String::from_utf8_lossy(&compiled.stderr);
    assert!(!compiled.status.success());
    assert!(said.contains("`beget::random!` needs the feature `random` of `beget`"), "{said}");
    assert!(said.contains("lib.rs:5:5"), "{said}");
}
