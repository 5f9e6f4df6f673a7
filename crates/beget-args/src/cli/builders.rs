//! Arguments of the search for builders.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::ci::CiArgs;
use super::common::{MethodsArg, RunArgs, SummaryFormat, methods};

/// Find a smallest set of methods that builds every structure
///
/// Example: beget builders scopes/list.ron -k 3 -o scopes/list.builders.ron
///
/// builders explores the full API, chooses methods, and generates again: with them, and without
/// each of them. The set is sufficient if it builds every structure that the full API builds, and
/// minimal if it builds less without any of its methods. For each method, a structure is shown that
/// is lost without it.
///
/// The `methods` of the scope file have no effect. A method without literals for a parameter is
/// left out.
#[derive(Debug, Args)]
#[command(after_long_help = "\
More examples:
  beget builders scopes/list.ron -k 3 -o scopes/list.builders.ron --confirm-at 5
  beget builders scopes/list.ron --search exact --summary json

A scope uses the set by `methods: Builders(\"list.builders.ron\")`, a path relative to the scope file. The file is rejected \
if the methods of the suite have changed.

A budget of calls or structures holds for each generation; time and memory hold for all together. The exit code is 1 if the \
set does not suffice, at this scope or one of --confirm-at, or if calls of the full API failed (`generate --methods all` shows \
them), and 3 if the search was stopped.

The JSON summary has these fields: suite, k, search, seed, methods, left_out, complete, stop_reason, beget, builders, full_generated \
(structures of the main type that the full API builds), sufficient, sufficient_how, minimal, minimal_how, full, built (structures \
of all types, and their digest), missing, needs, observers, search_notes, confirmed, explored, misuse, failures (of the full API), \
findings, seconds, cpu_seconds, peak_rss_bytes. stop_reason is `exhausted` exactly if complete is true; an unknown value is null.")]
pub struct BuildersArgs {
    /// The scope file, with the suite's name and the bounds
    #[arg(value_name = "SCOPE")]
    pub scope: PathBuf,

    /// The number k that scales the scope; overrides the scope file
    #[arg(long = "scope", short, value_name = "N")]
    pub k: Option<u32>,

    /// Treat these methods, separated by commas, as the full API
    ///
    /// A file of builders describes the full API, so this cannot be used with -o.
    #[arg(long, value_name = "METHODS", value_parser = methods, conflicts_with = "output")]
    pub methods: Option<MethodsArg>,

    /// The way to search for the set
    #[arg(long, value_name = "SEARCH", default_value = "hill-climbing")]
    pub search: SearchKind,

    /// The seed of the genetic search
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Also check the set at larger scopes: values of k, separated by commas
    ///
    /// The builders generate, and all other methods are tried on the result until something new
    /// appears.
    #[arg(long, value_name = "K", value_delimiter = ',')]
    pub confirm_at: Vec<u32>,

    /// Write the set and its certificate to a new file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Format of the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub summary: SummaryFormat,

    /// Explore S more objects of each class, and integers at both ends of each range
    ///
    /// The comparison then includes all structures explored.
    #[arg(long, value_name = "S")]
    pub slack: Option<u32>,

    #[command(flatten)]
    pub run: RunArgs,

    #[command(flatten)]
    pub ci: CiArgs,
}

/// The searches for builders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SearchKind {
    /// Keep adding the best method: fast, and nearly always cheapest
    HillClimbing,
    /// Evolve sets by the variety of the structures that they build
    Genetic,
    /// Prove that no sufficient set is cheaper
    Exact,
}
