//! Arguments of verify.

use std::path::PathBuf;

use beget_plan::scope::Budget;
use clap::Args;

use super::common::{Resources, SummaryFormat, threads};

/// Check again what `generate -o`, `repok -o` or `builders -o` has written
///
/// Makes the run again, from the scope file that is kept with its results. Of a directory, every
/// line is compared with what the run writes now; each structure is made by the calls of its
/// recipe, whatever faster way its type allows. Counters, levels, findings and the digest are
/// compared too. Of a certificate, everything that it says is generated again: by the full API, by
/// the builders, by the builders without each one, and at the larger scopes.
///
/// Of a run that was stopped early, the structures are compared that it has. What cannot be made
/// again, such as the scope file itself, is compared with the checksums that are kept beside.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  beget generate scopes/tree.ron -k 4 -o trees
  beget verify trees
  beget verify scopes/list.builders.ron --summary json

The exit code is 1 if something is not as it is made again: another suite, a file that was changed, a machine on which the \
subject behaves differently.

The JSON summary has these fields: suite, k, methods, complete (everything was checked), stop_reason, written (`corpus`, \
`admitted` by a repOK, or `certificate`), structures, verified, differences (file, line, id, lines, message), seconds, \
cpu_seconds, peak_rss_bytes.")]
pub(crate) struct VerifyArgs {
    /// A directory of structures, or a file of builders
    #[arg(value_name = "DIR")]
    pub(crate) path: PathBuf,

    /// How to print the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) summary: SummaryFormat,

    #[command(flatten)]
    pub(crate) resources: Resources,

    /// Threads; all cores by default
    #[arg(long, value_name = "N", help_heading = "How to run", value_parser = threads)]
    pub(crate) threads: Option<usize>,
}

impl VerifyArgs {
    /// The limits of the check, and the most structures that it needs.
    pub(crate) fn to_budget(&self, max_structures: Option<u64>) -> Budget {
        Budget {
            max_structures,
            max_seconds: self.resources.max_seconds,
            max_memory_mib: self.resources.max_memory,
            ..Budget::default()
        }
    }
}
