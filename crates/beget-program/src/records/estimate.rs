//! The estimate of a scope's cost.

use std::fmt;

use beget_plan::finding::StopReason;
use beget_plan::scope::Plan;
use beget_search::estimate::{CONFIDENCE, ErrorBar};
use beget_search::run::{
    CountedScope, DISK_BYTES, DISK_STORE_ROOM, EstimateRun, MEMORY_STORE_ROOM, ScopeEstimate,
};
use serde::{Deserialize, Serialize};

use crate::records::text::{grouped, write_failures, write_resources, write_version};
use crate::records::{FindingRecord, Header, ResourceUse, Verbosity};

/// The estimate of a scope's cost, the JSON of `--summary json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EstimateSummary {
    /// The scope, and the reason why no more scopes were run. It is complete if the scope itself
    /// was explored: then structures and calls are counts.
    #[serde(flatten)]
    pub header: Header,
    /// The scopes explored completely.
    pub counted: Vec<CountedRecord>,
    /// The scope begun and not finished.
    pub begun: Option<BegunRecord>,
    /// All calls that were made.
    pub explored: u64,
    /// The steps of k beyond the last counted scope; null if none was counted.
    pub steps: Option<u32>,
    /// The share of ranges that should hold, measured on the rows of Table 1.
    pub confidence: f64,
    /// The structures of the main type. This and all ranges below are null without an estimate.
    pub structures: Option<ErrorBarRecord>,
    /// The structures that a store must hold: of all types, with those that only slack allows.
    pub stored: Option<ErrorBarRecord>,
    /// Calls.
    pub calls: Option<ErrorBarRecord>,
    /// Hours of user and system time.
    pub cpu_hours: Option<ErrorBarRecord>,
    /// Hours on this machine with the given number of threads.
    pub hours: Option<ErrorBarRecord>,
    /// The threads.
    pub threads: usize,
    /// Bytes of memory for the memory store; null if it has no room for the structures.
    pub memory_bytes: Option<ErrorBarRecord>,
    /// Bytes on disk for the disk store; null if it cannot number the structures.
    pub disk_bytes: Option<ErrorBarRecord>,
    /// The estimated cost of a call, in nanoseconds of CPU.
    pub nanoseconds_per_call: Option<f64>,
    /// The estimated memory of a structure.
    pub bytes_per_structure: Option<f64>,
    /// The estimated bytes of a structure on disk.
    pub disk_bytes_per_structure: f64,
    /// Notes on these numbers.
    pub notes: Vec<String>,
    /// The calls that broke a promise, in the first scope with any.
    pub failures: u64,
    /// The findings of that scope.
    pub findings: Vec<FindingRecord>,
    /// The values that differ from run to run.
    #[serde(flatten)]
    pub spent: Option<ResourceUse>,
}

/// A scope explored completely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedRecord {
    /// Its number.
    pub k: u32,
    /// Structures of the main type.
    pub generated: u64,
    /// Structures in the store.
    pub stored: u64,
    /// Calls.
    pub explored: u64,
}

/// A scope begun and not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BegunRecord {
    /// Its number.
    pub k: u32,
    /// The structures of the main type so far.
    pub generated: u64,
    /// The calls so far.
    pub explored: u64,
}

/// A number with its error bar, rounded to four digits unless it is a count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ErrorBarRecord {
    /// The expected value.
    pub likely: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// The most steps beyond the counted scopes for which error bars were checked.
const STEPS_CHECKED: u32 = 4;

impl EstimateSummary {
    /// Makes the summary of an estimate for the scope of `plan`, whose runs had `threads` threads.
    pub fn of(plan: &Plan, run: &EstimateRun, threads: usize) -> EstimateSummary {
        let estimate = run.estimate.as_ref();
        let range = |of: fn(&ScopeEstimate) -> ErrorBar, unit: f64| {
            estimate.map(|estimate| ErrorBarRecord::of(of(estimate).scaled(unit)))
        };
        let fits = |room| estimate.is_some_and(|estimate| estimate.stored.likely <= room);
        let hours = 1.0 / 3600.0;
        let last = run.counted.last().map(|scope| scope.k);
        EstimateSummary {
            header: Header::new(plan, run.stop_reason),
            counted: run.counted.iter().map(CountedRecord::of).collect(),
            begun: run.begun.map(|(k, generated, explored)| BegunRecord { k, generated, explored }),
            explored: run.explored,
            steps: last.map(|last| plan.k - last),
            confidence: CONFIDENCE,
            structures: range(|one| one.structures, 1.0),
            stored: range(|one| one.stored, 1.0),
            calls: range(|one| one.calls, 1.0),
            cpu_hours: range(|one| one.cpu_seconds, hours),
            hours: range(|one| one.cpu_seconds, hours / threads as f64),
            threads,
            memory_bytes: range(|one| one.memory_bytes, 1.0).filter(|_| fits(MEMORY_STORE_ROOM)),
            disk_bytes: range(|one| one.disk_bytes, 1.0).filter(|_| fits(DISK_STORE_ROOM)),
            nanoseconds_per_call: estimate.map(|one| rounded(one.seconds_per_call.likely * 1e9)),
            bytes_per_structure: estimate.map(|one| rounded(one.bytes_per_structure)),
            disk_bytes_per_structure: DISK_BYTES,
            notes: notes(plan.k, last, run),
            failures: run.failures,
            findings: FindingRecord::all(plan, &run.findings),
            spent: None,
        }
    }

