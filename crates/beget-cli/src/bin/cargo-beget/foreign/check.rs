//! The first check of a harness. Panics that the documentation of their function announces become
//! rules of use in the scope file; every other finding is shown as a check shows it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use beget_discover::{DocumentedPanic, Harness};
use beget_program::cargo::CargoArgs;
use serde::Deserialize;

use super::package::write;
use crate::build;
use crate::error::Error;
use crate::package::Package;
use crate::suites::{self, Program};

/// Behind an expected panic there may be another one, but not for ever.
const MOST_ROUNDS: u32 = 6;

/// The parts of a summary that are read.
#[derive(Deserialize)]
struct CheckedSummary {
    findings: Vec<CheckedFinding>,
}

#[derive(Deserialize)]
struct CheckedFinding {
    kind: String,
    method: Option<String>,
    message: String,
}

/// Builds the harness, finds its expected panics, and checks it.
pub(crate) fn check(
    harness: &Harness,
    dir: &Path,
    cargo: &CargoArgs,
    quiet: bool,
) -> Result<ExitCode, Error> {
    // Commands that a check prints are typed in the harness.
    let moved = std::env::set_current_dir(dir);
    moved.map_err(|source| Error::Unwritable { path: dir.to_owned(), source })?;
    let manifest_path = Some(PathBuf::from("Cargo.toml"));
    let options = CargoArgs {
        manifest_path,
        lib: true,
        profile: cargo.profile.clone(),
        offline: cargo.offline,
        ..CargoArgs::default()
    };
    let package = Package::find(&options)?;
    let binaries = build::build(&package, &options, quiet)?;
    let programs = suites::programs(&package, binaries)?;
    let scope = PathBuf::from(harness.scope_path());
    let program = suites::of_scope(&programs, &scope);
    expect_documented_panics(harness, program, &scope, dir)?;
    program.become_it(&command(&scope, &[]))
}

fn command(scope: &Path, options: &[&str]) -> Vec<OsString> {
    let words = ["check".into(), scope.as_os_str().to_owned()];
    words.into_iter().chain(options.iter().map(OsString::from)).collect()
}

fn expect_documented_panics(
    harness: &Harness,
    program: &Program<'_>,
    scope: &Path,
    dir: &Path,
) -> Result<(), Error> {
    let mut expected: Vec<DocumentedPanic> = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let (code, text) = program.capture(&command(scope, &["--summary", "json", "--quiet"]))?;
        let Ok(CheckedSummary { findings }) = serde_json::from_str(&text) else {
            let ended = code.map_or("a signal".to_owned(), |code| format!("exit code {code}"));
            return Err(Error::NoSummary { dir: PathBuf::from(dir), ended });
        };
        let before = expected.len();
        for finding in findings.iter().filter(|finding| finding.kind == "panic") {
            if let Some(one) = harness.expected_panic(finding.method.as_deref(), &finding.message)
                && !expected.iter().any(|known| known.pattern == one.pattern)
            {
                expected.push(one);
            }
        }
        if expected.len() == before {
            break;
        }
        write(scope, &harness.scope(3, &expected))?;
    }
    Ok(())
}
