//! Sequences with the results of their calls, recorded with one version of a crate and compared
//! with another.
//!
//! Sequences are drawn once and are cheap to repeat, so the versions need not be in one program,
//! unlike with `--against`. The comparison is by what a user sees: the results of calls, as text.
//! The inside of structures may differ between versions.
//!
//! This module knows neither files nor processes: the caller lends it a function that queries the
//! other version.

use std::collections::BTreeSet;

use beget_plan::finding::{Finding, Kind, Problem, ShownProblem, Sightings, StopReason, Witness};
use beget_plan::scope::Plan;
use beget_process::guard::PanicReport;
use beget_run::random::{MethodTally, RandomOptions, RandomReport, SequencePool, minimize_by_many};
use beget_suite::{DomainKind, Literal, LiteralDomain, Operand, Pools, Sequence, Statement};

use crate::run::regression::behaviors_by_chance;
use beget_run::{RandomRun, Replay, ReplayError, Watch, observed};

/// A sequence with the effects of its calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedSequence {
    /// The calls.
    pub calls: Sequence,
    /// The effects of the calls made; `None` if they show nothing, or differ every time.
    pub did: Vec<Option<String>>,
}

/// The recording, and the reasons for its omissions.
#[derive(Debug, Default)]
pub struct Recording {
    /// The sequences.
    pub sequences: Vec<RecordedSequence>,
    /// The omissions, and their reasons.
    pub left_out: Vec<String>,
}

/// The result of a comparison with a recording.
#[derive(Debug)]
pub struct RecordingDiff {
    /// The plan, whose literals are also those of the recording.
    pub plan: Plan,
    /// Sequences that were compared.
    pub sequences: usize,
    /// The calls of the longest.
    pub longest: usize,
    /// By method of the plan: the calls made to compare them. Those that differ are failures, the
    /// others matched.
    pub by_method: Vec<MethodTally>,
    /// Differences, each with the fewest calls found.
    pub findings: Vec<Finding>,
    /// Further notes.
    pub notes: Vec<String>,
    /// The reason for the end.
    pub stop_reason: StopReason,
}

impl RecordingDiff {
    /// The same as a run that drew nothing.
    pub fn into_run(self) -> RandomRun {
        let RecordingDiff { plan, sequences, longest, by_method, findings, notes, stop_reason } =
            self;
        let mut report =
            RandomReport { sequences: sequences as u64, longest, ..Default::default() };
        report.distinct.by_type = vec![0; plan.suite.types.len()];
        for MethodTally { calls, .. } in &by_method {
            report.counters.matched += calls.matched;
            report.counters.failures += calls.failures;
        }
        report.by_method = by_method;
        RandomRun {
            plan,
            options: RandomOptions::default(),
            report,
            findings,
            rejected_by: Vec::new(),
            contracts: Vec::new(),
            pool: SequencePool::default(),
            samples: Vec::new(),
            rounds: 1,
            stop_reason,
            coverage: None,
            notes,
        }
    }
}

/// Queries the recorded version for the effects of some sequences; `None` if it is not available.
pub type AskRecorded<'r> = dyn Fn(&[Sequence]) -> Option<Vec<RecordedSequence>> + 'r;

/// The sequences of a run that are no beginning of a longer one, each followed by observer calls on
/// its results.
pub fn record(run: &RandomRun, plan: &Plan, watch: &Watch<'_>) -> Recording {
    let behaviors = behaviors_by_chance(run, plan, usize::MAX, watch);
    let recorded = behaviors.all.iter().map(|behavior| RecordedSequence {
        calls: Sequence {
            statements: behaviors.statements(behavior).cloned().collect(),
            result: None,
        },
        did: behaviors.results(behavior).map(|value| value.map(returned)).collect(),
    });
    Recording { sequences: recorded.collect(), left_out: behaviors.left_out }
}

/// The effects of some sequences: each is run twice, and effects that differ are left out.
pub fn replay_all(plan: &Plan, sequences: Vec<Sequence>) -> Vec<RecordedSequence> {
    let plan = with_literals(plan.clone(), sequences.iter());
    let recorded = |calls: Sequence| {
        let (first, second) = (run_calls(&plan, &calls), run_calls(&plan, &calls));
        let both = first.into_iter().zip(second);
        let did = both.map(|(first, second)| first.filter(|first| second.as_ref() == Some(first)));
        RecordedSequence { did: did.collect(), calls }
    };
    sequences.into_iter().map(recorded).collect()
}

