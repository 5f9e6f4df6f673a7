//! Arguments of `explore`.

use clap::Args;

use super::common::{RunArgs, ScopeArgs};
use super::supervision::SupervisionArgs;

/// Explore the structures of a run in a browser
///
/// Example: beget explore scopes/kiasan/treeset.ron -k 5
///
/// explore makes the run of `generate`, or reads a directory that `generate -o` has written, and
/// serves pages until Ctrl-C: levels and sizes, filtered lists, and for each structure its picture,
/// fields and recipe, and the calls that lead to it and on. It makes every call on a structure that
/// you ask for.
///
/// The server listens on 127.0.0.1 alone and only reads.
#[derive(Debug, Args)]
#[command(after_long_help = "\
More examples:
  beget explore trees --port 8080

A filter compares fields from the root on, count(Class), calls or objects: `size > 2 && root.color == Red`.")]
pub struct ExploreArgs {
    #[command(flatten)]
    pub scope: ScopeArgs,

    /// The port to listen on; a free one by default
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,

    #[command(flatten)]
    pub run: RunArgs,

    #[command(flatten)]
    pub supervision: SupervisionArgs,
}
