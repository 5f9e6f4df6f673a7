//! The run: each method in the order of its complexity, then repairs of failures.
//!
//! Kuperberg and Omri, Figure 2. A first round calls every method once, with the heuristics'
//! arguments; this measures which methods enlarge structures. Two more rounds repair the failed
//! calls; the second takes those that the first has left. A last round looks for calls that show
//! more: methods are called before anything is filled, and most on empty structures. Samples and
//! repetitions follow, if they are wanted.

mod arguments;
mod fuller;
mod proposals;
mod repeats;
mod samples;
mod structures;

use std::collections::BTreeSet;
use std::sync::Arc;

use beget_plan::finding::{Control, Finding, Problem, Progress, StopReason, Witness};
use beget_plan::scope::{Plan, PlannedIdx};
use beget_run::random::{CallStep, Fragment, InProgress, TrialOutcome, TrialReturn, TrialRunner};
use beget_suite::{Literal, Outcome, ReturnValue, Sequence, SplitMix64};

use crate::heuristic::effects::Effects;
use crate::heuristic::literals::{LiteralMenu, menus_of};
use crate::heuristic::panics::Clue;
use crate::heuristic::pool::{PoolIdx, StructurePool};
use crate::heuristic::report::{
    CallOrigin, CallReport, CallShare, FailedCall, MethodReport, Repair, SuccessfulCall,
};
use crate::heuristic::repository::Repository;
use crate::heuristic::{CallGoal, CallOptions, TypeGraph};

use proposals::CallProposals;

/// The number of rounds of repairs.
const REPAIR_ROUNDS: usize = 2;

/// The most causes of failure reported for a method.
const MOST_CAUSES: usize = 16;

/// A run in progress.
pub(crate) struct CallSearch<'p> {
    plan: &'p Plan,
    options: CallOptions,
    graph: TypeGraph,
    runner: TrialRunner<'p>,
    pool: StructurePool,
    effects: Effects,
    /// By method.
    menus: Vec<Vec<LiteralMenu>>,
    /// By type: the method that returns the number of elements.
    length_methods: Vec<Option<PlannedIdx>>,
    choose: SplitMix64,
    reports: Vec<MethodReport>,
    /// The first failed call of each method.
    failed: Vec<Option<(CallCandidate, Failure)>>,
    attempts: u64,
}

/// The arguments of a possible call.
#[derive(Clone, Debug)]
pub(crate) struct CallCandidate {
    structures: Vec<PoolIdx>,
    literals: Vec<Literal>,
    repair: Option<Repair>,
    /// The number of messages in a row that have led to it.
    n_messages: u32,
}

/// A failure of a call.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// It panicked.
    Panic { clue: Clue, message: String },
    /// It returned an unwanted result, or was not made.
    Other(String),
}

/// The run ends.
struct Stop(StopReason);

impl<'p> CallSearch<'p> {
    pub(crate) fn new(plan: &'p Plan, options: CallOptions, in_progress: &'p InProgress) -> Self {
        let n_methods = plan.methods.len();
        CallSearch {
            plan,
            graph: TypeGraph::of(plan),
            runner: TrialRunner::new(plan, in_progress),
            pool: StructurePool::default(),
            effects: Effects::new(plan),
            menus: plan.planned_idxs().map(|method| menus_of(plan, method)).collect(),
            length_methods: structures::length_methods(plan),
            choose: SplitMix64::of_seeds(&[options.seed]),
            options,
            reports: vec![MethodReport::default(); n_methods],
            failed: vec![None; n_methods],
            attempts: 0,
        }
    }

    /// Makes the run, beginning with the calls of the repository.
    pub(crate) fn run(
        &mut self,
        repository: Option<&Repository>,
        control: &mut Control<'_>,
    ) -> StopReason {
        match self.rounds(repository, control) {
            Ok(()) => StopReason::NothingLeft,
            Err(Stop(reason)) => reason,
        }
    }

    fn rounds(
        &mut self,
        repository: Option<&Repository>,
        control: &mut Control<'_>,
    ) -> Result<(), Stop> {
        let order = self.graph.order();
        for &method in &order {
            let known = repository.map(|known| known.successes(self.plan, method));
            for steps in known.unwrap_or_default() {
                self.check(control)?;
                self.try_known(method, steps);
            }
        }
        for &method in &order {
            self.check(control)?;
            if self.is_wanted(method) {
                self.try_first(method);
            }
        }
        for &method in order.iter().cycle().take(REPAIR_ROUNDS * order.len()) {
            if self.is_wanted(method) {
                self.repair(method, control)?;
            }
        }
        order.iter().try_for_each(|&method| self.look_for_fuller(method, control))?;
        if self.options.n_samples > 1 {
            order.iter().try_for_each(|&method| self.sample(method, control))?;
        }
        if self.options.max_repeats > 1 {
            order.iter().try_for_each(|&method| self.repeat(method, control))?;
        }
        Ok(())
    }

