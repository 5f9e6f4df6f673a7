//! Policy files: how `random` draws sequences, and what it writes of them.
//!
//! A file is a [`RandomPolicy`], or a chromosome that `evolve` has written. It is RON, as scope
//! files are, and as strict: unknown fields are refused with their place and the nearest name.

use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use beget_plan::scope::{Diagnostic, Plan, suggest};
use beget_run::random::{Chromosome, GenePlan, Targets};
use beget_search::evolve::ChromosomeFile;
use ron::extensions::Extensions;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::error::CliError;
use crate::reading::file_text;

/// A policy as a file holds it. Fields that are not given are as by default.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename = "Policy", deny_unknown_fields, default)]
pub(crate) struct RandomPolicy {
    /// Most calls of a sequence.
    pub(crate) max_length: usize,
    /// Without --bounded: most objects of a class in a structure, and longest array and text.
    pub(crate) max_objects: u32,
    /// The probability that a call is repeated, with other integers, and how often at most.
    pub(crate) repeat: (Probability, u32),
    /// The probability that an `Option` is `None`.
    pub(crate) none_ratio: Probability,
    /// The probability that an argument comes from a sequence that the call uses already.
    pub(crate) alias_ratio: Probability,
    /// When a structure is no different from a known one.
    #[serde(rename = "match")]
    pub(crate) matching: MatchBy,
    /// Make the calls of a sequence again to extend it, in place of decoding its structures.
    pub(crate) by_calls: bool,
    /// Integers to draw from, beside those of the scope.
    pub(crate) ints: Option<LiteralRange>,
    /// Draw a range of integers for each repetition: few of them, or all.
    pub(crate) vary_range: bool,
    /// Widen the literals when nothing new comes. By default yes, unless `ints` is given.
    pub(crate) widen: Option<bool>,
    /// Literals beside those of the scope.
    pub(crate) constants: Vec<ConstantSource>,
    /// Rust files whose literals are used too, or repositories of `call` (`.ron`): for methods of
    /// the type of that name, or of all types (`"*"`).
    pub(crate) literals: std::collections::BTreeMap<String, PathBuf>,
    /// The probability that a number or a text is changed a little.
    pub(crate) fuzz: Probability,
    /// First make calls that provide an argument which no sequence leaves.
    pub(crate) on_demand: bool,
    /// Use a random half of the methods for N sequences, then another.
    pub(crate) swarm: Option<u32>,
    /// Prefer methods whose calls leave something new.
    pub(crate) guided: bool,
    /// Of N pooled structures drawn, extend that of the fewest calls.
    pub(crate) prefer_short: u32,
    /// Call methods of common traits too that the suite does not list.
    pub(crate) enrich: bool,
    /// Calls after which the pool is emptied and a new round begins.
    pub(crate) round: u64,
    /// End the run with the first finding.
    pub(crate) stop_at_first: bool,
    /// Most tests of sequences that went well, beside one for each method and outcome; 0 for none.
    pub(crate) regressions: usize,
    /// Most tests of failures.
    pub(crate) error_tests: usize,
    /// Methods that only look at a structure, whatever their signatures say.
    pub(crate) observers: Vec<String>,
    /// The program that made a recording: it is asked what fewer calls do.
    pub(crate) recorder: Option<String>,
    /// With --processes: the seconds that a call may take.
    pub(crate) call_seconds: f64,
    /// With --processes: the MiB of memory that a process may hold.
    pub(crate) call_memory: u64,
}

impl Default for RandomPolicy {
    fn default() -> Self {
        RandomPolicy {
            max_length: 100,
            max_objects: 1000,
            repeat: (Probability(0.1), 100),
            none_ratio: Probability(0.05),
            alias_ratio: Probability(0.1),
            matching: MatchBy::Form,
            by_calls: false,
            ints: None,
            vary_range: false,
            widen: None,
            constants: Vec::new(),
            literals: std::collections::BTreeMap::new(),
            fuzz: Probability(0.0),
            on_demand: false,
            swarm: None,
            guided: false,
            prefer_short: 1,
            enrich: false,
            round: 250_000,
            stop_at_first: false,
            regressions: 30,
            error_tests: 100,
            observers: Vec::new(),
            recorder: None,
            call_seconds: 10.0,
            call_memory: 4096,
        }
    }
}

/// When two structures are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) enum MatchBy {
    /// Their canonical forms are equal.
    Form,
    /// They are equal by `PartialEq`, as in the paper.
    Equality,
    /// Never.
    None,
}

/// A source of literals, beside the scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) enum ConstantSource {
    /// Those that Randoop begins with: -1, 0, 1, 10, 100 and a few texts.
    Paper,
    /// Results of calls.
    Returned,
}

