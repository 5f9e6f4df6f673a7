//! Arguments of `random`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::ci::CiArgs;
use super::common::SequenceArgs;

/// Make sequences of calls by chance, where a scope is too large for all of them
///
/// Feedback-directed random generation: a call is drawn, its arguments are what earlier sequences
/// left, and what the new sequence leaves is extended in turn if no structure like it was met
/// before. So structures get larger and sequences longer than any scope that can be exhausted. The
/// literals are those of the scope at k, which may be large here; its bounds do not hold, unless
/// --bounded says so.
///
/// A failure is shown with its calls as few and as simple as they could be made. The run ends with
/// 0 if it found nothing within its budget of calls; it is never complete.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  beget random scopes/roops/ncl.ron -k 50
  beget random scopes/tree.ron --calls 100000 --seed 7 --ints 0..=99 --summary json
  beget random scopes/tree.ron -k 5 --bounded --strategy undirected
  beget random scopes/real/linkedlist.ron --against real::vecdeque
  beget random scopes/tree.ron --record tree-1.0.jsonl
  beget random scopes/tree.ron --compare tree-1.0.jsonl

The JSON summary has these fields of `generate`: suite, k, methods, complete, stop_reason, generated, generated_by_type, \
generated_by_objects, explored and its five parts, digest, findings, seconds, cpu_seconds, peak_rss_bytes. And: strategy, \
seed, bounded, sequences, kept_sequences, longest, largest, repeated, errors, error_classes, contracts, regressions, \
flaky (method, message, count), coverage (kind, covered, known, predicates, uncovered (point, place, code), or null), against (a suite, or null), compared (recording, sequences, calls, or null), by_method (name, chosen, no_inputs, too_long, kept, matched, out_of_scope, misuse, failures, unused), \
notes.")]
pub(crate) struct RandomArgs {
    #[command(flatten)]
    pub(crate) sequences: SequenceArgs,

    /// Write Rust tests of the failures: each makes the minimised calls that show one, and fails as
    /// they do
    ///
    /// The file is as one of `emit`: compiled and run twice, where `cargo beget` writes it to the
    /// `tests` of its package; one that beget wrote is replaced. In a directory (what is one, or
    /// ends in `/`) it is named after the scope file.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write tests of N sequences that went well too: each asserts what its calls and the suite's
    /// observers return
    ///
    /// Only sequences that no longer one begins with have tests, N of them spread over all. What
    /// is not the same every time is left out, as by `emit`.
    #[arg(
        long,
        value_name = "N",
        requires = "output",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub(crate) regressions: Option<u32>,

    /// Make every call on a structure of another suite too, and compare what they return: a model,
    /// or another version of the type
    ///
    /// As `diff`, by chance: it goes deeper and proves nothing. RepOKs are not asked.
    #[arg(long, value_name = "SUITE", conflicts_with_all = ["output", "enrich"])]
    pub(crate) against: Option<String>,

    /// Write down what sequences of calls do, to be compared with another version of the crate
    ///
    /// The sequences are those that no longer one begins with, each followed by calls that only
    /// look at what it leaves. What is not the same every time is left out.
    #[arg(long, value_name = "FILE", conflicts_with = "against")]
    pub(crate) record: Option<PathBuf>,

    /// Make the calls that were recorded again, in place of drawing some, and show what they do
    /// differently
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "record", "output", "against", "calls", "seed", "chromosome", "strategy", "bounded", "by_calls",
        "matching", "max_length", "max_objects", "repeat", "none_ratio", "alias_ratio", "ints", "vary_range",
        "constants", "literals", "fuzz", "on_demand", "swarm", "guided", "prefer_short",
    ])]
    pub(crate) compare: Option<PathBuf>,

    /// The program that recorded, with its first arguments: it is asked what fewer calls do, so
    /// that differences are minimised
    #[arg(long, value_name = "COMMAND", requires = "compare")]
    pub(crate) recorder: Option<String>,

    /// Make the calls of a recording and write what they do with --record: how a recorder is asked
    #[arg(
        long,
        value_name = "FILE",
        requires = "record",
        conflicts_with = "compare",
        hide_short_help = true
    )]
    pub(crate) replay: Option<PathBuf>,

    /// Draw how the run went: the structures and the size of the pool by calls, and what is covered
    /// of the marks in the code
    #[arg(long, value_name = "FILE.svg", conflicts_with_all = ["compare", "replay"])]
    pub(crate) plot: Option<PathBuf>,

    /// Write a line of JSON for each sequence, as Tyche reads it
    ///
    /// A line is a test case by the observability schema of Hypothesis: the calls, how they ended,
    /// features and times.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["compare", "replay"])]
    pub(crate) observe: Option<PathBuf>,

    /// Replace a file that beget did not write
    #[arg(long, requires = "output")]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,

    #[command(flatten)]
    pub(crate) ci: CiArgs,
}

