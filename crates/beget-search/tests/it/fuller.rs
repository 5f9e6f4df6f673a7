//! The calls that a search settles on: on structures that hold something, with results that say
//! something, as far as the type allows.
#![allow(
    missing_docs,
    clippy::new_without_default,
    clippy::len_without_is_empty,
    reason = "the types stand for those of a library"
)]

use std::collections::{BTreeMap, BTreeSet};

use beget::Heap;
use beget::suites::{HasSuite, Suite};
use beget_plan::finding::{Kind, Progress};
use beget_plan::scope::{Overrides, Plan, default_scope};
use beget_run::random::InProgress;
use beget_run::{Catalog, Input};
use beget_search::heuristic::{
    CallGoal, CallOptions, CallReport, CallShare, CallWorth, MethodReport, Repository, call,
    plan_for,
};
use beget_search::suite_file::check_suite_file;

/// Books by their numbers.
#[derive(Clone, Debug, Heap)]
pub struct Shelf {
    books: BTreeMap<u8, u8>,
}

#[beget::api]
impl Shelf {
    pub fn new() -> Self {
        Shelf { books: BTreeMap::new() }
    }

    pub fn clear(&mut self) {
        self.books.clear();
    }

    pub fn count_from(&self, number: u8) -> usize {
        self.books.range(number..).count()
    }

    /// No book has been read.
    pub fn last_read(&self) -> Option<u8> {
        self.books.get(&255).copied().filter(|_| false)
    }

    pub fn len(&self) -> usize {
        self.books.len()
    }

    pub fn pages(&self, number: u8) -> Option<u8> {
        self.books.get(&number).copied()
    }

    pub fn put(&mut self, number: u8, pages: u8) {
        self.books.insert(number, pages);
    }

    pub fn rename(&mut self, from: u8, to: u8) -> Result<(), u8> {
        let pages = self.books.remove(&from).ok_or(from)?;
        self.books.insert(to, pages);
        Ok(())
    }

    pub fn titles(&self) -> String {
        "x".repeat(self.books.len())
    }
}

/// A number without a length.
#[derive(Clone, Debug, Heap)]
pub struct Clock {
    ticks: u8,
}

#[beget::api]
impl Clock {
    pub fn new() -> Self {
        Clock { ticks: 0 }
    }

    pub fn half(&self) -> u8 {
        self.ticks / 2
    }

    pub fn tick(&mut self) {
        self.ticks = self.ticks.saturating_add(1);
    }
}

/// Never holds anything.
#[derive(Clone, Debug, Heap)]
pub struct Seal {
    broken: bool,
}

#[beget::api]
impl Seal {
    pub fn new() -> Self {
        Seal { broken: false }
    }

    pub fn is_broken(&self) -> bool {
        self.broken
    }
}

fn plan_of(suite: Suite, options: &CallOptions) -> Plan {
    let text = default_scope(&suite, &[("ints".to_owned(), "[0, 7, 200]".to_owned())]);
    let input = Input::of_text("scope", text, Catalog::new(vec![suite])).unwrap();
    plan_for(input.resolve(&Overrides::default()).unwrap().plan, options)
}

fn report_of(plan: &Plan, options: CallOptions, known: Option<&Repository>) -> CallReport {
    call(plan, options, known, &InProgress::default(), &mut |_| None).0
}

/// The worth of each method's call, by name.
fn worths(plan: &Plan, report: &CallReport) -> BTreeMap<String, CallWorth> {
    let worth = |(idx, method): (_, &MethodReport)| {
        let success = method.success.as_ref().expect("every method is called");
        (plan.method_name(idx).to_owned(), success.worth)
    };
    plan.planned_idxs().zip(&report.methods).map(worth).collect()
}

fn share(have: u32, all: u32) -> CallShare {
    CallShare { have, all }
}

#[test]
fn methods_are_called_where_they_have_something_to_do() {
    for seed in 0..20 {
        for goal in [CallGoal::Returns, CallGoal::Ok] {
            let options = CallOptions { seed, goal, ..CallOptions::default() };
            let plan = plan_of(Shelf::suite(), &options);
            let report = report_of(&plan, options, None);
            // By that goal `last_read` has no successful call.
            let never = u32::from(goal == CallGoal::Returns);
            assert_eq!(report.filled, share(7 + never, 7 + never), "{seed} {goal:?}");
            // `clear` and `put` return nothing, and there is always a shelf from `new`.
            assert_eq!(report.telling, share(6, 6 + never), "{seed} {goal:?}");
        }
    }
}

