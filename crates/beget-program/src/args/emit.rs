//! Arguments of `emit`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::common::{RunArgs, ScopeArgs, SummaryFormat};

/// Write Rust tests: one for each structure of a scope, and one for each failure
///
/// Makes every structure of the scope as `check` does. The test of a structure builds it by the
/// calls of its recipe and asserts what they return, and what the methods return that only look at
/// it: those by `&self` with few literals and no other structure, also where the scope's `methods`
/// leave them out. What is not the same in two executions is not asserted. The test of a failure
/// makes the calls that show it, and fails as they do.
///
/// The file compiles without warnings and is laid out as rustfmt does by default. Equal runs write
/// equal files.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  beget emit scopes/kiasan/treeset.ron -k 3 -o tests/treeset.rs
  cargo beget emit scopes/stack.ron -o tests/stack_structures.rs
  cargo beget emit scopes/stack.ron -o src/stack/generated.rs --most 50
  cargo beget emit scopes/stack.ron -o src/failures.rs --only failures

Where the file stands decides how it names the types. Below a directory `tests` it uses the crate from outside, by public \
names. Elsewhere `cargo beget emit` writes a module of the crate itself: declare it, by `#[cfg(test)] mod generated;`, in the \
module that declares the suite, where it sees what is private there.

`cargo beget emit` compiles a file that is to stand in the `tests` of its package and runs it twice before it keeps it. \
Tests of structures that fail then, and tests of failures that do not, are left out and named. This is not done for a \
module, which is compiled only where it is declared: run it by `cargo test`.

Findings that calls alone do not show have no test and are named: a subject that is not deterministic, a `Clone` that \
shares state. repOKs are asked by `cargo beget emit`, where the type has them by `HasRepOks`.

The JSON summary has the fields of `generate` and: tests (how many the file has), failure_tests (of these, those of \
failures), left_out (what has no test or assertion, and why).")]
pub(crate) struct EmitArgs {
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,

    /// The file
    ///
    /// One that `emit` wrote is replaced, once all is ready; another one is not, without --force.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Write tests of these alone
    #[arg(long, value_name = "WHAT")]
    pub(crate) only: Option<TestsOf>,

    /// At most N tests of structures, evenly spread over the run
    #[arg(long, value_name = "N")]
    pub(crate) most: Option<usize>,

    /// Replace a file that `emit` did not write
    #[arg(long)]
    pub(crate) force: bool,

    /// Format the file by rustfmt, with the settings of its place
    #[arg(long)]
    pub(crate) rustfmt: bool,

    /// How to print the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) summary: SummaryFormat,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// The subject of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestsOf {
    /// What calls build
    Structures,
    /// What is wrong
    Failures,
}

impl EmitArgs {
    pub(crate) fn wants(&self, what: TestsOf) -> bool {
        self.only.is_none_or(|only| only == what)
    }
}
