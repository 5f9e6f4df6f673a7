//! The trial of emitted tests: they are compiled as a test target of the package, and run twice,
//! each time in a process of its own.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use beget_args::cargo::{ARGUMENTS, SUITES};
use beget_args::cli::General;
use beget_suite::TestFunction;

use crate::error::CliError;

use crate::{cargo, name, output};

/// Returns whether the file will be a test target of the package.
pub(crate) fn is_possible(path: &Path) -> bool {
    let parent = path.parent().and_then(|parent| parent.canonicalize().ok());
    name::is_cargo() && parent.is_some() && parent == tests_dir()
}

fn package() -> Option<PathBuf> {
    std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from)
}

fn tests_dir() -> Option<PathBuf> {
    package()?.join("tests").canonicalize().ok()
}

/// The names of the tests that do not end as expected: those of `failures` fail, all others pass.
/// `text` is the content for `path`.
pub(crate) fn run_twice(
    path: &Path,
    text: &str,
    general: &General,
    failures: &[TestFunction],
) -> Result<BTreeSet<String>, CliError> {
    let name = format!("beget_trial_{}", std::process::id());
    let place = path.with_file_name(format!("{name}.rs"));
    let _trial = output::Trial::write(&place, text)?;
    let expected: BTreeSet<&str> = failures.iter().map(|test| test.name.as_str()).collect();
    let mut wrong = BTreeSet::new();
    for _ in 0..2 {
        for (test, passed) in results(&name, general)? {
            if passed == expected.contains(&*test) {
                wrong.insert(test);
            }
        }
    }
    Ok(wrong)
}

/// The tests of a target, and whether each passes.
fn results(target: &str, general: &General) -> Result<Vec<(String, bool)>, CliError> {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    let manifest = package().unwrap_or_default().join("Cargo.toml");
    command.arg("test").args(cargo::selection_of(manifest)).args(["--test", target]);
    if general.quiet {
        command.arg("--quiet");
    }
    // Print each test on its own line, whatever options Cargo got.
    command.args(["--", "--format", "pretty", "--color", "never"]);
    for name in [ARGUMENTS, SUITES, "RUST_TEST_THREADS", "RUST_TEST_NOCAPTURE"] {
        command.env_remove(name);
    }
    let ended = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .and_then(|cargo| cargo.wait_with_output())
        .map_err(|error| CliError::Usage(format!("cannot run Cargo to try the tests: {error}")))?;
    let text = String::from_utf8_lossy(&ended.stdout);
    if !text.contains("\ntest result: ") {
        let reason = match text.contains("running ") {
            true => "the tests end their process",
            false => "the tests do not compile; a module below `src` may use what is not public",
        };
        return Err(CliError::Usage(format!("nothing is written: {reason}")));
    }
    Ok(text.lines().filter_map(result_of).collect())
}

/// A line of the harness: `test name ... ok`.
fn result_of(line: &str) -> Option<(String, bool)> {
    let (name, result) = line.strip_prefix("test ")?.split_once(" ... ")?;
    match result {
        "ok" => Some((name.to_owned(), true)),
        "FAILED" => Some((name.to_owned(), false)),
        _ => None,
    }
}