#[test]
fn what_a_call_shows_is_said_method_by_method() {
    let options = CallOptions::default();
    let plan = plan_of(Shelf::suite(), &options);
    let worths = worths(&plan, &report_of(&plan, options, None));
    let worth = |is_filled, is_telling| CallWorth { is_filled, is_telling };
    let expected = [
        ("clear", worth(Some(true), None)),
        ("count_from", worth(Some(true), Some(true))),
        ("last_read", worth(Some(true), Some(false))),
        ("len", worth(Some(true), Some(true))),
        ("new", worth(None, Some(true))),
        ("pages", worth(Some(true), Some(true))),
        ("put", worth(Some(true), None)),
        ("rename", worth(Some(true), Some(true))),
        ("titles", worth(Some(true), Some(true))),
    ];
    assert_eq!(worths, expected.map(|(name, worth)| (name.to_owned(), worth)).into());
}

#[test]
fn without_a_length_a_structure_is_empty_if_all_its_values_are_zero() {
    let options = CallOptions::default();
    let plan = plan_of(Clock::suite(), &options);
    assert_eq!(report_of(&plan, options.clone(), None).filled, share(2, 2));
    // No seal holds anything, so none is asked for.
    let plan = plan_of(Seal::suite(), &options);
    let report = report_of(&plan, options.clone(), None);
    assert_eq!((report.filled, report.telling), (share(0, 0), share(2, 2)));
    assert_eq!(worths(&plan, &report)["is_broken"].is_filled, Some(false));
}

/// The last round neither counts as attempts nor changes how a call was found.
#[test]
fn the_last_round_changes_calls_and_no_count_of_attempts() {
    let options = CallOptions::default();
    let plan = plan_of(Shelf::suite(), &options);
    let report = report_of(&plan, options.clone(), None);
    assert_eq!(report.attempts, report.methods.iter().map(|one| u64::from(one.attempts)).sum());
    assert!(report.calls > report.attempts, "{} calls", report.calls);
    // What a repository knows stays as it is: its calls were chosen before.
    let mut known = Repository::new(&plan.suite);
    known.learn(&plan, &report);
    let again = report_of(&plan, options, Some(&known));
    assert_eq!(again.filled, share(0, 0));
    let steps = |report: &CallReport| -> Vec<usize> {
        report.methods.iter().map(|one| one.success.as_ref().unwrap().steps.len()).collect()
    };
    assert_eq!(steps(&again), steps(&report));
}

/// All seals are alike.
#[test]
fn progress_has_the_structures_that_were_found() {
    let options = CallOptions::default();
    let plan = plan_of(Seal::suite(), &options);
    let mut most = 0;
    let mut see = |progress: Progress| {
        most = progress.structures.max(most);
        None
    };
    call(&plan, options, None, &InProgress::default(), &mut see);
    assert_eq!(most, 1);
}

#[test]
fn a_repository_gives_other_runs_the_literals_of_its_calls() {
    let options = CallOptions::default();
    let plan = plan_of(Shelf::suite(), &options);
    let report = report_of(&plan, options, None);
    let mut known = Repository::new(&plan.suite);
    assert_eq!(known.literals().ints.into_iter().flatten().count(), 0);
    known.learn(&plan, &report);
    let steps = report.methods.iter().flat_map(|one| &one.success.as_ref().unwrap().steps);
    let used: BTreeSet<i128> =
        steps.flat_map(|step| &step.literals).map(|one| one.source.parse().unwrap()).collect();
    assert!(!used.is_empty());
    assert_eq!(known.literals().ints.into_iter().flatten().collect::<BTreeSet<_>>(), used);
    // Of a scope with another number, each parameter gets those of its own method besides.
    let text = default_scope(&plan.suite, &[("ints".to_owned(), "[9]".to_owned())]);
    let input = Input::of_text("scope", text, Catalog::new(vec![Shelf::suite()])).unwrap();
    let other = input.resolve(&Overrides::default()).unwrap().plan;
    let n_literals = |plan: &Plan| -> usize {
        plan.methods.iter().flat_map(|method| &method.domains).map(Vec::len).sum()
    };
    let n_before = n_literals(&other);
    let (wider, n_new) = known.with_literals(other);
    assert_eq!((n_literals(&wider), n_new > 0), (n_before + n_new, true));
}

