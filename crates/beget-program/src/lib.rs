//! The command line of beget, as a library: arguments, progress, printing.
//!
//! [`main`] is the whole program for a given [`Catalog`] of suites. The `beget` binary calls it
//! with the case studies; a crate with suites of its own has its own binary with three lines:
//!
//! ```no_run
//! use beget_program::Catalog;
//!
//! fn main() -> std::process::ExitCode {
//!     let suites = vec![/* MyType::suite() */];
//!     beget_program::main(Catalog::new(suites))
//! }
//! ```
//!
//! `beget_process::alloc::install!(unsafe)` before it is optional; the crate says what it promises.
//!
//! repOKs come with the catalog:
//! `Catalog::new(suites).with_rep_oks("my_type", Subject::new([REP_OK]))`.
//!
//! Typed arguments (`beget_args`) become a plan and settings in one function (`open`), then a
//! library makes the run and [`records`] write it. Results go to stdout, everything else to stderr.
//! [`Exit`] says how a run ended.
#![warn(missing_docs)]

pub mod cargo;
mod error;
mod open;
pub mod records;

mod builders;
mod bytes;
mod call;
mod check;
mod checksum;
mod ci;
mod compare;
mod diff;
mod emit;
mod estimate;
mod evolve;
mod explore;
mod generate;
mod init;
mod list;
mod literals;
mod machines;
mod manual;
mod random;
mod repok;
mod report;
mod saving;
mod show;
mod verify;

mod control;
mod exit_guard;
mod interrupt;
mod measure;
mod output;
mod plot;
mod print;
mod reading;
mod stdout;
mod supervision;
mod watchdog;

use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::{FromArgMatches, Parser};

pub use beget_args::Exit;
use beget_args::cli::{Cli, Command, explained, grouped};
use beget_args::{name, show_usage};
pub use beget_run::Catalog;
use error::CliError;

/// Runs the program on the process's arguments, with the suites of `catalog` to choose from.
pub fn main(catalog: impl Into<Catalog>) -> ExitCode {
    let exit = match parse() {
        Ok(cli) => execute(&cli, catalog.into()),
        Err(message) => show_usage(&message),
    };
    if beget_process::guard::is_exit_taken() {
        // The usual way out waits for a thread that stands in it.
        exit_guard::leave(exit as i32);
    }
    exit.into()
}

/// Reads the arguments of the process.
fn parse() -> Result<Cli, clap::Error> {
    // Dropping some hundred definitions of options takes a twelfth of the time that the process
    // needs to start, so they are leaked.
    let mut command = ManuallyDrop::new(grouped::<Cli>());
    let words: Vec<_> = std::env::args_os().collect();
    let matches = command.try_get_matches_from_mut(&words);
    let parsed = matches.and_then(|mut matches| Cli::from_arg_matches_mut(&mut matches));
    parsed.map_err(|error| explained::<Cli>(error, &words).format(&mut command))
}

/// Runs a command to its end.
fn execute(cli: &Cli, catalog: Catalog) -> Exit {
    cli.general.color.choose();
    if cli.command.prints_json() {
        watchdog::print_json();
    }
    stdout::divert();
    let ran = exit_guard::guarded(|| catch_unwind(AssertUnwindSafe(|| run(cli, catalog))));
    ran.map(exit_of).unwrap_or_else(|_| {
        print::internal_error();
        Exit::Internal
    })
}

/// Checks whether a command line, with the name of the program, can be parsed. For tests.
///
/// # Errors
/// The message for the user.
#[doc(hidden)]
pub fn check_arguments<T: Into<std::ffi::OsString> + Clone>(
    arguments: impl IntoIterator<Item = T>,
) -> Result<(), String> {
    match Cli::try_parse_from(arguments) {
        Ok(_) => Ok(()),
        Err(message) => Err(message.render().to_string()),
    }
}

/// Returns the exit code after a command; prints the error if there is one.
fn exit_of(ran: Result<Exit, CliError>) -> Exit {
    ran.unwrap_or_else(|error| {
        if !error.is_told_elsewhere() {
            print::error(&error);
        }
        error.exit()
    })
}

fn run(cli: &Cli, catalog: Catalog) -> Result<Exit, CliError> {
    watchdog::call_seconds()?;
    match &cli.command {
        Command::List(args) => list::run(args, &cli.general, catalog),
        Command::Generate(args) => generate::run(args, &cli.general, catalog),
        Command::Builders(args) => builders::run(args, &cli.general, catalog),
        Command::Estimate(args) => estimate::run(args, &cli.general, catalog),
        Command::Repok(args) => repok::run(args, &cli.general, catalog),
        Command::Compare(args) => compare::run(args, &cli.general, catalog),
        Command::Check(args) => check::run(args, &cli.general, catalog),
        Command::Random(args) => random::run(args, &cli.general, catalog),
        Command::Call(args) => call::run(args, &cli.general, catalog),
        Command::Evolve(args) => evolve::run(args, &cli.general, catalog),
        Command::Diff(args) => diff::run(args, &cli.general, catalog),
        Command::Emit(args) => emit::run(args, &cli.general, catalog),
        Command::Show(args) => show::run(args, &cli.general, catalog),
        Command::Explore(args) => explore::run(args, &cli.general, catalog),
        Command::Report(args) => report::run(args, &cli.general, catalog),
        Command::Verify(args) => verify::run(args, &cli.general, catalog),
        Command::Init(_) if !name::is_cargo() => {
            let message = "`init` writes scope files for the suites of a crate of your own: run `cargo beget init` there";
            Err(CliError::Usage(message.to_owned()))
        }
        Command::Init(args) => {
            let names = catalog.suites.iter().map(|suite| suite.name.as_str());
            init::run(args, names, &cli.general)
        }
        Command::Completions(args) => manual::print_completions(args.shell),
        Command::Man => manual::print_page(),
    }
}
