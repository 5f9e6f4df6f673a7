//! Arguments of `report`.

use std::path::PathBuf;

use clap::Args;

use super::common::{GoingOnArgs, RunArgs};
use super::generation::CheckedScopeArgs;
use super::supervision::SupervisionArgs;

/// Write an HTML page about a run
///
/// Example: beget report scopes/roops/ncl.ron -k 3 --open
///
/// report makes the run of `check`, or reads a directory that `generate -o` or `repok -o` has
/// written.
///
/// The page needs no network and no JavaScript. It has the verdict and its meaning, a card for each
/// cause with its test and a film of its calls, the numbers of the run, and pictures of some
/// structures. Other commands write it with --report FILE.
#[derive(Debug, Args)]
#[command(after_long_help = "\
More examples:
  beget report scopes/kiasan/treeset.ron -o treeset.html
  beget report trees -o trees.html")]
pub struct ReportArgs {
    #[command(flatten)]
    pub scope: CheckedScopeArgs,

    /// The file to write or replace; by default `target/beget/report.html`
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,

    #[command(flatten)]
    pub going_on: GoingOnArgs,

    #[command(flatten)]
    pub run: RunArgs,

    #[command(flatten)]
    pub supervision: SupervisionArgs,
}
