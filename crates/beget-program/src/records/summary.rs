//! The summary of a run: the contract with scripts.

use std::borrow::Cow;
use std::collections::BTreeMap;

use beget_engine::store::{Store, StoreError, Totals};
use beget_engine::{BoundCount, CopyOptions, Corpus, ExpectedPanic, ProbeTally};
use beget_plan::finding::StopReason;
use beget_plan::scope::{BoundName, Plan};
use beget_run::advice_for;
use serde::{Deserialize, Serialize};

use crate::records::{FORMAT_VERSION, FindingRecord, Header};

/// The result of a run, the JSON of `--summary json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The run and its end.
    #[serde(flatten)]
    pub header: Header,
    /// The slack: how much more was explored than is reported.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub slack: u32,
    /// Distinct structures of the suite's main type.
    pub generated: u64,
    /// Distinct structures by type.
    pub generated_by_type: BTreeMap<String, u64>,
    /// Distinct structures of the main type by number of objects of the most bounded class.
    pub generated_by_objects: BTreeMap<u32, u64>,
    /// Structures in the output directory, if an interrupt has cut writing short. In the directory,
    /// the fields above and `digest` are of these, elsewhere of all that were found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<u64>,
    /// Calls made: the sum of the five counters below.
    pub explored: u64,
    /// Calls that left a new structure.
    pub kept: u64,
    /// Calls that left known structures only.
    pub matched: u64,
    /// Calls that left a structure beyond the scope.
    pub out_of_scope: u64,
    /// These by the bound that they passed first.
    #[serde(default)]
    pub out_of_scope_by: Vec<PassedRecord>,
    /// Calls that broke a rule of use.
    pub misuse: u64,
    /// Calls that panicked as the scope expects, by pattern, method and place: part of these.
    #[serde(default)]
    pub expected_panics: Vec<ExpectedPanicRecord>,
    /// Calls that broke a promise.
    pub failures: u64,
    /// The results of extending matched values; none if the scope asks for no probes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probes: Option<ProbesRecord>,
    /// The ignored bytes of structures that are compared by their memory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubted: Vec<String>,
    /// The levels, cheapest first.
    pub levels: Vec<LevelRecord>,
    /// An order-free digest of the set of canonical forms: 32 hexadecimal digits.
    pub digest: String,
    /// The first findings, in order.
    pub findings: Vec<FindingRecord>,
    /// The advice for a run that stopped early, if there is one.
    #[serde(default)]
    pub advice: Option<String>,
    /// The values that differ from run to run. The summary in an output directory has none, so that
    /// equal runs leave equal bytes.
    #[serde(flatten)]
    pub measures: Option<Measures>,
}

/// The calls that left a structure beyond one bound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassedRecord {
    /// The bound.
    #[serde(flatten, with = "BoundNameData")]
    pub bound: BoundName,
    /// The number of calls.
    pub calls: u64,
}

/// [`BoundName`] in summaries.
#[derive(Serialize, Deserialize)]
#[serde(remote = "BoundName")]
struct BoundNameData {
    bound: Cow<'static, str>,
    name: Option<String>,
}

/// The calls of one method that panicked at one place, as a pattern of the scope expects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExpectedPanicRecord {
    /// The pattern.
    pub pattern: String,
    /// The place in the source.
    pub place: String,
    /// The method.
    pub method: String,
    /// The number of calls.
    pub calls: u64,
}

/// The results of extending matched values: no other counter has these calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbesRecord {
    /// The values that were extended.
    pub extended: u64,
    /// The calls on them.
    pub calls: u64,
    /// Of these, those that broke a promise.
    pub failures: u64,
    /// The values that these left of which there is no structure.
    pub unknown: u64,
}

impl ProbesRecord {
    /// Makes the record, if the run's plan asks for probes.
    pub fn of(plan: &Plan, tally: ProbeTally) -> Option<Self> {
        let ProbeTally { extended, calls, failures, unknown } = tally;
        (plan.probe > 0).then_some(ProbesRecord { extended, calls, failures, unknown })
    }
}

/// One level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelRecord {
    /// Calls of a recipe of this level.
    pub calls: u32,
    /// Structures found in it.
    pub new: u64,
    /// Calls made for it.
    pub explored: u64,
}

/// The measured values, and the ways in which the run was made: nothing that the result depends on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measures {
    /// Wall time of the search.
    pub seconds: f64,
    /// User and system time of all threads during the search.
    pub cpu_seconds: f64,
    /// The most memory that the process held so far.
    pub peak_rss_bytes: u64,
    /// Bytes of memory held by the store.
    pub store_bytes: u64,
    /// Bytes of its files, where it has some.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub disk_bytes: u64,
    /// The ways structures of each type were reconstructed and copied at the start of the run.
    pub ways: BTreeMap<String, String>,
    /// Changes of these ways during the run.
    pub notes: Vec<String>,
    /// Sentences on calls that are not made, or questions that are not asked, because others end
    /// the process or do not return.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub omissions: Vec<String>,
}

/// The time and memory of a command that makes more than one search, or one that is not of calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ResourceUse {
    /// Wall time.
    pub seconds: f64,
    /// User and system time of all threads.
    pub cpu_seconds: f64,
    /// The most memory that the process held so far.
    pub peak_rss_bytes: u64,
}

/// The summary in an output directory.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SummaryFile<'s, S = Summary> {
    /// The version of the formats in the directory.
    pub version: u32,
    /// The rest.
    #[serde(flatten)]
    pub summary: &'s S,
}

