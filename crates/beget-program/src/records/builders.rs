//! A set of builders and its certificate, for scripts and for people.

use std::fmt;

use beget_plan::finding::{StopReason, Witness};
use beget_plan::scope::{Plan, PlannedIdx, Resolution};
use beget_search::builders::{
    BuilderSearch, BuiltExtent, Confirmation, Identification, SearchOutcome,
};
use beget_suite::to_source;
use serde::{Deserialize, Serialize};

use crate::records::text::{Bytes, grouped, write_version};
use crate::records::{FindingRecord, Header, Measures, ObjectRecord, objects_of};

/// The result of a search for builders, the JSON of `--summary json`. Values that are unknown
/// because the search was stopped are `None`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BuildersSummary {
    /// The run and its end; the methods are the full API.
    #[serde(flatten)]
    pub header: Header,
    /// The search used.
    pub search: String,
    /// The seed of the random numbers of a genetic search.
    pub seed: Option<u64>,
    /// Methods of the suite that did not take part.
    pub left_out: Vec<UnusedMethodRecord>,
    /// The builders, in suite order.
    pub builders: Option<Vec<String>>,
    /// Distinct structures of the main type that the full API builds.
    pub full_generated: Option<u64>,
    /// True if the set builds everything that the full API builds.
    pub sufficient: Option<bool>,
    /// The evidence for that.
    pub sufficient_how: Option<String>,
    /// True if each method of the set is needed.
    pub minimal: Option<bool>,
    /// The evidence for that.
    pub minimal_how: Option<String>,
    /// The structures of all types that the full API builds.
    pub full: Option<ExtentRecord>,
    /// The structures that the set builds.
    pub built: Option<ExtentRecord>,
    /// A structure that only the full API builds.
    pub missing: Option<WitnessedRecord>,
    /// The need for each builder.
    pub needs: Vec<NeedRecord>,
    /// The methods that only observe.
    pub observers: Vec<ObserverRecord>,
    /// Notes of the search itself.
    pub search_notes: Vec<String>,
    /// Larger scopes at which the set was checked.
    pub confirmed: Vec<ConfirmedRecord>,
    /// Calls of the full API.
    pub explored: Option<u64>,
    /// Of these, calls that broke a rule of use.
    pub misuse: Option<u64>,
    /// Of these, calls that broke a promise.
    pub failures: Option<u64>,
    /// The failures of the full API's calls, in order; a recipe need not be a shortest one.
    pub findings: Vec<FindingRecord>,
    /// Wall time of everything.
    pub seconds: f64,
    /// User and system time of all threads.
    pub cpu_seconds: f64,
    /// The most memory that the process held so far.
    pub peak_rss_bytes: u64,
}

/// A method that took no part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnusedMethodRecord {
    /// Its name.
    pub method: String,
    /// The part that the scope lacks.
    pub reason: String,
}

/// The structures that some methods build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtentRecord {
    /// The number of structures.
    pub structures: u64,
    /// Their order-free digest: 32 hexadecimal digits.
    pub digest: String,
}

/// A structure with a way to build it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WitnessedRecord {
    /// Rust statements.
    pub recipe: Vec<String>,
    /// The objects of the heap, the root first.
    pub heap: Vec<ObjectRecord>,
    /// The same as text, one line for each object.
    pub picture: Vec<String>,
}

/// The need for a builder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NeedRecord {
    /// The builder.
    pub method: String,
    /// The structures that the others build.
    pub without: ExtentRecord,
    /// A structure that they do not build; `None` if it can be spared.
    pub lost: Option<WitnessedRecord>,
}

/// A method that only observes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObserverRecord {
    /// The method.
    pub method: String,
    /// The calls that were watched.
    pub calls: u64,
    /// The number of these that returned; if 0, nothing is known of the method.
    pub returned: u64,
}

/// The result at a larger scope.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConfirmedRecord {
    /// Its number.
    pub k: u32,
    /// True if the set builds everything there.
    pub sufficient: bool,
    /// The structures that the set builds there.
    pub built: ExtentRecord,
    /// A structure that only the full API builds there.
    pub missing: Option<WitnessedRecord>,
    /// Builders that can be spared there, each by itself.
    pub superfluous: Vec<String>,
}

impl BuildersSummary {
    /// Makes the summary before the search.
    pub fn new(resolved: &Resolution, search: BuilderSearch) -> Self {
        let plan = &resolved.plan;
        let left_out = resolved.left_out.iter().map(|left_out| UnusedMethodRecord {
            method: plan.suite.method(left_out.method).name.to_owned(),
            reason: left_out.reason.clone(),
        });
        let seed = match search {
            BuilderSearch::Genetic(genetic) => Some(genetic.seed),
            _ => None,
        };
        BuildersSummary {
            header: Header::new(plan, StopReason::Interrupted),
            search: search.name().to_owned(),
            seed,
            left_out: left_out.collect(),
            builders: None,
            full_generated: None,
            sufficient: None,
            sufficient_how: None,
            minimal: None,
            minimal_how: None,
            full: None,
            built: None,
            missing: None,
            needs: Vec::new(),
            observers: Vec::new(),
            search_notes: Vec::new(),
            confirmed: Vec::new(),
            explored: None,
            misuse: None,
            failures: None,
            findings: Vec::new(),
            seconds: 0.0,
            cpu_seconds: 0.0,
            peak_rss_bytes: 0,
        }
    }

