//! Pairs, observers, seeds, field extensions.
#![allow(
    unreachable_pub,
    dead_code,
    missing_docs,
    clippy::new_without_default,
    reason = "suites want public methods"
)]

use crate::common;

use beget::{HasSuite, Heap};
use beget_engine::{Explorer, Observer};
use beget_plan::finding::{Progress, StopReason};
use beget_search::builders::{
    BuilderSearch, BuilderSettings, Evolution, Exact, Genetic, Goal, MethodSet, SearchOutcome,
    Space, confirm, extensions_of, find, identify,
};
use beget_search::extensions::{Extension, Source, Target};
use common::{ToyMethod, drawn, plan, toys};

/// A tally that only grows with the help of a stick.
#[derive(Clone, Debug, Heap)]
pub struct Tally {
    notches: u8,
}

/// What notches are cut with.
#[derive(Clone, Debug, Heap)]
pub struct Knife {
    is_sharp: bool,
}

impl Tally {
    pub fn new() -> Self {
        Tally { notches: 0 }
    }

    pub fn cut(&mut self, knife: &Knife) {
        if knife.is_sharp && self.notches < 3 {
            self.notches += 1;
        }
    }

    pub fn is_even(&self) -> bool {
        self.notches.is_multiple_of(2)
    }

    /// Takes the receiver by exclusive reference and returns something, and yet leaves everything
    /// as it was.
    pub fn rehang(&mut self, by: u8) -> u8 {
        self.notches += by;
        self.notches -= by;
        by
    }

    /// Changes nothing unless there is something to burn.
    pub fn burn(self) {}

    pub fn mark(&mut self, ore: &Ore) {
        if ore.stage == 1 {
            self.notches = 1;
        }
    }

    pub fn refuse(&mut self) -> u8 {
        self.notches += 1;
        panic!("never")
    }
}

/// What only counts once it is smelted.
#[derive(Clone, Debug, Heap)]
pub struct Ore {
    stage: u8,
}

impl Ore {
    pub fn dig() -> Self {
        Ore { stage: 0 }
    }

    pub fn smelt(&mut self) {
        self.stage = 1;
    }
}

impl Knife {
    pub fn sharp() -> Self {
        Knife { is_sharp: true }
    }

    pub fn blunt() -> Self {
        Knife { is_sharp: false }
    }

    pub fn look(&mut self) -> bool {
        self.is_sharp
    }
}

beget::suite! {
    pub suite Cutting {
        for Tally {
            fn new() -> Self;
            fn cut(&mut self, knife: &Knife);
            fn is_even(&self) -> bool;
            fn rehang(&mut self, by: u8) -> u8;
            fn burn(self);
            fn refuse(&mut self) -> u8;
        }
        for Knife {
            fn sharp() -> Self;
            fn blunt() -> Self;
            fn look(&mut self) -> bool;
        }
    }
}

fn of_main_type() -> BuilderSettings {
    BuilderSettings { goal: Goal::MainType, ..BuilderSettings::default() }
}

#[test]
fn where_only_a_pair_helps_hill_climbing_finds_the_pair() {
    let plan = plan(Cutting::suite(), 3);
    let found =
        identify(&plan, BuilderSearch::HillClimbing, of_main_type(), &mut |_| None).unwrap();
    assert_eq!(found.names, ["new", "cut", "sharp"]);
    let SearchOutcome::Climb(climb) = &found.found else { panic!("a climb") };
    let added: Vec<_> =
        climb.steps.iter().map(|step| (step.added.len(), step.structures)).collect();
    assert_eq!(added, [(1, 1), (2, 4)], "first the constructor, then both at once");
    assert!(!climb.is_stuck);
    assert!(found.certificate.is_sufficient() && found.certificate.is_minimal());
    assert_eq!(found.certificate.full.structures, 4);
    // The exact search agrees.
    let exact =
        identify(&plan, BuilderSearch::Exact(Exact::default()), of_main_type(), &mut |_| None);
    assert_eq!(exact.unwrap().names, found.names);
}

#[test]
fn with_everything_to_build_the_helpers_count_too() {
    let plan = plan(Cutting::suite(), 3);
    let found =
        identify(&plan, BuilderSearch::HillClimbing, BuilderSettings::default(), &mut |_| None)
            .unwrap();
    assert_eq!(found.names, ["new", "cut", "sharp", "blunt"]);
    assert_eq!((found.full_generated, found.certificate.full.structures), (4, 6));
}

