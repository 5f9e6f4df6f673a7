//! A whole run: the search, and its findings minimised.

use beget_engine::PanicTally;
use beget_heap::{Bounds, Layout};
use beget_oracle::{ContractTally, Oracle};
use beget_plan::finding::{
    Control, Finding, Problem, Sightings, StopReason, USABLE_AFTER_PANIC, Witness,
};
use beget_plan::scope::Plan;
use beget_process::coverage::Coverage;
use beget_suite::{Chooser, Variable};

use crate::random::fragment::to_sequence;
use crate::random::minimize::minimize_steps;
use crate::random::report::RandomSighting;
use crate::random::search::Harvest;
use crate::random::{
    CallStep, ContractJudge, InProgress, Judge, RandomOptions, RandomReport, RandomSearch,
    SequencePool,
};

/// What a run came to.
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
    /// Why it ended.
    pub stop_reason: StopReason,
    /// What is to be said besides.
    pub notes: Vec<String>,
}

/// A finding whose calls are as few and simple as could be found.
#[derive(Clone, Debug)]
pub struct MinimizedFinding {
    /// The finding.
    pub finding: Finding,
    /// Its calls, with the values of their literals.
    pub steps: Vec<CallStep>,
}

impl MinimizedFinding {
    /// That the last of some calls shows a problem.
    pub(crate) fn of_call(problem: Problem, count: u64, steps: Vec<CallStep>) -> Self {
        let witness = Witness::of_sequence(to_sequence(&steps, None));
        MinimizedFinding { finding: Finding { problem, count, witness }, steps }
    }

    /// That the value of a variable after some calls does.
    pub fn of_structure(
        problem: Problem,
        count: u64,
        steps: Vec<CallStep>,
        variable: Variable,
    ) -> Self {
        let witness = Witness::of_sequence(to_sequence(&steps, Some(variable)));
        MinimizedFinding { finding: Finding { problem, count, witness }, steps }
    }
}

/// What judges say of the structures of a run.
#[derive(Clone, Debug, Default)]
pub struct JudgedStructures {
    /// The contracts that apply.
    pub contracts: Vec<ContractTally>,
    /// Contracts that are broken.
    pub breaches: Vec<MinimizedFinding>,
    /// Structures that a repOK rejects, with its name.
    pub rejections: Vec<(&'static str, MinimizedFinding)>,
}

/// What a run has come to when it does not come to its end: findings are as they were found.
#[derive(Clone, Debug, Default)]
pub struct RandomSoFar {
    /// Counters, structures, what became of each method.
    pub report: RandomReport,
    /// Failures of calls, what matters most first.
    pub failures: Vec<MinimizedFinding>,
    /// What judges say.
    pub judged: JudgedStructures,
}

/// What a run asks, beside what it runs.
pub struct RandomOracles<'r> {
    /// Whether the built-in contract of that name is asked.
    pub asks: &'r dyn Fn(&str) -> bool,
    /// Another judge of structures.
    pub judge: &'r mut dyn Judge,
    /// What calls cover, if that is to lead the run.
    pub coverage: Option<&'r dyn Coverage>,
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
    let layout = Layout::new(&plan.schema, &bounds);
    Plan { layout, bounds, derived_ints: None, slack: None, ..plan }
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
    let RandomOracles { asks, judge, coverage } = oracles;
    let oracle = Oracle::new(plan, asks);
    let mut contracts = ContractJudge::new(plan, &oracle);
    let mut judges = (&mut contracts, judge);
    let mut search = RandomSearch::new(plan, options, in_progress, &mut judges, coverage);
    let stop_reason = search.run(control);
    let Harvest { mut report, sightings, has_dropped, pool, panics } = search.into_harvest();
    in_progress.begin_minimizing();
    let failures = sightings.into_iter().map(|one| minimized(plan, one)).collect();
    let (mut contracts, breaches, doubtful) = contracts.finish();
    let PanicTally { followed: asked, broken } = panics;
    if asked > 0 {
        contracts.push(ContractTally { name: USABLE_AFTER_PANIC, asked, broken });
    }
    report.flaky.extend(doubtful);
    let dropped = has_dropped.then(|| Sightings::<RandomSighting>::DROPPED.to_owned());
    let inexact = report.is_decoding_inexact.then(|| INEXACT.to_owned());
    let notes = dropped.into_iter().chain(inexact).collect();
    RandomOutcome { report, failures, breaches, contracts, pool, stop_reason, notes }
}

fn minimized(plan: &Plan, sighting: RandomSighting) -> MinimizedFinding {
    let RandomSighting { problem, count, steps } = sighting;
    let minimized = minimize_steps(plan, steps.clone(), &problem);
    let (steps, problem) = minimized.unwrap_or((steps, problem));
    MinimizedFinding::of_call(problem, count, steps)
}

/// What some sequences came to, as one run of many.
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

/// What is to be said where decoding had to be given up.
const INEXACT: &str = "calls on decoded structures left something else than after the calls that build these:      from then on, all calls were made again";

/// Adds the literals of some steps to the domains of their methods, so that the steps can be made
/// again by whoever has the plan.
pub fn add_literals(plan: &mut Plan, steps: &[CallStep]) {
    for step in steps {
        let Some(planned) = plan.find_planned(step.statement.method) else { continue };
        let domains = plan.methods[planned.index()].domains.iter_mut();
        for (domain, literal) in domains.zip(&step.literals) {
            if !domain.iter().any(|known| known.source == literal.source) {
                domain.push(literal.clone());
            }
        }
    }
}
