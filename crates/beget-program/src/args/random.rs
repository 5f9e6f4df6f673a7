//! Arguments of `random`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::ci::CiArgs;
use super::common::SequenceArgs;

/// Make random sequences of calls, beyond scopes that can be exhausted
///
/// Example: beget random scopes/roops/ncl.ron -k 50
///
/// random draws a method, takes its arguments from earlier sequences, and extends new structures
/// further (feedback-directed random generation). The literals are those of the scope at k, which
/// may be large; its bounds do not apply without --bounded.
///
/// A failure is minimised before it is shown. The exit code is 0 if nothing was found; the run is
/// never complete.
#[derive(Debug, Args)]
#[command(after_long_help = "\
More examples:
  beget random scopes/tree.ron --calls 100000 --seed 7 --ints 0..=99 --summary json
  beget random scopes/tree.ron -k 5 --bounded --strategy undirected
  beget random scopes/real/linkedlist.ron --against real::vecdeque
  beget random scopes/tree.ron --record tree-1.0.jsonl
  beget random scopes/tree.ron --compare tree-1.0.jsonl

The JSON summary has these fields of `generate`: suite, k, methods, complete, stop_reason, generated, generated_by_type, \
generated_by_objects, explored and its five parts, digest, findings, seconds, cpu_seconds, peak_rss_bytes. And: strategy \
(`recording` with --compare), seed, bounded, sequences, kept_sequences (in the pool), longest (most calls of one of these), \
largest (most objects in a structure of the main type), repeated (calls made again, not in explored), errors (calls and \
structures that show a problem), error_classes (findings), contracts, regressions (tests written), flaky (method, message, \
count), coverage (kind, covered, known, predicates, or null), against (a suite, or null), compared (recording, sequences, \
calls, or null), by_method (name, chosen, no_inputs, too_long, kept, matched, out_of_scope, misuse, failures, unused), notes.")]
pub(crate) struct RandomArgs {
    #[command(flatten)]
    pub(crate) sequences: SequenceArgs,

    /// Write Rust tests of the failures, which make the minimised calls
    ///
    /// `cargo beget` compiles and runs a file in `tests`, as with `emit`, and a file by beget is
    /// replaced. In a directory the file is named after the scope file.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Also write tests of N successful sequences, with the results of their calls and observers
    ///
    /// The sequences are spread over the run. A result that differs when repeated is left out.
    #[arg(
        long,
        value_name = "N",
        requires = "output",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub(crate) regressions: Option<u32>,

    /// Make every call on a second suite too, a model or another version, and compare the results
    ///
    /// Like `diff`, but deeper and without a proof. RepOKs are not checked.
    #[arg(long, value_name = "SUITE", conflicts_with_all = ["output", "enrich"])]
    pub(crate) against: Option<String>,

    /// Record the results of the sequences, to compare them with another version of the crate
    ///
    /// Each sequence is followed by calls of observers. A result that differs when repeated is left
    /// out.
    #[arg(long, value_name = "FILE", conflicts_with = "against")]
    pub(crate) record: Option<PathBuf>,

    /// Make the calls of a recording instead of random ones, and show different results
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "record", "output", "against", "calls", "seed", "chromosome", "strategy", "bounded", "by_calls",
        "matching", "max_length", "max_objects", "repeat", "none_ratio", "alias_ratio", "ints", "vary_range",
        "constants", "literals", "fuzz", "on_demand", "swarm", "guided", "prefer_short",
    ])]
    pub(crate) compare: Option<PathBuf>,

    /// The program that made the recording, with its first arguments, to minimise differences
    #[arg(long, value_name = "COMMAND", requires = "compare")]
    pub(crate) recorder: Option<String>,

    /// Make the calls of a recording and write their results with --record (used by --recorder)
    #[arg(
        long,
        value_name = "FILE",
        requires = "record",
        conflicts_with = "compare",
        hide_short_help = true
    )]
    pub(crate) replay: Option<PathBuf>,

    /// Draw the structures, the size of the pool and the coverage of marks by calls
    #[arg(long, value_name = "FILE.svg", conflicts_with_all = ["compare", "replay"])]
    pub(crate) plot: Option<PathBuf>,

    /// Replace a file that beget did not write
    #[arg(long, requires = "output")]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,

    #[command(flatten)]
    pub(crate) ci: CiArgs,
}

/// The options of drawing.
#[derive(Debug, Args)]
#[command(next_help_heading = "Drawing options")]
pub(crate) struct DrawingArgs {
    /// The way sequences are made
    #[arg(long, value_name = "STRATEGY", default_value = "feedback")]
    pub(crate) strategy: StrategyArg,

