//! A random run.

use std::collections::BTreeMap;
use std::fmt;

use beget_engine::Counters;
use beget_plan::finding::StopReason;
use beget_plan::scope::PlannedIdx;
use beget_run::random::{Direction, FlakyCall, MethodTally, RandomOptions, RandomReport};
use beget_run::{MarkCoverage, RandomRun};
use serde::{Deserialize, Serialize};

use crate::records::text::{
    causes, counted, grouped, write_end, write_failures, write_resources, write_version,
};
use crate::records::{CheckedContract, FindingRecord, Header, ResourceUse, Verbosity};

/// The result of a random run. Serialized to JSON it is what `--summary json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RandomSummary {
    /// The run and its end. It is never complete.
    #[serde(flatten)]
    pub header: Header,
    /// The strategy: `feedback`, `undirected`, `chromosome` or `recording`.
    pub strategy: String,
    /// The seed.
    pub seed: u64,
    /// True if the bounds of the scope held.
    pub bounded: bool,
    /// Rounds that were run: parts that know nothing of each other.
    pub rounds: usize,
    /// The integers that literals have widened to; null if they have not.
    pub ints: Option<WidenedInts>,
    /// Calls without a new structure at the end of a round, where literals could not widen further.
    pub saturated: u64,
    /// Sequences that were run.
    pub sequences: u64,
    /// Those of them that may be extended.
    pub kept_sequences: u64,
    /// The calls of the longest of these.
    pub longest: usize,
    /// Distinct structures of the suite's main type.
    pub generated: u64,
    /// Distinct structures by type.
    pub generated_by_type: BTreeMap<String, u64>,
    /// Distinct structures of the main type by number of objects in their heaps, of all classes.
    pub generated_by_objects: BTreeMap<u32, u64>,
    /// The most objects in the heap of a structure of the main type.
    pub largest: u32,
    /// Calls made: the sum of the five counters below. Those that were only made again are not
    /// among them.
    pub explored: u64,
    /// Calls that left a new structure.
    pub kept: u64,
    /// Calls that left known structures only.
    pub matched: u64,
    /// Calls that left a structure beyond the bounds.
    pub out_of_scope: u64,
    /// Calls that broke a rule of use.
    pub misuse: u64,
    /// Calls that broke a promise.
    pub failures: u64,
    /// Calls that were made again, to have what they leave.
    pub repeated: u64,
    /// An order-free digest of the set of canonical forms: 32 hexadecimal digits.
    pub digest: String,
    /// The number of calls and structures that show a problem.
    pub errors: u64,
    /// The number of findings for these.
    pub error_classes: usize,
    /// The findings, each with minimised calls.
    pub findings: Vec<FindingRecord>,
    /// The contracts that apply.
    pub contracts: Vec<CheckedContract>,
    /// The number of regression tests written.
    pub regressions: usize,
    /// Calls that did not go the same way twice.
    pub flaky: Vec<FlakyRecord>,
    /// The covered marks in the code; null if there are none.
    pub coverage: Option<CoverageRecord>,
    /// The suite that was compared with; null if there was none.
    pub against: Option<String>,
    /// The recording that was compared with; null if there was none.
    pub compared: Option<ComparedRecord>,
    /// The result of each method.
    pub by_method: Vec<MethodRecord>,
    /// Further notes.
    pub notes: Vec<String>,
    /// The values that differ from run to run.
    #[serde(flatten)]
    pub resources: Option<ResourceUse>,
}

/// The integers that literals have widened to when nothing new came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WidenedInts {
    /// The least.
    pub from: i64,
    /// The greatest.
    pub to: i64,
    /// The greatest where a value may be a size, such as a `usize`, if that is less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sizes_to: Option<i64>,
}

