//! What builders are worth to random runs, after Ponzio, Bengolea, Politano, Aguirre and Frias
//! (FASE 2019), section 5: as many calls of all methods, of the builders alone, and of all methods
//! with as many calls more as it took to find the builders.
//!
//! The cases are the suites with certified builders ([`cases`]). Budgets are calls, so every number
//! but the seconds of the head is the same wherever it is measured; what a case came to is a few
//! lines of CSV ([`journal`]), from which the tables are made ([`text`]). This module makes the
//! runs, and knows nothing of files.

pub mod cases;
pub mod journal;
pub mod text;

use beget_engine::Settings;
use beget_heap::TagBits;
use beget_plan::scope::{MethodsOverride, Overrides, Plan};
use beget_run::random::{InProgress, RandomSearch, plan_for};
use beget_run::{Direction, Host, InputError, Matching, RandomOptions, Watch};
use beget_search::builders::BuilderSearch;
use beget_search::run::BuildersPlan;

use crate::scopes;
use cases::Case;

/// What takes part, and for how many calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Arm {
    /// All methods.
    Api,
    /// The builders.
    Builders,
    /// All methods, with as many calls more as the search for the builders was worth.
    ApiPlus,
}

/// The arms, in the order of the tables.
pub const ARMS: [Arm; 3] = [Arm::Api, Arm::Builders, Arm::ApiPlus];

/// What is not extended, or not called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Filter {
    /// Everything is extended.
    None,
    /// What is equal, by `PartialEq`, to something known is not.
    Equality,
    /// What has a known canonical form is not.
    Form,
    /// As before, and methods that only observe are not called.
    FormWithoutObservers,
    /// As [`Filter::Form`]; one call in ten is repeated, up to a hundred times.
    FormRepeating,
}

/// The filters, in the order of the tables.
pub const FILTERS: [Filter; 5] = [
    Filter::None,
    Filter::Equality,
    Filter::Form,
    Filter::FormWithoutObservers,
    Filter::FormRepeating,
];

impl Arm {
    /// As tables call it; the names are those of the paper.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Arm::Api => "API",
            Arm::Builders => "BLD",
            Arm::ApiPlus => "API+",
        }
    }
}

impl Filter {
    /// As tables call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Filter::None => "none",
            Filter::Equality => "equality",
            Filter::Form => "canonical form",
            Filter::FormWithoutObservers => "canonical form, no observers",
            Filter::FormRepeating => "canonical form, repeating",
        }
    }
}

/// What a run is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budgets {
    /// Calls of a run.
    pub calls: u64,
    /// What a second of the search for builders is worth, in calls of random runs.
    pub calls_per_second: u64,
    /// The most calls that the search for builders is worth.
    pub most_more: u64,
    /// Runs of each kind, with the seeds from 0 on.
    pub seeds: u64,
}

impl Budgets {
    /// The calls of a run of a case.
    #[must_use]
    pub fn calls_of(&self, case: &Case, arm: Arm) -> u64 {
        let worth = (case.identification_seconds * self.calls_per_second as f64) as u64;
        self.calls + if arm == Arm::ApiPlus { worth.min(self.most_more) } else { 0 }
    }
}

/// What a run left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftByRun {
    /// Different structures of the main type.
    pub structures: u64,
    /// The most objects in one.
    pub objects: u64,
    /// The bytes of the longest canonical form: the size of those that have no objects to count,
    /// but elements.
    pub bytes: u64,
}

/// Runs that differ in their seed alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runs {
    /// The suite.
    pub suite: String,
    /// What is filtered.
    pub filter: Filter,
    /// What takes part.
    pub arm: Arm,
    /// Calls of each.
    pub calls: u64,
    /// By seed.
    pub left: Vec<LeftByRun>,
}