    /// Returns an error if the run should end.
    fn check(&mut self, control: &mut Control<'_>) -> Result<(), Stop> {
        let explored = self.runner.n_trials();
        if explored >= self.options.max_calls {
            return Err(Stop(StopReason::MaxCalls(self.options.max_calls)));
        }
        let structures = self.pool.len() as u64;
        let progress = Progress { explored, structures, ..Progress::default() };
        control(progress).map_or(Ok(()), |reason| Err(Stop(reason)))
    }

    fn is_wanted(&self, method: PlannedIdx) -> bool {
        let report = &self.reports[method.index()];
        report.success.is_none() && report.attempts < self.options.max_attempts
    }

    /// Makes the calls of the repository again.
    fn try_known(&mut self, method: PlannedIdx, mut steps: Vec<CallStep>) {
        if !self.is_wanted(method) {
            return;
        }
        let Some(step) = steps.pop() else { return };
        let steps = steps.into_iter().map(Arc::new).collect();
        let (prefix, step) = (Arc::new(Fragment::new(Vec::new(), steps)), Arc::new(step));
        // Calls that no longer succeed are searched again.
        let _ = self.attempt(method, &prefix, &step, CallOrigin::Repository, &[]);
    }

    fn try_first(&mut self, method: PlannedIdx) {
        let Some(candidate) = self.generated(method, 0) else { return };
        if let Some(failure) = self.try_candidate(method, &candidate) {
            self.failed[method.index()] = Some((candidate, failure));
        }
    }

    /// Tries repairs of the first failure, then of the failures that these cause, then other
    /// arguments.
    fn repair(&mut self, method: PlannedIdx, control: &mut Control<'_>) -> Result<(), Stop> {
        let mut tried = BTreeSet::new();
        let mut families = BTreeSet::new();
        let mut proposals = CallProposals::default();
        let mut variant = 0;
        if let Some((candidate, failure)) = self.failed[method.index()].clone() {
            tried.insert(key_of(&candidate));
            families.insert(failure.kind());
            self.propose(method, &candidate, &failure, true, &mut proposals);
        }
        while self.is_wanted(method) {
            self.check(control)?;
            let Some(candidate) = self.next_candidate(method, &mut proposals, &mut variant) else {
                break;
            };
            if !tried.insert(key_of(&candidate)) {
                continue;
            }
            let Some(failure) = self.try_candidate(method, &candidate) else { break };
            let slot = &mut self.failed[method.index()];
            slot.get_or_insert_with(|| (candidate.clone(), failure.clone()));
            let is_new = families.insert(failure.kind());
            self.propose(method, &candidate, &failure, is_new, &mut proposals);
        }
        Ok(())
    }

    /// Tries a candidate; returns its failure, if any.
    fn try_candidate(&mut self, method: PlannedIdx, candidate: &CallCandidate) -> Option<Failure> {
        let (prefix, step) = self.calls_of(method, candidate);
        let origin = candidate.repair.map_or(CallOrigin::Generated, CallOrigin::Repaired);
        self.attempt(method, &prefix, &step, origin, &candidate.structures)
    }

    /// Makes a call, notes its result, and keeps the structures that it left. `structures` are its
    /// arguments, if they belong to the pool.
    fn attempt(
        &mut self,
        method: PlannedIdx,
        prefix: &Arc<Fragment>,
        step: &Arc<CallStep>,
        origin: CallOrigin,
        structures: &[PoolIdx],
    ) -> Option<Failure> {
        self.attempts += 1;
        self.reports[method.index()].attempts += 1;
        let failure = match self.make(method, prefix, step) {
            Ok(returned) => {
                let wrong = self.not_wanted(&returned);
                let worth = self.worth_of(method, &returned, structures);
                self.keep(method, prefix, step, returned, structures);
                match wrong {
                    None => {
                        let steps = steps_of(prefix, step);
                        let success = SuccessfulCall { steps, origin, worth };
                        self.reports[method.index()].success = Some(success);
                        return None;
                    }
                    Some(wrong) => Failure::Other(wrong),
                }
            }
            Err(failure) => failure,
        };
        self.note_failure(method, step, &failure);
        Some(failure)
    }

    /// Makes a call, and notes the promise that it broke, if any.
    fn make(
        &mut self,
        method: PlannedIdx,
        prefix: &Arc<Fragment>,
        step: &Arc<CallStep>,
    ) -> Result<TrialReturn, Failure> {
        Err(match self.runner.run(prefix, step) {
            TrialOutcome::Returned(returned) => return Ok(returned),
            TrialOutcome::Panicked(report) => {
                let clue = Clue::read(&report.message);
                Failure::Panic { clue, message: report.message }
            }
            TrialOutcome::Forbidden => Failure::Other("a precondition forbids it".to_owned()),
            TrialOutcome::Broken(problem) => {
                let cause = problem.to_string();
                self.note_broken(method, prefix, step, problem);
                Failure::Other(cause)
            }
            TrialOutcome::NotMade => {
                Failure::Other("the calls before it do not go well again".to_owned())
            }
        })
    }

