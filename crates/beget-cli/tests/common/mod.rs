//! Running the program on the scope files beside these tests.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part")]

#[cfg(target_os = "linux")]
pub mod processes;

pub mod ended;

use std::path::{Path, PathBuf};
use std::process::Command;

pub use ended::{Ended, ended, names_in, of_program};

/// The example with the suites `tree` and `counter`, which is built along with the tests.
pub fn program() -> PathBuf {
    example("own_suites")
}

/// An example of this crate, which is built along with the tests.
pub fn example(name: &str) -> PathBuf {
    let beget = Path::new(env!("CARGO_BIN_EXE_beget"));
    let examples = beget.parent().expect("binaries are in a directory").join("examples");
    let program = examples.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(
        program.exists(),
        "run `cargo test -p beget-cli`: it builds the example that is tested"
    );
    program
}

/// The program with arguments separated by spaces, run from the directory of the tests, deaf to the
/// environment of whoever runs them.
pub fn command(arguments: &str) -> Command {
    of_program(&program(), arguments)
}

/// Runs the program to its end.
pub fn run(arguments: &str) -> Ended {
    ended(command(arguments))
}

/// Runs the `beget` binary, with the case studies, to its end.
pub fn run_beget(arguments: &str) -> Ended {
    ended(of_program(Path::new(env!("CARGO_BIN_EXE_beget")), arguments))
}

/// The JSON summary of a run.
pub fn summary(arguments: &str) -> serde_json::Value {
    let ended = run(&format!("{arguments} --summary json"));
    assert_eq!(ended.stdout.lines().count(), 1, "{ended:?}");
    serde_json::from_str(&ended.stdout).expect("one JSON object")
}

/// The JSON summary of a run of the `beget` binary.
pub fn beget_summary(arguments: &str) -> serde_json::Value {
    let ended = run_beget(&format!("{arguments} --summary json"));
    serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("one JSON object: {ended:?}"))
}

/// The lines that a run of the `beget` binary prints that goes well, but for the time it took.
#[track_caller]
pub fn lines_of(arguments: &str) -> Vec<String> {
    let ended = run_beget(arguments);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let lines = ended.stdout.lines().filter(|line| !line.starts_with("took"));
    lines.map(str::to_owned).collect()
}

/// Asserts that a summary has these fields and no others.
#[track_caller]
pub fn assert_fields(summary: &serde_json::Value, promised: &[&str]) {
    let fields: Vec<&str> = summary.as_object().unwrap().keys().map(String::as_str).collect();
    let mut promised = promised.to_vec();
    promised.sort_unstable();
    assert_eq!(fields, promised);
}