/// Makes all runs of a case. Without observers the builders are the same methods, so their runs are
/// made once.
///
/// # Errors
/// If its methods and its scope do not fit.
pub fn measure(case: &Case, budgets: &Budgets) -> Result<Vec<Runs>, InputError> {
    let observers = observers(case)?;
    let is_none = |name: &&String| !observers.contains(name);
    let without: Vec<String> = case.api.iter().filter(is_none).cloned().collect();
    let mut all = Vec::new();
    for filter in FILTERS {
        for arm in ARMS {
            let methods = match (arm, filter) {
                (Arm::Builders, _) => &case.builders,
                (_, Filter::FormWithoutObservers) => &without,
                _ => &case.api,
            };
            let calls = budgets.calls_of(case, arm);
            let plan = plan(case, case.k, methods)?;
            let left = (0..budgets.seeds).map(|seed| run(&plan, &options(filter, calls, seed)));
            let suite = case.suite.clone();
            all.push(Runs { suite, filter, arm, calls, left: left.collect() });
        }
    }
    Ok(all)
}

/// The options of a run: no bounds on structures, as the paper's, and sequences of at most a hundred
/// calls, as Randoop's. Every other integer is drawn from 0..=99, or else trees would have as many
/// keys as the scope.
#[must_use]
pub fn options(filter: Filter, max_calls: u64, seed: u64) -> RandomOptions {
    let matching = match filter {
        Filter::None => Matching::None,
        Filter::Equality => Matching::Equality,
        Filter::Form | Filter::FormWithoutObservers | Filter::FormRepeating => Matching::Form,
    };
    let repetition_rate = if filter == Filter::FormRepeating { 0.1 } else { 0.0 };
    RandomOptions {
        seed,
        max_calls,
        direction: Direction::Feedback,
        repetition_rate,
        matching,
        fresh_ints: Some(0..=99),
        ..RandomOptions::default()
    }
}

/// Makes a run.
#[must_use]
pub fn run(plan: &Plan, options: &RandomOptions) -> LeftByRun {
    let plan = plan_for(plan.clone(), options);
    let (in_progress, mut judge) = (InProgress::default(), ());
    let mut search = RandomSearch::new(&plan, options, &in_progress, &mut judge, None);
    search.run(&mut |_| None);
    let distinct = &search.report().distinct;
    let tag_bits = TagBits::for_types(plan.suite.types.len());
    let of_main_type = search.forms().filter(|form| form.type_tag(tag_bits) == 0);
    LeftByRun {
        structures: distinct.by_type[0],
        objects: u64::from(distinct.largest()),
        bytes: of_main_type.map(|form| form.as_bytes().len() as u64).max().unwrap_or(0),
    }
}

fn plan(case: &Case, k: u32, methods: &[String]) -> Result<Plan, InputError> {
    let methods = Some(MethodsOverride::Only(methods.to_vec()));
    let overrides = Overrides { k: Some(k), methods, ..Overrides::default() };
    Ok(scopes::input(&case.scope()).resolve(&overrides)?.plan)
}

/// The scope at which methods are seen to change nothing.
const OBSERVER_SCOPE: u32 = 3;

/// The methods of a case that change nothing in scope 3, and return there.
fn observers(case: &Case) -> Result<Vec<String>, InputError> {
    let input = scopes::input(&case.scope());
    let overrides = Overrides {
        k: Some(case.k.min(OBSERVER_SCOPE)),
        methods: Some(MethodsOverride::Only(case.api.clone())),
        ..Overrides::default()
    };
    let plan = BuildersPlan::new(&input, &overrides, &[])?;
    let watch = Watch::new(plan.resolved.plan.budget, &NoClock);
    let run = plan.run(BuilderSearch::HillClimbing, Settings::default(), &watch)?;
    let plan = &plan.resolved.plan;
    let found = run.found.into_iter().flat_map(|found| found.observers);
    let seen = found.filter(|observer| observer.returned > 0);
    Ok(seen.map(|observer| plan.method(observer.method).name.to_owned()).collect())
}

/// The host of searches that need no limits.
struct NoClock;

impl Host for NoClock {
    fn seconds(&self) -> f64 {
        0.0
    }
}
