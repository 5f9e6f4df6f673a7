//! A search for a successful call of every method.

use std::collections::BTreeMap;
use std::fmt;

use beget_plan::finding::StopReason;
use beget_run::random::CallStep;
use beget_search::heuristic::{
    CallGoal, CallOrigin, CallReport, CallShare, FamilyTally, MethodReport, SampledCall,
};
use beget_search::run::CallRun;
use beget_suite::Sequence;
use serde::{Deserialize, Serialize};

use crate::records::text::{
    causes, grouped, write_end, write_failures, write_resources, write_version,
};
use crate::records::{FindingRecord, Header, ResourceUse, Verbosity};

/// The result of a search for calls, the JSON of `--summary json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallSummary {
    /// The run and its end. It is never complete.
    #[serde(flatten)]
    pub header: Header,
    /// The seed.
    pub seed: u64,
    /// The definition of a successful call: `returns` or `ok`.
    pub goal: String,
    /// The number of methods called.
    pub called: usize,
    /// The number of methods that panicked first, whether called later or not.
    pub panics: u32,
    /// Of these, the number of methods that a repair called.
    pub repaired: u32,
    /// Both numbers by the family of the first panic.
    pub by_family: BTreeMap<String, FamilyRecord>,
    /// The successful calls whose receiver, the first structure that they take, holds something,
    /// among those of types of which such a structure was found.
    pub filled: ShareRecord,
    /// The successful calls with a result other than `None`, `Err` and an empty list or text, among
    /// those that return something.
    pub telling: ShareRecord,
    /// The methods that were not called.
    pub not_called: Vec<NotCalledRecord>,
    /// The promises that calls broke.
    pub findings: Vec<FindingRecord>,
    /// The number of attempts: calls of methods not called before.
    pub attempts: u64,
    /// The number of all calls, also those that prepare structures and measure them, but without
    /// repeated ones.
    pub explored: u64,
    /// The successful calls, in the order of the suite.
    pub calls: Vec<CalledRecord>,
    /// The values that differ from run to run.
    #[serde(flatten)]
    pub resources: Option<ResourceUse>,
}

/// First panics of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FamilyRecord {
    /// The methods whose first panic was of this family.
    pub panics: u32,
    /// Of these, the methods that a repair called.
    pub repaired: u32,
}

/// A share of some calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShareRecord {
    /// The calls that have what is asked.
    pub have: u32,
    /// All calls.
    pub all: u32,
}

impl ShareRecord {
    fn of(share: CallShare) -> Self {
        ShareRecord { have: share.have, all: share.all }
    }
}

/// A method that was not called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotCalledRecord {
    /// Its name.
    pub name: String,
    /// The reason.
    pub reason: String,
}

/// A method that was called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalledRecord {
    /// Its name.
    pub name: String,
    /// The number of attempts.
    pub attempts: u32,
    /// The source of the successful call: `repository`, `generated`, or the repair: `message`,
    /// `arguments`, `state`.
    pub by: String,
    /// The message of the first panic, if there was one.
    pub first_panic: Option<String>,
    /// The calls as Rust statements; the last one is that of the method.
    pub source: String,
    /// Successful calls with arguments that differ, if `--samples` asks for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<SampleRecord>,
    /// The repetitions of the successful call, if `--repeat` asks for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<RepeatsRecord>,
}

/// A successful call among others of its method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleRecord {
    /// The arguments that vary, by name and value: `index = 2`, or `self.len = 3` of a structure.
    pub arguments: Vec<String>,
    /// The calls as Rust statements; the last one is that of the method.
    pub source: String,
}

/// A successful call made again and again, each time on what the last one left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepeatsRecord {
    /// The number of calls in a row that succeeded.
    pub times: u32,
    /// The reason why the next one did not; `None` if none was tried.
    pub end: Option<String>,
}

