//! A run of beget whose findings are kept, where `beget::check!` and `beget::diff!` fail the test.

use std::cell::Cell;
use std::time::Instant;

use beget::check::ScopeSource;
use beget::suites::{Suite, to_source};
use beget_plan::scope::{Overrides, Plan, default_scope};
use beget_run::{
    Catalog, CheckRun, DiffPlan, Host, Input, RandomOptions, StoreKind, Watch, Workers, check,
};

/// What a run found, in the order of its report.
#[derive(Debug)]
pub struct Run {
    /// The findings.
    pub findings: Vec<Shown>,
    /// Calls made by the search.
    pub calls: u64,
    /// Structures found.
    pub structures: u64,
    /// Whether these are all of the scope.
    pub is_complete: bool,
    /// Why it ended, and what the store said if it was that.
    pub ended_by: String,
    /// What was not believed of memory.
    pub doubted: Vec<String>,
    /// Seconds that the run took, its checks included.
    pub seconds: f64,
}

/// A finding, as a report shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The kind of the problem.
    pub kind: String,
    /// The contract or clause that does not hold, if there is one.
    pub name: Option<String>,
    /// The message.
    pub message: String,
    /// The calls of the witness as source.
    pub recipe: String,
}

impl Shown {
    /// The calls of the recipe, without the drops of their arguments.
    pub fn calls(&self) -> impl Iterator<Item = &str> {
        self.recipe.lines().filter(|line| !line.starts_with("drop("))
    }
}

