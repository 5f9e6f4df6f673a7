//! Runs and sequences of made-up types, which other tests of the crate have too.
#![allow(unreachable_pub, missing_docs, reason = "the types stand for those of a library")]

use std::sync::Arc;

use beget::{Domain, HasSuite as _, Heap};
use beget_heap::CanonicalForm;
use beget_plan::finding::USABLE_AFTER_PANIC;
use beget_plan::scope::{Overrides, Plan};
use beget_suite::{Binding, MethodIdx, Operand, Sequence, Statement, Suite, Variable};

use super::*;
use crate::random::inspect::Inspector;
use crate::random::live::Live;
use crate::{Catalog, Input};

#[derive(Clone, Debug, Default, Heap)]
pub struct Pen {
    is_empty: bool,
}

#[beget::api(name = "test::pen")]
impl Pen {
    pub fn new() -> Self {
        Pen::default()
    }

    pub fn write(&mut self) {
        self.is_empty = true;
    }

    pub fn is_like(&self, other: &Self) -> bool {
        self.is_empty == other.is_empty
    }

    pub fn pour(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.is_empty, &mut other.is_empty);
    }

    pub fn bend(&mut self) {
        panic!("it is stiff");
    }
}

/// A number up to 255. The scope has the first three as literals.
#[derive(Clone, Debug, Default, Heap)]
pub struct Knob {
    value: u8,
}

#[beget::api(name = "test::knob")]
impl Knob {
    pub fn new() -> Self {
        Knob::default()
    }

    pub fn set(&mut self, value: u8) {
        self.value = value;
    }

    /// An error, which is misuse, at 0.
    pub fn check(&self, least: u8) -> Result<(), u8> {
        if self.value > least { Ok(()) } else { Err(least) }
    }
}

/// A way with turns to the left and to the right: nearly each call leaves a new one.
#[derive(Clone, Debug, Default, Heap)]
pub struct Track {
    turns: Vec<bool>,
}

#[beget::api(name = "test::track")]
impl Track {
    pub fn new() -> Self {
        Track::default()
    }

    pub fn turn(&mut self, _degrees: u8) {
        self.turns.push(true);
    }

    pub fn turn_back(&mut self) {
        self.turns.push(false);
    }
}

/// Panics when it is dropped, once it is cracked.
#[derive(Debug, Default, Heap)]
pub struct Crockery {
    is_cracked: bool,
}

impl Drop for Crockery {
    fn drop(&mut self) {
        assert!(!self.is_cracked, "it breaks");
    }
}

#[beget::api(name = "test::crockery")]
impl Crockery {
    pub fn new() -> Self {
        Crockery::default()
    }

    pub fn second_hand() -> Self {
        Crockery { is_cracked: true }
    }

    pub fn pair() -> (Self, Self) {
        (Crockery::new(), Crockery::second_hand())
    }
}

/// Literals with an integer that one variant may have and the other cannot.
#[derive(Clone, Debug, Domain)]
pub enum Hue {
    Pale(u8),
    Deep(i64),
}

pub(crate) fn crockery() -> Plan {
    plan_of(Crockery::suite())
}

pub(crate) fn sequence(statements: &[Statement]) -> Sequence {
    Sequence { statements: statements.to_vec(), result: None }
}

/// A scope with the integers 0, 1 and 2.
pub(crate) fn input_of(suite: Suite) -> Input<'static> {
    let fields = r#"k: 1, objects: {"*": "k"}, arrays: "k", ints: "0..3""#;
    let text = format!(r#"Scope(suite: "{}", {fields})"#, suite.name);
    Input::of_text("scope.ron", text, Catalog::new(vec![suite])).unwrap()
}

/// The plan of that scope.
pub(crate) fn plan_of(suite: Suite) -> Plan {
    input_of(suite).resolve(&Overrides::default()).unwrap().plan
}