    /// The same with the time and memory of the runs.
    pub fn with(self, spent: ResourceUse) -> EstimateSummary {
        EstimateSummary { spent: Some(spent), ..self }
    }

    /// Returns whether there is an estimate.
    pub fn is_known(&self) -> bool {
        self.structures.is_some()
    }
}

fn notes(k: u32, last: Option<u32>, run: &EstimateRun) -> Vec<String> {
    let n_counted = run.counted.iter().filter(|scope| scope.generated > 0).count();
    let Some(estimate) = &run.estimate else {
        let why = match n_counted {
            0 => "no scope with structures was explored to the end".to_owned(),
            1 => "only one scope with structures was explored to the end".to_owned(),
            _ => format!("k = {k} is too far from the last scope that was counted"),
        };
        return vec![format!(
            "too little to go on: {why}; allow more calls and seconds (--max-calls, --max-seconds), \
             or ask about another k"
        )];
    };
    let mut notes = Vec::new();
    let steps = k - last.unwrap_or(k);
    if steps > 0 && n_counted < 4 {
        notes.push(format!("only {n_counted} scopes to go by: the ranges are wide for that"));
    }
    if steps > STEPS_CHECKED {
        notes.push(format!(
            "{steps} steps of k beyond what was counted: the ranges were checked up to {STEPS_CHECKED}"
        ));
    }
    if estimate.is_rate_doubtful {
        notes.push("the time is that of a run of few calls".to_owned());
    }
    if estimate.are_bytes_usual {
        notes.push(
            "the memory is what structures usually take: no scope was large enough to see it"
                .to_owned(),
        );
    }
    let too_many = |store: &str, room: f64| {
        (estimate.stored.likely > room).then(|| {
            format!("more structures than the {store} store has room for ({})", Rough(room))
        })
    };
    notes.extend(too_many("memory", MEMORY_STORE_ROOM));
    notes.extend(too_many("disk", DISK_STORE_ROOM));
    notes
}

impl CountedRecord {
    fn of(scope: &CountedScope) -> CountedRecord {
        let &CountedScope { k, generated, stored, explored, .. } = scope;
        CountedRecord { k, generated, stored, explored }
    }
}

impl ErrorBarRecord {
    fn of(range: ErrorBar) -> ErrorBarRecord {
        let ErrorBar { low, likely, high } = range;
        match low == high {
            true => ErrorBarRecord { likely, low, high },
            false => {
                ErrorBarRecord { likely: rounded(likely), low: rounded(low), high: rounded(high) }
            }
        }
    }

    fn is_exact(&self) -> bool {
        self.low == self.high
    }
}

/// Rounds to four digits: more are noise, and differ between machines.
fn rounded(number: f64) -> f64 {
    format!("{number:.3e}").parse().unwrap_or(number)
}

/// Displays an estimate as text.
#[derive(Clone, Copy, Debug)]
pub struct EstimateText<'s> {
    /// The summary.
    pub summary: &'s EstimateSummary,
    /// The reason why no more scopes were explored, with its number.
    pub stop_reason: StopReason,
    /// The level of detail.
    pub verbosity: Verbosity,
}

impl fmt::Display for EstimateText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let summary = self.summary;
        write_failures(f, &summary.findings, self.verbosity)?;
        let Header { suite, k, methods, .. } = &summary.header;
        writeln!(f, "scope       {suite}, k = {k}, methods {}", methods.join(", "))?;
        self.counted(f)?;
        self.ranges(f)?;
        summary.notes.iter().try_for_each(|note| writeln!(f, "note        {note}"))?;
        write_resources(f, summary.spent)?;
        write_version(f)?;
        self.ending(f)
    }
}

