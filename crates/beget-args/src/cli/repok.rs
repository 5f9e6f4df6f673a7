//! Arguments of the commands that search from a repOK: repok, compare.

use std::path::PathBuf;

use beget_plan::scope::Budget;
use clap::Args;

use super::ci::CiArgs;
use super::common::{Resources, RunArgs, ScopeArgs, SummaryFormat, threads};

/// Find every structure that a repOK admits
///
/// Example: beget repok scopes/roops/ncl.ron -k 3
///
/// A repOK is a predicate that accepts the valid heaps of a type. repok searches all heaps within
/// the bounds under `repoks` in the scope file, without calling methods, and counts those that the
/// repOK admits, isomorphic ones once. It changes only fields that the repOK has read (Boyapati,
/// Khurshid, Marinov, ISSTA 2002).
///
/// A repOK that panics, reads without end, or answers differently for the same heap is a finding.
#[derive(Debug, Args)]
#[command(after_long_help = "\
More examples:
  beget repok scopes/roops/ncl.ron --repok published --summary json
  beget repok scopes/roops/ncl.ron -k 2 -o lists

Files of -o DIR:
  manifest.json     names, lengths and checksums of the other files, for `beget verify`
  structures.jsonl  one JSON object per line, in order of discovery: number, form, heap
  summary.json      the JSON summary without times and memory, with the version of the formats
  scope.ron         the scope file, for `verify`
  INCOMPLETE        the reason, if the search stopped early

`form` is the canonical form in hexadecimal digits, `heap` the objects, the root first. Equal searches write equal files.

The JSON summary has these fields: suite, k, methods (none), complete, stop_reason, beget, repok, generated, unrepresentable (of \
these, heaps that no value of the type can have), explored (runs of the repOK), digest (equal to that of `generate` exactly if \
the sets are), findings, seconds, cpu_seconds, peak_rss_bytes. stop_reason is `exhausted` exactly if complete is true.")]
pub struct RepokArgs {
    /// The scope file, with the suite's name and, under `repoks`, the bounds
    #[arg(value_name = "SCOPE")]
    pub scope: PathBuf,

    /// The number k that scales the scope; overrides the scope file
    #[arg(long = "scope", short, value_name = "N")]
    pub k: Option<u32>,

    /// The repOK; by default `corrected`, or else the first
    #[arg(long, value_name = "NAME")]
    pub repok: Option<String>,

    /// Write the structures to a new directory
    ///
    /// Its name must be free; this is checked before the search. On an error nothing is written.
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Format of the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub summary: SummaryFormat,

    #[command(flatten)]
    pub budgets: SearchBudgets,

    /// Number of threads; all cores by default. The result does not depend on it
    #[arg(long, value_name = "N", help_heading = "Run options", value_parser = threads)]
    pub threads: Option<usize>,

    #[command(flatten)]
    pub ci: CiArgs,
}

/// Compare the structures that methods build with those that a repOK admits
///
/// Example: beget compare scopes/kiasan/treeset.ron -k 5
///
/// compare builds every structure of the scope by calls, as `generate` does, and finds those that
/// the repOK admits, as `repok` does. The verdict is `equal`; `under` if the repOK admits
/// structures that no calls build; `over` if it rejects some that calls build; or `different`. One
/// structure is shown for each kind of difference: by the clause of a repOK that rejects it, or by
/// its shape.
///
/// Some structures can only be built from larger ones. While structures are missing, the calls are
/// made again with one more slack, at most four times, until none is missing or two in a row
/// brought nothing. --slack S makes one comparison.
///
/// A budget of calls or structures holds for each run; time and memory hold for all together. With
/// --store disk:DIR, --checkpoint and --resume, each slack has a directory of its own in DIR.
#[derive(Debug, Args)]
#[command(after_long_help = "\
More examples:
  beget compare scopes/roops/ncl.ron -k 3 --repok published
  beget compare scopes/roops/ncl.ron --repok published -o differences

Files of -o DIR:
  only_api.svg    witnesses that only calls build, if any
  only_repok.svg  witnesses that only the repOK admits, if any
  summary.json    the JSON summary without times and memory, with the version of the formats

The JSON summary has these fields: suite, k, methods, repok_name, named_after (the other repOK), complete, stop_reason, beget, api, \
repok, only_api, only_repok (numbers of structures), verdict (null if a side was not explored completely), slack (the least of \
those that built most), slack_steps, failures (of calls), findings (of the repOK), witnesses, seconds, cpu_seconds, \
peak_rss_bytes. Exit code 1 means that the sets differ, that calls failed, or that the repOK misbehaved.")]
pub struct CompareArgs {
    #[command(flatten)]
    pub scope: ScopeArgs,

    /// The repOK; by default `corrected`, or else the first
    #[arg(long, value_name = "NAME")]
    pub repok: Option<String>,

    /// Write the summary and pictures of the witnesses to a new directory
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Format of the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub summary: SummaryFormat,

    #[command(flatten)]
    pub run: RunArgs,

    #[command(flatten)]
    pub ci: CiArgs,
}

/// The budgets of a search from a repOK.
#[derive(Debug, Args)]
#[command(next_help_heading = "Budgets")]
pub struct SearchBudgets {
    /// Stop after N runs of the repOK
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_calls: Option<u64>,

    /// Stop after N structures
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_structures: Option<u64>,

    #[command(flatten)]
    pub resources: Resources,
}

impl SearchBudgets {
    pub fn to_budget(&self) -> Budget {
        Budget {
            max_calls: self.max_calls,
            max_structures: self.max_structures,
            max_seconds: self.resources.max_seconds,
            max_memory_mib: self.resources.max_memory,
            max_levels: None,
            is_enough: false,
        }
    }
}