/// A scope with these fields.
pub(crate) fn pen_input(fields: &str) -> Input<'static> {
    let text = format!(r#"Scope(suite: "test::pen", k: 1, objects: {{"*": "k"}}, {fields})"#);
    Input::of_text("pen.ron", text, Catalog::new(vec![Pen::suite()])).unwrap()
}

/// The plan of a scope with these fields.
pub(crate) fn pens(fields: &str) -> Plan {
    pen_input(fields).resolve(&Overrides::default()).unwrap().plan
}

/// A call of method number `method`, which takes nothing and whose results are dropped.
pub(crate) fn step_of(method: usize) -> CallStep {
    let statement = Statement {
        method: MethodIdx::new(method),
        arguments: Vec::new(),
        bindings: Vec::new(),
        ends: Vec::new(),
        panics: false,
    };
    CallStep { statement, literals: Vec::new() }
}

/// A call on variables, of which the result is bound to one, if there is a number for it.
pub(crate) fn call(
    plan: &Plan,
    name: &str,
    variables: &[usize],
    bound: Option<usize>,
) -> Statement {
    let arguments = variables.iter().map(|&number| Operand::Variable(Variable(number)));
    let binding = |number| Binding { output: 0, variable: Variable(number) };
    Statement {
        method: plan.suite.find_method(name).expect("a method"),
        arguments: arguments.collect(),
        bindings: bound.map(binding).into_iter().collect(),
        ends: Vec::new(),
        panics: false,
    }
}

/// The form of the first variable after some calls without literals.
pub(crate) fn form_after(plan: &Plan, calls: &[Statement]) -> Arc<CanonicalForm> {
    let mut live = Live::new(plan);
    for statement in calls {
        live.make(0, &CallStep { statement: statement.clone(), literals: Vec::new() }, false);
    }
    Inspector::new(plan).form(&live, Variable(0)).expect("it is in scope").form
}

fn names(plan: &Plan, sequence: &Sequence) -> Vec<&'static str> {
    sequence.statements.iter().map(|one| plan.suite.method(one.method).name).collect()
}

#[test]
fn where_one_structure_is_enough_a_finding_has_no_second() {
    let plan = pens("");
    let mut statements = vec![call(&plan, "new", &[], Some(0)), call(&plan, "new", &[], Some(1))];
    statements.extend((0..9).map(|number| call(&plan, "write", &[number % 2], None)));
    statements.push(call(&plan, "is_like", &[0, 1], None));
    let sequence = Sequence { statements, result: None };
    let fewer = minimize_by(&plan, &sequence, &|_| true).unwrap();
    assert_eq!(names(&plan, &fewer), ["new", "is_like"]);
    assert_eq!(fewer.statements[1].arguments, vec![Operand::Variable(Variable(0)); 2]);
}

/// `pour` takes both by `&mut`.
#[test]
fn a_structure_does_not_take_the_place_of_another_that_a_call_changes_too() {
    let plan = pens("");
    let news = [0, 1].map(|number| call(&plan, "new", &[], Some(number)));
    let statements = [&news[..], &[call(&plan, "pour", &[0, 1], None)]].concat();
    let sequence = Sequence { statements, result: None };
    assert_eq!(minimize_by(&plan, &sequence, &|_| true), Some(sequence));
}

/// Each of the pens is needed, but not by the last call.
#[test]
fn up_to_24_structures_take_the_place_of_each_other() {
    let plan = pens("");
    let last = |n: usize| {
        let mut statements: Vec<_> =
            (0..n).map(|number| call(&plan, "new", &[], Some(number))).collect();
        statements.push(call(&plan, "is_like", &[0, n - 1], None));
        let shows = |tried: &Sequence| tried.statements.len() == n + 1;
        let fewer = minimize_by(&plan, &Sequence { statements, result: None }, &shows).unwrap();
        fewer.statements[n].arguments.clone()
    };
    let expected = |other| [0, other].map(|number| Operand::Variable(Variable(number)));
    assert_eq!((last(24), last(25)), (expected(0).to_vec(), expected(24).to_vec()));
}