#[test]
fn a_repository_keeps_the_first_eight_calls_of_a_method() {
    let mut known = None;
    let mut most = Vec::new();
    for seed in 0..40 {
        let options = CallOptions { seed, ..CallOptions::default() };
        let plan = plan_of(Shelf::suite(), &options);
        let known = known.get_or_insert_with(|| Repository::new(&plan.suite));
        known.learn(&plan, &report_of(&plan, options, None));
        most.extend(known.methods().values().map(|method| method.successes.len()).max());
    }
    assert_eq!((most[0], most.iter().max()), (1, Some(&8)));
}

/// Has one kind of egg beside it, which only it gives.
#[derive(Clone, Debug, Heap)]
pub struct Hen {
    n_laid: u8,
}

#[derive(Clone, Debug, Heap)]
pub struct Egg {
    weight: u8,
}

impl Hen {
    pub fn new() -> Self {
        Hen { n_laid: 0 }
    }

    pub fn lay(&mut self, weight: u8) -> Egg {
        self.n_laid += 1;
        Egg { weight }
    }
}

impl Egg {
    pub fn weigh(&self, other: &Egg) -> bool {
        self.weight > other.weight
    }
}

beget::suite! {
    pub suite Hens {
        for Hen {
            fn new() -> Self;
            fn lay(&mut self, weight: u8) -> Egg;
        }
        for Egg {
            fn weigh(&self, other: &Egg) -> bool;
        }
    }
}

#[test]
fn structures_that_other_methods_give_are_made_by_these_each_on_its_own() {
    let options = CallOptions::default();
    let plan = plan_of(Hens::suite(), &options);
    let report = report_of(&plan, options, None);
    assert_eq!(report.not_called().count(), 0);
    let weigh = plan.planned_idxs().find(|&idx| plan.method_name(idx) == "weigh").unwrap();
    let success = report.methods[weigh.index()].success.as_ref().unwrap();
    let calls = success.steps.iter().map(|step| plan.suite.method(step.statement.method).name);
    assert_eq!(calls.collect::<Vec<_>>(), ["new", "lay", "new", "lay", "weigh"]);
}

/// Opens by its other number than the one that calls have at first, and rings when it is open.
#[derive(Clone, Debug, Heap)]
pub struct Gate {
    is_open: bool,
}

#[beget::api]
impl Gate {
    pub fn new() -> Self {
        Gate { is_open: false }
    }

    pub fn knock(&self) {}

    pub fn ring(&self) {
        assert!(self.is_open, "it is closed");
    }

    pub fn unlock(&mut self, number: u8) {
        assert!(number == 0, "not by this one");
        self.is_open = true;
    }
}

/// Of the four methods `ring` is the third, and there is no open gate before `unlock` is repaired.
#[test]
fn a_second_round_repairs_what_the_repairs_of_the_first_one_make_possible() {
    for seed in 0..10 {
        let options = CallOptions { seed, ..CallOptions::default() };
        let plan = plan_of(Gate::suite(), &options);
        assert_eq!(report_of(&plan, options, None).not_called().count(), 0, "{seed}");
    }
}

/// The report of a method.
fn method_of<'r>(plan: &Plan, report: &'r CallReport, name: &str) -> &'r MethodReport {
    let idx = plan.planned_idxs().find(|&idx| plan.method_name(idx) == name).expect("a method");
    &report.methods[idx.index()]
}

/// The calls that a method's success takes, by name.
fn names_of<'p>(plan: &'p Plan, method: &MethodReport) -> Vec<&'p str> {
    let steps = &method.success.as_ref().expect("it is called").steps;
    steps.iter().map(|step| plan.suite.method(step.statement.method).name).collect()
}

