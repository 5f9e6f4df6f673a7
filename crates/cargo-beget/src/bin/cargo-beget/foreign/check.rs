//! The first check of a harness. A `Debug` text that differs after equal calls is no longer the
//! state. Panics that the documentation of their function announces become rules of use in the
//! scope file; every other finding is shown as a check shows it. Where a call ends the process or
//! does not return, calls are made in a process of their own, and the check goes on without it. If
//! checks that the standard library makes of unsafe code end the process, the harnesses are checked
//! once more without these, for what is wrong besides.

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

/// The seconds of a check that is shown, if calls are made in a process of their own.
const MOST_SECONDS_SHOWN: &str = "60";

/// The time after which such a check is killed: it should end long before by itself.
const MOST_TIME: Duration = Duration::from_secs(240);

/// The parts of a summary that are read.
#[derive(Deserialize)]
struct CheckedSummary {
    findings: Vec<CheckedFinding>,
    expected_panics: Vec<PanickedMethod>,
    /// The number of structures.
    generated: u64,
}

/// A method that panicked as a rule of misuse expects.
#[derive(Deserialize)]
struct PanickedMethod {
    method: String,
}

#[derive(Deserialize)]
struct CheckedFinding {
    kind: String,
    /// The broken contract.
    name: Option<String>,
    method: Option<String>,
    message: String,
}

/// Builds the harnesses of a package, chooses the state of each, finds its expected panics, and
/// checks it. Ends as the first check with findings, or as the first that fails otherwise.
pub(crate) fn check(
    harnesses: &mut [Harness],
    package: &mut HarnessPackage,
    cargo: &CargoArgs,
    quiet: bool,
) -> Result<ExitCode, Error> {
    package.enter()?;
    let options = CargoArgs {
        manifest_path: Some(PathBuf::from("Cargo.toml")),
        lib: true,
        profile: cargo.profile.clone(),
        offline: cargo.offline,
        ..CargoArgs::default()
    };
    let built = Package::find(&options)?;
    let mut job = CheckJob {
        package,
        built,
        options,
        quiet,
        shown: Vec::new(),
        is_ended_by_std: false,
        is_checked_without_rules: false,
    };
    let mut worst = job.check_all(harnesses)?;
    if job.is_ended_by_std {
        job.says(UNCHECKED);
        job.package.leave_out_std_checks()?;
        job.shown.clear();
        worst = worse(worst, job.check_all(harnesses)?);
    }
    Ok(worst.into())
}

/// The exit of two checks: findings before everything else.
fn worse(one: Exit, other: Exit) -> Exit {
    if one == Exit::Done || other == Exit::Findings { other } else { one }
}

/// The checks of the harnesses of a package.
struct CheckJob<'j> {
    package: &'j HarnessPackage,
    built: Package,
    options: CargoArgs,
    quiet: bool,
    /// The panics that the checks before have shown.
    shown: Vec<DocumentedPanic>,
    /// True if a check of the standard library ended a process.
    is_ended_by_std: bool,
    /// True if a harness was checked without the rules of misuse: once is enough.
    is_checked_without_rules: bool,
}

