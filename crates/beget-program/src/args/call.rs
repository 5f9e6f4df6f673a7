//! Arguments of `call`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::ci::CiArgs;
use super::common::SequenceArgs;

/// Make a call of every method that goes well, repairing those that panic
///
/// The methods are called in the order of their complexity, with arguments that are likely to go
/// well: constants, indices within the lengths of the containers passed, containers that are not
/// empty. Of a call that panics the message is read and the call repaired: first by the numbers of
/// the message, then by other arguments, then by another state of what it takes. The literals of
/// the scope at k are tried first; its bounds do not hold.
///
/// It ends with 0 if every method was called, and with 1 if not, or if a call broke an invariant or
/// a postcondition.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  beget call scopes/real/vecdeque.ron
  beget call scopes/real/vecdeque.ron --goal ok --repository vecdeque.calls.ron --summary json
  beget call scopes/real/vecdeque.ron -o benches/vecdeque.rs --graph vecdeque.svg

The JSON summary has these fields of `generate`: suite, k, methods, complete, stop_reason, explored, findings, seconds, \
cpu_seconds, peak_rss_bytes. And: seed, goal, called, panics, repaired, by_family (panics, repaired), not_called (name, \
reason), attempts, calls (name, attempts, by, first_panic, source).")]
pub(crate) struct CallArgs {
    #[command(flatten)]
    pub(crate) sequences: SequenceArgs,

    /// When a call has gone well
    #[arg(long, value_name = "GOAL", default_value = "returns")]
    pub(crate) goal: GoalArg,

    /// How often each method is tried
    #[arg(
        long,
        value_name = "N",
        default_value_t = 200,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub(crate) max_attempts: u32,

    /// Begin with the calls of this file, if it is there, and write all that is known back to it
    #[arg(long, value_name = "FILE")]
    pub(crate) repository: Option<PathBuf>,

    /// Write benchmarks for criterion: one function for each method that was called
    ///
    /// A file that beget wrote is replaced.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Replace a file that beget did not write
    #[arg(long, requires = "output")]
    pub(crate) force: bool,

    /// Draw what the methods take and give, as the file's name says: .svg or .dot
    #[arg(long, value_name = "FILE")]
    pub(crate) graph: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) ci: CiArgs,
}

/// When a call has gone well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GoalArg {
    /// It returned
    Returns,
    /// It returned neither `Err` nor `None`
    Ok,
}