/// Three of ten calls are needed. Thirteen sequences are asked about.
#[test]
fn what_is_left_out_is_left_out_by_halves_from_the_end_on() {
    let plan = pens("");
    let mut statements = vec![call(&plan, "new", &[], Some(0))];
    statements.extend((0..10).map(|_| call(&plan, "write", &[0], None)));
    statements.push(call(&plan, "is_like", &[0, 0], None));
    let n_asked = std::cell::Cell::new(0);
    let shows = |tried: &Sequence| {
        n_asked.set(n_asked.get() + 1);
        names(&plan, tried).iter().filter(|name| **name == "write").count() >= 3
    };
    let fewer = minimize_by(&plan, &Sequence { statements, result: None }, &shows).unwrap();
    assert_eq!(names(&plan, &fewer), ["new", "write", "write", "write", "is_like"]);
    assert_eq!(n_asked.get(), 13);
}

#[test]
fn a_structure_that_ends_with_a_step_is_dropped() {
    let plan = pens("");
    let step = |statement| CallStep { statement, literals: Vec::new() };
    let mut live = Live::new(&plan);
    live.make(0, &step(call(&plan, "new", &[], Some(0))), false);
    live.make(0, &step(call(&plan, "new", &[], Some(1))), false);
    let ends = vec![Variable(0)];
    live.make(0, &step(Statement { ends, ..call(&plan, "write", &[1], None) }), false);
    assert_eq!([0, 1].map(|number| live.value(Variable(number)).is_some()), [false, true]);
}

/// A run that asks all contracts, and what was known of it shortly before its end.
fn random(plan: &Plan, options: &RandomOptions) -> (RandomOutcome, RandomSoFar) {
    let oracles = RandomOracles {
        asks: &|_| true,
        judge: &mut (),
        coverage: None,
        deaths: &[],
        observer: None,
    };
    let (plan, in_progress) = (plan_for(plan.clone(), options), InProgress::default());
    let outcome = run(&plan, options, oracles, &in_progress, &mut |_| None);
    (outcome, in_progress.so_far())
}

#[test]
fn a_run_that_is_left_has_the_contracts_that_were_asked_so_far() {
    let (outcome, so_far) =
        random(&pens(""), &RandomOptions { max_calls: 500, ..Default::default() });
    let names = |tallies: &[beget_oracle::ContractTally]| -> Vec<&str> {
        tallies.iter().filter(|tally| tally.asked > 0).map(|tally| tally.name).collect()
    };
    assert!(!names(&outcome.contracts).is_empty());
    assert_eq!(names(&so_far.judged.contracts), names(&outcome.contracts));
}

#[test]
fn of_panics_of_a_method_at_one_place_four_are_followed() {
    let plan = pens(r#"misuse: (panics: ["it is stiff"])"#);
    let plan = plan.with(|draft| draft.follows_panics = true);
    let options = RandomOptions { max_calls: 500, ..RandomOptions::default() };
    let (outcome, _) = random(&plan, &options);
    assert!(outcome.report.counters.misuse > 8);
    let followed = outcome.contracts.iter().find(|tally| tally.name == USABLE_AFTER_PANIC);
    assert_eq!(followed.map(|tally| (tally.asked, tally.broken)), Some((4, 0)));
}

/// Full and empty pens are soon found, and no call has integers that could be others.
#[test]
fn a_run_is_saturated_since_the_last_calls_that_left_something_new() {
    let options = RandomOptions { max_calls: 20_000, ..RandomOptions::default() };
    let report = random(&pens(""), &options).0.report;
    assert_eq!(report.distinct.by_type, [2]);
    assert_eq!(report.counters.explored(), 20_000);
    assert!((10_000..20_000).contains(&report.saturated), "{}", report.saturated);
}