impl CheckJob<'_> {
    /// Checks each harness; one whose check fails does not keep the others from theirs.
    fn check_all(&mut self, harnesses: &mut [Harness]) -> Result<Exit, Error> {
        let mut worst = Exit::Done;
        for harness in harnesses {
            let exit = match self.check(harness) {
                Err(error @ Error::NoSummary { .. }) => {
                    eprintln!("error: {error}");
                    Exit::Internal
                }
                ended => ended?,
            };
            worst = worse(worst, exit);
        }
        Ok(worst)
    }

    /// Prepares a harness, and shows its check.
    fn check(&mut self, harness: &mut Harness) -> Result<Exit, Error> {
        let scope = PathBuf::from(harness.scope_path());
        let mut is_given_up = false;
        loop {
            let binaries = build::build(&self.built, &self.options, self.quiet)?;
            let programs = suites::programs(&self.built, binaries)?;
            let program = suites::of_scope(&programs, &scope);
            let dir = self.package.dir();
            // Elements are asked to lie only where a process may end by it.
            let is_supervised = harness.has_tracked_elements();
            let ends_process = false;
            let (is_barren, panicked) = (false, Vec::new());
            let mut checks = Checks {
                program,
                scope: &scope,
                dir,
                is_supervised,
                ends_process,
                is_barren,
                panicked,
            };
            let found = checks.findings(checks.going_on())?;
            self.is_ended_by_std |= found.iter().any(|one| one.message.contains(STD_CHECK));
            if found.iter().any(|one| one.kind == "nondeterministic") && harness.give_up_text() {
                self.says(GIVEN_UP);
                compiler::settle(harness, self.package, &self.options)?;
                self.package.write_scope(harness, &[])?;
                is_given_up = true;
                continue;
            }
            // A number of its own in each value makes two defaults differ, too.
            if is_given_up && found.iter().any(|one| one.name.as_deref() == Some(DEFAULT_REPEATS)) {
                self.says(WITHOUT_DEFAULT);
                harness.leave_out_contract(DEFAULT_REPEATS);
                self.package.write_scope(harness, &[])?;
            }
            let is_on_purpose = |one: &CheckedFinding| {
                let method = one.method.as_deref();
                one.name.as_deref() == Some(ELEMENTS_DROPPED)
                    && method.is_some_and(|method| harness.announces_leak(method))
            };
            if found.iter().any(is_on_purpose) {
                self.says(WITH_LEAKS);
                harness.leave_out_contract(ELEMENTS_DROPPED);
                self.package.write_scope(harness, &[])?;
            }
            let left = checks.expect_documented_panics(harness, self.shown.clone())?;
            self.shown.extend(left);
            if checks.is_supervised && !is_supervised {
                self.says(SUPERVISED);
            }
            let exit = program.run(&checks.command(&checks.limits()))?;
            let silent = harness.without_announced_panic(&checks.panicked);
            let is_done = exit != Exit::Done || self.is_checked_without_rules;
            if is_done || silent.is_empty() || !self.shown.is_empty() {
                return Ok(exit);
            }
            self.is_checked_without_rules = true;
            self.says(&format!("`{}`: {SILENT}", silent.join("`, `")));
            let scope = PathBuf::from(format!("scopes/{}_silent.ron", harness.variable()));
            write(&scope, &harness.scope_without_panics(harness.usual_k()))?;
            let checks = Checks { scope: &scope, ..checks };
            return Ok(worse(exit, program.run(&checks.command(&checks.limits()))?));
        }
    }

    fn says(&self, note: &str) {
        if !self.quiet {
            eprintln!("note: {note}");
        }
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

/// The contract of elements that are never dropped.
const ELEMENTS_DROPPED: &str = "elements_dropped";

/// Says that this contract is left out.
const WITH_LEAKS: &str = "a function leaves elements undropped, as its name or documentation says, so the scope leaves out \
     the contract `elements_dropped`";

/// The beginning of what a check of the standard library says before it ends the process.
const STD_CHECK: &str = "unsafe precondition(s) violated";

/// Says that the harnesses are checked once more.
const UNCHECKED: &str = "checks of the standard library end the process before anything else shows, so the harness is \
     checked once more without them; the last lines of its `Cargo.toml` leave them out";

/// A part of the message about a contract that ended the process when it was asked.
const ENDED: &str = "ended the process by ";

/// Says that the harness is checked without the functions that announce panics.
const SILENT: &str = "panics were seen that only the documentation of other functions announces, so the harness is \
     checked once more without these functions";

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
    /// return, or because elements are asked to lie.
    is_supervised: bool,
    /// True if a call did end it, or did not return.
    ends_process: bool,
    /// True if a check ended with the first structure, so that it has seen next to nothing.
    is_barren: bool,
    /// The methods with expected panics in the last check.
    panicked: Vec<String>,
}