impl<'s, S> SummaryFile<'s, S> {
    /// The file for `summary`, which should have no measures.
    pub fn new(summary: &'s S) -> Self {
        SummaryFile { version: FORMAT_VERSION, summary }
    }
}

impl Summary {
    /// The summary of a run, without measures.
    ///
    /// # Errors
    /// If the store cannot read what a finding is about.
    pub fn of<S: Store>(corpus: &Corpus<S>) -> Result<Summary, StoreError> {
        let findings = FindingRecord::all(&corpus.plan, &corpus.report.findings);
        Summary::with_findings(corpus, findings)
    }

    /// Like [`Summary::of`], with findings whose records the caller has.
    ///
    /// # Errors
    /// Those of [`Summary::of`].
    pub(crate) fn with_findings<S: Store>(
        corpus: &Corpus<S>,
        findings: Vec<FindingRecord>,
    ) -> Result<Summary, StoreError> {
        let (plan, report) = (&corpus.plan, &corpus.report);
        let counters = report.ledger.counters;
        let summary = Summary {
            header: Header::new(plan, report.stop_reason),
            slack: plan.slack.as_ref().map_or(0, |proper| proper.slack),
            generated: 0,
            generated_by_type: BTreeMap::new(),
            generated_by_objects: BTreeMap::new(),
            written: None,
            explored: counters.explored(),
            kept: counters.kept,
            matched: counters.matched,
            out_of_scope: counters.out_of_scope,
            out_of_scope_by: report.ledger.passed.iter().map(|one| passed(one, plan)).collect(),
            misuse: counters.misuse,
            expected_panics: report.ledger.expected.iter().map(|one| expected(one, plan)).collect(),
            failures: counters.failures,
            probes: ProbesRecord::of(plan, report.ledger.probes),
            doubted: report.doubted.clone(),
            levels: report.levels.iter().map(level).collect(),
            digest: String::new(),
            findings,
            advice: advice_for(corpus)?,
            measures: None,
        };
        Ok(summary.with_totals(plan, &corpus.totals()?))
    }

    /// The same summary of other structures.
    pub(crate) fn with_totals(self, plan: &Plan, totals: &Totals) -> Summary {
        let types = plan.suite.types.iter().zip(totals.by_type.iter().chain(std::iter::repeat(&0)));
        Summary {
            generated: totals.by_type.first().copied().unwrap_or(0),
            generated_by_type: types.map(|(ty, &count)| (ty.name.to_owned(), count)).collect(),
            generated_by_objects: non_zero(&totals.by_objects),
            digest: format!("{:032x}", totals.digest),
            ..self
        }
    }

    /// The same summary of a run of which an interrupt has left `written` structures in files.
    pub(crate) fn cut_after(self, written: u64) -> Summary {
        let stop_reason = match self.header.complete {
            true => StopReason::Interrupted.name().to_owned(),
            false => self.header.stop_reason,
        };
        let header = Header { complete: false, stop_reason, ..self.header };
        Summary { header, written: Some(written), ..self }
    }

    /// The share of the structures that is written, in words, unless all are.
    pub fn written_of(&self) -> Option<String> {
        let found: u64 = self.generated_by_type.values().sum();
        self.written.map(|written| format!("{written} of {found} structures"))
    }

    /// The same summary with measures.
    pub fn with(self, measures: Measures) -> Summary {
        Summary { measures: Some(measures), ..self }
    }

    /// Returns whether the run found something wrong with the subject. Misuse is not.
    pub fn has_findings(&self) -> bool {
        self.failures > 0 || !self.findings.is_empty()
    }
}

impl Measures {
    /// The ways and notes of a run whose times the caller fills in.
    pub fn of<S: Store>(corpus: &Corpus<S>, copy_options: CopyOptions) -> Measures {
        let names = corpus.plan.suite.types.iter().map(|ty| ty.name.to_owned());
        let ways = corpus.copy_strategies(copy_options).into_iter().map(|way| way.to_string());
        Measures {
            store_bytes: corpus.store.bytes(),
            disk_bytes: corpus.store.disk_bytes(),
            ways: names.zip(ways).collect(),
            notes: corpus
                .report
                .ledger
                .notes
                .iter()
                .cloned()
                .chain(corpus.dropping_note())
                .collect(),
            omissions: corpus.report.ledger.omissions.clone(),
            ..Measures::default()
        }
    }
}

fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

fn non_zero(counts: &[u64]) -> BTreeMap<u32, u64> {
    let numbered = counts.iter().enumerate().map(|(number, &count)| (number as u32, count));
    numbered.filter(|&(_, count)| count > 0).collect()
}

fn passed(passed: &BoundCount, plan: &Plan) -> PassedRecord {
    PassedRecord { bound: BoundName::new(passed.bound, plan.schema()), calls: passed.calls }
}

fn expected(expected: &ExpectedPanic, plan: &Plan) -> ExpectedPanicRecord {
    let &ExpectedPanic { pattern, ref place, method, calls } = expected;
    ExpectedPanicRecord {
        pattern: plan.misuse.panics[pattern as usize].as_str().to_owned(),
        place: place.clone(),
        method: plan.method_name(method).to_owned(),
        calls,
    }
}

fn level(level: &beget_engine::Level) -> LevelRecord {
    LevelRecord { calls: level.calls, new: level.new, explored: level.explored }
}
