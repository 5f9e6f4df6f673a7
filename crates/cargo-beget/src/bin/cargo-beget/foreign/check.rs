//! The first check of a harness. A `Debug` text that differs after equal calls is no longer the
//! state. Panics that the documentation of their function announces become rules of use in the
//! scope file; every other finding is shown as a check shows it. Where a call ends the process or
//! does not return, calls are made in a process of their own, and the check goes on without it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anstream::eprintln;
use beget_args::Exit;
use beget_args::cargo::CargoArgs;
use beget_discover::{DocumentedPanic, Harness};
use serde::Deserialize;

use super::compiler;
use super::package::{HarnessPackage, write};
use crate::build;
use crate::error::Error;
use crate::package::Package;
use crate::suites::{self, CommandOutput, Program};

/// Behind an expected panic there may be another one, but not for ever.
const MOST_ROUNDS: u32 = 6;

/// The seconds of a check whose output is not shown.
const MOST_SECONDS: &str = "30";

/// The time after which such a check is killed: it should end long before by itself.
const MOST_TIME: Duration = Duration::from_secs(240);

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
    let options = CargoArgs {
        manifest_path: Some(PathBuf::from("Cargo.toml")),
        lib: true,
        profile: cargo.profile.clone(),
        offline: cargo.offline,
        ..CargoArgs::default()
    };
    let scope = PathBuf::from(harness.scope_path());
    let built = Package::find(&options)?;
    let says = |note: &str| {
        if !quiet {
            eprintln!("note: {note}");
        }
    };
    let mut is_given_up = false;
    loop {
        let binaries = build::build(&built, &options, quiet)?;
        let programs = suites::programs(&built, binaries)?;
        let program = suites::of_scope(&programs, &scope);
        let mut checks = Checks { program, scope: &scope, dir: &dir, is_supervised: false };
        let found = checks.findings(&[])?;
        if found.iter().any(|one| one.kind == "nondeterministic") && harness.give_up_text() {
            says(GIVEN_UP);
            compiler::settle(harness, package, cargo)?;
            package.write_scope(harness, &[])?;
            is_given_up = true;
            continue;
        }
        // A number of its own in each value makes two defaults differ, too.
        if is_given_up && found.iter().any(|one| one.name.as_deref() == Some(DEFAULT_REPEATS)) {
            says(WITHOUT_DEFAULT);
            harness.leave_out_contract(DEFAULT_REPEATS);
            package.write_scope(harness, &[])?;
        }
        checks.expect_documented_panics(harness)?;
        if checks.is_supervised {
            says(SUPERVISED);
        }
        return program.become_it(&checks.command(&[]));
    }
}

/// The contract of values made by `Default`.
const DEFAULT_REPEATS: &str = "default_repeats";

/// Says that the state of the harness is another one.
const GIVEN_UP: &str = "after equal calls `Debug` shows another text, as with an address or a counter in it; \
     the harness now compares what iteration and observers show";

/// Says that a contract is left out.
const WITHOUT_DEFAULT: &str = "two values of `Default` differ for the same reason, so the scope leaves out the contract \
     `default_repeats`";

/// Says how the harness is checked.
const SUPERVISED: &str = "a call ended the process or did not return, so calls are made in a process of their own, as with \
                          `--processes 1`";

/// The checks of a harness whose results are read, not shown.
struct Checks<'c> {
    program: &'c Program<'c>,
    scope: &'c Path,
    /// The directory of the harness, for messages.
    dir: &'c Path,
    /// True if calls are made in a process of their own, because one ended the program or did not
    /// return.
    is_supervised: bool,
}

impl Checks<'_> {
    fn command(&self, options: &[&str]) -> Vec<OsString> {
        let words = ["check".into(), self.scope.as_os_str().to_owned()];
        let supervised: &[&str] = if self.is_supervised { &["--processes", "1"] } else { &[] };
        words.into_iter().chain(supervised.iter().chain(options).map(OsString::from)).collect()
    }

    /// The findings of a check with these options, as far as it comes in some seconds.
    fn findings(&mut self, options: &[&str]) -> Result<Vec<CheckedFinding>, Error> {
        let all = [&["--summary", "json", "--max-seconds", MOST_SECONDS], options];
        let CommandOutput { code, stdout, stderr } =
            self.program.capture(&self.command(&all.concat()), MOST_TIME)?;
        let is_of_call = |one: &CheckedFinding| ["crash", "hang"].contains(&&*one.kind);
        match serde_json::from_str(&stdout) {
            // The run has ended with this call.
            Ok(CheckedSummary { findings })
                if !self.is_supervised && findings.iter().any(is_of_call) =>
            {
                self.is_supervised = true;
                self.findings(options)
            }
            Ok(CheckedSummary { findings }) => Ok(findings),
            // The time was over within a call. The check that is shown has all the time.
            Err(_) if code == Some(Exit::Stopped as i32) => Ok(Vec::new()),
            Err(_) if !self.is_supervised => {
                self.is_supervised = true;
                self.findings(options)
            }
            Err(_) => {
                let ended = code.map_or("a signal".to_owned(), |code| format!("exit code {code}"));
                Err(Error::NoSummary { dir: self.dir.to_owned(), ended, stderr })
            }
        }
    }

    /// Writes the panics that are documented into the scope file.
    fn expect_documented_panics(&mut self, harness: &Harness) -> Result<(), Error> {
        let mut expected: Vec<DocumentedPanic> = Vec::new();
        for _ in 0..MOST_ROUNDS {
            let findings = self.findings(&[])?;
            let panics: Vec<_> = findings.iter().filter(|one| one.kind == "panic").collect();
            let mut new = documented(harness, &panics, &expected);
            if new.is_empty() && !panics.is_empty() {
                // A function may document the panic that another one, called before, passes on.
                let messages: Vec<_> =
                    panics.iter().map(|one| harness.pattern(&one.message)).collect();
                let all = self.findings(&["--all"])?;
                let all: Vec<_> = all.iter().filter(|one| one.kind == "panic").collect();
                new = documented(harness, &all, &expected);
                new.retain(|one| messages.contains(&one.pattern));
            }
            if new.is_empty() {
                break;
            }
            expected.extend(new);
            write(self.scope, &harness.scope(3, &expected))?;
        }
        Ok(())
    }
}

/// The panics that are documented, without the known ones.
fn documented(
    harness: &Harness,
    panics: &[&CheckedFinding],
    known: &[DocumentedPanic],
) -> Vec<DocumentedPanic> {
    let mut new: Vec<DocumentedPanic> = Vec::new();
    for panic in panics {
        let one = harness.expected_panic(panic.method.as_deref(), &panic.message);
        let is_new = |one: &DocumentedPanic| {
            !known.iter().chain(&new).any(|other| other.pattern == one.pattern)
        };
        new.extend(one.filter(is_new));
    }
    new
}
