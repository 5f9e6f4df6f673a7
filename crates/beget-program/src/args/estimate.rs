//! Arguments of `estimate`.

use beget_plan::scope::Budget;
use beget_search::run::EstimateBudget;
use clap::Args;

use super::ci::CiArgs;
use super::common::{ScopeFileArgs, SummaryFormat, seconds, threads};

/// Say what a scope would take: structures, calls, hours, memory, disk
///
/// Explores the same scope at k = 1, 2, 3 and so on, as many as a small budget allows, and tells
/// how the counts go on up to the k that is asked about. Each number has a range that holds it in
/// nine of ten cases: so it was on the rows of Table 1 of the BEAPI paper. Of another type that is
/// a guess, and the ranges say how good it is where the counts themselves are irregular.
///
/// If the budget suffices for the scope itself, the numbers are counts.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  beget estimate scopes/kiasan/treemap.ron -k 8
  beget estimate scopes/korat/binheap.ron -k 11 --max-calls 2000000000 --max-seconds 600
  beget estimate scopes/roops/ncl.ron -k 9 --summary json

Time is what a call cost in the largest scope that was explored, times the calls, divided by the threads; memory what a \
structure took in the store, times the structures. The limits in the scope file have no effect.

It ends with 0 if there is an estimate, with 1 if calls failed in one of the scopes, and with 3 if there is too little to go \
on: fewer than two scopes with structures were explored to their end, or k is too far from them.

The JSON summary has these fields: suite, k, methods, complete (whether the scope itself was explored), stop_reason (why no \
more scopes were), counted (a list: k, generated, stored, explored), begun (a scope that was not ended, or null: k, generated, \
explored), explored (all calls made), steps (from the last k that was counted), confidence, structures, stored (of all types, \
and those that only slack allows), calls, cpu_hours, hours, threads, memory_bytes, disk_bytes, nanoseconds_per_call, \
bytes_per_structure, disk_bytes_per_structure, notes, failures, findings, seconds, cpu_seconds, peak_rss_bytes. Each number \
that is estimated is an object (likely, low, high), or null if there is too little to go on.")]
pub(crate) struct EstimateArgs {
    #[command(flatten)]
    pub(crate) file: ScopeFileArgs,

    /// Explore more than is reported
    ///
    /// As with `generate`.
    #[arg(long, value_name = "S")]
    pub(crate) slack: Option<u32>,

    /// How to print the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) summary: SummaryFormat,

    /// Threads; all cores by default
    ///
    /// The counts are the same for any number. The hours are those with so many.
    #[arg(long, value_name = "N", help_heading = "How to run", value_parser = threads)]
    pub(crate) threads: Option<usize>,

    #[command(flatten)]
    pub(crate) budget: EstimateBudgets,

    #[command(flatten)]
    pub(crate) ci: CiArgs,
}

/// When to stop exploring.
#[derive(Debug, Args)]
#[command(next_help_heading = "Budgets")]
pub(crate) struct EstimateBudgets {
    /// Make about N calls in all scopes together
    ///
    /// A scope that would surely take more is not begun. Which scopes are explored is reproducible.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 50_000_000,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub(crate) max_calls: u64,

    /// Stop after about S seconds; not reproducible if that happens
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = seconds)]
    pub(crate) max_seconds: f64,

    /// Stop when the process holds N MiB of memory; not reproducible if that happens
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_memory: Option<u64>,
}

impl EstimateBudgets {
    /// Returns the budget of counting.
    pub(crate) fn counted(&self) -> EstimateBudget {
        EstimateBudget { max_calls: self.max_calls }
    }

    /// Returns the budget of measuring.
    pub(crate) fn measured(&self) -> Budget {
        Budget {
            max_seconds: Some(self.max_seconds),
            max_memory_mib: self.max_memory,
            ..Budget::default()
        }
    }
}