#[test]
fn where_it_takes_three_hill_climbing_says_that_it_is_stuck() {
    // The main type grows only by way of two helpers.
    beget::suite! {
        pub suite Mining {
            for Tally {
                fn new() -> Self;
                fn mark(&mut self, ore: &Ore);
            }
            for Ore {
                fn dig() -> Self;
                fn smelt(&mut self);
            }
        }
    }
    let plan = plan(Mining::suite(), 3);
    let found =
        identify(&plan, BuilderSearch::HillClimbing, of_main_type(), &mut |_| None).unwrap();
    let SearchOutcome::Climb(climb) = &found.found else { panic!("a climb") };
    assert!(climb.is_stuck);
    assert_eq!(found.names, ["new"]);
    assert!(!found.certificate.is_sufficient());
    let missing = found.certificate.missing.as_ref().expect("what the set does not build");
    assert_eq!(missing.recipe.as_ref().unwrap().n_calls(), 4);
    assert_eq!(
        found.certificate.why_sufficient(),
        "generated at k = 3: the full API gives 2 structures, the set only 1"
    );
    let exact =
        identify(&plan, BuilderSearch::Exact(Exact::default()), of_main_type(), &mut |_| None);
    assert_eq!(exact.unwrap().names, ["new", "mark", "dig", "smelt"]);
}

#[test]
fn observers_that_look_like_mutators_are_seen_through() {
    let plan = plan(Cutting::suite(), 3);
    let found =
        identify(&plan, BuilderSearch::HillClimbing, BuilderSettings::default(), &mut |_| None)
            .unwrap();
    let name = |method| plan.method(method).name;
    let observers: Vec<_> = found
        .observers
        .iter()
        .map(|observer| (name(observer.method), observer.calls, observer.returned))
        .collect();
    // Four tallies and two knives; three literals for `by`. `refuse` never returned: nothing is
    // known of it.
    let expected =
        [("is_even", 4, 4), ("rehang", 12, 12), ("burn", 4, 4), ("refuse", 4, 0), ("look", 2, 2)];
    assert_eq!(observers, expected);
}

#[test]
fn mutators_that_look_like_observers_are_found_out() {
    /// `&self`, and changes all the same.
    #[derive(Clone, Debug, Heap)]
    pub struct Sly {
        cell: std::cell::Cell<bool>,
        fresh: bool,
    }
    impl Sly {
        pub fn new() -> Self {
            Sly { cell: false.into(), fresh: true }
        }
        pub fn look(&self) -> bool {
            self.cell.replace(true)
        }
        pub fn copy(&self) -> Self {
            Sly { fresh: false, ..self.clone() }
        }
    }
    beget::suite! {
        pub suite Slyness for Sly {
            fn new() -> Self;
            fn look(&self) -> bool;
            fn copy(&self) -> Self;
        }
    }
    let plan = plan(Slyness::suite(), 2);
    let found =
        identify(&plan, BuilderSearch::HillClimbing, BuilderSettings::default(), &mut |_| None)
            .unwrap();
    assert!(found.observers.is_empty());
    assert_eq!(found.names, ["new", "look", "copy"]);
}

#[test]
fn a_seed_gives_the_same_evolution_for_any_number_of_threads() {
    let plan = toys(&drawn(7, 12));
    let run = |threads: usize, seed: u64| -> (MethodSet, Evolution) {
        let engine = beget_engine::Settings { threads, ..Default::default() };
        let genetic = Genetic { seed, evolutions: 6, population: 8, ..Genetic::default() };
        let explorer = Explorer::new(&plan, engine);
        let space = Space::explore(&explorer, Goal::Everything, &mut |_| None).unwrap();
        let (set, found) =
            find(&space, BuilderSearch::Genetic(genetic), 2.0, &mut |_| None).unwrap();
        let SearchOutcome::Evolution(evolution) = found else { panic!("an evolution") };
        (set, evolution)
    };
    let mut different = std::collections::BTreeSet::new();
    for seed in 0..4 {
        let first = run(1, seed);
        assert_eq!(run(1, seed), first);
        assert_eq!(run(2, seed), first);
        assert_eq!(run(5, seed), first);
        different.insert(first.1.evaluated);
    }
    assert!(different.len() > 1, "the seed makes a difference");
}

#[test]
fn the_genetic_search_finds_the_cheapest_set_of_small_suites() {
    let mut n_same = 0;
    for seed in 1..60 {
        let methods = drawn(seed, 8);
        let explorer_plan = toys(&methods);
        let explorer = Explorer::new(&explorer_plan, Default::default());
        let space = Space::explore(&explorer, Goal::Everything, &mut |_| None).unwrap();
        let how = BuilderSearch::Genetic(Genetic::default());
        let (set, found) = find(&space, how, 2.0, &mut |_| None).unwrap();
        // A toy has one field, so its extensions are as many as its numbers, and the search is told
        // all.
        assert!(space.is_everything(&space.reach(&set)), "seed {seed}");
        let SearchOutcome::Evolution(evolution) = found else { panic!("an evolution") };
        assert!(evolution.fitness.is_sorted(), "the best is never lost");
        n_same +=
            u32::from(set.iter().collect::<Vec<_>>().len() == common::cheapest(&methods).len());
    }
    assert_eq!(n_same, 59);
}

