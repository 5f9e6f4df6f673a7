//! Arguments of the commands that search from a repOK: repok, compare.

use std::path::PathBuf;

use beget_plan::scope::Budget;
use clap::Args;

use super::ci::CiArgs;
use super::common::{Resources, RunArgs, ScopeArgs, SummaryFormat, threads};

/// Find every structure that a repOK admits
///
/// A repOK says which heaps are structures of the type. This searches all heaps within the bounds
/// that the scope file gives under `repoks`, without any call of the type's methods, and counts
/// those that the repOK admits, isomorphic ones once. The search changes only fields that the repOK
/// has read (Boyapati, Khurshid, Marinov, ISSTA 2002).
///
/// A repOK that panics, reads without end, or answers differently for the same heap is a finding.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  beget repok scopes/roops/ncl.ron -k 3
  beget repok scopes/roops/ncl.ron --repok published --summary json
  beget repok scopes/roops/ncl.ron -k 2 -o lists

Files of -o DIR:
  manifest.json     the names of all files, with their lengths and checksums, for `beget verify`
  structures.jsonl  one JSON object a line, as found: number, form, heap
  summary.json      the JSON summary without times and memory, with the version of the formats
  scope.ron         the scope file, for `verify`
  INCOMPLETE        only if the search stopped early: why

`form` is the canonical form in hexadecimal digits, `heap` the objects, the root first. Equal searches leave equal files.

The JSON summary has these fields: suite, k, methods (none), complete, stop_reason, repok, generated, unrepresentable (of \
these, heaps that no value of the type is like), explored (runs of the repOK), digest (equal to that of `generate` exactly if the sets are), findings, \
seconds, cpu_seconds, peak_rss_bytes. stop_reason is `exhausted` exactly if complete is true.")]
pub(crate) struct RepokArgs {
    /// A scope file: the suite's name and the bounds of the search, under `repoks`
    #[arg(value_name = "SCOPE")]
    pub(crate) scope: PathBuf,

    /// The scope's number, in place of the file's
    ///
    /// The bounds in the file are expressions in k, so this scales the whole scope.
    #[arg(long = "scope", short, value_name = "N")]
    pub(crate) k: Option<u32>,

    /// Which repOK; by default `corrected`, or else the first
    #[arg(long, value_name = "NAME")]
    pub(crate) repok: Option<String>,

    /// Write the structures to a new directory
    ///
    /// That it is free, and that its parent can be written to, is checked before the search. It
    /// gets its name when all is written, so that an error leaves nothing. What a run leaves that
    /// is killed is removed by the next one beside it.
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,

    /// How to print the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) summary: SummaryFormat,

    #[command(flatten)]
    pub(crate) budgets: SearchBudgets,

    /// Threads; all cores by default
    ///
    /// The result is the same for any number.
    #[arg(long, value_name = "N", help_heading = "How to run", value_parser = threads)]
    pub(crate) threads: Option<usize>,

    #[command(flatten)]
    pub(crate) ci: CiArgs,
}

/// Compare what the methods build with what a repOK admits
///
/// Makes every structure of the scope by calls, as `generate` does, and every one that the repOK
/// admits, as `repok` does, and tells how the sets relate: `equal`; `under` if the repOK admits
/// structures that no calls build; `over` if it rejects some that calls build; `different` if both.
/// For each kind of structure that is on one side only, one is shown: by the clause of the repOK
/// that rejects it, with a shortest recipe; or by the clause of the corrected repOK, or else of
/// another one of the type, or by its shape. A clause that is broken, but never first, gets a
/// structure of its own, unless that is shown already.
///
/// Some structures can only be built by way of larger ones. So, while structures of the repOK are
/// missing, the calls are made again with one more slack, at most four times, until none is missing
/// or two in a row brought nothing. The first slack is that of the scope file, or else 0. --slack S
/// makes one comparison, with S.
///
/// With --store disk:DIR, --checkpoint and --resume, what calls build is in DIR, each slack in a
/// directory of its own.
///
/// A budget of calls or structures holds for each run of calls, and as runs of the repOK and
/// structures for each search; one of time or memory for all together.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  beget compare scopes/roops/ncl.ron -k 3 --repok published
  beget compare scopes/kiasan/treeset.ron -k 5
  beget compare scopes/roops/ncl.ron --repok published -o differences

Files of -o DIR:
  only_api.svg    pictures of witnesses that only calls build, if there are some
  only_repok.svg  pictures of witnesses that only the repOK admits, if there are some
  summary.json    the JSON summary without times and memory, with the version of the formats

The JSON summary has these fields: suite, k, methods, repok_name, named_after (the other repOK), complete, stop_reason, api, \
repok, only_api, only_repok (numbers of structures), verdict (null if a side was not explored completely), slack (the least of \
those that built most), slack_steps, failures (of calls), findings (of the repOK), witnesses, seconds, cpu_seconds, \
peak_rss_bytes. Exit code 1 means that the sets differ, that calls failed, or that the repOK misbehaved.")]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,

    /// Which repOK; by default `corrected`, or else the first
    #[arg(long, value_name = "NAME")]
    pub(crate) repok: Option<String>,

    /// Write the summary and pictures of the witnesses to a new directory
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,

    /// How to print the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) summary: SummaryFormat,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    #[command(flatten)]
    pub(crate) ci: CiArgs,
}

/// When to stop a search from a repOK early.
#[derive(Debug, Args)]
#[command(next_help_heading = "Budgets")]
pub(crate) struct SearchBudgets {
    /// Stop after N runs of the repOK
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_calls: Option<u64>,

    /// Stop after N structures
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_structures: Option<u64>,

    #[command(flatten)]
    pub(crate) resources: Resources,
}

impl SearchBudgets {
    pub(crate) fn to_budget(&self) -> Budget {
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
