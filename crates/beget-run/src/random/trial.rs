//! A sequence run once, to see what it shows.

use std::sync::Arc;

use beget_plan::finding::{Problem, Signature, USABLE_AFTER_PANIC};
use beget_plan::scope::Plan;
use beget_process::guard::{PanicReport, guarded};
use beget_suite::{Outcome, ReturnValue, Variable};

use crate::random::after_panic::problem_after_panic;
use crate::random::inspect::{Inspection, Inspector};
use crate::random::live::{Live, MadeCall};
use crate::random::{CallStep, Fragment, InProgress, LeftValue};

/// Runs sequences, each from nothing, and tells what their last call came to.
pub struct TrialRunner<'p> {
    plan: &'p Plan,
    inspector: Inspector<'p>,
    in_progress: &'p InProgress,
    n_trials: u64,
}

/// The result of the last call of a sequence.
#[derive(Debug)]
pub enum TrialOutcome {
    /// It returned.
    Returned(TrialReturn),
    /// It panicked.
    Panicked(PanicReport),
    /// A precondition forbids it.
    Forbidden,
    /// It broke a promise: a postcondition or an invariant does not hold, or walking or dropping
    /// what it left panics.
    Broken(Problem),
    /// A call before it did not go well, or what it takes is not there.
    NotMade,
}

/// The results of a call that returned.
#[derive(Debug)]
pub struct TrialReturn {
    /// How it ended.
    pub outcome: Outcome,
    /// Its plain result, if it has one besides structures.
    pub value: Option<ReturnValue>,
    /// The structures that it took and gave, as far as they are there; `None` if one is out of
    /// scope.
    pub left: Option<Vec<LeftValue>>,
    /// Those of them whose values are all zero, false, empty or absent.
    pub blank: Vec<Variable>,
}

impl std::fmt::Debug for TrialRunner<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TrialRunner").field("n_trials", &self.n_trials).finish_non_exhaustive()
    }
}

impl<'p> TrialRunner<'p> {
    /// Takes a plan without rules of misuse, so that the panics that these expect are reported.
    pub fn new(plan: &'p Plan, in_progress: &'p InProgress) -> Self {
        TrialRunner { plan, inspector: Inspector::new(plan), in_progress, n_trials: 0 }
    }

    /// How many sequences have been run.
    pub fn n_trials(&self) -> u64 {
        self.n_trials
    }

    /// Makes the calls of `prefix`, then that of `step`, whose variables go on from it.
    pub fn run(&mut self, prefix: &Arc<Fragment>, step: &Arc<CallStep>) -> TrialOutcome {
        self.n_trials += 1;
        self.in_progress.begin(self.n_trials, prefix.clone());
        let mut live = Live::new(self.plan);
        if live.replay(prefix).is_err() {
            return TrialOutcome::NotMade;
        }
        self.in_progress.push(step.clone());
        let outcome = match live.make(0, step, true) {
            MadeCall::Unbound => TrialOutcome::NotMade,
            MadeCall::Panicked(report) => TrialOutcome::Panicked(report),
            MadeCall::Returned(outcome, value) => {
                let made = MadeCall::Returned(outcome, None);
                let left = match self.inspector.inspect(&mut live, step, made, &mut |_| None) {
                    Inspection::Left(left) | Inspection::LeftByPanic(left) => Some(left),
                    Inspection::OutOfScope | Inspection::Misuse => None,
                    Inspection::Forbidden => return TrialOutcome::Forbidden,
                    Inspection::Failure(problem) => return TrialOutcome::Broken(problem),
                };
                let blank = self.blank_among(&live, left.as_deref().unwrap_or_default());
                TrialOutcome::Returned(TrialReturn { outcome, value, left, blank })
            }
        };
        match live.end() {
            Ok(()) => outcome,
            Err(report) => {
                TrialOutcome::Broken(Problem::drop_panics(&report.message, report.location))
            }
        }
    }
}

impl TrialRunner<'_> {
    fn blank_among(&self, live: &Live<'_>, left: &[LeftValue]) -> Vec<Variable> {
        let plan = self.plan;
        let is_blank = |variable: &Variable| {
            let graph = plan.suite.types[live.type_of(*variable).index()].graph;
            let value = live.value(*variable).expect("it was left");
            // The walk went well before; only a subject that is not deterministic panics now.
            guarded(|| graph(value, plan.schema(), plan.layout()).is_blank()).unwrap_or(false)
        };
        left.iter().map(|left| left.variable).filter(is_blank).collect()
    }
}

/// Returns whether the last of some calls, or dropping what they leave, shows a problem of this
/// cause, and none of those before shows one.
pub(crate) fn shows(plan: &Plan, steps: &[CallStep], cause: &Signature) -> bool {
    problem_of(plan, steps).is_some_and(|problem| problem.signature() == *cause)
}

/// The problem of some calls with the same cause as a known one.
pub(crate) fn like(plan: &Plan, steps: &[CallStep], known: &Problem) -> Option<Problem> {
    let shown = match known.name.as_deref() {
        Some(USABLE_AFTER_PANIC) => problem_after_panic(plan, steps),
        _ => problem_of(plan, steps),
    };
    shown.filter(|shown| shown.signature() == known.signature())
}

/// The problem of the last of some calls, or of dropping their values; `None` without one, or if an
/// earlier call fails.
pub(crate) fn problem_of(plan: &Plan, steps: &[CallStep]) -> Option<Problem> {
    let (last, before) = steps.split_last()?;
    let mut live = Live::new(plan);
    let mut inspector = Inspector::new(plan);
    before.iter().try_for_each(|step| live.repeat(0, step)).ok()?;
    let made = live.make(0, last, false);
    // Whether a call changed something decides between misuse and what is none: neither is a
    // problem.
    let inspection = inspector.inspect(&mut live, last, made, &mut |_| None);
    match (inspection, live.end()) {
        (Inspection::Failure(problem), _) => Some(problem),
        (_, Err(report)) => Some(Problem::drop_panics(&report.message, report.location)),
        (_, Ok(())) => None,
    }
}