/// By what else structures are told apart than their suites say.
#[derive(Clone, Copy, Debug)]
pub struct OtherState {
    /// Its name in a scope.
    pub name: &'static str,
    /// The processes that a run needs, if any.
    pub processes: fn(&Input<'_>, &Plan) -> Option<Processes>,
}

/// The processes of a run that compares memory.
pub struct Processes {
    /// Those that make its calls.
    pub workers: Box<dyn Workers>,
    /// Those that repeat them.
    pub peers: Vec<Box<dyn Workers>>,
}

thread_local! {
    /// What holds for the runs of this thread.
    static OTHER_STATE: Cell<Option<OtherState>> = const { Cell::new(None) };
}

/// The budget of such a run. Where no number grows with a structure nothing bounds the space, so
/// the run ends early.
const BUDGET: (&str, &str) =
    ("budget", "(max_calls: Some(3000), max_seconds: Some(10), enough: true)");

/// Runs `work`, whose runs tell structures apart by `state`, whatever abstraction their suites have.
pub fn by_state<R>(state: OtherState, work: impl FnOnce() -> R) -> R {
    OTHER_STATE.set(Some(state));
    let result = work();
    OTHER_STATE.set(None);
    result
}

/// Runs a suite as `beget::check!` does.
#[macro_export]
macro_rules! check {
    ($ty:ty $(, $($scope:tt)*)?) => {
        $crate::run::run(
            <$ty as beget::HasSuite>::suite(),
            None,
            beget::scope_source!($($($scope)*)?),
        )
    };
}

/// Runs two suites in lockstep as `beget::diff!` does.
#[macro_export]
macro_rules! diff {
    ($ty:ty, $model:ty $(, $($scope:tt)*)?) => {
        $crate::run::run(
            <$ty as beget::HasSuite>::suite(),
            Some(<$model as beget::HasSuite>::suite()),
            beget::scope_source!($($($scope)*)?),
        )
    };
}

/// Makes random calls as `beget::random!` does.
#[macro_export]
macro_rules! random {
    ($ty:ty, calls = $calls:literal $(, $($scope:tt)*)?) => {
        $crate::run::random(
            <$ty as beget::HasSuite>::suite(),
            $calls,
            beget::scope_source!($($($scope)*)?),
        )
    };
}

/// What [`check!`](crate::check!) and [`diff!`](crate::diff!) call.
///
/// # Panics
/// If the scope is wrong, or the run does not exhaust it: nothing here is found by luck.
pub fn run(suite: Suite, model: Option<Suite>, scope: ScopeSource) -> Run {
    let (input, plan) = open(suite, scope);
    let budget = plan.budget;
    let clock = |plan: &Plan| Clock {
        start: Instant::now(),
        processes: OTHER_STATE.get().and_then(|state| (state.processes)(&input, plan)),
    };
    let (clock, run) = match model {
        None => {
            let clock = clock(&plan);
            let watch = Watch::new(budget, &clock);
            let run = check(&input, &[], plan, Default::default(), StoreKind::Exact, &watch);
            (clock, run)
        }
        Some(model) => {
            let plan = DiffPlan::new(plan, &model).unwrap_or_else(|error| panic!("{error}"));
            let clock = clock(plan.plan());
            let watch = Watch::new(budget, &clock);
            let run = plan.run(Default::default(), StoreKind::Exact, &watch);
            (clock, Ok(CheckRun::of_calls(run.corpus)))
        }
    };
    let run = run.expect("the store is in memory");
    let seconds = clock.seconds();
    let is_complete = run.corpus.report.is_complete();
    assert!(is_complete || OTHER_STATE.get().is_some(), "{}", run.stop_reason);
    let suite = &run.corpus.plan.suite;
    let shown = run.findings().map(|finding| Shown {
        kind: finding.problem.kind.to_string(),
        name: finding.problem.name.clone(),
        message: finding.problem.to_string(),
        recipe: finding.witness.recipe.iter().map(|recipe| to_source(suite, recipe).0).collect(),
    });
    Run {
        findings: shown.collect(),
        calls: run.corpus.report.ledger.counters.explored(),
        structures: beget_engine_len(&run),
        ended_by: ended_by(&run),
        doubted: run.corpus.report.doubted.clone(),
        is_complete,
        seconds,
    }
}

/// What [`random!`](crate::random!) calls.
///
/// # Panics
/// If the scope is wrong.
pub fn random(suite: Suite, calls: u64, scope: ScopeSource) -> Run {
    let clock = Clock { start: Instant::now(), processes: None };
    let (input, plan) = open(suite, scope);
    let watch = Watch::new(plan.budget, &clock);
    let options = RandomOptions { max_calls: calls, max_length: 1_000, ..RandomOptions::default() };
    let run = beget_run::random(&input, &[], plan, options, &watch);
    let shown = run.findings.iter().map(|finding| Shown {
        kind: finding.problem.kind.to_string(),
        name: finding.problem.name.clone(),
        message: finding.problem.to_string(),
        recipe: finding
            .witness
            .sequence
            .iter()
            .map(|one| one.to_source(&run.plan.suite).0)
            .collect(),
    });
    Run {
        findings: shown.collect(),
        calls: run.report.counters.explored(),
        ended_by: run.stop_reason.to_string(),
        doubted: Vec::new(),
        structures: run.report.distinct.by_type.iter().sum(),
        is_complete: false,
        seconds: clock.seconds(),
    }
}

fn open(suite: Suite, scope: ScopeSource) -> (Input<'static>, Plan) {
    let ScopeSource::Inline(mut fields) = scope else { panic!("a scope in the source") };
    let state = OTHER_STATE.get();
    for (name, value) in state.iter().flat_map(|state| [("state", state.name), BUDGET]) {
        fields.push((name.to_owned(), value.to_owned()));
    }
    let text = default_scope(&suite, &fields);
    let input = Input::of_text("the scope", text, Catalog::new(vec![suite]));
    let input = input.unwrap_or_else(|error| panic!("{error}")).with_peers();
    let resolved = input.resolve(&Overrides::default());
    let plan = resolved.unwrap_or_else(|error| panic!("{error}")).plan;
    (input, plan)
}

fn beget_engine_len(run: &CheckRun) -> u64 {
    run.corpus.totals().map(|totals| totals.by_type.iter().sum()).unwrap_or_default()
}

fn ended_by(run: &CheckRun) -> String {
    let failure = run.corpus.report.store_failure.as_ref();
    failure.map_or_else(|| run.stop_reason.to_string(), |failure| failure.to_string())
}

/// The clock of a run without limits.
struct Clock {
    start: Instant,
    processes: Option<Processes>,
}

impl Host for Clock {
    fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    fn workers(&self) -> Option<&dyn Workers> {
        self.processes.as_ref().map(|processes| &*processes.workers)
    }

    fn peers(&self) -> &[Box<dyn Workers>] {
        self.processes.as_ref().map_or(&[], |processes| &processes.peers)
    }
}
