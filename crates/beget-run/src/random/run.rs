//! A whole run: the search, and its findings minimised.

use std::borrow::Borrow;

use beget_engine::PanicTally;
use beget_heap::Bounds;
use beget_oracle::{ApplicableContracts, ContractTally};
use beget_plan::finding::{Control, Sightings, StopReason, USABLE_AFTER_PANIC};
use beget_plan::scope::Plan;
use beget_process::coverage::Coverage;
use beget_suite::Chooser;

use crate::random::minimize::minimize_steps;
use crate::random::report::RandomSighting;
use crate::random::search::Harvest;
use crate::random::{
    CallStep, ContractJudge, InProgress, Judge, KnownDeath, MINIMIZING, MetStructure,
    MinimizedFinding, OutcomeSample, RandomOptions, RandomReport, RandomSearch, SequenceObserver,
    SequencePool,
};

/// The result of a run.
#[derive(Clone, Debug)]
pub struct RandomOutcome {
    /// Counters, structures, what became of each method.
    pub report: RandomReport,
    /// Failures of calls, what matters most first.
    pub failures: Vec<MinimizedFinding>,
    /// Contracts that are broken.
    pub breaches: Vec<MinimizedFinding>,
    /// The contracts that apply.
    pub contracts: Vec<ContractTally>,
    /// The sequences that went well and left something new.
    pub pool: SequencePool,
    /// Sequences whose last calls show what becomes of calls.
    pub samples: Vec<OutcomeSample>,
    /// The structures, in the order in which they were met.
    pub met: Vec<MetStructure>,
    /// Why it ended.
    pub stop_reason: StopReason,
    /// Notes for the user.
    pub notes: Vec<String>,
}

/// The oracles of a run.
pub struct RandomOracles<'r> {
    /// Returns true for the names of the built-in contracts to ask.
    pub asks: &'r dyn Fn(&str) -> bool,
    /// Another judge of structures.
    pub judge: &'r mut dyn Judge,
    /// The coverage by calls, if it is to guide the run.
    pub coverage: Option<&'r dyn Coverage>,
    /// Calls that are not made, because they end the process, in the order of the run.
    pub deaths: &'r [KnownDeath],
    /// The observer of its sequences, if any.
    pub observer: Option<&'r dyn SequenceObserver>,
}

impl std::fmt::Debug for RandomOracles<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RandomOracles").finish_non_exhaustive()
    }
}

/// The plan of a run with these options: without the bounds of the scope, unless they hold.
pub fn plan_for(plan: Plan, options: &RandomOptions) -> Plan {
    if options.is_bounded {
        return plan;
    }
    let bounds = Bounds {
        other_objects: options.max_objects,
        arrays: options.max_objects,
        text: options.max_objects,
        common_int: plan.bounds.common_int,
        omitted: plan.bounds.omitted.clone(),
        ..Bounds::unlimited()
    };
    plan.with(|draft| {
        draft.bounds = bounds;
        draft.derived_ints = None;
        draft.slack = None;
    })
}

/// Makes a run of a plan that [`plan_for`] has made. `control` is asked now and then whether it is
/// to end.
pub fn run(
    plan: &Plan,
    options: &RandomOptions,
    oracles: RandomOracles<'_>,
    in_progress: &InProgress,
    control: &mut Control<'_>,
) -> RandomOutcome {
    let RandomOracles { asks, judge, coverage, deaths, observer } = oracles;
    let oracle = ApplicableContracts::new(plan, asks);
    let mut contracts = ContractJudge::new(plan, &oracle);
    let mut judges = (&mut contracts, judge);
    let mut search = RandomSearch::new(plan, options, in_progress, &mut judges, coverage);
    search.expect_deaths(deaths);
    search.observe(observer);
    let stop_reason = search.run(control);
    let harvest = search.into_harvest();
    let Harvest { mut report, sightings, has_dropped, pool, panics, samples, met } = harvest;
    in_progress.begin_minimizing();
    let can_minimize = deaths.iter().all(|death| death.sequence != MINIMIZING);
    let failures = sightings.into_iter().map(|one| match can_minimize {
        true => minimized(plan, one),
        false => MinimizedFinding::of_call(one.problem, one.count, one.steps),
    });
    let failures = failures.collect();
    let (mut contracts, breaches, doubtful) = contracts.finish();
    let PanicTally { followed: asked, broken } = panics;
    if asked > 0 {
        contracts.push(ContractTally { name: USABLE_AFTER_PANIC, asked, broken });
    }
    report.flaky.extend(doubtful);
    let dropped = has_dropped.then(|| Sightings::<RandomSighting>::DROPPED.to_owned());
    let inexact = report.is_decoding_inexact.then(|| INEXACT.to_owned());
    let notes = dropped.into_iter().chain(inexact).collect();
    RandomOutcome { report, failures, breaches, contracts, pool, samples, met, stop_reason, notes }
}