/// Repeats the recorded calls. A different effect is a finding; `ask` helps to reduce its calls.
pub fn compare_recording(
    plan: Plan,
    recorded: &[RecordedSequence],
    ask: &AskRecorded<'_>,
    watch: &Watch<'_>,
) -> RecordingDiff {
    let plan = with_literals(plan, recorded.iter().map(|one| &one.calls));
    let mut differences = Vec::new();
    let mut by_method = vec![MethodTally::default(); plan.methods.len()];
    let (mut longest, mut sequences, mut stopped) = (0, 0, None);
    for one in recorded {
        stopped = watch.stop_reason(0);
        if stopped.is_some() {
            break;
        }
        sequences += 1;
        let did = run_calls(&plan, &one.calls);
        longest = longest.max(one.calls.statements.len());
        let difference = CallDifference::of(&plan, one, &did);
        let differing = difference.as_ref().map(|one| one.calls.statements.len() - 1);
        for (at, statement) in one.calls.statements[..did.len()].iter().enumerate() {
            let Some(planned) = plan.find_planned(statement.method) else { continue };
            let tally = &mut by_method[planned.index()].calls;
            match differing == Some(at) {
                true => tally.failures += 1,
                false => tally.matched += 1,
            }
        }
        differences.extend(difference);
    }
    // The shortest of each cause is shown.
    differences.sort_by_key(|one| one.calls.statements.len());
    let mut found: Sightings<CallDifference> = Sightings::default();
    for difference in differences {
        let last = difference.calls.statements.last().expect("the call that differs");
        if let Some(method) = plan.find_planned(last.method) {
            found.add(difference, method);
        }
    }
    let mut notes = Vec::new();
    let findings = found.causes().into_iter();
    let findings = findings.map(|one| one.into_finding(&plan, ask, &mut notes)).collect();
    notes.dedup();
    let stop_reason = stopped.unwrap_or(StopReason::NothingLeft);
    RecordingDiff { plan, sequences, longest, by_method, findings, notes, stop_reason }
}

/// A call with another effect than recorded, after all calls before it.
#[derive(Clone, Debug)]
struct CallDifference {
    problem: Problem,
    calls: Sequence,
    count: u64,
}

impl ShownProblem for CallDifference {
    fn problem(&self) -> &Problem {
        &self.problem
    }

    fn count(&self) -> u64 {
        self.count
    }

    fn add(&mut self, more: u64) {
        self.count += more;
    }
}

impl CallDifference {
    /// The first call of a sequence whose effect differs from the recorded one.
    fn of(plan: &Plan, recorded: &RecordedSequence, did: &[Option<String>]) -> Option<Self> {
        let pairs = recorded.did.iter().zip(did);
        let differs = |(then, now): (&Option<String>, &Option<String>)| match (then, now) {
            (Some(then), Some(now)) => then != now,
            // A call without a recorded effect is known to have returned.
            (None, Some(now)) => has_failed(now),
            (_, None) => false,
        };
        let at = pairs.clone().position(differs)?;
        let (then, now) = pairs.clone().nth(at)?;
        let statements = recorded.calls.statements[..=at].to_vec();
        let path = plan.suite.method(statements[at].method).path;
        let then = then.as_deref().unwrap_or("returned");
        let now = now.as_deref().unwrap_or("returned");
        let message = format!("`{path}` {now}; recorded: it {then}");
        let problem = Problem::new(Kind::Regression, message);
        Some(CallDifference { problem, calls: Sequence { statements, result: None }, count: 1 })
    }

    fn into_finding(self, plan: &Plan, ask: &AskRecorded<'_>, notes: &mut Vec<String>) -> Finding {
        let CallDifference { problem, calls, count } = self;
        let of_calls = |candidate: &RecordedSequence| {
            let did = run_calls(plan, &candidate.calls);
            let found = CallDifference::of(plan, candidate, &did)?;
            let is_last = found.calls.statements.len() == candidate.calls.statements.len();
            is_last.then_some(found.problem)
        };
        let first = |candidates: &[Sequence]| {
            let mut asked = ask(candidates)?.into_iter();
            asked.position(|one| {
                of_calls(&one).is_some_and(|shown| shown.signature() == problem.signature())
            })
        };
        let Some(fewer) = minimize_by_many(plan, &calls, &first) else {
            notes.push(NOT_MINIMISED.to_owned());
            let witness = Witness::of_sequence(calls);
            return Finding { problem, count, witness };
        };
        let shown = ask(std::slice::from_ref(&fewer)).and_then(|one| of_calls(one.first()?));
        let problem = shown.unwrap_or(problem);
        Finding { problem, count, witness: Witness::of_sequence(fewer) }
    }
}

