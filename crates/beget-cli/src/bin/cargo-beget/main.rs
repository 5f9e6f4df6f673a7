//! `cargo beget`: the command line of beget on the suites of a crate of one's own.
//!
//! The suites stand behind `cfg(test)`, so the program that runs them is a test binary of the
//! crate. This one finds the [`package`], [`build`]s its tests with the command line in them, asks
//! each binary for its [`suites`], and becomes the one that has the suite of the command's scope.
//! How the command line got there is told in `beget_program::cargo`.

mod build;
mod error;
mod foreign;
mod package;
mod suites;

use std::ffi::OsString;
use std::process::ExitCode;

use beget_program::Exit;
use beget_program::cargo::{self, About, Invocation};

use error::Error;
use package::Package;

fn main() -> ExitCode {
    let arguments = arguments();
    let ended = cargo::parse(&arguments).map(|invocation| run(&invocation, &arguments));
    match ended {
        Ok(Ok(exit)) | Err(exit) => exit,
        Ok(Err(error)) => {
            error.show();
            Exit::Usage.into()
        }
    }
}

/// What stands after `cargo beget`. Cargo repeats the word `beget`.
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
    let package = Package::find(&invocation.cargo)?;
    let binaries = build::build(&package, &invocation.cargo, invocation.quiet)?;
    let programs = suites::programs(&package, binaries)?;
    match &invocation.about {
        About::File(scope) => suites::of_scope(&programs, scope).become_it(arguments),
        About::Suite(name) => suites::of_suite(&programs, name.as_deref())?.become_it(arguments),
        About::All => suites::run_each(&programs, arguments),
    }
}
