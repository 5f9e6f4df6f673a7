//! What version 1 does is recorded, and version 2 does something else after many calls.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const OLD: &str = env!("CARGO_BIN_EXE_history_1");
const NEW: &str = env!("CARGO_BIN_EXE_history_2");

fn random(program: &str, arguments: &[&str]) -> Output {
    let scope = concat!(env!("CARGO_MANIFEST_DIR"), "/scopes/history.ron");
    let mut command = Command::new(program);
    command.args(["random", scope]).args(arguments).output().unwrap()
}

/// A file for one test, with what version 1 does.
fn recorded(test: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}.jsonl"));
    let output = random(OLD, &["--max-calls", "2000", "-o", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    file
}

/// A policy for one test, by which this program is asked what fewer calls do.
fn asking(test: &str, recorder: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}.policy.ron"));
    fs::write(&file, format!("Policy(recorder: {recorder:?})\n")).unwrap();
    file
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The ring wraps one place too late, so that its start is 12 as well as 0. That shows after 24 visits,
/// and after each 13 more; what is shown is a number from which no visit can be taken away.
#[test]
fn a_difference_after_many_calls_is_found_and_minimised() {
    let file = recorded("minimised");
    let file = file.to_str().unwrap();
    let policy = asking("minimised", OLD);
    let output = random(NEW, &["--compare", file, "--policy", policy.to_str().unwrap()]);
    let shown = text(&output);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    let first: Vec<&str> = shown.lines().take(5).collect();
    assert_eq!(
        first,
        [
            "failure     `History::back` gives Some(0); recorded: it gives Some(1)",
            "    let mut history = History::new();",
            "    let _ = history.visit(0); // 37 times",
            "    let _ = history.visit(1);",
            "    let _ = history.back();",
        ],
        "{shown}"
    );
}

#[test]
fn a_difference_has_all_recorded_calls_where_nobody_can_be_asked() {
    let file = recorded("whole");
    let output = random(NEW, &["--compare", file.to_str().unwrap()]);
    let shown = text(&output);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(shown.starts_with("failure     `History::back` gives Some("), "{shown}");
    assert!(shown.contains("note        differences are shown with all calls"), "{shown}");
}

#[test]
fn a_version_does_what_it_did() {
    let file = recorded("same");
    let output = random(OLD, &["--compare", file.to_str().unwrap()]);
    let shown = text(&output);
    assert_eq!(output.status.code(), Some(0), "{shown}");
    assert!(shown.contains("compared    "), "{shown}");
}

#[test]
fn the_same_run_records_the_same() {
    let [one, other] = ["once", "again"].map(|test| fs::read(recorded(test)).unwrap());
    assert!(one == other);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let file = recorded("refused");
    let missing = file.with_file_name("missing.jsonl");
    let output = random(NEW, &["--compare", missing.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let text = fs::read_to_string(&file).unwrap().replacen("History", "Past", 1);
    fs::write(&file, text).unwrap();
    let output = random(NEW, &["--compare", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("it was recorded of the suite `Past`"), "{said}");
}

#[test]
fn a_recorder_that_cannot_be_asked_is_refused() {
    let file = recorded("unasked");
    let policy = asking("unasked", "no-such-program");
    let file = file.to_str().unwrap();
    let output = random(NEW, &["--compare", file, "--policy", policy.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("cannot ask `no-such-program`"), "{said}");
}
