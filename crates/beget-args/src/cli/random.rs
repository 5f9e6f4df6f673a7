//! Arguments of `random`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::ci::CiArgs;
use super::common::{SequenceArgs, threads};

/// Make random sequences of calls, beyond scopes that can be exhausted
///
/// Example: beget random scopes/roops/ncl.ron -k 50
///
/// random draws a method, takes its arguments from earlier sequences, and extends new structures
/// further (feedback-directed random generation). The literals are those of the scope at k, and
/// widen when nothing new comes. The bounds of the scope do not apply without --bounded.
///
/// A failure is minimised before it is shown. The exit code is 0 if nothing was found; the run is
/// never complete.
#[derive(Debug, Args)]
#[command(after_long_help = "\
A policy file is RON: Policy(max_length: 50, ints: \"0..=99\"). A file of `evolve -o` is one, too.
Its fields, with defaults:
  max_length: 100        most calls of a sequence
  max_objects: 1000      most objects of a class, elements of an array, bytes of a text
  repeat: (0.1, 100)     probability that a call is repeated, and limit of repetitions
  none_ratio: 0.05       probability of `None` for an `Option`
  alias_ratio: 0.1       probability that an argument comes from a sequence already used
  match: Form            when structures are the same: Form, Equality, None
  by_calls: false        replay calls instead of decoding structures
  ints                   range of other integers, such as \"0..=99\"
  vary_range: false      let some repetitions draw from few integers
  widen: true            widen literals when nothing new comes
  constants: []          Paper: those of Randoop (-1, 0, 1, 10, 100, texts); Returned: results
  literals: {}           literals of Rust files or repositories: {\"*\": \"src/lib.rs\"}, or by type
  fuzz: 0.0              probability that a literal is changed a little
  on_demand: false       first make calls that provide a missing argument
  swarm                  number of sequences with the same random half of the methods
  guided: false          prefer methods whose calls leave something new
  prefer_short: 1        draw this number of structures, extend that of the fewest calls
  enrich: false          also call methods of common traits
  round: 250000          calls of a round
  stop_at_first: false   end the run with the first finding
  regressions: 30        most tests of successful sequences, besides those of outcomes
  error_tests: 100       most tests of failures
  observers: []          methods that only look at a structure though they take `&mut self`
  recorder               the program that made a recording
  call_seconds: 10       seconds of a call with --processes
  call_memory: 4096      MiB of a process with --processes

More examples:
  beget random scopes/tree.ron --max-calls 100000 --seed 7 -o tests/ --summary json
  beget random scopes/tree.ron -k 5 --bounded --strategy undirected
  beget random scopes/real/linkedlist.ron --compare real::vecdeque
  beget random scopes/tree.ron -o tree-1.0.jsonl
  beget random scopes/tree.ron --compare tree-1.0.jsonl

The JSON summary has these fields of `generate`: suite, k, methods, complete, stop_reason, beget, generated, generated_by_type, \
generated_by_objects, explored and its five parts, digest, findings, seconds, cpu_seconds, peak_rss_bytes. And: strategy \
(`recording` with --compare), seed, bounded, rounds, ints (the integers that literals widened to: from, to, or null), saturated (calls \
without a new structure by the widest literals), sequences, kept_sequences (in the pool), longest (most calls of one of these), \
largest (most objects in a structure of the main type), repeated (calls made again, not in explored), errors (calls and \
structures that show a problem), error_classes (findings), contracts, regressions (tests written), flaky (method, message, \
count), coverage (kind, covered, known, predicates, uncovered (point, place, code), or null), against (a suite, or null), \
compared (recording, sequences, calls, or null), by_method (name, chosen, no_inputs, too_long, kept, matched, out_of_scope, \
misuse, failures, unused), notes.")]
pub struct RandomArgs {
    #[command(flatten)]
    pub sequences: SequenceArgs,

    /// Write tests (DIR or FILE.rs), a recording (FILE.jsonl) or a plot (FILE.svg), or several
    ///
    /// Tests repeat failures and the outcomes that each method showed; in DIR, the file is named
    /// after the scope. FILE.tyche.jsonl gets each sequence, for Tyche, by one thread. Only files
    /// by beget are replaced.
    #[arg(long, short, value_name = "DIR")]
    pub output: Vec<PathBuf>,

    /// Compare with another suite of this program, or with the recording of another version
    ///
    /// Every call is also made on that suite, or the calls of the recording are made. A different
    /// result is a finding.
    #[arg(long, value_name = "SUITE|FILE")]
    pub compare: Option<String>,

    /// The way sequences are made [default: feedback]
    #[arg(long, value_name = "STRATEGY")]
    pub strategy: Option<StrategyArg>,

    /// The details of drawing: a policy file, or a chromosome of `evolve`
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,

    /// Keep to the bounds of the scope: larger structures are not extended
    #[arg(long)]
    pub bounded: bool,

    /// Number of threads; all cores by default. The result does not depend on it
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,

    /// Try the calls in N processes first, and go on after one that dies or hangs
    ///
    /// Such a call is a finding with its sequence. The other results do not change.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub processes: Option<usize>,

    #[command(flatten)]
    pub ci: CiArgs,
}

/// The way sequences are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StrategyArg {
    /// Extend structures that were new
    Feedback,
    /// Begin each sequence anew (the baseline)
    Undirected,
    /// Like `feedback`, with a random half of the methods for 100 sequences at a time
    Swarm,
    /// Like `feedback`, and prefer methods whose calls leave something new
    Guided,
}

impl RandomArgs {
    /// The file for the tests, if they are wanted.
    pub fn tests(&self) -> Option<PathBuf> {
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
    pub fn recording(&self) -> Option<&Path> {
        self.output_named("jsonl", |path| !is_of_observations(path))
    }

    /// The file for observations of the sequences, if they are wanted.
    pub fn observations(&self) -> Option<&Path> {
        self.output_named("jsonl", is_of_observations)
    }

    /// The file for a picture, if one is wanted.
    pub fn plot(&self) -> Option<&Path> {
        self.output_named("svg", |_| true)
    }

    fn output_named(&self, extension: &str, is_meant: fn(&Path) -> bool) -> Option<&Path> {
        let named =
            |path: &&PathBuf| has_extension(path, extension) && is_meant(path) && !path.is_dir();
        self.output.iter().find(named).map(PathBuf::as_path)
    }

    /// The names of the outputs of one kind, of which there is more than one.
    pub fn doubled_output(&self) -> Option<&Path> {
        let others = [self.recording(), self.observations(), self.plot()];
        let known = usize::from(self.tests().is_some()) + others.into_iter().flatten().count();
        self.output.get(known).map(PathBuf::as_path)
    }
}

/// Returns whether the name says that the file is for Tyche: two extensions, `tyche.jsonl`.
fn is_of_observations(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| has_extension(Path::new(stem), "tyche"))
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|of_path| of_path == extension)
}

pub(crate) fn probability(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("give a number from 0 to 1".to_owned()),
    }
}
