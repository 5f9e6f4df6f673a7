//! Two suites in lockstep: every difference that calls within the scope can show, and no other.
#![allow(
    missing_docs,
    clippy::new_without_default,
    reason = "the types stand for those of a library"
)]

use crate::common;

use std::collections::VecDeque;
use std::panic::catch_unwind;
use std::sync::Arc;

use beget::suites::{Suite, to_source};
use beget::{HasSuite, Heap};
use beget_engine::{CopyOptions, Corpus, Run, Settings};
use beget_plan::scope::{Overrides, ScopeFile};
use beget_run::{DiffPlan, InputError};
use common::{CLONES, RECONSTRUCT, REGION, REPLAY, assert_complete, found};

/// A queue in a ring of three, with what is wrong about it.
#[derive(Clone, Debug, Heap)]
pub struct Ring<const WRONG: u8> {
    slots: Vec<u8>,
    first: usize,
    len: usize,
}

const NOTHING: u8 = 0;
/// The third element in a row is taken from the wrong slot.
const WRAPS: u8 = 1;
/// A full ring takes another element and forgets it.
const FORGETS: u8 = 2;
/// An empty ring panics.
const PANICS: u8 = 3;

impl<const WRONG: u8> Ring<WRONG> {
    pub fn new() -> Self {
        Ring { slots: vec![0; 3], first: 0, len: 0 }
    }

    pub fn push(&mut self, value: u8) -> bool {
        if self.len == 3 {
            return WRONG == FORGETS;
        }
        self.slots[(self.first + self.len) % 3] = value;
        self.len += 1;
        true
    }

    pub fn pop(&mut self) -> Option<u8> {
        if self.len == 0 {
            assert!(WRONG != PANICS, "the ring is empty");
            return None;
        }
        let is_wrong = WRONG == WRAPS && self.first == 2;
        let value = self.slots[if is_wrong { 0 } else { self.first }];
        (self.first, self.len) = ((self.first + 1) % 3, self.len - 1);
        Some(value)
    }

    pub fn first(&self) -> Option<&u8> {
        (self.len > 0).then(|| &self.slots[self.first])
    }

    pub fn split(self) -> Result<(Self, Self), String> {
        match self.len {
            0 => Err("nothing to split".to_owned()),
            _ => {
                let mut rest = self.clone();
                let mut one = Self::new();
                one.push(rest.pop().expect("it is not empty"));
                Ok((one, rest))
            }
        }
    }

    pub fn is_like(&self, other: &Self) -> bool {
        let items = |ring: &Self| (0..ring.len).map(|i| ring.slots[(ring.first + i) % 3]).collect();
        let [own, others]: [Vec<u8>; 2] = [items(self), items(other)];
        own == others
    }
}

/// What a ring should be.
#[derive(Clone, Debug)]
pub struct Model(VecDeque<u8>);

impl Model {
    pub fn new() -> Self {
        Model(VecDeque::new())
    }

    pub fn push(&mut self, value: &u8) -> bool {
        if self.0.len() == 3 {
            return false;
        }
        self.0.push_back(*value);
        true
    }

    pub fn pop(&mut self) -> Option<u8> {
        self.0.pop_front()
    }

    pub fn first(&self) -> Option<u8> {
        self.0.front().copied()
    }

