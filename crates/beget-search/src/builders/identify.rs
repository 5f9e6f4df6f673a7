//! From a plan to a certified set of builders.

use beget_engine::store::Store;
use beget_engine::{Counters, Explorer, Interim, Passed, Watcher};
use beget_plan::finding::{Finding, Progress, StopReason};
use beget_plan::scope::{Plan, PlannedIdx};

use crate::builders::certificate::{Certificate, certify_against};
use crate::builders::climb::{Climb, climb};
use crate::builders::exact::{Exact, Proof, search};
use crate::builders::genetic::{Evolution, Genetic, evolve};
use crate::builders::methods::{Costs, MethodSet};
use crate::builders::space::{Goal, Observer, Space};

/// The search for the set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BuilderSearch {
    /// Adds the best method while something grows: fast, and nearly always cheapest.
    HillClimbing,
    /// Evolves sets by their field extensions.
    Genetic(Genetic),
    /// Proves that no set is cheaper.
    Exact(Exact),
}

impl BuilderSearch {
    /// The name on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            BuilderSearch::HillClimbing => "hill-climbing",
            BuilderSearch::Genetic(_) => "genetic",
            BuilderSearch::Exact(_) => "exact",
        }
    }
}

/// The settings common to all searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BuilderSettings {
    /// Threads and copy strategies.
    pub engine: beget_engine::Settings,
    /// The structures that have to be built.
    pub goal: Goal,
    /// The weight of a reference parameter in primitive parameters: w3 in the papers.
    pub reference_weight: f64,
}

impl Default for BuilderSettings {
    fn default() -> Self {
        BuilderSettings {
            engine: beget_engine::Settings::default(),
            goal: Goal::default(),
            reference_weight: 2.0,
        }
    }
}

/// The progress of an identification.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stage {
    /// The full API is explored.
    Exploring(Progress),
    /// The search has taken a step.
    Searching {
        /// Steps so far: methods added, generations, or cores.
        step: u32,
        /// The result of the step: structures built, the best fitness, or the fewest methods still
        /// possible.
        value: f64,
    },
    /// The set is certified by generating again.
    Certifying(Progress),
}

/// A watcher of an identification.
pub trait StageWatcher {
    /// Receives the progress, and may stop it.
    fn check(&mut self, stage: Stage) -> Option<StopReason>;

    /// Is called while calls are made, like [`Watcher::wait`].
    fn wait(&mut self, interim: &Interim<'_>) {
        let _ = interim;
    }
}

/// A plain function waits for calls as long as they take.
impl<F: FnMut(Stage) -> Option<StopReason> + ?Sized> StageWatcher for F {
    fn check(&mut self, stage: Stage) -> Option<StopReason> {
        self(stage)
    }
}

/// The watcher of the calls of a stage.
pub struct RunOfStage<'w> {
    /// The stage.
    pub stage: fn(Progress) -> Stage,
    /// The watcher of all stages.
    pub watcher: &'w mut dyn StageWatcher,
}

impl Watcher for RunOfStage<'_> {
    fn check(&mut self, progress: Progress) -> Option<StopReason> {
        self.watcher.check((self.stage)(progress))
    }

    fn wait(&mut self, interim: &Interim<'_>) {
        self.watcher.wait(interim);
    }
}

/// The course of the search.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchOutcome {
    /// By hill climbing.
    Climb(Climb),
    /// By evolution.
    Evolution(Evolution),
    /// By exact search.
    Proof(Proof),
}

/// A set of builders with everything known about it.
#[derive(Clone, Debug)]
pub struct Identification {
    /// The search that found it.
    pub search: BuilderSearch,
    /// The builders.
    pub methods: Vec<PlannedIdx>,
    /// Their names.
    pub names: Vec<&'static str>,
    /// The methods that only observe.
    pub observers: Vec<Observer>,
    /// Structures of the main type that the full API builds.
    pub full_generated: u64,
    /// The calls that explored the full API.
    pub counters: Counters,
    /// The calls out of scope, by the bound that they passed.
    pub passed: Vec<Passed>,
    /// The first findings of that exploration, in order.
    pub findings: Vec<Finding>,
    /// The course of the search.
    pub found: SearchOutcome,
    /// The certificate of the set.
    pub certificate: Certificate,
}

/// Finds builders among the methods of `plan`, which are the full API, and certifies them. Progress
/// is reported to `watcher`, which may stop it.
///
/// # Errors
/// If `watcher` or the plan's budget stops it.
pub fn identify(
    plan: &Plan,
    how: BuilderSearch,
    settings: BuilderSettings,
    watcher: &mut dyn StageWatcher,
) -> Result<Identification, StopReason> {
    let explorer = Explorer::new(plan, settings.engine);
    let mut exploring = RunOfStage { stage: Stage::Exploring, watcher };
    let space = Space::explore(&explorer, settings.goal, &mut exploring)?;
    let mut searching = |stage| watcher.check(stage);
    let (set, found) = find(&space, how, settings.reference_weight, &mut searching)?;
    let methods: Vec<PlannedIdx> = set.iter().collect();
    let mut certifying = RunOfStage { stage: Stage::Certifying, watcher };
    let certificate = certify_against(
        space.extent(),
        plan,
        &methods,
        settings.goal,
        settings.engine,
        &mut certifying,
    )?;
    let name = |&method: &PlannedIdx| plan.method_name(method);
    Ok(Identification {
        search: how,
        names: methods.iter().map(name).collect(),
        methods,
        observers: space.observers().to_vec(),
        full_generated: space.closure().store().totals().by_type.first().copied().unwrap_or(0),
        counters: space.closure().total_counters(),
        passed: space.closure().passed().to_vec(),
        findings: space.closure().findings(),
        found,
        certificate,
    })
}

/// Searches a space that has been explored.
///
/// # Errors
/// If `control` stops it.
pub fn find(
    space: &Space<'_, '_>,
    how: BuilderSearch,
    reference_weight: f64,
    control: &mut dyn FnMut(Stage) -> Option<StopReason>,
) -> Result<(MethodSet, SearchOutcome), StopReason> {
    let costs = Costs::new(space.explorer().plan(), reference_weight);
    let mut step = 0;
    let mut stopped = None;
    let mut tell = |value: f64| {
        step += 1;
        stopped = control(Stage::Searching { step, value });
        stopped.is_none()
    };
    let found = match how {
        BuilderSearch::HillClimbing => {
            climb(space, &costs, &mut |step| tell(step.structures as f64))
                .map(|(set, climb)| (set, SearchOutcome::Climb(climb)))
        }
        BuilderSearch::Genetic(genetic) => evolve(space, &costs, &genetic, &mut tell)
            .map(|(set, evolution)| (set, SearchOutcome::Evolution(evolution))),
        BuilderSearch::Exact(exact) => {
            search(space, &costs, &exact, &mut |fewest| tell(fewest as f64))
                .map(|(set, proof)| (set, SearchOutcome::Proof(proof)))
        }
    };
    found.ok_or(stopped.unwrap_or(StopReason::Interrupted))
}