/// The marks in the code that a run covered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageRecord {
    /// The unit of `covered`: `blocks`.
    pub kind: String,
    /// Points that calls came by.
    pub covered: usize,
    /// The number of points.
    pub known: usize,
    /// Pairs of a point and of what was seen there.
    pub predicates: usize,
    /// The points that no call came by.
    pub uncovered: Vec<UncoveredRecord>,
}

/// A mark that no call came by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UncoveredRecord {
    /// Its number.
    pub point: usize,
    /// Its place as `file:line`; null if it is unknown.
    pub place: Option<String>,
    /// The code of that line.
    pub code: Option<String>,
}

impl CoverageRecord {
    fn of(coverage: &MarkCoverage) -> Self {
        let &MarkCoverage { blocks, known, predicates, ref uncovered } = coverage;
        let uncovered = uncovered.iter().map(|(point, place)| UncoveredRecord {
            point: *point,
            place: place.map(|place| format!("{}:{}", place.file, place.line)),
            code: place.map(|place| place.code.to_owned()),
        });
        CoverageRecord {
            kind: "blocks".to_owned(),
            covered: blocks,
            known,
            predicates,
            uncovered: uncovered.collect(),
        }
    }
}

/// The comparison with a recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedRecord {
    /// The file.
    pub recording: String,
    /// Its sequences.
    pub sequences: usize,
    /// The calls that were made of them.
    pub calls: u64,
}

/// A call that did not go the same way twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlakyRecord {
    /// The method.
    pub method: String,
    /// The failure that was seen once and not again.
    pub message: String,
    /// The number of occurrences.
    pub count: u64,
}

/// The result of a method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodRecord {
    /// Its name.
    pub name: String,
    /// The number of draws: the sum of the counters below.
    pub chosen: u64,
    /// It was not called, because there was no structure of a type that it takes.
    pub no_inputs: u64,
    /// It was not called, because the sequence would have been too long.
    pub too_long: u64,
    /// Calls that left a new structure.
    pub kept: u64,
    /// Calls that left known structures only.
    pub matched: u64,
    /// Calls that left a structure beyond the bounds.
    pub out_of_scope: u64,
    /// Calls that broke a rule of use.
    pub misuse: u64,
    /// Calls that broke a promise.
    pub failures: u64,
    /// The reason why no call of it left anything; null if one did.
    pub unused: Option<String>,
}

/// The strategy, as `--strategy` names it.
fn strategy_of(options: &RandomOptions) -> &'static str {
    match &options.direction {
        Direction::Feedback if options.swarm.is_some() => "swarm",
        Direction::Feedback if options.is_guided => "guided",
        Direction::Feedback => "feedback",
        Direction::Undirected => "undirected",
        Direction::Chromosome(_) => "chromosome",
    }
}

impl RandomSummary {
    /// Makes the summary of a run, without measures.
    pub fn of(run: &RandomRun) -> Self {
        let RandomRun { plan, options, report, findings, contracts, stop_reason, notes, .. } = run;
        let RandomReport { counters, distinct, .. } = report;
        let types = plan.suite.types.iter().zip(&distinct.by_type);
        let flaky = |FlakyCall { method, message, count }: &FlakyCall| FlakyRecord {
            method: plan.method_name(*method).to_owned(),
            message: message.clone(),
            count: *count,
        };
        RandomSummary {
            header: Header { complete: false, ..Header::new(plan, *stop_reason) },
            strategy: strategy_of(options).to_owned(),
            seed: options.seed,
            bounded: options.is_bounded,
            rounds: run.rounds,
            ints: report.widened.map(|range| WidenedInts {
                from: range.least as i64,
                to: range.greatest as i64,
                sizes_to: range.greatest_size.map(|greatest| greatest as i64),
            }),
            saturated: report.saturated,
            sequences: report.sequences,
            kept_sequences: report.kept_sequences,
            longest: report.longest,
            generated: distinct.by_type.first().copied().unwrap_or(0),
            generated_by_type: types.map(|(ty, &count)| (ty.name.to_owned(), count)).collect(),
            generated_by_objects: distinct.by_objects.clone(),
            largest: distinct.largest(),
            explored: counters.explored(),
            kept: counters.kept,
            matched: counters.matched,
            out_of_scope: counters.out_of_scope,
            misuse: counters.misuse,
            failures: counters.failures,
            repeated: report.repeated,
            digest: format!("{:032x}", distinct.digest),
            errors: findings.iter().map(|finding| finding.count).sum(),
            error_classes: findings.len(),
            findings: FindingRecord::all(plan, findings),
            contracts: contracts.iter().map(CheckedContract::from).collect(),
            regressions: 0,
            flaky: report.flaky.iter().map(flaky).collect(),
            coverage: run.coverage.as_ref().map(CoverageRecord::of),
            against: None,
            compared: None,
            by_method: plan.planned_idxs().map(|idx| method_record(run, idx)).collect(),
            notes: notes.clone(),
            resources: None,
        }
    }