/// How sequences are drawn.
#[derive(Debug, Args)]
#[command(next_help_heading = "How to draw")]
pub(crate) struct DrawingArgs {
    /// How sequences come about
    #[arg(long, value_name = "STRATEGY", default_value = "feedback")]
    pub(crate) strategy: StrategyArg,

    /// Draw test cases by this chromosome, which `evolve` has found
    ///
    /// Each sequence is a test case that begins with nothing. The chromosome says how long it is,
    /// how often each method is called, and where its arguments come from.
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "strategy", "bounded", "by_calls", "matching", "max_length", "repeat", "none_ratio", "alias_ratio", "ints",
        "vary_range", "constants", "literals", "fuzz", "on_demand", "swarm", "guided", "prefer_short", "regressions",
        "against",
    ])]
    pub(crate) chromosome: Option<PathBuf>,

    /// Call methods of common traits too that the suite does not list: `Clone`, `Default`,
    /// comparing, `Hash`, `Display`, iteration
    #[arg(long)]
    pub(crate) enrich: bool,

    /// Keep to the bounds of the scope: what is beyond is not extended
    #[arg(long)]
    pub(crate) bounded: bool,

    /// Make the calls of a sequence again to extend it, in place of decoding its structures: the
    /// same result, slower
    #[arg(long)]
    pub(crate) by_calls: bool,

    /// When a structure is no different from a known one
    #[arg(long = "match", value_name = "BY", default_value = "form")]
    pub(crate) matching: MatchArg,

    /// Most calls of a sequence
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) max_length: usize,

    /// Without --bounded: most objects of a class in a structure, and longest array and text
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) max_objects: u32,

    /// The probability that a call is repeated, with other integers, and how often at most
    #[arg(long, value_name = "P,N", default_value = "0.1,100", value_parser = repetition)]
    pub(crate) repeat: (f64, u32),

    /// The probability that an `Option` is `None`
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = probability)]
    pub(crate) none_ratio: f64,

    /// The probability that an argument comes from a sequence that the call uses already
    #[arg(long, value_name = "P", default_value_t = 0.1, value_parser = probability)]
    pub(crate) alias_ratio: f64,

    /// Integers to draw from, beside those of the scope: `0..=99`
    #[arg(long, value_name = "RANGE", value_parser = range, allow_hyphen_values = true)]
    pub(crate) ints: Option<RangeInclusive<i128>>,

    /// Draw a range of integers for each repetition: few of them, or all
    #[arg(long)]
    pub(crate) vary_range: bool,

    /// Literals beside those of the scope: `paper` (-1, 0, 1, 10, 100 and a few texts), `returned`
    /// (what calls return), with commas between
    #[arg(long, value_name = "SOURCES", value_delimiter = ',')]
    pub(crate) constants: Vec<ConstantSource>,

    /// A Rust file whose literals are used too, or a repository of `call` (`.ron`)
    #[arg(long, value_name = "FILE")]
    pub(crate) literals: Option<PathBuf>,

    /// The probability that a number or a text of these is changed a little: by a step near it, a
    /// bit, a character
    #[arg(
        long,
        value_name = "P",
        default_value_t = 0.0,
        value_parser = probability,
        conflicts_with = "bounded"
    )]
    pub(crate) fuzz: f64,

    /// Where a method takes what no sequence leaves, call first what makes it
    #[arg(long)]
    pub(crate) on_demand: bool,

    /// Use a random half of the methods for N sequences, then another
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) swarm: Option<u32>,

    /// Prefer methods whose calls leave something new
    #[arg(long)]
    pub(crate) guided: bool,

    /// Prefer what takes few calls: of N pooled structures drawn, extend that of the fewest
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=64)
    )]
    pub(crate) prefer_short: u32,
}

/// How sequences come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StrategyArg {
    /// Calls extend what earlier ones left, if that was new
    Feedback,
    /// Each sequence begins anew: the baseline
    Undirected,
    /// As `feedback`, with `--swarm 100` unless that says another number
    Swarm,
    /// As `feedback`, with `--guided`
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

/// For how many sequences `--strategy swarm` uses the same methods.
const USUAL_SWARM: u32 = 100;

impl DrawingArgs {
    /// For how many sequences the same methods are in use, if not all are.
    pub(crate) fn swarm(&self) -> Option<u32> {
        self.swarm.or((self.strategy == StrategyArg::Swarm).then_some(USUAL_SWARM))
    }

    /// Returns whether methods are preferred whose calls leave something new.
    pub(crate) fn is_guided(&self) -> bool {
        self.guided || self.strategy == StrategyArg::Guided
    }
}

/// When two structures are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MatchArg {
    /// Their canonical forms are equal
    Form,
    /// They are equal by `PartialEq`, as in the paper
    Eq,
    /// Never
    None,
}

/// The sources of literals besides the scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConstantSource {
    /// Those that Randoop begins with
    Paper,
    /// What calls return
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
