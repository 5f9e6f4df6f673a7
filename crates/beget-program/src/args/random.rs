//! Arguments of `random`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::ci::CiArgs;
use super::common::{SequenceArgs, threads};

/// Make random sequences of calls, where a scope is too large to be exhausted
///
/// A method is drawn, its arguments come from earlier sequences, and the new sequence is extended
/// in turn if it leaves a structure that was not met before. Structures get larger and sequences
/// longer than in any scope that can be exhausted. Literals are those of the scope at k; when
/// nothing new comes, they widen by themselves. The bounds of the scope do not hold, unless
/// --bounded says so.
///
/// A failure is shown with as few and simple calls as could be found. The run ends with 0 if it
/// found nothing within its budget of calls. It is never complete.
#[derive(Debug, Args)]
#[command(after_long_help = "\
A policy file says how sequences are drawn and what becomes of them. All fields have defaults:
  Policy(
      max_length: 100,     // most calls of a sequence
      repeat: (0.1, 100),  // probability that a call is repeated, and how often at most
      ints: \"0..=99\",      // integers beside those of the scope
      regressions: 30,     // tests of sequences that went well
  )
The page on random runs in the book lists all of them. A file that `evolve -o` has written is a policy too.

Examples:
  beget random scopes/roops/ncl.ron -k 50
  beget random scopes/tree.ron --max-calls 100000 --seed 7 -o tests/ --summary json
  beget random scopes/tree.ron -k 5 --bounded --strategy undirected
  beget random scopes/real/linkedlist.ron --compare real::vecdeque
  beget random scopes/tree.ron -o tree-1.0.jsonl
  beget random scopes/tree.ron --compare tree-1.0.jsonl

The JSON summary has these fields of `generate`: suite, k, methods, complete, stop_reason, generated, generated_by_type, \
generated_by_objects, explored and its five parts, digest, findings, seconds, cpu_seconds, peak_rss_bytes. And: strategy, \
seed, bounded, sequences, kept_sequences, longest, largest, repeated, rounds, ints (from, to, or null), errors, error_classes, contracts, regressions, \
flaky (method, message, count), coverage (kind, covered, known, predicates, uncovered (point, place, code), or null), against (a suite, or null), compared (recording, sequences, calls, or null), by_method (name, chosen, no_inputs, too_long, kept, matched, out_of_scope, misuse, failures, unused), \
notes.")]
pub(crate) struct RandomArgs {
    #[command(flatten)]
    pub(crate) sequences: SequenceArgs,

    /// Write what the run leaves: tests into DIR or to FILE.rs, a recording to FILE.jsonl, a
    /// picture of its course to FILE.svg; may be given several times
    ///
    /// Tests are of two kinds. Those of failures make the minimised calls that show one, and fail
    /// as they do. Those of sequences that went well assert what each call and the suite's
    /// observers return: each method has one for each outcome that it showed. In DIR, which is made
    /// if it is not there, the file is named after the scope. A file that beget wrote is replaced,
    /// no other.
    ///
    /// A recording is compared with another version of the crate by --compare.
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: Vec<PathBuf>,

    /// Compare with another suite of this program, or with the recording of another version
    ///
    /// With a suite, every call is made on a structure of that suite too. With a recording, its
    /// calls are made in place of drawing some. What returns something else is a finding.
    #[arg(long, value_name = "SUITE|FILE")]
    pub(crate) compare: Option<String>,

    /// The way in which sequences come about [default: feedback]
    #[arg(long, value_name = "STRATEGY")]
    pub(crate) strategy: Option<StrategyArg>,

    /// A file that says how to draw: a policy, or a chromosome of `evolve`
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,

    /// Write a line of JSON for each sequence, as Tyche reads it
    ///
    /// A line is a test case by the observability schema of Hypothesis: the calls, how they ended,
    /// features and times. The run uses one thread.
    #[arg(long, value_name = "FILE")]
    pub(crate) observe: Option<PathBuf>,

    /// Keep to the bounds of the scope: what is beyond is not extended
    #[arg(long)]
    pub(crate) bounded: bool,

    /// Threads; all cores by default
    ///
    /// A round of 250,000 calls runs on one thread, and rounds run side by side. The result is the
    /// same for any number.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,

    /// Try the calls in N processes first, so that one that dies or hangs does not end the run
    ///
    /// Such a call is a finding with its sequence, and the run goes on without it. The other
    /// results are those of a run without processes.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) processes: Option<usize>,

    #[command(flatten)]
    pub(crate) ci: CiArgs,
}

/// How sequences come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StrategyArg {
    /// Calls extend what earlier ones left, if that was new
    Feedback,
    /// Each sequence begins anew: the baseline
    Undirected,
    /// Like `feedback`, with a random half of the methods for 100 sequences at a time
    Swarm,
    /// Like `feedback`, with methods preferred whose calls leave something new
    Guided,
}

impl RandomArgs {
    /// The file for the tests, if they are wanted.
    pub(crate) fn tests(&self) -> Option<PathBuf> {
        let extensions = ["jsonl", "svg"];
        let is_other = |path: &Path| extensions.iter().any(|other| has_extension(path, other));
        let output = self.output.iter().find(|path| !is_other(path) || path.is_dir())?;
        if has_extension(output, "rs") && !output.is_dir() {
            return Some(output.clone());
        }
        let scope = self.sequences.file.path.file_stem().unwrap_or_default().to_string_lossy();
        Some(output.join(format!("random_{}.rs", scope.replace(['-', '.'], "_"))))
    }

    /// The file for a recording, if one is wanted.
    pub(crate) fn recording(&self) -> Option<&Path> {
        self.output_named("jsonl")
    }

    /// The file for a picture, if one is wanted.
    pub(crate) fn plot(&self) -> Option<&Path> {
        self.output_named("svg")
    }

    fn output_named(&self, extension: &str) -> Option<&Path> {
        let named = |path: &&PathBuf| has_extension(path, extension) && !path.is_dir();
        self.output.iter().find(named).map(PathBuf::as_path)
    }

    /// The names of the outputs of one kind, of which there is more than one.
    pub(crate) fn doubled_output(&self) -> Option<&Path> {
        let known = [self.tests(), self.recording().map(Path::to_owned)];
        let known = known.into_iter().chain([self.plot().map(Path::to_owned)]).flatten().count();
        self.output.get(known).map(PathBuf::as_path)
    }
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|of_path| of_path == extension)
}

pub(super) fn probability(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("give a number from 0 to 1".to_owned()),
    }
}