impl EstimateText<'_> {
    fn counted(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let summary = self.summary;
        let one = |scope: &CountedRecord| format!("{}: {}", scope.k, grouped(scope.generated));
        let counted: Vec<_> = summary.counted.iter().map(one).collect();
        let counted = if counted.is_empty() { "none".to_owned() } else { counted.join(", ") };
        writeln!(f, "counted     structures by k {counted}; {} calls", grouped(summary.explored))?;
        match &summary.begun {
            Some(BegunRecord { k, generated, explored }) => {
                let (generated, explored) = (grouped(*generated), grouped(*explored));
                writeln!(f, "begun       k = {k}: {generated} structures after {explored} calls")
            }
            None => Ok(()),
        }
    }

    fn ranges(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let summary = self.summary;
        let line =
            |name: &str, range: &Option<ErrorBarRecord>, show: Show, more: &dyn Fn() -> String| {
                let shown = range.as_ref().map(|range| shown(range, show) + &more());
                shown.map_or_else(String::new, |shown| format!("{name:<12}{shown}\n"))
            };
        let none = || String::new();
        let of_types = summary.stored.filter(|stored| Some(*stored) != summary.structures);
        let calls =
            || format!(", at {} ns a call", Rough(summary.nanoseconds_per_call.unwrap_or(0.0)));
        let threads = || {
            let hours = summary.hours.map_or(0.0, |hours| hours.likely);
            let plural = if summary.threads == 1 { "" } else { "s" };
            format!(" of CPU{}; {} on {} thread{plural}", calls(), Hours(hours), summary.threads)
        };
        let bytes =
            || format!(", at {:.1} B a structure", summary.bytes_per_structure.unwrap_or(0.0));
        let disk = || format!(", at {} B a structure", summary.disk_bytes_per_structure);
        f.write_str(&line("structures", &summary.structures, |n| Rough(n).to_string(), &none))?;
        f.write_str(&line("stored", &of_types, |n| Rough(n).to_string(), &none))?;
        f.write_str(&line("calls", &summary.calls, |n| Rough(n).to_string(), &none))?;
        f.write_str(&line("time", &summary.cpu_hours, |n| Hours(n).to_string(), &threads))?;
        f.write_str(&line("memory", &summary.memory_bytes, |n| RoomSize(n).to_string(), &bytes))?;
        f.write_str(&line("disk", &summary.disk_bytes, |n| RoomSize(n).to_string(), &disk))
    }

    fn ending(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let summary = self.summary;
        let reason = self.stop_reason;
        match (summary.header.complete, summary.is_known()) {
            (true, _) => writeln!(f, "counted: the scope itself was explored"),
            (false, true) => {
                let steps = summary.steps.unwrap_or(0);
                let plural = if steps == 1 { "" } else { "s" };
                let warning = if reason.is_reproducible() { "" } else { ", not reproducible" };
                writeln!(
                    f,
                    "estimated: {steps} step{plural} of k beyond what was counted, with ranges of \
                     {:.0} %{warning}; {reason}",
                    summary.confidence * 100.0
                )
            }
            (false, false) => writeln!(f, "NOT ESTIMATED: {reason}"),
        }
    }
}

/// The format of a number.
type Show = fn(f64) -> String;

fn shown(range: &ErrorBarRecord, show: Show) -> String {
    match range.is_exact() {
        true => show(range.likely),
        false => {
            let ErrorBarRecord { likely, low, high } = *range;
            format!("{} ({} to {})", show(likely), show(low), show(high))
        }
    }
}

/// A number with three digits; a count below 10 million with all.
struct Rough(f64);

impl fmt::Display for Rough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            number if number < 1e7 => f.write_str(&grouped(number.round() as u64)),
            number => write!(f, "{number:.2e}"),
        }
    }
}

/// A time in a unit that suits it.
struct Hours(f64);

impl fmt::Display for Hours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            hours if hours < 1.0 / 60.0 => write!(f, "{:.1} s", hours * 3600.0),
            hours if hours < 1.0 => write!(f, "{:.0} min", hours * 60.0),
            hours if hours < 100.0 => write!(f, "{hours:.1} h"),
            hours if hours < 24_000.0 => write!(f, "{:.0} days", hours / 24.0),
            hours => write!(f, "{} years", Rough(hours / 8766.0)),
        }
    }
}

/// A number of bytes in a unit that suits it, of powers of ten as disks are sold by.
struct RoomSize(f64);

impl fmt::Display for RoomSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, name) = match self.0 {
            bytes if bytes < 1e3 => (1.0, "B"),
            bytes if bytes < 1e6 => (1e3, "kB"),
            bytes if bytes < 1e9 => (1e6, "MB"),
            bytes if bytes < 1e12 => (1e9, "GB"),
            bytes if bytes < 1e15 => (1e12, "TB"),
            _ => (1e15, "PB"),
        };
        write!(f, "{:.1} {name}", self.0 / unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_a_unit_that_suits_them() {
        let hours = [0.001, 0.2, 3.0, 500.0, 1e6].map(|hours| Hours(hours).to_string());
        assert_eq!(hours, ["3.6 s", "12 min", "3.0 h", "21 days", "114 years"]);
        let sizes = [5e3, 2e6, 37.1e9, 1.4e12, 3e15].map(|bytes| RoomSize(bytes).to_string());
        assert_eq!(sizes, ["5.0 kB", "2.0 MB", "37.1 GB", "1.4 TB", "3.0 PB"]);
        assert_eq!([999.0, 2.5e9].map(|n| Rough(n).to_string()), ["999", "2.50e9"]);
    }

    #[test]
    fn estimates_have_four_digits_and_counts_all() {
        let record = ErrorBarRecord::of(ErrorBar { low: 1.0, likely: 123_456.0, high: 999_990.0 });
        assert_eq!(record, ErrorBarRecord { low: 1.0, likely: 123_500.0, high: 1e6 });
        assert_eq!(ErrorBarRecord::of(ErrorBar::exact(123_456.0)).likely, 123_456.0);
    }
}