impl CallSummary {
    /// Makes the summary of a run, without measures.
    pub fn of(run: &CallRun) -> Self {
        let CallRun { plan, options, report, stop_reason } = run;
        let families = report.by_family();
        let sum = |of: fn(&FamilyTally) -> u32| families.iter().map(|(_, tally)| of(tally)).sum();
        let by_family = families.iter().map(|(family, FamilyTally { panics, repaired })| {
            let record = FamilyRecord { panics: *panics, repaired: *repaired };
            (family.name().to_owned(), record)
        });
        let not_called = report.not_called().map(|(idx, reason)| NotCalledRecord {
            name: plan.method_name(idx).to_owned(),
            reason: reason.to_owned(),
        });
        let broken = report.methods.iter().flat_map(|method| &method.broken);
        CallSummary {
            header: Header::new(plan, *stop_reason),
            seed: options.seed,
            goal: match options.goal {
                CallGoal::Returns => "returns".to_owned(),
                CallGoal::Ok => "ok".to_owned(),
            },
            called: report.n_called(),
            panics: sum(|tally| tally.panics),
            repaired: sum(|tally| tally.repaired),
            by_family: by_family.collect(),
            filled: ShareRecord::of(report.filled),
            telling: ShareRecord::of(report.telling),
            not_called: not_called.collect(),
            findings: FindingRecord::all(plan, broken),
            attempts: report.attempts,
            explored: report.calls,
            calls: called(run, report),
            resources: None,
        }
    }

    /// The same with time and memory.
    #[must_use]
    pub fn with(self, resources: ResourceUse) -> Self {
        CallSummary { resources: Some(resources), ..self }
    }
}

fn called(run: &CallRun, report: &CallReport) -> Vec<CalledRecord> {
    let source = |steps: &[CallStep]| sequence_of(steps).to_source(&run.plan.suite).0;
    let sample = |sample: &SampledCall| SampleRecord {
        arguments: sample.arguments.clone(),
        source: source(&sample.steps),
    };
    let record = |(idx, method): (_, &MethodReport)| {
        let success = method.success.as_ref()?;
        Some(CalledRecord {
            name: run.plan.method_name(idx).to_owned(),
            attempts: method.attempts,
            by: match success.origin {
                CallOrigin::Repository => "repository".to_owned(),
                CallOrigin::Generated => "generated".to_owned(),
                CallOrigin::Repaired(repair) => repair.by.name().to_owned(),
            },
            first_panic: method.first_panic.as_ref().map(|(_, message)| message.clone()),
            source: source(&success.steps),
            samples: method.samples.iter().map(sample).collect(),
            repeats: method
                .repeats
                .as_ref()
                .map(|repeats| RepeatsRecord { times: repeats.times, end: repeats.end.clone() }),
        })
    };
    run.plan.planned_idxs().zip(&report.methods).filter_map(record).collect()
}

/// A sequence of calls; the result of the last one is dropped.
pub(crate) fn sequence_of(steps: &[CallStep]) -> Sequence {
    let statements = steps.iter().map(|step| step.statement.clone()).collect();
    Sequence { statements, result: None }
}

/// Displays a search as text.
#[derive(Clone, Copy, Debug)]
pub struct CallText<'s> {
    /// The run.
    pub summary: &'s CallSummary,
    /// The stop reason with its number.
    pub stop_reason: StopReason,
    /// The level of detail.
    pub verbosity: Verbosity,
}

