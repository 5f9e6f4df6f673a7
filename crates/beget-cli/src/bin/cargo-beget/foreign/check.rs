//! The first check of a harness. A `Debug` text that differs after equal calls is no longer the
//! state. Panics that the documentation of their function announces become rules of use in the
//! scope file; every other finding is shown as a check shows it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anstream::eprintln;
use beget_discover::{DocumentedPanic, Harness};
use beget_program::cargo::CargoArgs;
use serde::Deserialize;

use super::compiler;
use super::package::{HarnessPackage, write};
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
    /// The broken contract.
    name: Option<String>,
    method: Option<String>,
    message: String,
}

/// Builds the harness, chooses its state, finds its expected panics, and checks it.
pub(crate) fn check(
    harness: &mut Harness,
    package: &mut HarnessPackage,
    cargo: &CargoArgs,
    quiet: bool,
) -> Result<ExitCode, Error> {
    let dir = package.dir().to_owned();
    package.enter()?;
    let manifest_path = Some(PathBuf::from("Cargo.toml"));
    let options = CargoArgs {
        manifest_path,
        lib: true,
        profile: cargo.profile.clone(),
        offline: cargo.offline,
        ..CargoArgs::default()
    };
    let scope = PathBuf::from(harness.scope_path());
    let built = Package::find(&options)?;
    let mut is_given_up = false;
    loop {
        let binaries = build::build(&built, &options, quiet)?;
        let programs = suites::programs(&built, binaries)?;
        let program = suites::of_scope(&programs, &scope);
        let found = findings(program, &scope, &dir)?;
        let differs = |finding: &CheckedFinding| finding.kind == "nondeterministic";
        if found.iter().any(differs) && harness.give_up_text() {
            if !quiet {
                eprintln!("{GIVEN_UP}");
            }
            compiler::settle(harness, package, cargo)?;
            package.write_scope(harness, &[])?;
            is_given_up = true;
            continue;
        }
        // What tells the texts apart may tell two defaults apart, as a value's own number does.
        let of_default =
            |finding: &CheckedFinding| finding.name.as_deref() == Some(DEFAULT_REPEATS);
        if is_given_up && found.iter().any(of_default) {
            harness.leave_out_contract(DEFAULT_REPEATS);
            package.write_scope(harness, &[])?;
        }
        expect_documented_panics(harness, program, &scope, &dir)?;
        return program.become_it(&command(&scope, &[]));
    }
}

/// The contract of values made by `Default`.
const DEFAULT_REPEATS: &str = "default_repeats";

/// Says that the state of the harness is another one.
const GIVEN_UP: &str = "note: after equal calls `Debug` shows another text, as with an address or a counter in it; \
     the harness now compares what iteration and observers show";

/// The findings of a check.
fn findings(program: &Program<'_>, scope: &Path, dir: &Path) -> Result<Vec<CheckedFinding>, Error> {
    let (code, text) = program.capture(&command(scope, &["--summary", "json", "--quiet"]))?;
    let Ok(CheckedSummary { findings }) = serde_json::from_str(&text) else {
        let ended = code.map_or("a signal".to_owned(), |code| format!("exit code {code}"));
        return Err(Error::NoSummary { dir: PathBuf::from(dir), ended });
    };
    Ok(findings)
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
        let findings = findings(program, scope, dir)?;
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
