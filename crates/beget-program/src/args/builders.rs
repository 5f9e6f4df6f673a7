//! Arguments of the search for builders.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::ci::CiArgs;
use super::common::{MethodsArg, RunArgs, SummaryFormat, methods};

/// Find a smallest set of methods that builds everything, and certify it
///
/// Explores the full API at the scope, chooses methods, and generates anew: with them, and without
/// each one of them. The set is sufficient if it builds every structure that the full API builds,
/// and minimal if it builds less without any one of its methods. For each method, a structure is
/// shown that is lost without it.
///
/// The `methods` of the scope file have no effect: all methods of the suite take part, except those
/// with a parameter that the scope gives no literals.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  beget builders scopes/list.ron -k 3
  beget builders scopes/list.ron -k 3 -o scopes/list.builders.ron --confirm-at 5
  beget builders scopes/list.ron --search exact --summary json

A scope uses the set by `methods: Builders(\"list.builders.ron\")`, a path as seen from the scope file. The file is refused \
once the methods of the suite have changed.

A budget of calls or structures is for each generation; time and memory are for all of them. What stops the search stops it \
without an answer. The exit code is 1 if the set does not suffice, at this scope or one of --confirm-at, and if calls of the \
full API failed: `generate --methods all` shows which. The set holds all the same.

The JSON summary has these fields: suite, k, search, seed, methods, left_out, complete, stop_reason, builders, full_generated \
(structures of the main type that the full API builds), sufficient, sufficient_how, minimal, minimal_how, full, built (structures \
of all types, and their digest), missing, needs, observers, search_notes, confirmed, explored, misuse, failures (of the full API), \
seconds, cpu_seconds, peak_rss_bytes. stop_reason is `exhausted` exactly if complete is true; what is not known is null.")]
pub(crate) struct BuildersArgs {
    /// A scope file: the suite's name and the bounds of the run
    #[arg(value_name = "SCOPE")]
    pub(crate) scope: PathBuf,

    /// The scope's number, in place of the file's
    ///
    /// The bounds in the file are expressions in k, so this scales the whole scope.
    #[arg(long = "scope", short, value_name = "N")]
    pub(crate) k: Option<u32>,

    /// A part of the API to take for all of it: names with commas between
    ///
    /// By default it is all methods whose parameters have literals. A file of builders is about the
    /// full API only, so this does not go with -o.
    #[arg(long, value_name = "METHODS", value_parser = methods, conflicts_with = "output")]
    pub(crate) methods: Option<MethodsArg>,

    /// How the set is searched for
    #[arg(long, value_name = "SEARCH", default_value = "hill-climbing")]
    pub(crate) search: SearchKind,

    /// Where the random numbers of the genetic search start
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Check the set at a larger scope too
    ///
    /// Generates by the builders, then tries all other methods on what they built until something
    /// new comes out. It can be given several numbers, with commas between.
    #[arg(long, value_name = "K", value_delimiter = ',')]
    pub(crate) confirm_at: Vec<u32>,

    /// Write the set and its certificate to a new file
    ///
    /// That it is free, and that its directory can be written to, is checked before the run.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// How to print the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) summary: SummaryFormat,

    /// Explore more objects of each class, and more literals on both ends of each range of integers
    ///
    /// What is compared is then all that is explored.
    #[arg(long, value_name = "S")]
    pub(crate) slack: Option<u32>,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    #[command(flatten)]
    pub(crate) ci: CiArgs,
}

/// The searches for builders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SearchKind {
    /// Add the best method while something grows: fast, and nearly always cheapest
    HillClimbing,
    /// Evolve sets of methods by the variety of what they build
    Genetic,
    /// Prove that no sufficient set is cheaper
    Exact,
}