    fn note_broken(
        &mut self,
        method: PlannedIdx,
        prefix: &Arc<Fragment>,
        step: &Arc<CallStep>,
        problem: Problem,
    ) {
        // At one place it is one cause, whatever method shows it.
        let reports = match problem.is_placed() {
            true => &mut self.reports[..],
            false => std::slice::from_mut(&mut self.reports[method.index()]),
        };
        let mut known = reports.iter_mut().flat_map(|report| &mut report.broken);
        match known.find(|known| known.problem.signature() == problem.signature()) {
            Some(known) => known.count += 1,
            None => {
                let statements =
                    steps_of(prefix, step).into_iter().map(|step| step.statement).collect();
                let witness = Witness::of_sequence(Sequence { statements, result: None });
                let finding = Finding { problem, count: 1, witness };
                self.reports[method.index()].broken.push(finding);
            }
        }
    }

    fn note_failure(&mut self, method: PlannedIdx, step: &CallStep, failure: &Failure) {
        let report = &mut self.reports[method.index()];
        let (family, cause) = match failure {
            Failure::Panic { clue, message } => (Some(clue.family), message.clone()),
            Failure::Other(cause) => (None, cause.clone()),
        };
        if let Some(family) = family {
            report.first_panic.get_or_insert_with(|| (family, cause.clone()));
        }
        if let Some(known) = report.failures.iter_mut().find(|known| known.cause == cause) {
            known.count += 1;
        } else if report.failures.len() < MOST_CAUSES {
            let literals = step.literals.iter().map(|literal| literal.source.clone()).collect();
            report.failures.push(FailedCall { family, cause, literals, count: 1 });
        }
    }

    /// The reason why a call that returned was not successful; `None` if it was.
    fn not_wanted(&self, returned: &TrialReturn) -> Option<String> {
        let TrialReturn { outcome, value, .. } = returned;
        if self.options.goal == CallGoal::Returns {
            return None;
        }
        match value {
            Some(ReturnValue::None) => Some("it returned `None`".to_owned()),
            Some(value @ ReturnValue::Err(_)) => Some(format!("it returned `{value}`")),
            _ if *outcome == Outcome::Error => Some("it returned `Err`".to_owned()),
            _ => None,
        }
    }

    pub(crate) fn into_report(self, reason: StopReason) -> CallReport {
        let calls = self.runner.n_trials();
        let CallSearch { plan, graph, effects, mut reports, pool, attempts, .. } = self;
        for (method, report) in plan.planned_idxs().zip(&mut reports) {
            report.effects = effects.of(method).to_vec();
            if report.success.is_none() {
                report.reason = Some(why_not(plan, &graph, &pool, method, report, reason));
            }
        }
        let worth = |report: &MethodReport| report.success.as_ref().map(|success| success.worth);
        let filled = plan.planned_idxs().zip(&reports).map(|(method, report)| {
            let can_be_filled = pool.has_filled(*plan.planned(method).structures.first()?);
            worth(report)?.is_filled.filter(|_| can_be_filled)
        });
        let filled = CallShare::of(filled);
        let telling = CallShare::of(reports.iter().map(|report| worth(report)?.is_telling));
        CallReport { methods: reports, attempts, calls, filled, telling }
    }
}

impl Failure {
    /// The message of the panic, or the other problem.
    fn into_cause(self) -> String {
        match self {
            Failure::Panic { message: cause, .. } | Failure::Other(cause) => cause,
        }
    }

    /// The kind of a failure: kinds are repaired in different ways.
    fn kind(&self) -> String {
        match self {
            Failure::Panic { clue, .. } => clue.family.name().to_owned(),
            Failure::Other(cause) => format!("other {cause}"),
        }
    }
}

/// All calls of a prefix, followed by the step.
fn steps_of(prefix: &Arc<Fragment>, step: &Arc<CallStep>) -> Vec<CallStep> {
    Fragment::new(vec![prefix.clone()], vec![step.clone()]).to_steps()
}

fn key_of(candidate: &CallCandidate) -> (Vec<PoolIdx>, Vec<String>) {
    let sources = candidate.literals.iter().map(|literal| literal.source.clone());
    (candidate.structures.clone(), sources.collect())
}

/// The reason why a method was not called.
fn why_not(
    plan: &Plan,
    graph: &TypeGraph,
    pool: &StructurePool,
    method: PlannedIdx,
    report: &MethodReport,
    stop_reason: StopReason,
) -> String {
    let structures = &plan.planned(method).structures;
    let missing = structures.iter().find(|ty| pool.ranked(**ty).is_empty());
    match (missing, report.failures.as_slice()) {
        _ if graph.complexity(method).is_none() => {
            "no method in use gives a structure that it takes".to_owned()
        }
        (Some(ty), []) => format!("no call gave a {}", plan.suite.types[ty.index()].name),
        (None, []) => format!("it was not tried: {stop_reason}"),
        (_, [only]) => format!("{}: {}", calls(report.attempts), only.cause),
        (_, [first, ..]) => format!("{}, the first: {}", calls(report.attempts), first.cause),
    }
}

fn calls(n: u32) -> String {
    if n == 1 { "1 call failed".to_owned() } else { format!("{n} calls failed") }
}

#[cfg(test)]
mod tests;
