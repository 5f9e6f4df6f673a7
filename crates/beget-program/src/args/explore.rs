//! Arguments of `explore`.

use clap::Args;

use super::common::{RunArgs, ScopeArgs};
use super::supervision::SupervisionArgs;

/// Look at the structures of a run in a browser
///
/// With a scope file, `explore` makes the run of `generate`. With a directory that `generate -o`
/// has written, it reads that and runs nothing. Then it serves pages until Ctrl-C: levels and
/// sizes, lists by a filter, and for each structure its picture, its fields, its recipe, the call
/// that it comes from and the calls that lead on. On request it makes every call on a structure.
///
/// The server listens on 127.0.0.1 alone and only reads.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  beget explore scopes/kiasan/treeset.ron -k 5
  beget explore trees --port 8080

A filter is a comparison of fields from the root on, of count(Class), calls or objects, joined by && and ||, as \
`size > 2 && root.color == Red`.")]
pub(crate) struct ExploreArgs {
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,

    /// The port to listen on; by default one that is free
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    #[command(flatten)]
    pub(crate) supervision: SupervisionArgs,
}