fn minimized(plan: &Plan, sighting: RandomSighting) -> MinimizedFinding {
    let RandomSighting { problem, count, steps } = sighting;
    // The calls of one that ends the process are made no more.
    if problem.kind.is_fatal() {
        return MinimizedFinding::of_call(problem, count, steps);
    }
    let minimized = minimize_steps(plan, steps.clone(), &problem);
    let (steps, problem) = minimized.unwrap_or((steps, problem));
    MinimizedFinding::of_call(problem, count, steps)
}

/// The result of some sequences, as one run of many.
#[derive(Debug)]
pub struct SequencesOutcome {
    /// Counters, structures, what became of each method.
    pub report: RandomReport,
    failures: Vec<RandomSighting>,
    /// Why they ended early.
    pub stopped: Option<StopReason>,
}

/// Runs `n` sequences whose choices `choose` makes, and asks nothing about their structures.
/// `control` is asked after each whether to end.
pub fn run_sequences(
    plan: &Plan,
    options: &RandomOptions,
    n: u32,
    choose: &mut dyn Chooser,
    in_progress: &InProgress,
    control: &mut Control<'_>,
) -> SequencesOutcome {
    let mut judge = ();
    let mut search = RandomSearch::new(plan, options, in_progress, &mut judge, None);
    let stopped = search.run_sequences(n, choose, control);
    let Harvest { report, sightings: failures, .. } = search.into_harvest();
    SequencesOutcome { report, failures, stopped }
}

/// The failures that several runs came to: the first of each cause, and how many there are.
#[derive(Debug, Default)]
pub struct FailureLog(Sightings<RandomSighting>);

impl FailureLog {
    /// Adds those of a run.
    pub fn add(&mut self, plan: &Plan, outcome: &mut SequencesOutcome) {
        for failure in outcome.failures.drain(..) {
            let last = failure.steps.last().map(|step| step.statement.method);
            if let Some(method) = last.and_then(|method| plan.find_planned(method)) {
                self.0.add(failure, method);
            }
        }
    }

    /// The findings, what matters most first, with as few and simple calls as could be found.
    pub fn minimized(&self, plan: &Plan, in_progress: &InProgress) -> Vec<MinimizedFinding> {
        in_progress.begin_minimizing();
        self.0.ranked().into_iter().map(|one| minimized(plan, one)).collect()
    }
}

/// The note of a run in which decoding had to be given up.
const INEXACT: &str = "calls on decoded structures left something else than after the calls that \
                       build these: from then on, all calls were made again";

/// The plan with the literals of some steps in the domains of their methods, so that the steps can
/// be made again with it.
pub fn with_literals<S: Borrow<CallStep>>(plan: Plan, steps: impl IntoIterator<Item = S>) -> Plan {
    plan.with(|draft| {
        for step in steps {
            let CallStep { statement, literals, .. } = step.borrow();
            let mut methods = draft.methods.iter_mut();
            let planned = methods.find(|planned| planned.method == statement.method);
            let domains = planned.map(|planned| &mut planned.domains);
            for (domain, literal) in domains.into_iter().flatten().zip(literals) {
                if !domain.iter().any(|known| known.source == literal.source) {
                    domain.push(literal.clone());
                }
            }
        }
    })
}
