//! `cargo beget`: the command line of beget on the suites of a crate of one's own.
//!
//! The suites stand behind `cfg(test)`, so the program that runs them is a test binary of the
//! crate. This one finds the [`package`], [`build`]s its tests with the command line in them, asks
//! each binary for its [`suites`], and becomes the one that has the suite of the command's scope.
//! Options that a package sets for its commands are its [`defaults`]. `beget_program::cargo` is the
//! other half: the command line within the tests. That half is compiled with the crate, not here,
//! so installing `cargo beget` takes half a minute.
//!
//! # Why it is done so
//!
//! Suites behind `cfg(test)` exist in the crate's test binaries only, so one of these has to be the
//! program. `cargo beget` (`crates/cargo-beget/src/bin/cargo-beget`) builds them with `cargo test
//! --no-run` and two features of `beget`, asks each for its suites, and becomes the one that has
//! the suite of the scope:
//!
//! - **Features, from outside.** `--features beget/command-line` reaches a dev-dependency, is not
//!   in the manifest, leaves `Cargo.lock` alone, and holds for one build. So a crate's own tests do
//!   not pay for the command line. A harness crate with the sources by `#[path]` would have to
//!   repeat the manifest (features, workspace inheritance, dev-dependencies), and `cfg(test)` set
//!   for a dependency reaches all crates or needs a compiler wrapper.
//! - **Registration.** With the feature, `beget::register!`, which the macros emit, adds the suite
//!   to a list by `inventory`. It works for suites in functions and in dependencies, which the
//!   names of tests would not, and the objects of a test binary are always linked. Without the
//!   feature it is empty. The catalog is sorted by name, since the linker chooses the order.
//! - **Entry.** The same macro emits a test that hands over to `beget_args::cargo::answer` if
//!   `cargo beget` has started the process. The harness runs it alone and, with one thread, on the
//!   main thread; the command then ends the process. The harness has written to stdout by then. So
//!   its stdout is `/dev/null`, and the results go to its standard *input*, which is the stdout of
//!   `cargo beget`: a descriptor that the standard library passes on without unsafe code. `exec`
//!   makes interrupts and exit codes the command's own.
//! - **Allocator.** The feature `region-allocator` installs it in the crate `beget`. If the crate
//!   has one of its own, the compiler refuses two, and the build is repeated without the feature.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a program has files and clocks; the library beside it has none"
)]

mod build;
mod defaults;
mod error;
mod foreign;
mod invocation;
mod package;
mod scan;
mod suites;

use std::ffi::OsString;
use std::io::{self, ErrorKind, Write as _};
use std::process::ExitCode;

use beget_args::cargo::CargoCli;
use beget_args::cli::Command;
use beget_args::{Exit, first_scopes, name, show_usage, style};

use error::Error;
use invocation::{About, Invocation, refuse_wrong_file};
use package::Package;

fn main() -> ExitCode {
    let arguments = arguments();
    let parsed = match CargoCli::read(&arguments) {
        Ok(parsed) => parsed,
        Err(message) => return show_usage(&message).into(),
    };
    parsed.cli.general.color.choose();
    run(&Invocation::of(&parsed), &arguments).unwrap_or_else(|error| {
        error.show();
        Exit::Usage.into()
    })
}

/// Returns the arguments after `cargo beget`. Cargo repeats the word `beget`.
fn arguments() -> Vec<OsString> {
    let mut arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "beget") {
        arguments.remove(0);
    }
    arguments
}

fn run(invocation: &Invocation, arguments: &[OsString]) -> Result<ExitCode, Error> {
    if let Some(foreign) = &invocation.foreign {
        return foreign::init(foreign, &invocation.cargo, invocation.quiet);
    }
    // A wrong file is reported before anything is built.
    if let About::File(path) = &invocation.about {
        refuse_wrong_file(path).map_err(Error::InFile)?;
    }
    let package = Package::find(&invocation.cargo)?;
    let arguments = &defaults::with_defaults(&package.metadata, arguments)?;
    if invocation.is_init {
        let names = scan::suites(package.dir());
        if !names.is_empty() {
            return init(arguments, &names, &package);
        }
    }
    let binaries = build::build(&package, &invocation.cargo, invocation.quiet)?;
    let programs = suites::programs(&package, binaries)?;
    match &invocation.about {
        About::File(scope) => suites::of_scope(&programs, scope).become_it(arguments),
        About::Suite(name) => suites::of_suite(&programs, name.as_deref())?.become_it(arguments),
        About::All => suites::run_each(&programs, arguments),
    }
}

/// Writes first scope files for suites of these names; nothing is built.
fn init(arguments: &[OsString], names: &[String], package: &Package) -> Result<ExitCode, Error> {
    let parsed = match CargoCli::read(arguments) {
        Ok(parsed) => parsed,
        Err(message) => return Ok(show_usage(&message).into()),
    };
    name::choose(&[parsed.cargo.selection(), parsed.cargo.targets()].concat());
    let Command::Init(args) = &parsed.cli.command else { unreachable!("the command is `init`") };
    let written = first_scopes(args, names.iter().map(String::as_str), package.dir())?;
    match io::stdout().write_all(written.text.as_bytes()) {
        // A closed pipe is the reader's choice, not an error.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => return Err(Error::Stdout(error)),
        _ => {}
    }
    if let Some(advice) = written.advice.filter(|_| !parsed.cli.general.quiet) {
        anstream::eprintln!("{}", style::note(advice));
    }
    Ok(Exit::Done.into())
}