/// No shelf makes `last_read` return anything, so the first one that holds a book stays.
#[test]
fn of_equally_good_calls_the_first_one_is_kept() {
    let options = CallOptions::default();
    let plan = plan_of(Shelf::suite(), &options);
    let report = report_of(&plan, options, None);
    let last_read = method_of(&plan, &report, "last_read");
    assert_eq!(names_of(&plan, last_read), ["new", "put", "last_read"]);
}

/// Breaks when it boils with something in it.
#[derive(Clone, Debug, Heap)]
pub struct Kettle {
    water: u8,
    is_broken: bool,
}

impl Kettle {
    pub fn new() -> Self {
        Kettle { water: 0, is_broken: false }
    }

    pub fn boil(&mut self) {
        self.is_broken = self.water > 0;
    }

    pub fn smash(&mut self) {
        self.is_broken = true;
    }

    pub fn fill(&mut self, water: u8) {
        self.water = water;
    }

    pub fn is_whole(&self) -> bool {
        !self.is_broken
    }
}

beget::suite! {
    #[name = "test::kettle"]
    pub suite Kettles for Kettle {
        fn new() -> Self;
        fn boil(&mut self);
        fn smash(&mut self);
        fn fill(&mut self, water: u8);
        #[invariant]
        fn is_whole(&self) -> bool;
    }
}

#[test]
fn broken_promises_are_counted_by_cause_in_all_rounds() {
    let options = CallOptions::default();
    let plan = plan_of(Kettles::suite(), &options);
    let report = report_of(&plan, options, None);
    // Each attempt breaks the kettle.
    let smash = method_of(&plan, &report, "smash");
    assert!(smash.success.is_none() && smash.attempts > 1);
    let [broken] = &smash.broken[..] else { panic!("{:?}", smash.broken) };
    assert_eq!(broken.count, u64::from(smash.attempts));
    assert_eq!(broken.witness.calls(&plan.suite).unwrap().statements.len(), 2);
    // The first call, on an empty one, succeeds; only the last round makes it on others.
    let boil = method_of(&plan, &report, "boil");
    assert_eq!((names_of(&plan, boil), boil.attempts), (vec!["new", "boil"], 1));
    let [broken] = &boil.broken[..] else { panic!("{:?}", boil.broken) };
    assert!(broken.problem.message.contains("is_whole"), "{broken:?}");
    let witness = &broken.witness.calls(&plan.suite).unwrap().statements;
    let calls = witness.iter().map(|one| plan.suite.method(one.method).name);
    assert_eq!(calls.collect::<Vec<_>>(), ["new", "fill", "boil"]);
}

/// Cannot be dropped when it glows.
#[derive(Clone, Debug, Default, Heap)]
pub struct Poker {
    glows: bool,
}

impl Drop for Poker {
    fn drop(&mut self) {
        assert!(!self.glows, "it glows");
    }
}

#[beget::api(name = "test::poker")]
impl Poker {
    pub fn new() -> Self {
        Poker::default()
    }

    pub fn heat(&mut self) {
        self.glows = true;
    }

    pub fn forge(&mut self) {
        self.glows = true;
    }
}

/// The destructor has one place, whatever method it is called after.
#[test]
fn what_two_methods_show_at_one_place_is_one_cause() {
    let options = CallOptions::default();
    let plan = plan_of(Poker::suite(), &options);
    let report = report_of(&plan, options, None);
    let [heat, forge] = ["heat", "forge"].map(|name| method_of(&plan, &report, name));
    let shown: Vec<_> = report.methods.iter().flat_map(|method| &method.broken).collect();
    let [broken] = shown[..] else { panic!("{shown:?}") };
    assert_eq!(broken.problem.kind, Kind::DropPanics);
    assert_eq!(broken.count, u64::from(heat.attempts + forge.attempts));
}

/// Cast from one kind of metal only.
#[derive(Clone, Debug, Heap)]
pub struct Basin {
    metal: u8,
}

#[beget::api]
impl Basin {
    pub fn cast(metal: u8) -> Result<Self, String> {
        if metal == 200 { Ok(Basin { metal }) } else { Err("it cracks".to_owned()) }
    }

    /// Gives the old one back if it cannot be made anew.
    pub fn recast(self, metal: u8) -> Result<Self, Self> {
        if metal == 7 { Ok(Basin { metal }) } else { Err(self) }
    }