/// The note if only one version can be queried.
const NOT_MINIMISED: &str = "differences are shown with all calls that were recorded before them: name the program that \
                             recorded (`recorder` in the file of `--policy`), and they are minimised";

/// The effects of the calls, up to the first that does not return.
fn run_calls(plan: &Plan, calls: &Sequence) -> Vec<Option<String>> {
    let mut replay = Replay::new(plan, calls);
    let mut did = Vec::with_capacity(calls.statements.len());
    for statement in &calls.statements {
        match replay.step(statement, observed) {
            Ok(value) => did.push(value.as_ref().map(returned)),
            Err(error) => {
                did.push(Some(failed(&error)));
                break;
            }
        }
    }
    did
}

fn returned(value: &beget_suite::ReturnValue) -> String {
    format!("{RETURNED}{value}")
}

const RETURNED: &str = "gives ";

fn has_failed(did: &str) -> bool {
    !did.starts_with(RETURNED)
}

/// The effect of a call that did not return as it should. Places differ between versions, so they
/// are left out.
fn failed(error: &ReplayError) -> String {
    match error {
        ReplayError::Panicked(PanicReport { message, .. }) => format!("panics: {message}"),
        ReplayError::Dropped(PanicReport { message, .. }) => {
            format!("returns what panics when it is dropped: {message}")
        }
        ReplayError::Impossible => "cannot be made: there is nothing to make it with".to_owned(),
        ReplayError::Returned => "returns, where it panicked".to_owned(),
        ReplayError::Broken(breach) => format!("breaks a contract: {}", breach.message),
        ReplayError::Refused => "is forbidden by a rule of use".to_owned(),
    }
}

/// The plan with the literals of some sequences, if its types have them.
fn with_literals<'s>(plan: Plan, sequences: impl Iterator<Item = &'s Sequence>) -> Plan {
    let mut tried = BTreeSet::new();
    let mut found = Vec::new();
    for statement in sequences.flat_map(|sequence| &sequence.statements) {
        let Some(planned) = plan.find_planned(statement.method) else { continue };
        for (index, source) in sources(statement).enumerate() {
            if !tried.insert((statement.method, index, source)) {
                continue;
            }
            let known = &plan.planned(planned).domains[index];
            let is_known = known.iter().any(|one| one.source == source);
            let domain = plan.suite.method(statement.method).literal_params().nth(index);
            let literal = |(_, domain)| literal_of(domain, source);
            let literal = domain.filter(|_| !is_known).and_then(literal);
            found.extend(literal.map(|literal| (planned, index, literal)));
        }
    }
    plan.with(|draft| {
        for (planned, index, literal) in found {
            draft.methods[planned.index()].domains[index].push(literal);
        }
    })
}

fn sources(statement: &Statement) -> impl Iterator<Item = &str> {
    statement.arguments.iter().filter_map(|argument| match argument {
        Operand::Literal(source) => Some(source.as_str()),
        Operand::Variable(_) => None,
    })
}

/// The literal with a source made of integers that no scope gave.
fn literal_of(domain: &LiteralDomain, source: &str) -> Option<Literal> {
    if domain.kind != DomainKind::Ints {
        return None;
    }
    let is_part = |char: char| char.is_ascii_digit() || char == '-';
    let numbers = source.split(|char| !is_part(char)).filter_map(|part| part.parse().ok());
    let ints: Vec<i128> = numbers.collect();
    let longest = ints.len().max(1);
    let pools = Pools { ints: Some(ints), clamp: true, longest, ..Pools::default() };
    let is_listable = (domain.extent)(&pools).is_ok_and(beget_suite::Extent::is_listable);
    let mut listed =
        if is_listable { (domain.literals)(&pools).ok()? } else { Vec::new() }.into_iter();
    listed.find(|literal| literal.source == source)
}