/// A number from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Probability(pub(crate) f64);

impl<'de> Deserialize<'de> for Probability {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        match (0.0..=1.0).contains(&number) {
            true => Ok(Probability(number)),
            false => Err(D::Error::custom("a probability is a number from 0 to 1")),
        }
    }
}

/// A range that is not empty, as Rust writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LiteralRange(pub(crate) RangeInclusive<i128>);

impl<'de> Deserialize<'de> for LiteralRange {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let wrong = || D::Error::custom("give a range that is not empty: \"0..=99\" or \"0..100\"");
        range(&text).map(LiteralRange).ok_or_else(wrong)
    }
}

fn range(text: &str) -> Option<RangeInclusive<i128>> {
    let (start, end) = text.split_once("..")?;
    let number = |text: &str| text.trim().parse::<i128>().ok();
    let end = match end.strip_prefix('=') {
        Some(end) => number(end)?,
        None => number(end)?.checked_sub(1)?,
    };
    Some(number(start)?..=end).filter(|range| !range.is_empty())
}

/// A policy file that was read.
#[derive(Clone, Debug)]
pub(crate) struct PolicyFile {
    pub(crate) policy: RandomPolicy,
    chromosome: Option<ChromosomeFile>,
    path: Option<PathBuf>,
    text: String,
}

impl PolicyFile {
    /// Reads a file; without one, everything is as by default.
    pub(crate) fn read(path: Option<&Path>) -> Result<Self, CliError> {
        let usual = RandomPolicy::default();
        let Some(path) = path else {
            let (chromosome, text) = (None, String::new());
            return Ok(PolicyFile { policy: usual, chromosome, path: None, text });
        };
        let text = file_text(path).map_err(|error| refused(path, &error))?;
        let (policy, chromosome) = match is_chromosome(&text) {
            true => {
                let file =
                    ChromosomeFile::from_ron(&text).map_err(|error| refused(path, &error))?;
                (RandomPolicy { enrich: file.enrich, ..usual }, Some(file))
            }
            false => (parse(path, &text)?, None),
        };
        Ok(PolicyFile { policy, chromosome, path: Some(path.to_owned()), text })
    }

    /// Returns whether it is a chromosome.
    pub(crate) fn is_chromosome(&self) -> bool {
        self.chromosome.is_some()
    }

    /// The chromosome for a plan, if the file is one.
    pub(crate) fn chromosome(&self, plan: &Plan) -> Result<Option<Arc<Chromosome>>, CliError> {
        let (Some(file), Some(path)) = (&self.chromosome, &self.path) else { return Ok(None) };
        let genes = GenePlan::new(plan, Targets::Deep);
        let chromosome = file.to_chromosome(plan, &genes);
        chromosome.map(Arc::new).map(Some).map_err(|error| refused(path, &error))
    }

    /// A path of the file, which counts from the file's directory.
    pub(crate) fn beside(&self, path: &Path) -> PathBuf {
        let directory = self.path.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
        directory.join(path)
    }

    /// A mistake in the value of a field, shown where the word stands.
    pub(crate) fn mistake(&self, word: &str, message: &str, help: Option<String>) -> CliError {
        let start = self.text.find(word).unwrap_or(0);
        let path = self.path.clone().unwrap_or_default();
        in_file(&path, &self.text, start..start + word.len(), message, help)
    }
}

/// Returns whether the first word of a file that is no comment says so.
fn is_chromosome(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().map(str::trim_start);
    let mut code = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    code.next().is_some_and(|line| line.starts_with("Chromosome"))
}

fn parse(path: &Path, text: &str) -> Result<RandomPolicy, CliError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    let policy: RandomPolicy = options.from_str(text).map_err(|error| {
        let at = |line: usize, column: usize| offset(text, line, column);
        let (start, end) = (error.span.start, error.span.end);
        let span = at(start.line, start.col)..at(end.line, end.col);
        let (message, help, span) = explained(&error.code, text, span);
        in_file(path, text, span, &message, help)
    })?;
    check(path, text, &policy)?;
    Ok(policy)
}

/// The message of RON's reader, in the words of scope files.
fn explained(
    code: &ron::Error,
    text: &str,
    span: Range<usize>,
) -> (String, Option<String>, Range<usize>) {
    match code {
        ron::Error::NoSuchStructField { found, expected, .. } => {
            let start = text[..span.end].rfind(found.as_str()).unwrap_or(span.start);
            let help = suggest(found, expected.iter().copied());
            let help = help.or_else(|| Some(format!("the fields are {}", expected.join(", "))));
            (format!("unknown field `{found}`"), help, start..start + found.len())
        }
        ron::Error::NoSuchEnumVariant { found, expected, .. } => {
            let start = text[..span.end].rfind(found.as_str()).unwrap_or(span.start);
            let help = format!("there are {}", expected.join(", "));
            (format!("unknown word `{found}`"), Some(help), start..start + found.len())
        }
        other => (other.to_string(), None, span),
    }
}