    pub fn metal(&self) -> u8 {
        self.metal
    }
}

#[test]
fn an_error_in_place_of_a_structure_is_no_success_if_it_does_not_count() {
    for seed in 0..8 {
        let options = CallOptions { seed, goal: CallGoal::Ok, ..CallOptions::default() };
        let plan = plan_of(Basin::suite(), &options);
        let report = report_of(&plan, options, None);
        let reasons: Vec<_> = report.not_called().collect();
        assert_eq!(reasons, [], "{seed}");
        for (name, metal) in [("cast", "200"), ("recast", "7")] {
            let success = method_of(&plan, &report, name).success.as_ref().unwrap();
            let last = success.steps.last().unwrap();
            assert_eq!(last.literals[0].source, metal, "{name} {seed}");
        }
    }
}

/// Has boats that nothing makes.
#[derive(Clone, Debug, Heap)]
pub struct Ferry {
    cars: u8,
}

#[derive(Clone, Debug, Heap)]
pub struct Lifeboat {
    seats: u8,
}

impl Ferry {
    pub fn new() -> Self {
        Ferry { cars: 0 }
    }
}

impl Lifeboat {
    pub fn seats(&self) -> u8 {
        self.seats
    }
}

beget::suite! {
    pub suite Ferries {
        for Ferry {
            fn new() -> Self;
        }
        for Lifeboat {
            fn seats(&self) -> u8;
        }
    }
}

#[test]
fn a_method_without_anything_to_call_it_on_is_not_called() {
    let options = CallOptions::default();
    let plan = plan_of(Ferries::suite(), &options);
    let report = report_of(&plan, options, None);
    let reasons: Vec<_> =
        report.not_called().map(|(idx, reason)| (plan.method_name(idx), reason)).collect();
    assert_eq!(reasons, [("seats", "no method in use gives a structure that it takes")]);
    // The history has what was tried.
    let mut known = Repository::new(&plan.suite);
    known.learn(&plan, &report);
    assert_eq!(known.methods().keys().collect::<Vec<_>>(), ["new"]);
}

#[test]
fn structures_of_a_search_are_as_large_as_its_options_allow() {
    let bounds = |max_objects: u32| {
        let options = CallOptions { max_objects, ..CallOptions::default() };
        let bounds = plan_of(Shelf::suite(), &options).bounds.clone();
        (bounds.other_objects, bounds.arrays, bounds.text)
    };
    assert_eq!([bounds(3), bounds(40)], [(3, 3, 3), (40, 40, 40)]);
}

#[test]
fn a_repository_is_read_as_it_was_written_and_for_its_suite_only() {
    let options = CallOptions { goal: CallGoal::Ok, ..CallOptions::default() };
    let plan = plan_of(Shelf::suite(), &options);
    let mut known = Repository::new(&plan.suite);
    let report = report_of(&plan, options, None);
    known.learn(&plan, &report);
    assert_eq!(Repository::from_ron(&known.to_ron(), &plan.suite).as_ref(), Ok(&known));
    assert_eq!(check_suite_file(&known, &plan.suite), Ok(()));
    let other = Repository::from_ron(&known.to_ron(), &Clock::suite()).unwrap_err().to_string();
    assert!(other.contains("these calls are for suite"), "{other}");
    let mut changed = Shelf::suite();
    changed.methods[0].signature = "fn clear(&mut self, all: bool)";
    let changed = Repository::from_ron(&known.to_ron(), &changed).unwrap_err().to_string();
    assert!(changed.contains("have changed since these calls were made"), "{changed}");
    // Each cause once, however often a run meets it.
    let causes: BTreeSet<&str> =
        method_of(&plan, &report, "rename").failures.iter().map(|one| one.cause.as_str()).collect();
    assert!(causes.len() > 1, "{causes:?}");
    known.learn(&plan, &report);
    let kept = known.methods()["rename"].failures.iter().map(|one| one.cause.as_str());
    let kept: Vec<&str> = kept.collect();
    assert_eq!(kept.len(), causes.len().min(8));
    assert_eq!(kept.iter().copied().collect::<BTreeSet<_>>().len(), kept.len());
}