    /// Draw test cases by a chromosome that `evolve` found
    ///
    /// It decides the length of each test case, the weights of methods, and the sources of
    /// arguments.
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "strategy", "bounded", "by_calls", "matching", "max_length", "repeat", "none_ratio", "alias_ratio", "ints",
        "vary_range", "constants", "literals", "fuzz", "on_demand", "swarm", "guided", "prefer_short", "regressions",
        "against",
    ])]
    pub(crate) chromosome: Option<PathBuf>,

    /// Also call methods of `Clone`, `Default`, `PartialEq`, `Ord`, `Hash`, `Display` and iteration
    #[arg(long)]
    pub(crate) enrich: bool,

    /// Keep to the bounds of the scope: larger structures are not extended
    #[arg(long)]
    pub(crate) bounded: bool,

    /// Repeat the calls of a sequence to extend it instead of decoding: same result, slower
    #[arg(long)]
    pub(crate) by_calls: bool,

    /// The way to recognise known structures
    #[arg(long = "match", value_name = "BY", default_value = "form")]
    pub(crate) matching: MatchArg,

    /// Limit of the calls of a sequence
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) max_length: usize,

    /// Without --bounded, limit of objects of a class, and of the length of arrays and texts
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) max_objects: u32,

    /// Probability that a call is repeated with other integers, and limit of repetitions
    #[arg(long, value_name = "P,N", default_value = "0.1,100", value_parser = repetition)]
    pub(crate) repeat: (f64, u32),

    /// Probability that an `Option` is `None`
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = probability)]
    pub(crate) none_ratio: f64,

    /// Probability that an argument comes from a sequence already used by the call
    #[arg(long, value_name = "P", default_value_t = 0.1, value_parser = probability)]
    pub(crate) alias_ratio: f64,

    /// Draw other integers from this range, such as `0..=99`
    #[arg(long, value_name = "RANGE", value_parser = range, allow_hyphen_values = true)]
    pub(crate) ints: Option<RangeInclusive<i128>>,

    /// Let some repetitions draw from few integers of the range
    #[arg(long)]
    pub(crate) vary_range: bool,

    /// Add literals to those of the scope, from sources separated by commas
    #[arg(long, value_name = "SOURCES", value_delimiter = ',')]
    pub(crate) constants: Vec<ConstantSource>,

    /// Add the literals of a Rust file, or of a repository of `call` (`.ron`)
    #[arg(long, value_name = "FILE")]
    pub(crate) literals: Option<PathBuf>,

    /// Probability that a literal is changed a little: by a small step, a bit or a character
    #[arg(
        long,
        value_name = "P",
        default_value_t = 0.0,
        value_parser = probability,
        conflicts_with = "bounded"
    )]
    pub(crate) fuzz: f64,

    /// First make calls that provide a missing argument
    #[arg(long)]
    pub(crate) on_demand: bool,

    /// Use a random half of the methods for N sequences, then another
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) swarm: Option<u32>,

    /// Prefer methods whose calls leave something new
    #[arg(long)]
    pub(crate) guided: bool,

    /// Draw N structures and extend the one with the fewest calls
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=64)
    )]
    pub(crate) prefer_short: u32,
}

/// The way sequences are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StrategyArg {
    /// Extend structures that were new
    Feedback,
    /// Begin each sequence anew (the baseline)
    Undirected,
    /// Like `feedback` with --swarm, which is 100 by default
    Swarm,
    /// Like `feedback` with --guided
    Guided,
}

impl RandomArgs {
    /// The file for the tests.
    pub(crate) fn output(&self) -> Option<PathBuf> {
        let output = self.output.as_ref()?;
        let is_directory = output.is_dir() || output.as_os_str().as_encoded_bytes().ends_with(b"/");
        if !is_directory {
            return Some(output.clone());
        }
        let scope = self.sequences.file.path.file_stem().unwrap_or_default().to_string_lossy();
        Some(output.join(format!("random_{}.rs", scope.replace(['-', '.'], "_"))))
    }
}

/// The number of sequences for which `--strategy swarm` uses the same methods.
const USUAL_SWARM: u32 = 100;

impl DrawingArgs {
    /// The number of sequences for which the same methods are used, if not all are.
    pub(crate) fn swarm(&self) -> Option<u32> {
        self.swarm.or((self.strategy == StrategyArg::Swarm).then_some(USUAL_SWARM))
    }

    /// Returns whether methods are preferred whose calls leave new structures.
    pub(crate) fn is_guided(&self) -> bool {
        self.guided || self.strategy == StrategyArg::Guided
    }
}

/// The ways to recognise known structures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MatchArg {
    /// By equal canonical forms
    Form,
    /// By `PartialEq`, as in the paper
    Eq,
    /// Extend all
    None,
}

/// The sources of literals besides the scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConstantSource {
    /// -1, 0, 1, 10, 100 and a few texts, as in Randoop
    Paper,
    /// Results of calls
    Returned,
}

pub(super) fn probability(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("give a number from 0 to 1".to_owned()),
    }
}

fn repetition(text: &str) -> Result<(f64, u32), String> {
    let parts = text.split_once(',');
    let parts = parts
        .and_then(|(rate, most)| Some((probability(rate.trim()).ok()?, most.trim().parse().ok()?)));
    parts.ok_or_else(|| "give a probability and a number, as in `0.1,100`".to_owned())
}

fn range(text: &str) -> Result<RangeInclusive<i128>, String> {
    let refused = || "give a range that is not empty, as in `0..=99` or `0..100`".to_owned();
    let (start, end) = text.split_once("..").ok_or_else(refused)?;
    let number = |text: &str| text.trim().parse::<i128>().ok();
    let start = number(start).ok_or_else(refused)?;
    let end = match end.strip_prefix('=') {
        Some(end) => number(end),
        None => number(end).and_then(|end| end.checked_sub(1)),
    };
    end.map(|end| start..=end).filter(|range| !range.is_empty()).ok_or_else(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_rust() {
        assert_eq!(range("0..=99"), Ok(0..=99));
        assert_eq!(range("-5..10"), Ok(-5..=9));
        for wrong in ["", "3", "5..5", "5..=4", "a..b", "0...9", "..9"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn probabilities_are_from_0_to_1() {
        assert_eq!(repetition("0.5, 7"), Ok((0.5, 7)));
        for wrong in ["0.5", "1.5,7", "-0.1,7", "nan,7", "0.5,-7"] {
            assert!(repetition(wrong).is_err(), "{wrong}");
        }
    }
}