    /// The same with time and memory.
    #[must_use]
    pub fn with(self, resources: ResourceUse) -> Self {
        RandomSummary { resources: Some(resources), ..self }
    }
}

fn method_record(run: &RandomRun, idx: PlannedIdx) -> MethodRecord {
    let tally = run.report.by_method[idx.index()];
    let MethodTally { no_inputs, too_long, calls } = tally;
    let Counters { kept, matched, out_of_scope, misuse, failures } = calls;
    MethodRecord {
        name: run.plan.method_name(idx).to_owned(),
        chosen: tally.chosen(),
        no_inputs,
        too_long,
        kept,
        matched,
        out_of_scope,
        misuse,
        failures,
        unused: run.report.why_unused(&run.plan, idx),
    }
}

/// Displays a random run as text: findings first, then the run.
#[derive(Clone, Copy, Debug)]
pub struct RandomText<'s> {
    /// The run.
    pub summary: &'s RandomSummary,
    /// The stop reason with its number.
    pub stop_reason: StopReason,
    /// The level of detail.
    pub verbosity: Verbosity,
    /// The command that makes the run again.
    pub rerun: Option<&'s str>,
}

impl fmt::Display for RandomText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let summary = self.summary;
        write_failures(f, &summary.findings, self.verbosity)?;
        for FlakyRecord { method, message, count } in &summary.flaky {
            let message = message.lines().next().unwrap_or_default();
            writeln!(f, "flaky       {method}, {count} times: {message}")?;
        }
        let Header { suite, k, methods, .. } = &summary.header;
        writeln!(f, "scope       {suite}, k = {k}, methods {}", methods.join(", "))?;
        let RandomSummary { strategy, seed, sequences, kept_sequences, longest, .. } = summary;
        let (sequences, kept_sequences) = (grouped(*sequences), grouped(*kept_sequences));
        if let Some(ComparedRecord { recording, sequences, calls }) = &summary.compared {
            let (sequences, calls) = (grouped(*sequences as u64), grouped(*calls));
            writeln!(
                f,
                "compared    {sequences} sequences of {recording}, by {calls} calls, the longest of {longest}"
            )?;
            return self.ending(f);
        }
        writeln!(
            f,
            "sequences   {sequences} by {strategy} with seed {seed}; {kept_sequences} kept, the longest of \
             {longest} calls{}",
            if summary.rounds > 1 { format!("; {} rounds", summary.rounds) } else { String::new() }
        )?;
        self.literals(f)?;
        let by_type = summary.generated_by_type.iter();
        let by_type: Vec<_> = by_type.map(|(ty, n)| format!("{} {ty}", grouped(*n))).collect();
        let largest = summary.largest;
        match by_type.len() {
            1 => writeln!(
                f,
                "structures  {}, the largest of {largest} objects",
                grouped(summary.generated)
            )?,
            _ => {
                let by_type = by_type.join(", ");
                writeln!(
                    f,
                    "structures  {by_type}; the largest of the main type of {largest} objects"
                )?;
            }
        }
        writeln!(
            f,
            "calls       {} = {} kept + {} matched + {} out of scope + {} misuse + {}; {} made again",
            grouped(summary.explored),
            grouped(summary.kept),
            grouped(summary.matched),
            grouped(summary.out_of_scope),
            grouped(summary.misuse),
            counted(summary.failures, "failure"),
            grouped(summary.repeated)
        )?;
        self.methods(f)?;
        self.contracts(f)?;
        if let Some(CoverageRecord { covered, known, predicates, .. }) = &summary.coverage {
            writeln!(f, "coverage    {covered} of {known} blocks, {predicates} predicates")?;
        }
        if let Some(against) = &summary.against {
            let n_methods = summary.header.methods.len();
            let plural = if n_methods == 1 { "" } else { "s" };
            writeln!(f, "against     {against}, {n_methods} method{plural} compared")?;
        }
        self.ending(f)
    }
}

