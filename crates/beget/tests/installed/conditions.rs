//! Preconditions and postconditions of methods, as the suite says them.
#![allow(
    missing_docs,
    clippy::new_without_default,
    clippy::len_without_is_empty,
    reason = "the types stand for those of a library"
)]

use crate::common;

use beget::suites::to_source;
use beget::{HasSuite, Heap};
use beget_engine::Corpus;
use common::{CLONES, RECONSTRUCT, REGION, REPLAY, assert_complete, found, run};

/// A list that checks nothing by itself, with what is wrong about it.
#[derive(Clone, Debug, Heap)]
pub struct List<const WRONG: bool> {
    items: Vec<u8>,
}

impl<const WRONG: bool> List<WRONG> {
    pub fn new() -> Self {
        List { items: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn push(&mut self, value: u8) {
        self.items.push(value);
        if WRONG && self.items == [1, 0] {
            self.items.reverse();
        }
    }

    pub fn swap_remove(&mut self, index: usize) -> u8 {
        self.items.swap_remove(index)
    }

    pub fn append(&mut self, other: &Self, call: &str) -> Result<usize, String> {
        if call.is_empty() {
            return Err("no name".to_owned());
        }
        self.items.extend(&other.items);
        Ok(self.len())
    }

    pub fn into_first(mut self) -> Option<Self> {
        self.items.truncate(1);
        (!self.items.is_empty()).then_some(self)
    }
}

macro_rules! lists {
    ($($suite:ident $wrong:literal)+) => {$(
        beget::suite! {
            #[doc = "Lists."]
            #[name = "list"]
            pub suite $suite for List<$wrong> {
                #[ensures(result.len() == 0)]
                fn new() -> Self;
                #[ensures(self.len() == old(self.len()) + 1)]
                #[ensures(self.items.last() == Some(&value))]
                fn push(&mut self, value: u8);
                #[requires(index < self.len())]
                #[ensures(old(self.items.clone()).contains(result), self.len() + 1 == old(self.len()))]
                fn swap_remove(&mut self, index: usize) -> u8;
                #[requires(!other.items.is_empty())]
                #[ensures(call.is_empty() || *result == Ok(old(self.len()) + other.len()))]
                fn append(&mut self, other: &Self, call: &str) -> Result<usize, String>;
                #[requires(self.len() != 2)]
                #[ensures(result.is_some() == old(self.len() > 0))]
                fn into_first(self) -> Option<Self>;
            }
        }
    )+};
}

lists! { Right false Wrong true }

const SCOPE: &str = r#"k: 2, objects: {"*": "k"}, arrays: "k", ints: "0..2", strings: ["", "a"]"#;

fn failures(corpus: &Corpus) -> Vec<String> {
    let shown = corpus.report.findings.iter().map(|finding| {
        let recipe = finding.witness.recipe.as_ref().expect("calls show it");
        let source = to_source(&corpus.plan.suite, recipe).0.replace('\n', " ");
        let (problem, count) = (&finding.problem, finding.count);
        format!(
            "{} {} {problem} ({count}): {source}",
            problem.kind,
            problem.name.as_deref().unwrap()
        )
    });
    shown.collect()
}

#[test]
fn calls_that_break_a_precondition_are_misuse_and_are_not_made() {
    let corpus = run(Right::suite(), SCOPE, RECONSTRUCT, 1);
    assert_complete(&corpus, 1 + 2 + 4);
    assert_eq!(failures(&corpus), [""; 0]);
    let counters = corpus.report.ledger.counters;
    // Out of range: both indices of the empty list, one of each of one element. An empty other
    // list, for both texts. A list of two. And 7 * 6 calls return `Err` without a change.
    assert_eq!(counters.misuse, (2 + 2) + 7 * 2 + 4 + 7 * 6);
    assert_eq!(counters.failures, 0);
}

#[test]
fn a_call_that_breaks_a_postcondition_is_a_failure_with_its_text() {
    let corpus = run(Wrong::suite(), SCOPE, REGION, 1);
    assert_eq!(
        failures(&corpus),
        [
            "contract self.items.last() == Some(&value) `push` does not ensure `self.items.last() == \
             Some(&value)` (1): let mut list = List::<true>::new(); let _ = list.push(1); let _ = list.push(0);"
        ]
    );
    // What it left is no structure, but `append` builds it.
    assert_complete(&corpus, 7);
}

#[test]
fn every_copy_strategy_finds_the_same() {
    let expected = run(Wrong::suite(), SCOPE, RECONSTRUCT, 1);
    for copy_options in [REGION, CLONES, REPLAY] {
        for threads in [1, 2, 4] {
            let corpus = run(Wrong::suite(), SCOPE, copy_options, threads);
            assert_eq!(found(&corpus), found(&expected));
            assert_eq!(failures(&corpus), failures(&expected));
            assert_eq!(corpus.report.ledger.notes, [""; 0]);
        }
    }
}

/// The same on functions of a block.
#[derive(Clone, Debug, Heap)]
pub struct Counter {
    n: u8,
}

#[beget::api]
impl Counter {
    pub fn new() -> Self {
        Counter { n: 0 }
    }

    #[cfg_attr(test, api(requires(self.n < 2), ensures(self.n == old(self.n) + 1)))]
    pub fn up(&mut self) {
        self.n += 1;
    }

    #[api(requires(matches!(self, Counter { n: 1.. })), ensures(*result == self.n))]
    pub fn down(&mut self) -> u8 {
        self.n -= 1;
        self.n
    }
}

#[test]
fn functions_of_a_block_have_conditions_too() {
    let corpus = run(Counter::suite(), "k: 1, ints: \"0..1\"", RECONSTRUCT, 1);
    assert_complete(&corpus, 3);
    let counters = corpus.report.ledger.counters;
    assert_eq!((counters.misuse, counters.failures, counters.kept), (2, 0, 3));
}
