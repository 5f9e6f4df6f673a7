//! Calls with what they gave, recorded and compared with another version; and calls that look.
#![allow(missing_docs, reason = "the type stands for one of a library")]

use crate::common;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use beget::{HasSuite as _, Heap};
use beget_plan::finding::StopReason;
use beget_plan::scope::{Overrides, Plan};
use beget_run::random::RandomOptions;
use beget_run::{Catalog, Input, Watch, random};
use beget_search::run::{
    LiveOutcome, TestedSequences, behaviors_of_outcomes, compare_recording, make_calls_on, record,
    replay_all,
};
use beget_suite::{Binding, Operand, Recipe, Sequence, Statement, TypeIdx, Variable};
use common::Scripted;

/// True while the meters are those of the next version.
static IS_NEXT: AtomicBool = AtomicBool::new(false);

/// One version at a time.
fn alone() -> MutexGuard<'static, ()> {
    static VERSION: Mutex<()> = Mutex::new(());
    VERSION.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The sum of what was added.
#[derive(Clone, Debug, Default, Heap)]
pub struct Meter {
    sum: i64,
}

#[beget::api(name = "meter")]
impl Meter {
    pub fn new() -> Self {
        Meter::default()
    }

    /// The next version refuses large numbers.
    pub fn add(&mut self, by: i64) -> i64 {
        assert!(!IS_NEXT.load(Relaxed) || by < 50, "too much");
        self.sum = (self.sum + by).min(200_000);
        self.sum
    }

    /// Looks, whatever its signature says.
    pub fn peek(&mut self) -> i64 {
        self.sum
    }
}

fn input() -> Input<'static> {
    let text = r#"Scope(suite: "meter", k: 1, objects: {"*": "k"}, ints: "0..2")"#;
    Input::of_text("meter.ron", text.to_owned(), Catalog::new(vec![Meter::suite()])).unwrap()
}

fn plan() -> Plan {
    input().resolve(&Overrides::default()).unwrap().plan
}

/// A meter to which these are added, in variable 0.
fn adding(plan: &Plan, numbers: &[&str]) -> Sequence {
    let statement = |name, arguments, bindings| Statement {
        method: plan.suite.find_method(name).expect("a method"),
        arguments,
        bindings,
        ends: Vec::new(),
        panics: false,
    };
    let binding = Binding { output: 0, variable: Variable(0) };
    let mut statements = vec![statement("new", Vec::new(), vec![binding])];
    statements.extend(numbers.iter().map(|number| {
        let by = Operand::Literal((*number).to_owned());
        statement("add", vec![Operand::Variable(Variable(0)), by], Vec::new())
    }));
    Sequence { statements, result: None }
}

#[test]
fn a_call_that_does_something_else_than_recorded_is_a_finding_with_the_fewest_calls() {
    let _alone = alone();
    let plan = plan();
    let recorded = replay_all(&plan, vec![adding(&plan, &["1", "100000", "-70"])]);
    let did: Vec<_> = recorded[0].did.iter().map(Option::as_deref).collect();
    assert_eq!(did, [None, Some("gives 1"), Some("gives 100001"), Some("gives 99931")]);
    let host = Scripted::default();
    let watch = Watch::new(plan.budget, &host);
    let compare = |is_next| {
        let ask = |sequences: &[Sequence]| {
            let now = IS_NEXT.swap(false, Relaxed);
            let recorded = replay_all(&plan, sequences.to_vec());
            IS_NEXT.store(now, Relaxed);
            Some(recorded)
        };
        IS_NEXT.store(is_next, Relaxed);
        let diff = compare_recording(plan.clone(), &recorded, &ask, &watch);
        IS_NEXT.store(false, Relaxed);
        assert_eq!((diff.sequences, diff.longest), (1, 4));
        assert_eq!(diff.stop_reason, StopReason::NothingLeft);
        let calls =
            diff.by_method.iter().map(|method| (method.calls.matched, method.calls.failures));
        (calls.collect::<BTreeSet<_>>(), diff.findings)
    };
    // Of `new`, `add` and `peek`.
    let (calls, findings) = compare(false);
    assert_eq!((calls, findings.len()), ([(1, 0), (3, 0), (0, 0)].into(), 0));
    let (calls, findings) = compare(true);
    assert_eq!(calls, [(1, 0), (1, 1), (0, 0)].into());
    let [refused] = &findings[..] else { panic!("{findings:?}") };
    let message = "`Meter::add` panics: too much; recorded: it gives 100000";
    assert_eq!(refused.problem.message, message);
    let calls = refused.witness.calls(&plan.suite).expect("a sequence");
    assert_eq!(calls.statements, adding(&plan, &["100000"]).statements);
}

