//! Arguments of `estimate`.

use beget_plan::scope::Budget;
use clap::Args;

use super::ci::CiArgs;
use super::common::{ScopeFileArgs, SummaryFormat, seconds, threads};

/// Estimate the structures, calls, time, memory and disk of a scope
///
/// Example: beget estimate scopes/kiasan/treemap.ron -k 8
///
/// estimate explores the same scope at k = 1, 2, 3 and so on within a small budget, and
/// extrapolates. Each number has a range that should hold in nine of ten cases. If the budget
/// covers the scope itself, the numbers are counts.
#[derive(Debug, Args)]
#[command(after_long_help = "\
More examples:
  beget estimate scopes/korat/binheap.ron -k 11 --max-calls 2000000000 --max-seconds 600
  beget estimate scopes/roops/ncl.ron -k 9 --summary json

Time is the cost of a call in the largest explored scope, times the calls, divided by the threads; memory is the size of a \
structure in the store, times the structures. The limits in the scope file have no effect.

The exit code is 0 with an estimate, 1 if calls failed in one of the scopes, and 3 if fewer than two scopes with structures \
were explored completely or k is too far away.

The JSON summary has these fields: suite, k, methods, complete (the scope itself was explored: the numbers are counts), \
stop_reason (why no more scopes were explored), beget, counted (a list: k, generated, stored, explored), begun (the scope begun and \
not finished, or null: k, generated, explored), explored (all calls made), steps (from the last counted k), confidence (the \
share of ranges that should hold), structures (of the main type), stored (of all types, with those that only slack allows), \
calls, cpu_hours, hours (the same divided by the threads), threads, memory_bytes, disk_bytes, nanoseconds_per_call, \
bytes_per_structure, disk_bytes_per_structure, notes, failures, findings, seconds, cpu_seconds, peak_rss_bytes. An estimated \
number is an object (likely, low, high), or null without an estimate.")]
pub struct EstimateArgs {
    #[command(flatten)]
    pub file: ScopeFileArgs,

    /// Explore more than is reported: S more objects of each class, and integers at both ends of
    /// each range
    ///
    /// This finds structures that can only be built from larger ones.
    #[arg(long, value_name = "S")]
    pub slack: Option<u32>,

    /// Format of the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub summary: SummaryFormat,

    /// Number of threads; all cores by default. The counts do not depend on it
    #[arg(long, value_name = "N", help_heading = "Run options", value_parser = threads)]
    pub threads: Option<usize>,

    #[command(flatten)]
    pub budget: EstimateBudgets,

    #[command(flatten)]
    pub ci: CiArgs,
}

/// The budgets of exploring.
#[derive(Debug, Args)]
#[command(next_help_heading = "Budgets")]
pub struct EstimateBudgets {
    /// Make about N calls in all scopes together, at a reproducible point
    ///
    /// A scope that would surely take more is not begun.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 50_000_000,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub max_calls: u64,

    /// Stop after about S seconds; then the estimate is not reproducible
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = seconds)]
    pub max_seconds: f64,

    /// Stop when the process holds N MiB of memory; then the estimate is not reproducible
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_memory: Option<u64>,
}

impl EstimateBudgets {
    /// Returns the budget of measuring.
    pub fn measured(&self) -> Budget {
        Budget {
            max_seconds: Some(self.max_seconds),
            max_memory_mib: self.max_memory,
            ..Budget::default()
        }
    }
}