    /// Fills in the results. All positions are those of `plan`.
    pub fn identified(&mut self, plan: &Plan, found: &Identification, confirmed: &[Confirmation]) {
        let writer = RecordWriter { plan };
        let certificate = &found.certificate;
        self.builders = Some(plan.method_names(&found.methods));
        self.full_generated = Some(found.full_generated);
        self.sufficient = Some(certificate.is_sufficient());
        self.sufficient_how = Some(certificate.why_sufficient());
        self.minimal = Some(certificate.is_minimal());
        self.minimal_how = Some(certificate.why_minimal(plan));
        self.full = Some(extent(certificate.full));
        self.built = Some(extent(certificate.builders));
        self.missing = certificate.missing.as_ref().map(|loss| writer.witnessed(loss));
        self.needs = certificate.needs.iter().map(|need| writer.need(need)).collect();
        self.observers = found.observers.iter().map(|observer| writer.observer(observer)).collect();
        self.search_notes = writer.search_notes(&found.found);
        self.confirmed = confirmed.iter().map(|one| writer.confirmed(one)).collect();
        self.explored = Some(found.counters.explored());
        self.misuse = Some(found.counters.misuse);
        self.failures = Some(found.counters.failures);
        let findings = found.findings.iter();
        self.findings = FindingRecord::all(plan, findings);
    }

    /// Fills in the reason and time of the end.
    pub fn ended(&mut self, reason: StopReason, measures: &Measures) {
        self.header.complete = reason.is_exhausted();
        self.header.stop_reason = reason.name().to_owned();
        self.seconds = measures.seconds;
        self.cpu_seconds = measures.cpu_seconds;
        self.peak_rss_bytes = measures.peak_rss_bytes;
    }

    /// Returns whether calls of the full API broke a promise. Misuse is none.
    pub fn has_failures(&self) -> bool {
        self.failures.is_some_and(|failures| failures > 0)
    }

    /// Returns whether the set lacks something, here or at a larger scope, or has a method that can
    /// be spared here.
    pub fn is_refuted(&self) -> bool {
        self.sufficient == Some(false)
            || self.minimal == Some(false)
            || self.confirmed.iter().any(|one| !one.sufficient)
    }
}

/// Names a plan's methods in the results.
struct RecordWriter<'p> {
    plan: &'p Plan,
}

impl RecordWriter<'_> {
    fn witnessed(&self, loss: &Witness) -> WitnessedRecord {
        let lines = |text: &str| text.lines().map(str::to_owned).collect();
        let source = |recipe| to_source(&self.plan.suite, recipe).0;
        WitnessedRecord {
            recipe: lines(&loss.recipe.as_ref().map(source).unwrap_or_default()),
            heap: loss.heap.as_ref().map(objects_of).unwrap_or_default(),
            picture: lines(&loss.text()),
        }
    }

    fn need(&self, need: &beget_search::builders::Need) -> NeedRecord {
        NeedRecord {
            method: self.plan.method_name(need.method).to_owned(),
            without: extent(need.without),
            lost: need.loss.as_ref().map(|loss| self.witnessed(loss)),
        }
    }

    fn observer(&self, observer: &beget_search::builders::ObserverMethod) -> ObserverRecord {
        ObserverRecord {
            method: self.plan.method_name(observer.method).to_owned(),
            calls: observer.calls,
            returned: observer.returned,
        }
    }

    fn confirmed(&self, one: &Confirmation) -> ConfirmedRecord {
        ConfirmedRecord {
            k: one.k,
            sufficient: one.missing.is_none(),
            built: extent(one.builders),
            missing: one.missing.as_ref().map(|loss| self.witnessed(loss)),
            superfluous: self.plan.method_names(&one.superfluous),
        }
    }

    fn search_notes(&self, found: &SearchOutcome) -> Vec<String> {
        match found {
            SearchOutcome::Climb(climb) => {
                let steps = climb.steps.iter().map(|step| {
                    format!(
                        "with {}: {}",
                        self.plan.method_names(&step.added).join(" and "),
                        step.structures
                    )
                });
                let mut notes: Vec<String> = steps.collect();
                notes.extend(self.dropped(&climb.dropped));
                if climb.is_stuck {
                    notes.push("stuck: no method and no pair of methods adds anything".to_owned());
                }
                notes
            }
            SearchOutcome::Evolution(evolution) => {
                let mut notes = vec![format!("{} sets evaluated", evolution.evaluated)];
                notes.extend(self.dropped(&evolution.dropped));
                notes
            }
            SearchOutcome::Proof(proof) => vec![match proof.is_cheapest {
                true => format!("no set is cheaper ({} sets evaluated)", proof.evaluated),
                false => format!(
                    "its limit was hit: every sufficient set has at least {} methods",
                    proof.fewest_methods
                ),
            }],
        }
    }

    fn dropped(&self, methods: &[PlannedIdx]) -> Option<String> {
        (!methods.is_empty())
            .then(|| format!("dropped again: {}", self.plan.method_names(methods).join(", ")))
    }
}

