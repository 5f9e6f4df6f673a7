//! Invariants: asked of every structure that a call leaves, before it is walked, however it is
//! copied.
#![allow(unsafe_code, reason = "an allocator is installed")]
#![allow(
    missing_docs,
    clippy::new_without_default,
    reason = "the types stand for those of a library"
)]

use crate::common;

use beget::heap::{Field, Schema, Walker};
use beget::suites::to_source;
use beget::{HasSuite, Heap};
use beget_engine::Corpus;
use common::{CLONES, RECONSTRUCT, REGION, REPLAY, assert_complete, found, run};

const FIELDS: &str = r#"k: 3, objects: {"*": "k"}, arrays: "k", ints: "0..6""#;

/// Runs a suite by all ways of copying; all tell the same.
#[track_caller]
fn check(suite: fn() -> beget::suites::Suite, n: u64, failures: u64) -> Corpus {
    let corpus = run(suite(), FIELDS, REGION, 1);
    assert_complete(&corpus, n);
    assert_eq!(corpus.report.ledger.counters.failures, failures);
    for copy_options in [CLONES, RECONSTRUCT, REPLAY] {
        let other = run(suite(), FIELDS, copy_options, 2);
        assert_eq!(found(&corpus), found(&other));
        assert_eq!(corpus.report.findings, other.report.findings);
    }
    corpus
}

/// The only finding: its kind, name and message, and its witness as source.
#[track_caller]
fn finding(corpus: &Corpus) -> (String, String, String) {
    let [finding] = &corpus.report.findings[..] else { panic!("{:?}", corpus.report.findings) };
    let recipe = finding.witness.recipe.as_ref().expect("a recipe");
    let problem = &finding.problem;
    let kind = format!("{} {}", problem.kind, problem.name.as_deref().unwrap_or_default());
    (kind, problem.message.to_string(), to_source(&corpus.plan.suite, recipe).0)
}

/// A list that counts its items, wrongly after a certain call.
#[derive(Clone, Debug, Heap)]
pub struct Counted {
    items: Vec<()>,
    len: usize,
}

#[beget::api]
impl Counted {
    pub fn new() -> Self {
        Counted { items: Vec::new(), len: 0 }
    }

    pub fn push(&mut self) {
        self.items.push(());
        self.len += 1;
    }

    pub fn pop(&mut self) {
        if self.items.pop().is_some() && self.len != 2 {
            self.len -= 1;
        }
    }

    #[beget::invariant]
    fn is_counted(&self) -> Result<(), String> {
        match self.items.len() == self.len {
            true => Ok(()),
            false => Err(format!("{} of {}", self.len, self.items.len())),
        }
    }
}

#[test]
fn a_structure_that_does_not_pass_is_a_failure_and_not_extended() {
    // 0 to 3 items; only `pop` on two of them goes wrong.
    let corpus = check(Counted::suite, 4, 1);
    // `new`, and two calls on each of the four: the fourth item is out of scope.
    let counters = corpus.report.ledger.counters;
    assert_eq!((counters.explored(), counters.kept, counters.matched), (9, 4, 3));
    let (kind, message, source) = finding(&corpus);
    assert_eq!(kind, "invariant is_counted");
    assert_eq!(message, r#"the invariant `is_counted` does not hold: "2 of 1""#);
    assert_eq!(source.lines().count(), 4, "{source}");
    // The list that `pop` was called on; what it left is not walked.
    let before = corpus.report.findings[0].witness.text_before();
    assert_eq!(before.lines().next(), Some("Counted#0 { items: #1, len: 2 }"), "{before}");
}

/// A number that must not be 3: its form is told without a walk, by exchanging the integer.
#[derive(Clone, Debug, Heap)]
pub struct Gauge {
    value: u8,
}

#[beget::api]
impl Gauge {
    pub fn new() -> Self {
        Gauge { value: 0 }
    }

    pub fn set(&mut self, value: u8) {
        self.value = value;
    }

    #[beget::invariant]
    fn is_no_three(&self) {
        assert_ne!(self.value, 3, "three");
    }
}

#[test]
fn forms_that_need_no_walk_are_checked_too() {
    // 0 to 5 without 3, and one call on each of these that leads there.
    let corpus = check(Gauge::suite, 5, 5);
    let (kind, message, source) = finding(&corpus);
    assert_eq!(kind, "invariant is_no_three");
    assert!(message.contains("it panicked at") && message.contains("three"), "{message}");
    assert_eq!(source, "let mut gauge = Gauge::new();\nlet _ = gauge.set(3);");
}

/// Its walk panics where its invariant does not hold, as one that follows a pointer that leads
/// nowhere might do worse.
#[derive(Clone, Debug)]
pub struct Dangling {
    is_live: bool,
}

impl Heap for Dangling {
    fn describe(schema: &mut Schema) {
        let field = Field { name: "is_live", ty: "bool", skipped: false };
        schema.class(Self::class(), &[field]);
        schema.not_decodable("it has no decoder");
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        assert!(self.is_live, "walked");
        walker.begin_record(Self::class());
        if walker.field(Self::class(), 0) {
            self.is_live.walk(walker);
        }
        walker.end_record();
    }
}

#[beget::api]
impl Dangling {
    pub fn new() -> Self {
        Dangling { is_live: true }
    }

    pub fn free(&mut self) {
        self.is_live = false;
    }

    #[beget::invariant]
    fn is_live(&self) -> bool {
        self.is_live
    }
}

#[test]
fn invariants_are_asked_before_the_walk() {
    let corpus = check(Dangling::suite, 1, 1);
    let (kind, message, _) = finding(&corpus);
    assert_eq!((&*kind, &*message), ("invariant is_live", "the invariant `is_live` does not hold"));
}
