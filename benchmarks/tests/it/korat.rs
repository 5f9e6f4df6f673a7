//! The binary `korat`, on a program that answers as told, and the committed counts.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use beget_benchmarks::korat::Published;
use tempfile::TempDir;

const COUNTS: &str = r#"(subjects: [
    (scope: "a/list", repok: "published", note: "A note.", rows: [
        (k: 1, generated: 2, explored: 10, mark: Run),
        (k: 2, generated: 21, explored: 136, mark: Printed),
        (k: 3, generated: 228, explored: 700, mark: Run),
    ]),
    (scope: "a/tree", repok: "published", rows: [(k: 1, generated: 2, explored: 10, mark: Run)]),
])"#;

/// A directory with the counts, and a program that has the same answer for everything and notes
/// what it is asked.
fn directory() -> TempDir {
    let dir = TempDir::new().expect("a directory");
    fs::write(dir.path().join("counts.ron"), COUNTS).expect("a file");
    let script = "#!/bin/sh\necho \"$@\" >> asked\necho '{\"generated\": 2, \"explored\": 10}'\n";
    let program = dir.path().join("beget");
    fs::write(&program, script).expect("a file");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("permissions");
    dir
}

fn korat(dir: &Path, arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_korat"))
        .args(["--published", "counts.ron", "-o", "results", "--bin", "."])
        .args(arguments.split_whitespace())
        .current_dir(dir)
        .output()
        .expect("korat starts")
}

fn asked(dir: &Path) -> Vec<String> {
    let text = fs::read_to_string(dir.join("asked")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn rows_are_run_once_and_kept() {
    let dir = directory();
    let dir = dir.path();
    let output = korat(dir, "--max-explored 100 --subject list");
    assert!(output.status.success(), "{output:?}");
    let command = "repok scopes/a/list.ron -k 1 --repok published --threads 1 --summary json";
    assert_eq!(asked(dir), [command]);
    assert!(korat(dir, "--max-explored 100").status.success());
    assert_eq!(asked(dir).len(), 2, "only the tree is new");
    assert!(korat(dir, "--max-explored 100 --again --threads 2").status.success());
    assert_eq!(asked(dir).len(), 4);
    let page = fs::read_to_string(dir.join("results/korat.md")).expect("a page");
    assert!(page.contains("Rows: 2 equal, 0 wrong, 2 not run.\n"), "{page}");
    assert!(page.contains("\n## a/list, published\n\nA note.\n\n| k |"), "{page}");
    assert!(page.contains("\n| 1 | 2 | 10 | run | equal | "), "{page}");
    assert!(page.contains("\n| 2 | 21 | 136 | printed | not run | | | | |\n"), "{page}");
}

#[test]
fn wrong_counts_are_shown_and_end_with_1() {
    let dir = directory();
    let dir = dir.path();
    let output = korat(dir, "--max-explored 136");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let page = fs::read_to_string(dir.join("results/korat.md")).expect("a page");
    assert!(page.contains("| 2 | 21 | 136 | printed | WRONG: 2 / 10 |"), "{page}");
    // A wrong count stays wrong, whether it was measured now or before.
    assert_eq!(korat(dir, "--max-explored 136").status.code(), Some(1));
    assert_eq!(asked(dir).len(), 3);
}

#[test]
fn searches_that_fail_leave_no_row_and_end_with_1() {
    let dir = directory();
    fs::remove_file(dir.path().join("beget")).expect("the program was there");
    let output = korat(dir.path(), "--max-explored 100");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("a/list published k=1: "));
    assert!(!dir.path().join("results/korat.csv").exists());
}

#[test]
fn committed_counts_are_of_scopes_that_are_there_and_each_is_given_once() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("published/korat.ron")).expect("a file");
    let published = Published::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let mut seen = BTreeSet::new();
    for entry in published.entries() {
        let file = root.join(format!("../scopes/{}.ron", entry.subject.scope));
        assert!(file.exists(), "{entry}");
        assert!(seen.insert(entry.to_string()), "{entry} is given twice");
        assert!(entry.row.generated <= entry.row.explored, "{entry}");
    }
    assert_eq!(seen.len(), 304);
}
