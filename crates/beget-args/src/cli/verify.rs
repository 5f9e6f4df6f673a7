//! Arguments of verify.

use std::path::PathBuf;

use beget_plan::scope::Budget;
use clap::Args;

use super::common::{Resources, SummaryFormat, threads};

/// Check written results by making the run again
///
/// Example: beget verify trees
///
/// verify checks a directory of `generate -o` or `repok -o`, or a file of `builders -o`. It builds
/// each structure by the calls of its recipe and compares every line, counter, level, finding and
/// digest. For a certificate, it generates again by the full API, by the builders, by the builders
/// without each one, and at the larger scopes.
///
/// For an incomplete run, only the saved structures are checked. The scope file is checked by its
/// checksum.
#[derive(Debug, Args)]
#[command(after_long_help = "\
More examples:
  beget generate scopes/tree.ron -k 4 -o trees
  beget verify scopes/list.builders.ron --summary json

The exit code is 1 if something differs: the suite or a file was changed, or the code behaves differently on this machine.

The JSON summary has these fields: suite, k, methods, complete (everything was checked), stop_reason, beget, written (`corpus`, \
`admitted` by a repOK, or `certificate`), structures, verified, differences (file, line, id, lines, message), seconds, \
cpu_seconds, peak_rss_bytes.")]
pub struct VerifyArgs {
    /// A directory of structures, or a file of builders
    #[arg(value_name = "DIR")]
    pub path: PathBuf,

    /// Format of the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub summary: SummaryFormat,

    #[command(flatten)]
    pub resources: Resources,

    /// Number of threads; all cores by default
    #[arg(long, value_name = "N", help_heading = "Run options", value_parser = threads)]
    pub threads: Option<usize>,
}

impl VerifyArgs {
    /// The limits of the check, and the most structures that it needs.
    pub fn to_budget(&self, max_structures: Option<u64>) -> Budget {
        Budget {
            max_structures,
            max_seconds: self.resources.max_seconds,
            max_memory_mib: self.resources.max_memory,
            ..Budget::default()
        }
    }
}
