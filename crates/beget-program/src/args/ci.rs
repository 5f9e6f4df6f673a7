//! Arguments of the commands that find something: where else findings go.

use std::path::PathBuf;

use clap::Args;

/// Files and messages for continuous integration.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Continuous integration")]
pub(crate) struct CiArgs {
    /// Write the findings to a file in SARIF 2.1.0
    ///
    /// Each cause is a result, at its place in the source if that is known, and at the scope file
    /// if not. A file of that name is replaced.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) sarif: Option<PathBuf>,

    /// Write a report in the XML of JUnit
    ///
    /// It has a failing test case for each cause, and a passing one for each contract and repOK
    /// that held. A file of that name is replaced.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) junit: Option<PathBuf>,

    /// Write a page about the run
    ///
    /// One HTML file that needs no network: the verdict, a card for each cause with its calls, the
    /// numbers, and pictures of some structures. A file of that name is replaced.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) report: Option<PathBuf>,

    /// Write nothing for GitHub, though GITHUB_ACTIONS is set
    ///
    /// Where it is set, each cause is an `::error` line on the standard error, which GitHub shows
    /// at its place, and a summary is added to the file that GITHUB_STEP_SUMMARY names.
    #[arg(long, hide_short_help = true)]
    pub(crate) no_annotations: bool,
}
