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
use beget_plan::finding::Progress;
use beget_plan::scope::{Overrides, Plan, default_scope};
use beget_run::random::InProgress;
use beget_run::{Catalog, Input};
use beget_search::heuristic::{
    CallGoal, CallOptions, CallReport, CallShare, CallWorth, Repository, call, plan_for,
};

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
    let worth = |(idx, method): (_, &beget_search::heuristic::MethodReport)| {
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
    assert_eq!(report_of(&plan, options, None).filled, share(2, 2));
    // No seal holds anything, so none is asked for.
    let plan = plan_of(Seal::suite(), &options);
    let report = report_of(&plan, options, None);
    assert_eq!((report.filled, report.telling), (share(0, 0), share(2, 2)));
    assert_eq!(worths(&plan, &report)["is_broken"].is_filled, Some(false));
}

/// The last round neither counts as attempts nor changes how a call was found.
#[test]
fn the_last_round_changes_calls_and_no_count_of_attempts() {
    let options = CallOptions::default();
    let plan = plan_of(Shelf::suite(), &options);
    let report = report_of(&plan, options, None);
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