fn extent(extent: BuiltExtent) -> ExtentRecord {
    ExtentRecord { structures: extent.structures, digest: format!("{:032x}", extent.digest) }
}

/// Displays a summary as text. The last lines say why the search ended.
#[derive(Clone, Copy, Debug)]
pub struct BuildersText<'s> {
    /// The summary.
    pub summary: &'s BuildersSummary,
    /// The stop reason with its number.
    pub stop_reason: StopReason,
}

impl fmt::Display for BuildersText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let summary = self.summary;
        let Header { suite, k, methods, .. } = &summary.header;
        writeln!(f, "scope       {suite}, k = {k}, {} methods", methods.len())?;
        for UnusedMethodRecord { method, reason } in &summary.left_out {
            writeln!(f, "left out    {method}: {reason}")?;
        }
        let seed = summary.seed.map_or_else(String::new, |seed| format!(", seed {seed}"));
        writeln!(f, "search      {}{seed}", summary.search)?;
        summary.search_notes.iter().try_for_each(|note| writeln!(f, "            {note}"))?;
        self.set(f)?;
        self.observers(f)?;
        summary.confirmed.iter().try_for_each(|one| write_confirmed(f, one))?;
        if let (Some(explored), Some(failures)) = (summary.explored, summary.failures) {
            let misuse = summary.misuse.unwrap_or(0);
            let [explored, misuse, failures] = [explored, misuse, failures].map(grouped);
            writeln!(f, "full API    {explored} calls, {misuse} misuse, {failures} failures")?;
        }
        writeln!(
            f,
            "took        {:.2} s, {:.2} s of CPU; memory {} at most",
            summary.seconds,
            summary.cpu_seconds,
            Bytes(summary.peak_rss_bytes)
        )?;
        write_version(f)?;
        match self.stop_reason {
            StopReason::Exhausted => writeln!(f, "complete: {}", self.stop_reason),
            _ => writeln!(f, "INCOMPLETE: {}", self.stop_reason),
        }
    }
}

impl BuildersText<'_> {
    fn set(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let summary = self.summary;
        let Some(builders) = &summary.builders else {
            return writeln!(f, "builders    not known: the full API was not explored completely");
        };
        writeln!(f, "builders    {}", builders.join(", "))?;
        write_claim(f, "sufficient", summary.sufficient, summary.sufficient_how.as_deref())?;
        write_claim(f, "minimal", summary.minimal, summary.minimal_how.as_deref())?;
        if let Some(missing) = &summary.missing {
            writeln!(f, "missing     only the full API builds")?;
            write_witnessed(f, missing)?;
        }
        summary.needs.iter().try_for_each(|need| {
            let Some(lost) = &need.lost else { return Ok(()) };
            writeln!(f, "needed      {}: without it, this is lost", need.method)?;
            write_witnessed(f, lost)
        })
    }

    fn observers(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.summary.observers.iter().try_for_each(|ObserverRecord { method, calls, returned }| {
            let doubt = match returned {
                0 => ", none of which returned: nothing is known of it",
                _ => "",
            };
            let (calls, returned) = (grouped(*calls), grouped(*returned));
            writeln!(f, "observer    {method}: {calls} calls, {returned} returned{doubt}")
        })
    }
}

fn write_claim(
    f: &mut fmt::Formatter<'_>,
    claim: &str,
    holds: Option<bool>,
    how: Option<&str>,
) -> fmt::Result {
    let holds = if holds == Some(true) { "yes" } else { "NO" };
    writeln!(f, "{claim:<11} {holds}; {}", how.unwrap_or(""))
}

fn write_witnessed(f: &mut fmt::Formatter<'_>, witnessed: &WitnessedRecord) -> fmt::Result {
    witnessed.recipe.iter().try_for_each(|line| writeln!(f, "    {line}"))?;
    witnessed.picture.iter().try_for_each(|line| writeln!(f, "        {line}"))
}

fn write_confirmed(f: &mut fmt::Formatter<'_>, one: &ConfirmedRecord) -> fmt::Result {
    let (k, n) = (one.k, grouped(one.built.structures));
    match &one.missing {
        None => writeln!(f, "at k = {k:<4} the builders give all {n} structures")?,
        Some(missing) => {
            writeln!(f, "at k = {k:<4} the builders give {n} structures; they do NOT build this")?;
            write_witnessed(f, missing)?;
        }
    }
    if !one.superfluous.is_empty() {
        writeln!(f, "            not needed there: {}", one.superfluous.join(", "))?;
    }
    Ok(())
}
