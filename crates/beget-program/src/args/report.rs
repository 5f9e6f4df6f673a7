//! Arguments of `report`.

use std::path::PathBuf;

use clap::Args;

use super::common::{GoingOnArgs, RunArgs};
use super::generation::CheckedScopeArgs;
use super::supervision::SupervisionArgs;

/// Write a page about a run
///
/// With a scope file, or without one, `report` makes the run of `check`. With a directory that
/// `generate -o` or `repok -o` has written, it reads that and runs nothing.
///
/// The page is one HTML file that needs no network and no JavaScript: the verdict, what it means
/// and what not, a card for each cause with its test and a film of its calls, the numbers of the
/// run, and pictures of some structures. Other commands write it with `--report FILE`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  beget report scopes/roops/ncl.ron -k 3 --open
  beget report scopes/kiasan/treeset.ron -o treeset.html
  beget report trees -o trees.html")]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    pub(crate) scope: CheckedScopeArgs,

    /// The file to write; by default `target/beget/report.html`
    ///
    /// A file of that name is replaced, once the page is ready.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,

    #[command(flatten)]
    pub(crate) going_on: GoingOnArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    #[command(flatten)]
    pub(crate) supervision: SupervisionArgs,
}
