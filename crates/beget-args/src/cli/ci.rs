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
    ///
    /// In a GitHub job (GITHUB_ACTIONS=true), each cause is also an `::error` line on stderr, and a
    /// summary is appended to the file GITHUB_STEP_SUMMARY.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub report: Option<PathBuf>,

    /// No annotations are written in a GitHub job. No option: a command that has no findings of its
    /// own sets it.
    #[arg(skip)]
    pub no_annotations: bool,
}
