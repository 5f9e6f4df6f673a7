//! Arguments of `call`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::ci::CiArgs;
use super::common::SequenceArgs;

/// Find one successful call of each method
///
/// Example: beget call scopes/real/vecdeque.ron
///
/// call tries simple methods first, with likely arguments: constants, indices within the lengths of
/// the containers, containers that are not empty. If a call panics, it repairs the call: by the
/// numbers in the message, by other arguments, or by another state of the structures. In the end it
/// replaces calls on empty structures where others go well. The literals of the scope at k are
/// tried first; its bounds do not apply.
///
/// The exit code is 0 if every method was called, 1 if one was not or a call broke an invariant or
/// postcondition.
#[derive(Debug, Args)]
#[command(after_long_help = "\
More examples:
  beget call scopes/real/vecdeque.ron --goal ok --repository vecdeque.calls.ron --summary json
  beget call scopes/real/vecdeque.ron -o benches/vecdeque.rs --graph vecdeque.svg
  beget call scopes/real/vecdeque.ron --samples 8 --vary get.self --methods new,push_back,get -o benches/get.rs

The JSON summary has these fields of `generate`: suite, k, methods, complete, stop_reason, beget, explored, findings, seconds, \
cpu_seconds, peak_rss_bytes. And: seed, goal, called (methods called), panics (methods that panicked \
first), repaired (of these, those that a repair called), by_family (the same by family of the first panic), filled (calls on a structure \
that holds something; have of all), telling (results other than None, Err and empty; have of all), not_called (name, reason), \
attempts (without calls that prepare or measure structures), calls (name, attempts, by, first_panic, source, samples, repeats), where \
by is `repository`, `generated`, `message`, `arguments` or `state`; samples (arguments, source) and repeats (times, end) \
are there if they were asked for.")]
pub struct CallArgs {
    #[command(flatten)]
    pub sequences: SequenceArgs,

    /// The definition of success
    #[arg(long, value_name = "GOAL", default_value = "returns")]
    pub goal: GoalArg,

    /// Number of attempts for each method
    #[arg(
        long,
        value_name = "N",
        default_value_t = 200,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub max_attempts: u32,

    /// Find up to N calls of each method with arguments that differ
    ///
    /// They are spread over the scope's literals and structures of up to 128 elements or objects.
    /// `--max-attempts` limits the calls that are tried.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub samples: u32,

    /// Take samples of METHOD alone, in which all arguments but PARAM are fixed
    ///
    /// `get.index` varies the index, `get.self` the structure. Can be given several times.
    #[arg(long, value_name = "METHOD.PARAM", requires = "samples")]
    pub vary: Vec<String>,

    /// Make the successful call up to N times in a row, and say how often it succeeds
    ///
    /// At most 1000: all calls are made again for each further one.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub repeat: u32,

    /// Start with the calls of this file, if it exists, and write all successful calls back
    #[arg(long, value_name = "FILE")]
    pub repository: Option<PathBuf>,

    /// Write criterion benchmarks, one function for each method, to a file that is new or by beget
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Replace a file that beget did not write
    #[arg(long, requires = "output")]
    pub force: bool,

    /// Draw the types that the methods take and give, as .svg or .dot
    #[arg(long, value_name = "FILE")]
    pub graph: Option<PathBuf>,

    #[command(flatten)]
    pub ci: CiArgs,
}

/// The definition of a successful call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GoalArg {
    /// The call returns
    Returns,
    /// The call returns neither `Err` nor `None`
    Ok,
}
