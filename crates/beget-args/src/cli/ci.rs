//! Arguments of the commands that find something: where else findings go.

use std::path::PathBuf;

use clap::Args;

/// Files and messages for continuous integration.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Continuous integration")]
pub struct CiArgs {
    /// Write the findings in SARIF 2.1.0, a result for each cause, and replace the file
    ///
    /// The place of a result is in the source if that is known, else in the scope file.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub sarif: Option<PathBuf>,

    /// Write JUnit XML and replace the file
    ///
    /// It has a failing test case for each cause, and a passing one for each contract and repOK
    /// that held.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub junit: Option<PathBuf>,

    /// Write a page about the run and replace the file
    ///
    /// It is one HTML file that needs no network.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub report: Option<PathBuf>,

    /// Write no annotations in a GitHub job
    ///
    /// Otherwise, if GITHUB_ACTIONS is set, each cause is an `::error` line on stderr, and a
    /// summary is appended to the file GITHUB_STEP_SUMMARY.
    #[arg(long, hide_short_help = true)]
    pub no_annotations: bool,
}
