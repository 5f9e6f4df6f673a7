//! From a plan to a certified set of builders.

use beget_engine::store::Store;
use beget_engine::{BoundCount, Counters, Explorer, Observer};
use beget_plan::finding::{Finding, StopReason};
use beget_plan::scope::{Plan, PlannedIdx};

use crate::builders::certificate::{Certificate, certify_against};
use crate::builders::climb::{Climb, climb};
use crate::builders::exact::{Exact, Proof, search};
use crate::builders::genetic::{Evolution, Genetic, evolve};
use crate::builders::methods::{Costs, MethodSet};
use crate::builders::space::{Goal, ObserverMethod, Space};

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
    pub observers: Vec<ObserverMethod>,
    /// Structures of the main type that the full API builds.
    pub full_generated: u64,
    /// The calls that explored the full API.
    pub counters: Counters,
    /// The calls out of scope, by the bound that they passed.
    pub passed: Vec<BoundCount>,
    /// The first findings of that exploration, in order.
    pub findings: Vec<Finding>,
    /// The course of the search.
    pub found: SearchOutcome,
    /// The certificate of the set.
    pub certificate: Certificate,
}

/// Finds builders among the methods of `plan`, which are the full API, and certifies them. Progress
/// is reported to `observer`, which may stop it.
///
/// # Errors
/// If `observer` or the plan's budget stops it.
pub fn identify(
    plan: &Plan,
    how: BuilderSearch,
    settings: BuilderSettings,
    observer: &mut dyn Observer,
) -> Result<Identification, StopReason> {
    let explorer = Explorer::new(plan, settings.engine);
    let space = Space::explore(&explorer, settings.goal, observer)?;
    let (set, found) = find(&space, how, settings.reference_weight, observer)?;
    let methods: Vec<PlannedIdx> = set.iter().collect();
    let certificate =
        certify_against(space.extent(), plan, &methods, settings.goal, settings.engine, observer)?;
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
/// If `observer` stops it.
pub fn find(
    space: &Space<'_, '_>,
    how: BuilderSearch,
    reference_weight: f64,
    observer: &mut dyn Observer,
) -> Result<(MethodSet, SearchOutcome), StopReason> {
    let costs = Costs::new(space.explorer().plan(), reference_weight);
    let mut step = 0;
    let mut stopped = None;
    let mut tell = |value: f64| {
        step += 1;
        stopped = observer.step(step, value);
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
