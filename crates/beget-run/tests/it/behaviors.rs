//! What calls return, told by making them again: what is not the same every time is left out.
#![allow(missing_docs, reason = "the types stand for those of a library")]

use crate::common;

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

use beget::{HasSuite, Heap};
use beget_engine::Corpus;
use beget_engine::store::StructureId;
use beget_plan::finding::StopReason;
use beget_plan::scope::{MethodsOverride, Overrides, Plan};
use beget_run::{
    Catalog, Input, NoFailure, RepOkSource, StoreKind, Watch, failure_tests, generate,
};
use beget_search::run::{Behavior, Behaviors, behaviors};
use beget_suite::Sequence;
use common::{Scripted, settings};

static TICKS: AtomicU32 = AtomicU32::new(0);

/// A number up to 2, and how often it was touched.
#[derive(Debug, Default, Heap)]
pub struct Counter {
    value: u8,
    touched: Cell<u8>,
}

#[beget::api(name = "counter")]
impl Counter {
    pub fn new() -> Self {
        Counter::default()
    }

    pub fn grow(&mut self) -> Option<u8> {
        self.value = (self.value + 1).min(2);
        (self.value == 2).then_some(self.value)
    }

    /// Grows too, and returns something else each time.
    pub fn roll(&mut self) -> u32 {
        self.grow();
        TICKS.fetch_add(1, Ordering::Relaxed)
    }

    pub fn value(&self) -> u8 {
        self.value
    }

    pub fn is(&self, value: u8) -> bool {
        self.value == value
    }

    /// Changes it.
    pub fn touch(&self) -> u8 {
        self.touched.set((self.touched.get() + 1) % 3);
        self.touched.get()
    }

    /// Something else each time, once it is 1.
    pub fn tick(&self) -> u32 {
        if self.value == 0 { 0 } else { TICKS.fetch_add(1, Ordering::Relaxed) }
    }