impl fmt::Display for CallText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CallSummary { header, called, panics, repaired, .. } = self.summary;
        write_failures(f, &self.summary.findings, self.verbosity)?;
        self.calls(f)?;
        for NotCalledRecord { name, reason } in &self.summary.not_called {
            let reason = reason.replace('\n', " /");
            writeln!(f, "not called  {name}: {reason}")?;
        }
        let Header { suite, k, methods, .. } = header;
        writeln!(f, "scope       {suite}, k = {k}, {} methods", methods.len())?;
        let CallSummary { seed, goal, attempts, explored, .. } = self.summary;
        let goal = if goal == "ok" { ", neither Err nor None" } else { "" };
        writeln!(f, "called      {called} of {} methods with seed {seed}{goal}", methods.len())?;
        let by_family: Vec<String> = self
            .summary
            .by_family
            .iter()
            .map(|(family, FamilyRecord { panics, repaired })| {
                format!("{family} {repaired} of {panics}")
            })
            .collect();
        let parts = if by_family.is_empty() {
            String::new()
        } else {
            format!(" ({})", by_family.join(", "))
        };
        writeln!(f, "repaired    {repaired} of {panics} methods that panicked first{parts}")?;
        let CallSummary { filled, telling, .. } = self.summary;
        let ShareRecord { have, all } = filled;
        write!(f, "receivers   {have} of {all} are not empty; ")?;
        let ShareRecord { have, all } = telling;
        writeln!(f, "{have} of {all} results are not None, Err or empty")?;
        self.samples(f)?;
        self.repeats(f)?;
        let (explored, attempts) = (grouped(*explored), grouped(*attempts));
        writeln!(f, "calls       {explored}, {attempts} of them attempts")?;
        write_resources(f, self.summary.resources)?;
        let is_done = matches!(self.stop_reason, StopReason::NothingLeft | StopReason::MaxCalls(_));
        write_version(f)?;
        write_end(f, &causes(&self.summary.findings), self.stop_reason, is_done)
    }
}

impl CallText<'_> {
    /// The successful calls, if details are shown.
    fn calls(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.verbosity != Verbosity::Verbose {
            return Ok(());
        }
        for CalledRecord { name, attempts, by, source, samples, .. } in &self.summary.calls {
            let s = if *attempts == 1 { "" } else { "s" };
            writeln!(f, "call        {name}: {by}, {attempts} attempt{s}")?;
            source.lines().try_for_each(|line| writeln!(f, "    {line}"))?;
            for SampleRecord { arguments, source } in samples {
                writeln!(f, "sample      {name}: {}", arguments.join(", "))?;
                source.lines().try_for_each(|line| writeln!(f, "    {line}"))?;
            }
        }
        Ok(())
    }

    /// The number of samples, if there are any, and how many a method has: it may lack arguments.
    fn samples(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.summary.calls.iter().map(|call| call.samples.len());
        let counts: Vec<usize> = counts.filter(|count| *count > 0).collect();
        let (Some(fewest), Some(most)) = (counts.iter().min(), counts.iter().max()) else {
            return Ok(());
        };
        let (n_calls, n_methods) = (counts.iter().sum::<usize>(), counts.len());
        let s = if n_methods == 1 { "" } else { "s" };
        let n_calls = grouped(n_calls as u64);
        write!(f, "samples     {n_calls} calls of {n_methods} method{s}, {fewest}")?;
        if fewest < most {
            write!(f, " to {most}")?;
        }
        writeln!(f, " each")
    }

    /// The methods whose calls use up what they need, then how many others there are.
    fn repeats(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let repeated = self.summary.calls.iter();
        let repeated: Vec<_> =
            repeated.filter_map(|call| Some((&call.name, call.repeats.as_ref()?))).collect();
        let Some(most) = repeated.iter().map(|(_, repeats)| repeats.times).max() else {
            return Ok(());
        };
        for (name, RepeatsRecord { times, end }) in &repeated {
            let Some(end) = end else { continue };
            let s = if *times == 1 { "" } else { "s" };
            writeln!(f, "ends        {name}: after {times} call{s}, {}", end.replace('\n', " /"))?;
        }
        let n_endless = repeated.iter().filter(|(_, repeats)| repeats.end.is_none()).count();
        let all = repeated.len();
        writeln!(f, "repeats     {n_endless} of {all} calls succeed {most} times in a row")
    }
}