impl RandomText<'_> {
    /// Writes how far the literals have widened, and whether that was enough.
    fn literals(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RandomSummary { ints, saturated, .. } = self.summary;
        if let Some(WidenedInts { from, to, sizes_to }) = ints {
            write!(f, "literals    widened to the integers {from}..={to}")?;
            if let Some(greatest) = sizes_to {
                write!(f, ", sizes to {greatest}")?;
            }
            f.write_str(", as nothing new came\n")?;
        }
        match *saturated {
            0 => Ok(()),
            n => {
                let n = grouped(n);
                writeln!(f, "saturated   no new structure by the last {n} calls of a round")
            }
        }
    }

    /// The note of every run.
    fn ending(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let summary = self.summary;
        summary.notes.iter().try_for_each(|note| writeln!(f, "note        {note}"))?;
        write_resources(f, summary.resources)?;
        if summary.compared.is_none() {
            writeln!(f, "digest      {}", summary.digest)?;
        }
        let done = [StopReason::NothingLeft, StopReason::FailureFound];
        let is_done =
            done.contains(&self.stop_reason) || matches!(self.stop_reason, StopReason::MaxCalls(_));
        if let Some(rerun) = self.rerun {
            writeln!(f, "to see the first failure again: {rerun}")?;
        }
        write_version(f)?;
        write_end(f, &causes(&summary.findings), self.stop_reason, is_done)
    }

    /// All methods, or those of which no call left anything.
    fn methods(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.verbosity == Verbosity::Verbose;
        for method in &self.summary.by_method {
            let MethodRecord { name, chosen, no_inputs, too_long, .. } = method;
            let MethodRecord { kept, matched, out_of_scope, misuse, failures, .. } = method;
            if all {
                let [chosen, no_inputs, too_long] =
                    [chosen, no_inputs, too_long].map(|n| grouped(*n));
                let [kept, matched, out_of_scope] =
                    [kept, matched, out_of_scope].map(|n| grouped(*n));
                let [misuse, failures] = [misuse, failures].map(|n| grouped(*n));
                writeln!(
                    f,
                    "            {name}: drawn {chosen} times, {no_inputs} without inputs, {too_long} too long, {kept} \
                     kept, {matched} matched, {out_of_scope} out of scope, {misuse} misuse, {failures} failures"
                )?;
            }
            if let Some(unused) = &method.unused {
                writeln!(f, "unused      {name}: {unused}")?;
            }
        }
        Ok(())
    }

    fn contracts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let asked = || self.summary.contracts.iter().filter(|contract| contract.asked > 0);
        let n_broken = asked().filter(|contract| contract.broken > 0).count();
        match asked().count() - n_broken {
            _ if asked().next().is_none() => Ok(()),
            1 if n_broken == 0 => writeln!(f, "contracts   1 holds"),
            n if n_broken == 0 => writeln!(f, "contracts   {n} hold"),
            n => writeln!(f, "contracts   {n} hold, {n_broken} broken"),
        }
    }
}
