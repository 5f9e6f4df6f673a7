//! `beget emit`: files of tests, which the crate of the case studies runs.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Ended, ended, of_program, run, run_beget};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("two levels up").to_owned()
}

const COMMITTED: &str = "crates/beget-cli/tests/subjects";

/// The committed files: what their test binaries run is what these tests compare.
fn committed() -> Vec<String> {
    let entries = fs::read_dir(root().join(COMMITTED)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name.starts_with("generated_")).collect();
    names.sort();
    names
}

/// The command that a file names, without the program.
fn command_of(text: &str) -> String {
    let command = text.split("//! ```sh\n//! beget ").nth(1).expect("the file names its command");
    let command = command.split("//! ```\n").next().unwrap().replace("\\\n//!", "");
    command.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A directory with what the commands of committed files need, and nothing written yet.
fn fresh_root() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join(COMMITTED)).unwrap();
    fs::copy(root().join("rustfmt.toml"), dir.path().join("rustfmt.toml")).unwrap();
    std::os::unix::fs::symlink(root().join("scopes"), dir.path().join("scopes")).unwrap();
    dir
}

fn beget_in(dir: &Path, arguments: &str) -> Ended {
    let mut command = of_program(Path::new(env!("CARGO_BIN_EXE_beget")), arguments);
    command.current_dir(dir);
    ended(command)
}

#[test]
fn committed_files_are_what_their_commands_write() {
    let names = committed();
    assert_eq!(names.len(), 4, "{names:?}");
    for name in names {
        let path = Path::new(COMMITTED).join(&name);
        let text = fs::read_to_string(root().join(&path)).unwrap();
        for how in ["--threads 1", "--threads 2 --ways remake", "--ways replay"] {
            let dir = fresh_root();
            let ended =
                beget_in(dir.path(), &format!("{} {how} --summary json", command_of(&text)));
            assert_eq!(ended.code, Some(0), "{name}: {ended:?}");
            let written = fs::read_to_string(dir.path().join(&path)).unwrap();
            assert!(written == text, "write {name} again: beget {}", command_of(&text));
            // One test for each structure, and nothing left out.
            let summary: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
            let n_tests = text.matches("#[test]\n").count();
            assert_eq!(summary["tests"], n_tests, "{name}");
            assert_eq!(summary["generated"], n_tests, "{name}");
            assert_eq!(summary["failure_tests"], 0, "{name}");
            assert_eq!(summary["left_out"], serde_json::json!([]), "{name}");
        }
    }
}

/// rustfmt costs more than all the rest of a run, so files are laid out without it. The suites
/// below return what is long when it is shown.
#[test]
fn files_are_laid_out_as_rustfmt_does() {
    let mut n_broken = 0;
    for (scope, k) in [
        ("apache/ncl", 3),
        ("fajita/cdlist", 3),
        ("kiasan/disjsets", 2),
        ("kiasan/dllist", 3),
        ("kiasan/treemap", 2),
        ("korat/fibheap", 3),
        ("real/indexmap", 2),
        ("real/stablegraph", 2),
        ("roops/ncl", 3),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let [ours, theirs] = ["", "--rustfmt "].map(|option| {
            let arguments = format!("emit scopes/{scope}.ron -k {k} --force {option}-o written.rs");
            std::os::unix::fs::symlink(root().join("scopes"), dir.path().join("scopes")).ok();
            let ended = beget_in(dir.path(), &arguments);
            assert!(matches!(ended.code, Some(0 | 1)), "{ended:?}");
            fs::read_to_string(dir.path().join("written.rs")).unwrap().replace(" --rustfmt", "")
        });
        assert!(ours == theirs, "{scope}: {}", first_difference(&ours, &theirs));
        n_broken += ours.matches("assert_eq!(\n").count();
    }
    assert!(n_broken > 100, "only {n_broken} statements were broken");
}

fn first_difference(one: &str, other: &str) -> String {
    let pairs = one.lines().zip(other.lines());
    let found = pairs.enumerate().find(|(_, (one, other))| one != other);
    found.map_or(String::new(), |(at, (one, other))| format!("line {at}: {one} | {other}"))
}

/// The file that a run of the example's suites writes.
fn written(arguments: &str) -> (Ended, String) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("written.rs");
    let ended = run(&format!("emit {arguments} -o {}", path.display()));
    let text = fs::read_to_string(&path).unwrap_or_default();
    // The command names the directory, on a line of its own if that is long.
    let text = text.replace(&dir.path().display().to_string(), "");
    (ended, text.replace(" \\\n//!     -", " -"))
}