impl Checks<'_> {
    fn command(&self, options: &[&str]) -> Vec<OsString> {
        let words = ["check".into(), self.scope.as_os_str().to_owned()];
        let supervised: &[&str] = if self.is_supervised { &["--processes", "1"] } else { &[] };
        words.into_iter().chain(supervised.iter().chain(options).map(OsString::from)).collect()
    }

    /// The option to go on after a failure: one defect is not to hide the others. Where calls end
    /// the process, that takes too long; and an element that is dropped twice is so by many calls.
    fn going_on(&self) -> &'static [&'static str] {
        let is_stopped = self.ends_process || self.is_supervised && !self.is_barren;
        if is_stopped { &[] } else { &["--all"] }
    }

    /// The options of the check that is shown. Calls that end processes may be many, and calls that
    /// do not return are waited for.
    fn limits(&self) -> Vec<&'static str> {
        let seconds: &[&str] =
            if self.is_supervised { &["--max-seconds", MOST_SECONDS_SHOWN] } else { &[] };
        [self.going_on(), seconds].concat()
    }

    /// The findings of a check with these options, as far as it comes in some seconds.
    fn findings(&mut self, options: &[&str]) -> Result<Vec<CheckedFinding>, Error> {
        let all = [&["--summary", "json", "--max-seconds", MOST_SECONDS], options];
        let CommandOutput { code, stdout, stderr } =
            self.program.capture(&self.command(&all.concat()), MOST_TIME)?;
        let is_limited = self.is_supervised && options.is_empty();
        let ends = |one: &CheckedFinding| {
            ["crash", "hang"].contains(&&*one.kind) || one.message.contains(ENDED)
        };
        match serde_json::from_str(&stdout) {
            Ok(CheckedSummary { findings, .. })
                if !self.ends_process && !is_limited && findings.iter().any(ends) =>
            {
                self.supervise();
                self.findings(&[])
            }
            Ok(CheckedSummary { findings, expected_panics, generated }) => {
                self.ends_process |= findings.iter().any(ends);
                self.is_barren |= generated < 2 && !findings.is_empty();
                self.panicked = expected_panics.into_iter().map(|panic| panic.method).collect();
                Ok(findings)
            }
            // The time was over within a call. The check that is shown has all the time.
            Err(_) if code == Some(Exit::Stopped as i32) => Ok(Vec::new()),
            Err(_) if !self.ends_process => {
                self.supervise();
                self.findings(&[])
            }
            Err(_) => {
                let ended = code.map_or("a signal".to_owned(), |code| format!("exit code {code}"));
                Err(Error::NoSummary { dir: self.dir.to_owned(), ended, stderr })
            }
        }
    }

    /// From now on calls are made in a process of their own, up to the first level with a failure.
    fn supervise(&mut self) {
        (self.is_supervised, self.ends_process) = (true, true);
    }

    /// Writes the panics that are documented into the scope file, and those that are `known`.
    /// Returns the others.
    fn expect_documented_panics(
        &mut self,
        harness: &Harness,
        known: Vec<DocumentedPanic>,
    ) -> Result<Vec<DocumentedPanic>, Error> {
        let mut expected = known;
        if !expected.is_empty() {
            write(self.scope, &harness.scope(harness.usual_k(), &expected))?;
        }
        let mut left = Vec::new();
        for _ in 0..MOST_ROUNDS {
            let findings = self.findings(self.going_on())?;
            let panics: Vec<_> = findings.iter().filter(|one| one.kind == "panic").collect();
            left = panics.iter().map(|one| shown_panic(harness, one)).collect();
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
            write(self.scope, &harness.scope(harness.usual_k(), &expected))?;
        }
        Ok(left)
    }
}

/// A panic that a check shows, for the next harness not to show it again.
fn shown_panic(harness: &Harness, panic: &CheckedFinding) -> DocumentedPanic {
    DocumentedPanic {
        pattern: harness.pattern(&panic.message),
        method: panic.method.clone().unwrap_or_default(),
        documented: format!("shown by the check of `{}`", harness.name()),
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