#[test]
fn a_random_run_is_recorded_by_its_longest_sequences() {
    let _alone = alone();
    let (input, plan, host) = (input(), plan(), Scripted::default());
    let watch = Watch::new(plan.budget, &host);
    let options = RandomOptions { max_calls: 200, ..RandomOptions::default() };
    let run = random(&input, &[], plan, options, &watch);
    let recording = record(&run, &run.plan, &watch);
    assert_eq!(recording.sequences.len(), run.pool.maximal().len());
    assert!(!recording.sequences.is_empty() && recording.left_out.is_empty());
    let calls = recording.sequences.iter().map(|one| one.calls.clone()).collect();
    assert_eq!(replay_all(&run.plan, calls), recording.sequences);
}

#[test]
fn methods_that_are_said_to_look_are_asked_after_each_outcome() {
    let _alone = alone();
    let (input, plan, host) = (input(), plan(), Scripted::default());
    let watch = Watch::new(plan.budget, &host);
    let options = RandomOptions { max_calls: 200, ..RandomOptions::default() };
    let run = random(&input, &[], plan, options, &watch);
    let looks = |observers: &[&str]| -> BTreeSet<&str> {
        let observers: Vec<String> = observers.iter().map(|name| (*name).to_owned()).collect();
        let tested = TestedSequences { most: 0, observers: &observers };
        let found = behaviors_of_outcomes(&run, &run.plan, tested, &watch);
        assert!(!found.all.is_empty());
        let looks = found.all.iter().flat_map(|one| found.statements(one).skip(one.n_building));
        looks.map(|one| run.plan.suite.method(one.method).name).collect()
    };
    assert_eq!(looks(&[]), [].into());
    assert_eq!(looks(&["peek"]), ["peek"].into());
}

#[test]
fn all_calls_on_a_structure_are_made_if_they_are_few() {
    let _alone = alone();
    let plan = plan();
    let method = plan.suite.find_method("new").expect("a method");
    let recipe = Recipe { method, arguments: Vec::new(), output: 0, panics: false };
    // `add` takes 0 or 1.
    let made = make_calls_on(&plan, &recipe, TypeIdx::new(0));
    assert_eq!((made.calls.len(), made.n_left_out, made.with_others.len()), (3, 0, 0));
}

/// From 1 up, where more is too much.
#[derive(Clone, Debug, Heap)]
pub struct Dial {
    at: u8,
}

impl Dial {
    pub fn first() -> Self {
        Dial { at: 1 }
    }

    pub fn turn(&mut self) {
        self.at += 1;
    }

    pub fn is_low(&self) -> bool {
        self.at < 2
    }
}

beget::suite! {
    #[name = "dial"]
    pub suite Dials for Dial {
        fn first() -> Self;
        fn turn(&mut self);
        #[invariant]
        fn is_low(&self) -> bool;
    }
}

#[test]
fn a_call_that_breaks_an_invariant_has_failed() {
    let text = r#"Scope(suite: "dial", k: 1, objects: {"*": "k"})"#.to_owned();
    let input = Input::of_text("dial.ron", text, Catalog::new(vec![Dials::suite()])).unwrap();
    let plan = input.resolve(&Overrides::default()).unwrap().plan;
    let method = plan.suite.find_method("first").expect("a method");
    let recipe = Recipe { method, arguments: Vec::new(), output: 0, panics: false };
    let made = make_calls_on(&plan, &recipe, TypeIdx::new(0)).calls;
    let turned = made.iter().find(|call| call.method == "turn").expect("it is made");
    let message = "it left a structure that breaks the invariant `is_low`";
    assert_eq!((turned.outcome, turned.message.as_str()), (LiveOutcome::Failed, message));
}