#[test]
fn fitness_is_the_number_of_extensions_and_a_share_for_simplicity() {
    let methods = [
        ToyMethod::make(&[0]),
        ToyMethod::change(&[(0, 1)]).with(1, 0),
        ToyMethod::change(&[(0, 1)]).with(0, 1),
    ];
    let plan = toys(&methods);
    let explorer = Explorer::new(&plan, Default::default());
    let space = Space::explore(&explorer, Goal::Everything, &mut |_| None).unwrap();
    let how = BuilderSearch::Genetic(Genetic::default());
    let (_, found) = find(&space, how, 2.0, &mut |_| None).unwrap();
    let SearchOutcome::Evolution(evolution) = found else { panic!("an evolution") };
    // The table is a parameter too: 1, 2 and 3 weighted parameters of 6. The start is the
    // constructor alone: one extension, then (2 * (1 - 1/3) + (1 - 1/6)) / 3; the best are the
    // first two methods: two extensions, then (2 * (1 - 2/3) + (1 - 3/6)) / 3.
    let expected = [1.0 + (4.0 / 3.0 + 5.0 / 6.0) / 3.0, 2.0 + (2.0 / 3.0 + 0.5) / 3.0];
    let (first, last) = (evolution.fitness[0], *evolution.fitness.last().unwrap());
    assert!((first - expected[0]).abs() < 1e-12 && (last - expected[1]).abs() < 1e-12);
}

#[test]
fn field_extensions_are_also_available_on_their_own() {
    let plan = toys(&[ToyMethod::make(&[0, 2]), ToyMethod::change(&[(2, 5)])]);
    let corpus = beget_engine::Run::new(plan).go();
    let extension = |number: u8| Extension {
        field: "number".to_owned(),
        source: Source { class: "Toy", number: 0 },
        target: Target::Value(number.to_string()),
    };
    let expected = [extension(0), extension(2), extension(5)];
    assert_eq!(extensions_of(&corpus).unwrap().into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn a_confirmation_finds_what_a_larger_scope_needs() {
    /// A counter that only a jump brings past 3.
    #[derive(Clone, Debug, Heap)]
    pub struct Steps {
        all: Vec<u8>,
    }
    impl Steps {
        pub fn new() -> Self {
            Steps { all: vec![] }
        }
        pub fn step(&mut self) {
            if self.all.len() < 3 {
                self.all.push(0);
            }
        }
        pub fn jump(&mut self) {
            self.all.push(0);
        }
    }
    beget::suite! {
        pub suite Stepping for Steps {
            fn new() -> Self;
            fn step(&mut self);
            fn jump(&mut self);
        }
    }
    let at = |k: u32| plan(Stepping::suite(), k).with(|draft| draft.bounds.arrays = k);
    let small = at(2);
    let found =
        identify(&small, BuilderSearch::HillClimbing, BuilderSettings::default(), &mut |_| None)
            .unwrap();
    assert_eq!(found.names, ["new", "step"]);
    let confirm_at = |k: u32| {
        confirm(&at(k), &found.methods, Goal::Everything, Default::default(), &mut |_| None)
            .unwrap()
    };
    let holds = confirm_at(3);
    assert!(holds.missing.is_none() && holds.superfluous.is_empty());
    assert_eq!(holds.builders.structures, 4);
    let fails = confirm_at(4);
    let missing = fails.missing.expect("four steps");
    assert_eq!(missing.recipe.as_ref().unwrap().n_calls(), 5);
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    Exploring,
    Searching,
    Certifying,
}

/// Stops an identification at one of its stages.
struct Stopper {
    meant: Stage,
    /// The stage of the last report.
    stage: Stage,
}

impl Observer for Stopper {
    fn check(&mut self, _: Progress) -> Option<StopReason> {
        if self.stage == Stage::Searching {
            self.stage = Stage::Certifying;
        }
        (self.stage == self.meant).then_some(StopReason::Interrupted)
    }

    fn step(&mut self, _: u32, _: f64) -> Option<StopReason> {
        self.stage = Stage::Searching;
        (self.stage == self.meant).then_some(StopReason::Interrupted)
    }
}

#[test]
fn every_stage_can_be_stopped() {
    let plan = toys(&drawn(3, 6));
    for meant in [Stage::Exploring, Stage::Searching, Stage::Certifying] {
        let mut stopper = Stopper { meant, stage: Stage::Exploring };
        let stopped =
            identify(&plan, BuilderSearch::HillClimbing, BuilderSettings::default(), &mut stopper);
        assert_eq!(stopped.err(), Some(StopReason::Interrupted));
        assert_eq!(stopper.stage, meant);
    }
}
