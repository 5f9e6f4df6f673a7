//! Arguments of `emit`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::common::{RunArgs, ScopeArgs, SummaryFormat};

/// Write Rust tests: one for each structure of a scope, and one for each failure
///
/// Example: cargo beget emit scopes/stack.ron -o tests/stack_structures.rs
///
/// emit makes the run of `check`. The test of a structure builds it by its recipe and asserts the
/// results of the calls and of observers: `&self` methods with few literals and no other structure,
/// even if the scope leaves them out. A result that differs between two executions is not asserted.
/// The test of a failure makes the calls that show it, and fails as they do.
///
/// The file compiles without warnings and is formatted as rustfmt does by default. Equal runs write
/// equal files.
#[derive(Debug, Args)]
#[command(after_long_help = "\
More examples:
  beget emit scopes/kiasan/treeset.ron -k 3 -o tests/treeset.rs
  cargo beget emit scopes/stack.ron -o src/stack/generated.rs --most 50
  cargo beget emit scopes/stack.ron -o src/failures.rs --only failures

Below a directory `tests` the file uses the crate from outside, by public names. Elsewhere `cargo beget emit` writes a \
module of the crate: declare it by `#[cfg(test)] mod generated;` in the module of the suite, whose private items it may use.

`cargo beget emit` compiles a file in the `tests` of its package and runs it twice before keeping it. Tests that do not do \
what they should are left out and named. A module is compiled only by `cargo test`.

Findings that calls alone do not show, such as nondeterminism or a `Clone` that shares state, have no test and are named.

The JSON summary has the fields of `generate` and: tests (in the file), failure_tests (of these, those of failures), \
left_out (structures and findings without a test or assertion, and why).")]
pub struct EmitArgs {
    #[command(flatten)]
    pub scope: ScopeArgs,

    /// The file to write; one that `emit` wrote is replaced, any other only with --force
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,

    /// Write only one kind of tests
    #[arg(long, value_name = "WHAT")]
    pub only: Option<TestsOf>,

    /// At most N tests of structures, evenly spread over the run
    #[arg(long, value_name = "N")]
    pub most: Option<usize>,

    /// Replace a file that `emit` did not write
    #[arg(long)]
    pub force: bool,

    /// Format the file by rustfmt with the settings of its directory
    #[arg(long)]
    pub rustfmt: bool,

    /// Format of the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub summary: SummaryFormat,

    #[command(flatten)]
    pub run: RunArgs,
}

/// The subject of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TestsOf {
    /// Tests of structures
    Structures,
    /// Tests of failures
    Failures,
}

impl EmitArgs {
    pub fn wants(&self, what: TestsOf) -> bool {
        self.only.is_none_or(|only| only == what)
    }
}