/// Looks at what the types of the fields do not say.
fn check(path: &Path, text: &str, policy: &RandomPolicy) -> Result<(), CliError> {
    let usual = RandomPolicy::default();
    let wrong = [
        ("max_length", policy.max_length == 0, "a sequence has at least 1 call"),
        ("swarm", policy.swarm == Some(0), "a subset is for at least 1 sequence"),
        ("prefer_short", !(1..=64).contains(&policy.prefer_short), "give a number from 1 to 64"),
        ("round", policy.round < 1000, "a round has at least 1000 calls"),
        ("call_memory", policy.call_memory < 16, "a process needs at least 16 MiB"),
        (
            "call_seconds",
            !(policy.call_seconds > 0.0 && policy.call_seconds < 1e9),
            "give a positive number of seconds",
        ),
    ];
    debug_assert!(usual.prefer_short == 1, "the default is within its range");
    match wrong.iter().find(|(_, is_wrong, _)| *is_wrong) {
        Some((field, _, message)) => {
            let start = text.find(field).unwrap_or(0);
            Err(in_file(path, text, start..start + field.len(), message, None))
        }
        None => Ok(()),
    }
}

/// The byte at a line and column, both from 1, the column in characters.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let mut lines = text.split_inclusive('\n');
    let before: usize = lines.clone().take(line.saturating_sub(1)).map(str::len).sum();
    let of_line = lines.nth(line.saturating_sub(1)).unwrap_or_default();
    let in_line: usize = of_line.chars().take(column.saturating_sub(1)).map(char::len_utf8).sum();
    before + in_line
}

fn in_file(
    path: &Path,
    text: &str,
    span: Range<usize>,
    message: &str,
    help: Option<String>,
) -> CliError {
    let mut diagnostic = Diagnostic::in_file(&path.to_string_lossy(), text, span, message);
    diagnostic.help = help;
    CliError::InFile(Box::new(diagnostic))
}

fn refused(path: &Path, reason: &dyn std::fmt::Display) -> CliError {
    CliError::Usage(format!("cannot use `{}`: {reason}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        parse(Path::new("p.ron"), text).unwrap_err().to_string()
    }

    #[test]
    fn fields_that_are_not_given_are_as_by_default() {
        assert_eq!(parse(Path::new("p.ron"), "Policy()").unwrap(), RandomPolicy::default());
        let text = "Policy(repeat: (0.5, 7), swarm: 9, ints: \"-5..10\", match: Equality)";
        let read = parse(Path::new("p.ron"), text).unwrap();
        let expected = RandomPolicy {
            repeat: (Probability(0.5), 7),
            swarm: Some(9),
            ints: Some(LiteralRange(-5..=9)),
            matching: MatchBy::Equality,
            ..RandomPolicy::default()
        };
        assert_eq!(read, expected);
    }

    #[test]
    fn mistakes_are_shown_where_they_stand() {
        let unknown = refusal("Policy(\n    max_lenght: 7,\n)");
        assert!(unknown.contains("unknown field `max_lenght`"), "{unknown}");
        assert!(unknown.contains("p.ron:2:5"), "{unknown}");
        assert!(unknown.contains("`max_length`"), "{unknown}");
        let wrong = refusal("Policy(\n    match: Forms,\n)");
        assert!(wrong.contains("p.ron:2:12") && wrong.contains("Form"), "{wrong}");
        for (text, message) in [
            ("Policy(fuzz: 2.0)", "a number from 0 to 1"),
            ("Policy(repeat: (-0.1, 7))", "a number from 0 to 1"),
            ("Policy(ints: \"5..5\")", "a range that is not empty"),
            ("Policy(prefer_short: 0)", "from 1 to 64"),
            ("Policy(round: 5)", "at least 1000 calls"),
            ("Scope(k: 3)", "Scope"),
        ] {
            assert!(refusal(text).contains(message), "{}", refusal(text));
        }
    }

    #[test]
    fn ranges_are_those_of_rust() {
        assert_eq!(range("0..=99"), Some(0..=99));
        for wrong in ["", "3", "5..5", "5..=4", "a..b", "0...9", "..9"] {
            assert_eq!(range(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_chromosome_is_known_by_its_first_word() {
        assert!(is_chromosome("// found\n\n  Chromosome(\n"));
        assert!(!is_chromosome("// Chromosome\nPolicy()"));
    }
}