    /// An address.
    pub fn place(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    pub fn half(&self) -> u8 {
        assert!(self.value != 1, "it is odd");
        self.value / 2
    }

    /// Too many calls.
    pub fn sum(&self, a: u8, b: u8, c: u8) -> u8 {
        a + b + c
    }

    pub fn is_like(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

fn input(methods: &str) -> Input<'static> {
    let text =
        format!(r#"Scope(suite: "counter", k: 2, ints: "0..=k", methods: Only([{methods}]))"#);
    Input::of_text("counter.ron", text, Catalog::new(vec![Counter::suite()])).unwrap()
}

fn plan(input: &Input<'_>, methods: Option<MethodsOverride>) -> Plan {
    input.resolve(&Overrides { methods, ..Overrides::default() }).unwrap().plan
}

fn run(methods: &str, observers: Option<MethodsOverride>) -> (Corpus, Behaviors) {
    let (input, host) = (input(methods), Scripted::default());
    let own = plan(&input, None);
    let watch = Watch::new(own.budget, &host);
    let corpus = generate(own, settings(), StoreKind::Exact, &watch);
    let all: Vec<_> = (0..corpus.store.len()).map(StructureId::new).collect();
    let found = behaviors(&corpus, &plan(&input, observers), &all, &watch).unwrap();
    (corpus, found)
}

/// Each call of a behavior by its method, with what it returned.
fn calls(corpus: &Corpus, found: &Behaviors, behavior: &Behavior) -> Vec<String> {
    let statements = found.statements(behavior).zip(found.results(behavior));
    let shown = statements.map(|(statement, returned)| {
        let name = corpus.plan.suite.method(statement.method).name;
        let literals: String = statement.literals().map(|literal| format!(" {literal}")).collect();
        let returned = returned.map(|value| format!(" = {value}")).unwrap_or_default();
        format!("{name}{literals}{returned}")
    });
    shown.collect()
}

#[test]
fn observers_that_take_no_part_are_asked_and_unreliable_ones_are_not() {
    let (corpus, found) = run(r#""new", "grow""#, Some(MethodsOverride::All));
    let all: Vec<_> = found.all.iter().map(|behavior| calls(&corpus, &found, behavior)).collect();
    let of_one = ["new", "grow = None", "value = 1", "is 0 = false", "is 1 = true", "is 2 = false"];
    assert_eq!(
        all,
        [
            &["new", "value = 0", "is 0 = true", "is 1 = false", "is 2 = false", "half = 0"][..],
            // Half of it panics.
            &of_one,
            &[
                "new",
                "grow = None",
                "grow = Some(2)",
                "value = 2",
                "is 0 = false",
                "is 1 = false",
                "is 2 = true",
                "half = 1",
            ],
        ]
    );
    assert_eq!(found.all.iter().map(|one| one.n_building).collect::<Vec<_>>(), [1, 2, 3]);
    let told = [
        "what `tick` returns: it is not the same every time",
        "what `place` returns: it is not the same every time",
        "`touch` on structures that are built: it changes them",
    ];
    assert_eq!((&found.left_out[..], found.stopped), (&told.map(str::to_owned)[..], None));
}

#[test]
fn a_call_that_builds_is_kept_though_its_result_is_not() {
    let (corpus, found) = run(r#""new", "roll", "value""#, None);
    let last = found.all.last().unwrap();
    assert_eq!(calls(&corpus, &found, last), ["new", "roll", "roll", "value = 2"]);
    assert_eq!(found.left_out, ["what `roll` returns: it is not the same every time"]);
}

/// A bag that gives its contents, and takes those of another one. It has room for more once it is
/// lined, which moves it into another variable.
#[derive(Clone, Debug, Default, Heap)]
pub struct Bag {
    items: Vec<u8>,
    is_lined: bool,
}

#[beget::api(name = "satchel")]
impl Bag {
    pub fn new() -> Self {
        Bag::default()
    }

    pub fn of(item: u8) -> Self {
        Bag { items: vec![item], is_lined: false }
    }

    pub fn put(&mut self, item: u8) -> bool {
        let has_room = self.items.len() < self.room();
        self.items.extend(has_room.then_some(item));
        has_room
    }

    pub fn line(self) -> Self {
        Bag { is_lined: true, ..self }
    }

    pub fn split(&mut self) -> (Self, Option<Self>) {
        let half = Bag { items: self.items.split_off(self.items.len() / 2), is_lined: false };
        (half, self.items.pop().map(Bag::of))
    }

    pub fn pour(&mut self, other: &mut Bag) {
        self.items.append(&mut other.items);
        self.items.truncate(self.room());
    }

    pub fn items(&self) -> &[u8] {
        &self.items
    }
}

impl Bag {
    fn room(&self) -> usize {
        if self.is_lined { 3 } else { 2 }
    }
}

/// Calls of recipes are shared among structures. The twin looks each recipe up by itself.
#[test]
fn structures_are_built_by_their_recipes() {
    let text = r#"Scope(suite: "satchel", k: 3, arrays: "k", ints: "0..2", objects: {"*": "k"})"#;
    let input =
        Input::of_text("satchel.ron", text.to_owned(), Catalog::new(vec![Bag::suite()])).unwrap();
    let (own, host) = (plan(&input, None), Scripted::default());
    let watch = Watch::new(own.budget, &host);
    let corpus = generate(own, settings(), StoreKind::Exact, &watch);
    let all: Vec<_> = (0..corpus.store.len()).map(StructureId::new).collect();
    assert_eq!(all.len(), 7 + 15, "bags of up to two of two items, and lined ones of up to three");
    // Some are extended that have no test, and some before they have one.
    let some: Vec<_> = all.iter().copied().step_by(2).collect();
    let reversed: Vec<_> = all.iter().copied().rev().collect();
    for chosen in [all, some, reversed] {
        let found = behaviors(&corpus, &corpus.plan, &chosen, &watch).unwrap();
        assert_eq!(found.all.iter().map(|one| one.id).collect::<Vec<_>>(), chosen);
        for behavior in &found.all {
            let suite = &corpus.plan.suite;
            let recipe = Sequence::of_recipe(suite, &corpus.recipe(behavior.id).unwrap());
            let calls = found.statements(behavior).take(behavior.n_building);
            assert_eq!(calls.cloned().collect::<Vec<_>>(), recipe.statements);
            assert_eq!(Some(behavior.variable), recipe.result);
        }
    }
}

#[test]
fn an_interrupt_ends_the_looking_with_what_there_is() {
    let (input, host) = (input(r#""new", "grow""#), Scripted::default());
    let watch = Watch::new(plan(&input, None).budget, &host);
    let corpus = generate(plan(&input, None), settings(), StoreKind::Exact, &watch);
    host.is_interrupted.set(true);
    let all = [StructureId::new(0), StructureId::new(1)];
    let found = behaviors(&corpus, &corpus.plan, &all, &watch).unwrap();
    assert_eq!((found.all.len(), found.stopped), (0, Some(StopReason::Interrupted)));
    // A run that was stopped itself is written all the same.
    let stopped = generate(plan(&input, None), settings(), StoreKind::Exact, &watch);
    assert_eq!(stopped.report.stop_reason, StopReason::Interrupted);
    let all: Vec<_> = (0..stopped.store.len()).map(StructureId::new).collect();
    let found = behaviors(&stopped, &stopped.plan, &all, &watch).unwrap();
    assert_eq!((found.all.len(), found.stopped), (all.len(), None));
}

#[test]
fn a_failure_that_is_shown_again_has_a_test_that_fails() {
    let (input, host) = (input(r#""new", "grow", "half""#), Scripted::default());
    let own = plan(&input, None);
    let watch = Watch::new(own.budget, &host);
    let run = beget_run::check(&input, &[], own, settings(), StoreKind::Exact, &watch).unwrap();
    let tests: Vec<_> = failure_tests(&run, RepOkSource::Elsewhere).collect();
    let [test] = &tests[..] else { panic!("{tests:?}") };
    assert_eq!(test.verdict, Ok(()));
    assert_eq!(test.function.name, "panic_1_new_grow_half");
    let body =
        ["let mut counter = Counter::new();", "let _ = counter.grow();", "let _ = counter.half();"];
    assert_eq!(test.function.body, body);
    assert!(test.function.doc.ends_with(": it is odd"), "{test:?}");
}

#[test]
fn a_repok_that_the_type_does_not_name_is_not_asked_in_a_test() {
    let input = common::input("k: 1, methods: Only([\"new\", \"sneak\"])");
    let own = input.resolve(&Overrides::default()).unwrap().plan;
    let (host, rep_oks) = (Scripted::default(), input.rep_oks(Some("corrected")).unwrap());
    let watch = Watch::new(own.budget, &host);
    let run =
        beget_run::check(&input, &rep_oks, own, settings(), StoreKind::Exact, &watch).unwrap();
    let verdict = |source| failure_tests(&run, source).last().unwrap().verdict;
    assert_eq!(verdict(RepOkSource::Elsewhere), Err(NoFailure::RepOk));
    assert_eq!(verdict(RepOkSource::Type), Ok(()));
    let last = failure_tests(&run, RepOkSource::Type).last().unwrap().function.body.pop();
    assert_eq!(last.as_deref(), Some("beget::assert_rep_ok(\"corrected\", &chain);"));
}

/// Looks that do not come back from some depth on.
#[derive(Debug, Default, Heap)]
pub struct Pit {
    depth: u8,
}

#[beget::api(name = "pit")]
impl Pit {
    pub fn new() -> Self {
        Pit::default()
    }

    pub fn dig(&mut self) {
        self.depth = (self.depth + 1).min(2);
    }

    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// Overflows the stack at the bottom.
    pub fn fall(&self) -> u64 {
        if self.depth == 2 { fall_from(0) } else { 0 }
    }

    /// Waits for ever one step below the ground.
    pub fn wait(&self) -> u8 {
        if self.depth == 1 {
            loop {
                std::thread::park();
            }
        }
        self.depth
    }
}

fn fall_from(depth: u64) -> u64 {
    match std::hint::black_box(depth) {
        u64::MAX => 0,
        depth => std::hint::black_box(fall_from(depth + 1)) + 1,
    }
}

#[cfg(target_os = "linux")]
#[test]
fn observers_that_do_not_come_back_are_asked_nothing_more() {
    let text = r#"Scope(suite: "pit", k: 2, ints: "0..=k", methods: Only(["new", "dig"]))"#;
    let catalog = Catalog::new(vec![Pit::suite()]);
    let input = Input::of_text("pit.ron", text.to_owned(), catalog).unwrap();
    let host = Scripted::default();
    let own = plan(&input, None);
    let watch = Watch::new(own.budget, &host);
    let corpus = generate(own, settings(), StoreKind::Exact, &watch);
    let all: Vec<_> = (0..corpus.store.len()).map(StructureId::new).collect();
    let found =
        behaviors(&corpus, &plan(&input, Some(MethodsOverride::All)), &all, &watch).unwrap();
    // All depths, each with the one look that always returns.
    assert_eq!(found.all.len(), 3);
    for (behavior, depth) in found.all.iter().zip(0..) {
        assert_eq!(behavior.calls.len(), behavior.n_building + 1, "{depth}");
        let returned = found.results(behavior).last().unwrap().unwrap();
        assert_eq!(returned.to_string(), format!("{depth}"));
    }
    let left_out = [
        "what `fall` returns: it ends the process or does not return",
        "what `wait` returns: it ends the process or does not return",
    ];
    assert_eq!(found.left_out, left_out);
}

static N_BURNT: AtomicU32 = AtomicU32::new(0);

/// Looks once.
#[derive(Debug, Default, Heap)]
pub struct Fuse {
    length: u8,
}

#[beget::api(name = "fuse")]
impl Fuse {
    pub fn new() -> Self {
        Fuse::default()
    }

    /// Overflows the stack the second time.
    pub fn burn(&self) -> u64 {
        if N_BURNT.fetch_add(1, Ordering::Relaxed) == 1 { fall_from(0) } else { 0 }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_observer_that_does_not_come_back_when_it_is_asked_again_is_to_blame() {
    let text = r#"Scope(suite: "fuse", k: 1, methods: Only(["new"]))"#;
    let catalog = Catalog::new(vec![Fuse::suite()]);
    let input = Input::of_text("fuse.ron", text.to_owned(), catalog).unwrap();
    let (own, host) = (plan(&input, None), Scripted::default());
    let watch = Watch::new(own.budget, &host);
    let corpus = generate(own, settings(), StoreKind::Exact, &watch);
    let all = plan(&input, Some(MethodsOverride::All));
    let found = behaviors(&corpus, &all, &[StructureId::new(0)], &watch).unwrap();
    assert_eq!((found.all.len(), found.all[0].n_building), (1, 1));
    let left_out = "what `burn` returns: it ends the process or does not return";
    assert_eq!(found.left_out, [left_out]);
}

/// Counts the tokens that it has given.
#[derive(Clone, Debug, Default, Heap)]
pub struct Cloakroom {
    n_given: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Heap)]
pub struct Peg {
    number: u8,
}

impl Cloakroom {
    pub fn new() -> Self {
        Cloakroom::default()
    }

    pub fn give(&mut self) -> Peg {
        self.n_given += 1;
        Peg { number: self.n_given }
    }

    pub fn lose(&mut self, _: Peg) {}

    pub fn swap(&mut self, _: &Peg) {}
}

beget::suite! {
    #[name = "cloakroom"]
    pub suite Cloakrooms {
        for Cloakroom {
            fn new() -> Self;
            fn give(&mut self) -> Peg;
            #[ensures(self.n_given == 9)]
            fn lose(&mut self, peg: Peg);
            #[ensures(peg.number == 9)]
            fn swap(&mut self, peg: &Peg);
        }
        for Peg {
            keys(own);
        }
    }
}

/// Only the call shows which variable of a test a key is.
#[test]
fn a_condition_that_names_a_key_has_no_test() {
    let fields = r#"k: 1, objects: {"*": "k"}, arrays: "k", fields: {"*": "0..2"}"#;
    let text = format!(r#"Scope(suite: "cloakroom", {fields})"#);
    let catalog = Catalog::new(vec![Cloakrooms::suite()]);
    let input = Input::of_text("cloakroom.ron", text, catalog).unwrap();
    let (own, host) = (plan(&input, None), Scripted::default());
    let watch = Watch::new(own.budget, &host);
    let run = beget_run::check(&input, &[], own, settings(), StoreKind::Exact, &watch).unwrap();
    let tests = failure_tests(&run, RepOkSource::Elsewhere);
    let verdicts = tests.map(|test| {
        let last = test.finding.witness.recipe.as_ref().unwrap().method;
        (run.corpus.plan.suite.method(last).name, test.verdict)
    });
    let verdicts: std::collections::BTreeMap<_, _> = verdicts.collect();
    assert_eq!(verdicts, [("lose", Ok(())), ("swap", Err(NoFailure::Kind))].into());
}