#[test]
fn a_failure_is_a_test_that_makes_its_calls() {
    let (ended, text) = written("scopes/tree-all.ron --only failures");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stdout.starts_with("tests       1 = 0 of structures + 1 of failures\n"));
    let place = "crates/beget-cli/examples/own_suites.rs:67:43";
    let expected = format!(
        "//! `tree` at k = 3: 0 tests of structures, 1 test of failures.\n\
         //!\n\
         //! Written by this command, which overwrites it:\n\
         //!\n//! ```sh\n\
         //! own_suites emit scopes/tree-all.ron -k 3 --only failures -o /written.rs\n//! ```\n\
         #![allow(clippy::all, deprecated)]\n\n\
         use own_suites::Tree;\n\n\
         /// panicked at {place}: the tree is empty\n\
         #[test]\n\
         fn panic_1_new_min() {{\n    let tree = Tree::new();\n    let _ = tree.min();\n}}\n"
    );
    assert_eq!(text, expected);
}

#[test]
fn structures_and_failures_stand_in_one_file() {
    let (ended, text) = written("scopes/tree-all.ron");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    // 15 structures, of which the empty one has no least element.
    assert_eq!(text.matches("#[test]").count(), 16);
    assert!(text.contains("fn structure_0_new() {\n    let _ = Tree::new();\n}\n"), "{text}");
    assert!(text.contains("    tree.insert(0);\n    assert_eq!(tree.min(), 0);\n"), "{text}");
    assert!(text.contains("fn panic_1_new_min()"), "{text}");
}

#[test]
fn some_structures_are_spread_over_the_run() {
    let (ended, text) = written("scopes/tree.ron --most 3");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("fn ")).collect();
    let numbers: Vec<&str> = names.iter().filter_map(|name| name.split('_').nth(1)).collect();
    assert_eq!(numbers, ["0", "7", "14"]);
    let (_, none) = written("scopes/tree.ron --most 0");
    assert!(!none.contains("#[test]") && none.contains("0 tests of structures"), "{none}");
}

#[test]
fn a_run_that_is_stopped_says_so_in_the_file() {
    let (ended, text) = written("scopes/tree.ron --max-levels 2");
    assert_eq!(ended.code, Some(3), "{ended:?}");
    assert!(text.contains("//! INCOMPLETE: the run stopped early (max_levels).\n"), "{text}");
    assert_eq!(text.matches("#[test]").count(), 4);
}

#[test]
fn a_file_of_somebody_else_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("mine.rs");
    fs::write(&path, "//! Mine.\n").unwrap();
    let arguments = format!("emit scopes/tree.ron -k 1 -o {}", path.display());
    let refused = run(&arguments);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{refused:?}");
    assert!(refused.stderr.contains("was not written by beget"), "{refused:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "//! Mine.\n");
    assert_eq!(run(&format!("{arguments} --force")).code, Some(0));
    let first = fs::read_to_string(&path).unwrap();
    assert!(first.contains("#[test]"));
    // Its own file is replaced.
    assert_eq!(run(&format!("{arguments} --most 1")).code, Some(0));
    assert_ne!(fs::read_to_string(&path).unwrap(), first);
    assert_eq!(common::names_in(dir.path()), ["mine.rs"]);
}

#[test]
fn what_does_not_return_the_same_every_time_is_left_out_and_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("map.rs");
    // Of 27 maps of two keys and 27 of three, one has them in another order the second time.
    let arguments =
        format!("emit {}/scopes/real/hashmap.ron -k 3 -o {}", root().display(), path.display());
    let ended = run_beget(&arguments);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stderr.contains("left out: what `keys` returns"), "{ended:?}");
    let text = fs::read_to_string(&path).unwrap();
    assert!(!text.contains(".keys()") && text.contains(".len()"), "{text}");
}

/// What the book shows of emitted files.
#[test]
fn the_book_shows_tests_that_are_written() {
    let page = fs::read_to_string(root().join("docs/src/tests-as-files.md")).unwrap();
    let mut written: String = committed()
        .iter()
        .map(|name| fs::read_to_string(root().join(COMMITTED).join(name)).unwrap())
        .collect();
    written += &self::written("scopes/tree-all.ron --only failures").1;
    let blocks: Vec<&str> = page
        .split("```rust,ignore\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .filter(|block| block.contains("#[test]"))
        .collect();
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        assert!(written.contains(block), "nothing writes this:\n{block}");
    }
    // And what it prints.
    let text = page.split("```text\n$ beget ").nth(1).expect("a command");
    let (command, shown) = text.split_once('\n').unwrap();
    let dir = fresh_root();
    let ended = beget_in(dir.path(), command);
    assert!(ended.stdout.starts_with(shown.split("```").next().unwrap()), "{ended:?}");
}