    pub fn split(mut self) -> Result<(Self, Self), &'static str> {
        let one = self.0.pop_front().ok_or("empty")?;
        Ok((Model(VecDeque::from([one])), self))
    }

    pub fn is_like(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

macro_rules! rings {
    ($($suite:ident $wrong:ident)+) => {$(
        beget::suite! {
            #[doc = "A ring."]
            #[name = "ring"]
            pub suite $suite for Ring<$wrong> {
                fn new() -> Self;
                fn push(&mut self, value: u8) -> bool;
                fn pop(&mut self) -> Option<u8>;
                fn first(&self) -> Option<&u8>;
                fn split(self) -> Result<(Self, Self), String>;
                fn is_like(&self, other: &Self) -> bool;
            }
        }
    )+};
}

rings! { Right NOTHING Wraps WRAPS Forgets FORGETS Panics PANICS }

beget::suite! {
    /// The model.
    #[name = "model"]
    pub suite Models for Model {
        abstraction |model| -> Vec<u8> { model.0.iter().copied().collect() };
        fn new() -> Self;
        fn push(&mut self, value: &u8) -> bool;
        fn pop(&mut self) -> Option<u8>;
        fn first(&mut self) -> Option<u8>;
        fn split(self) -> Result<(Self, Self), &'static str>;
        fn is_like(&self, other: &Self) -> bool;
        fn clear(&mut self);
    }
}

fn diff_plan(suite: Suite, against: &Suite, fields: &str) -> Result<DiffPlan, InputError> {
    let text = format!("Scope(suite: \"{}\", {fields})", suite.name);
    let file = ScopeFile::parse("test.ron", &text).unwrap_or_else(|wrong| panic!("{wrong}"));
    let no_file = |_: &str| Err("no files".to_owned());
    let plan = file.resolve(&Arc::new(suite), &Overrides::default(), &no_file);
    DiffPlan::new(plan.unwrap_or_else(|wrong| panic!("{wrong}")).plan, against)
}

fn run(suite: Suite, fields: &str, copy_options: CopyOptions, threads: usize) -> Corpus {
    let plan = diff_plan(suite, &Models::suite(), fields).unwrap();
    Run::new(plan.plan().clone()).settings(Settings { threads, copy_options }).go()
}

/// The findings, each with its shortest calls.
fn differences(corpus: &Corpus) -> Vec<String> {
    let shown = corpus.report.findings.iter().map(|finding| {
        let recipe = finding.witness.recipe.as_ref().expect("calls show it");
        let source = to_source(&corpus.plan.suite, recipe).0.replace('\n', " ");
        format!("{} {}: {source}", finding.problem.kind, finding.problem)
    });
    shown.collect()
}

const SCOPE: &str = r#"k: 3, objects: {"*": "k"}, arrays: "k", ints: "0..2", methods: Only(["new", "push", "pop", "first", "split"])"#;

#[test]
fn equal_implementations_differ_nowhere_and_pairs_are_counted() {
    let corpus = run(Right::suite(), SCOPE, RECONSTRUCT, 1);
    // Slots that were left keep what was in them, so a ring is any 3 of 2 values, from any of 3
    // places on, of any length: 8 * 3 * 4. The model follows from it. `split` cannot be told from
    // pushes and pops.
    assert_complete(&corpus, 8 * 3 * 4);
    assert_eq!(differences(&corpus), [""; 0]);
    // An `Err` of both is no difference, though the errors are of two types.
    assert_eq!(corpus.report.ledger.counters.failures, 0);
}

/// A structure beside each, and beside itself.
#[test]
fn methods_on_two_structures_take_two_pairs() {
    let scope = r#"k: 3, objects: {"*": "k"}, arrays: "k", ints: "0..1""#;
    let corpus = run(Right::suite(), scope, REGION, 1);
    assert_complete(&corpus, 3 * 4);
    assert_eq!(differences(&corpus), [""; 0]);
    // On each pair a push, `pop`, `first` and `split`, on each two of them `is_like`.
    assert_eq!(corpus.report.ledger.counters.explored(), 1 + 12 * 4 + 12 * 12);
}

#[test]
fn every_copy_strategy_and_number_of_threads_gives_the_same() {
    let by_reconstruction = run(Wraps::suite(), SCOPE, RECONSTRUCT, 1);
    for copy_options in [REGION, CLONES, RECONSTRUCT, REPLAY] {
        for threads in [1, 2, 4] {
            let corpus = run(Wraps::suite(), SCOPE, copy_options, threads);
            assert_eq!(found(&corpus), found(&by_reconstruction));
            assert_eq!(differences(&corpus), differences(&by_reconstruction));
            assert_eq!(corpus.report.ledger.notes, [""; 0]);
        }
    }
}

#[test]
fn a_difference_has_a_shortest_witness() {
    let corpus = run(Wraps::suite(), SCOPE, REGION, 1);
    // The third of three elements must be another one than the first, which is still in slot 0.
    let third = "let mut ring = Ring::<WRAPS>::new(); let _ = ring.push(0); let _ = ring.push(0); let _ = ring.push(1); \
                 let _ = ring.pop(); let _ = ring.pop();";
    let first = "model `Ring::<WRAPS>::first` gives Some(0), `Model::first` gives Some(1)";
    let pop = "model `Ring::<WRAPS>::pop` gives Some(0), `Model::pop` gives Some(1)";
    let shown = [
        format!("{pop}: {third} let _ = ring.pop();"),
        format!("{first}: {third} let ring_2 = ring.split().unwrap().0; let _ = ring_2.first();"),
    ];
    assert_eq!(differences(&corpus), shown);
    let corpus = run(Forgets::suite(), SCOPE, REGION, 1);
    let shown = differences(&corpus);
    assert_eq!(shown.len(), 1, "{shown:#?}");
    assert!(
        shown[0].starts_with("model `Ring::<FORGETS>::push` gives true, `Model::push` gives false")
    );
    assert_eq!(shown[0].matches("push(0)").count(), 4, "{shown:#?}");
}

#[test]
fn a_panic_of_one_side_is_a_difference_unless_the_scope_expects_it() {
    let corpus = run(Panics::suite(), SCOPE, REGION, 1);
    let message = "model `Ring::<PANICS>::pop` panics: the ring is empty, `Model::pop` gives None";
    let shown = differences(&corpus);
    assert!(shown[0].starts_with(message), "{shown:#?}");
    let expected = format!("{SCOPE}, misuse: (panics: [\"ring is empty\"])");
    let corpus = run(Panics::suite(), &expected, REGION, 1);
    assert_eq!(differences(&corpus), [""; 0]);
    assert!(corpus.report.ledger.counters.misuse > 0);
}

/// Whether a number of steps was even: it forgets the number.
#[derive(Clone, Debug, Heap)]
pub struct Parity {
    is_even: bool,
}

beget::suite! {
    /// Forgets.
    #[name = "ring"]
    pub suite Parities for Parity {
        fn new() -> Self;
        fn push(&mut self, value: u8) -> bool;
        fn first(&self) -> Option<u8>;
    }
}

impl Parity {
    pub fn new() -> Self {
        Parity { is_even: true }
    }

    pub fn push(&mut self, _: u8) -> bool {
        self.is_even = !self.is_even;
        true
    }

    pub fn first(&self) -> Option<u8> {
        (!self.is_even).then_some(0)
    }
}

/// By its own structures alone, the search would end after two of them, and each of these has a
/// history on which the model agrees.
#[test]
fn pairs_are_explored_where_one_side_forgets_what_the_other_knows() {
    let corpus =
        run(Parities::suite(), r#"k: 1, objects: {"*": "k"}, ints: "0..1""#, RECONSTRUCT, 1);
    let shown = differences(&corpus);
    assert_eq!(
        shown,
        [
            "model `Parity::first` gives None, `Model::first` gives Some(0): let mut parity = \
             Parity::new(); let _ = parity.push(0); let _ = parity.push(0); let _ = parity.first();",
            "model `Parity::push` gives true, `Model::push` gives false: let mut parity = Parity::new(); \
             let _ = parity.push(0); let _ = parity.push(0); let _ = parity.push(0); let _ = \
             parity.push(0);",
        ]
    );
}

#[test]
fn what_is_not_compared_is_told() {
    let plan = diff_plan(Parities::suite(), &Models::suite(), "k: 1, ints: \"0..1\"").unwrap();
    let names: Vec<_> = plan.unpaired().iter().map(|one| one.method).collect();
    assert_eq!(names, ["pop", "split", "is_like", "clear"]);
    let message = "`ring` and `other` have no constructor, or no other method, in common";
    for taken in ["new", "push", "first"] {
        let mut other = Suite { name: "other".to_owned(), ..Parities::suite() };
        other.methods.retain(|method| method.name == taken);
        let error = diff_plan(Parities::suite(), &other, "k: 1, ints: \"0..1\"").unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}

mod careful {
    use super::{NOTHING, Ring};

    beget::suite! {
        /// A ring that nobody may overfill.
        #[name = "ring"]
        pub suite Careful for Ring<NOTHING> {
            fn new() -> Self;
            #[requires(self.len < 2)]
            fn push(&mut self, value: u8) -> bool;
            fn pop(&mut self) -> Option<u8>;
        }
    }
}

#[test]
fn what_a_precondition_of_either_side_forbids_is_misuse() {
    let scope = r#"k: 3, objects: {"*": "k"}, arrays: "k", ints: "0..1", methods: Only(["new", "push", "pop"])"#;
    for (suite, against) in [
        (careful::Careful::suite(), Forgets::suite()),
        (Forgets::suite(), careful::Careful::suite()),
    ] {
        let plan = diff_plan(suite, &against, scope).unwrap();
        let corpus = Run::new(plan.plan().clone()).go();
        // From each of 3 places on, none, one or two.
        assert_complete(&corpus, 3 * 3);
        assert_eq!(differences(&corpus), [""; 0]);
        assert_eq!(corpus.report.ledger.counters.misuse, 3);
    }
}

#[test]
fn a_test_fails_with_the_difference() {
    let failed = catch_unwind(|| {
        beget::diff!(Forgets, Models, k = 3, arrays = 3, ints = 0..1);
    });
    let message = failed.unwrap_err();
    let message = message.downcast_ref::<String>().expect("a message");
    assert!(message.contains("`Ring::<FORGETS>::push` gives true"), "{message}");
    beget::diff!(Right, Models, k = 3, arrays = 3, ints = 0..1);
}

/// A sum that is right up to the largest.
#[derive(Clone, Heap)]
pub struct Sum<const LARGEST: u32>(u32);

impl<const LARGEST: u32> Sum<LARGEST> {
    pub fn new() -> Self {
        Sum(0)
    }

    pub fn add(&mut self, value: u32) {
        self.0 += value;
    }

    pub fn is_at_least(&self, value: u32) -> bool {
        self.0.min(LARGEST) >= value
    }
}

macro_rules! sums {
    ($($suite:ident = $largest:literal),+) => {$(
        beget::suite! {
            #[doc = "A sum."]
            #[name = "sum"]
            pub suite $suite for Sum<$largest> {
                fn new() -> Self;
                fn add(&mut self, value: u32);
                fn is_at_least(&self, value: u32) -> bool;
            }
        }
    )+};
}

sums! { UpTo4 = 4, UpTo5 = 5, UpTo99 = 99 }

/// Sums of at most 4 are in scope, and 3 + 2 is just beyond it.
#[test]
fn a_difference_behind_the_range_of_an_integer_is_none_that_is_missed() {
    let scope = r#"k: 3, ints: [2, 3, 5], params: {"add.value": [2, 3]}, fields: {"*": "0..=4"}"#;
    let sums = |suite: Suite, copy_options, threads| {
        let plan = diff_plan(suite, &UpTo99::suite(), scope).unwrap();
        Run::new(plan.plan().clone()).settings(Settings { threads, copy_options }).go()
    };
    let shown = "model `Sum::<4>::is_at_least` gives false, `Sum::<99>::is_at_least` gives true, \
                 where `is_at_least(5)` is called on what the last call leaves, an integer of which \
                 is just out of scope: let mut sum = Sum::<4>::new(); let _ = sum.add(2); let _ = sum.add(3);";
    for copy_options in [REGION, CLONES, RECONSTRUCT, REPLAY] {
        for threads in [1, 2] {
            let corpus = sums(UpTo4::suite(), copy_options, threads);
            assert_eq!(differences(&corpus), [shown]);
            assert_eq!(corpus.report.findings[0].count, 5);
            // 0, 2, 3, 4, and with two calls out of scope from 3 and from 4, one from 2.
            assert_complete(&corpus, 4);
            assert_eq!(corpus.report.ledger.counters.out_of_scope, 5);
            assert_eq!(differences(&sums(UpTo5::suite(), copy_options, threads)), [""; 0]);
        }
    }
}

impl<const LARGEST: u32> Sum<LARGEST> {
    /// Like [`Sum::is_at_least`], but it may change the sum.
    pub fn reaches(&mut self, value: u32) -> bool {
        self.is_at_least(value)
    }
}

macro_rules! sums_that_change {
    ($($suite:ident = $largest:literal),+) => {$(
        beget::suite! {
            #[doc = "A sum."]
            #[name = "sum"]
            pub suite $suite for Sum<$largest> {
                fn new() -> Self;
                fn add(&mut self, value: u32);
                fn reaches(&mut self, value: u32) -> bool;
            }
        }
    )+};
}

sums_that_change! { Reaches4 = 4, Reaches99 = 99 }

/// On what is beyond the scope only methods by `&self` are called: another could leave anything.
#[test]
fn no_method_that_may_change_a_structure_is_called_on_what_is_out_of_scope() {
    let scope = r#"k: 3, ints: [2, 3, 5], params: {"add.value": [2, 3]}, fields: {"*": "0..=4"}"#;
    for copy_options in [REGION, RECONSTRUCT] {
        let plan = diff_plan(Reaches4::suite(), &Reaches99::suite(), scope).unwrap();
        let settings = Settings { threads: 1, copy_options };
        let corpus = Run::new(plan.plan().clone()).settings(settings).go();
        assert_eq!(differences(&corpus), [""; 0]);
        assert_complete(&corpus, 4);
        assert_eq!(corpus.report.ledger.counters.out_of_scope, 5);
    }
}
