//! How failures are told: one finding for each cause, what matters most first.
#![allow(clippy::new_without_default, reason = "the type stands for one of a library")]

use crate::common;

use beget::{HasSuite, Heap};
use common::{CLONES, RECONSTRUCT, REGION, REPLAY, assert_complete, has_note, run};

/// Numbers on a shelf.
#[derive(Clone, Heap)]
pub struct Shelf {
    numbers: Vec<u8>,
}

/// Up to three numbers.
#[beget::api(name = "shelf")]
impl Shelf {
    /// Empty.
    pub fn new() -> Self {
        Shelf { numbers: Vec::new() }
    }

    /// One more.
    pub fn put(&mut self, number: u8) {
        assert!(self.numbers.len() < 3, "no room for {number} on {:?}", self.numbers);
        self.numbers.push(number);
    }

    /// The last one, but on one shelf of all.
    pub fn last(&self) -> u8 {
        let index = if self.numbers == [2, 1, 2] { 3 } else { self.numbers.len().max(1) - 1 };
        if self.numbers.is_empty() { 0 } else { self.numbers[index] }
    }
}

/// The 27 full shelves have no room for each of 3 numbers, which is said in 81 ways: one finding.
/// It comes after the one index that is out of bounds, though that is met later.
#[test]
fn a_rare_slip_is_told_before_a_check_that_fails_often() {
    for (copies, threads) in [(REGION, 1), (REGION, 2), (REPLAY, 4)] {
        let scope = r#"k: 3, objects: {"*": "k"}, arrays: "k", ints: "0..k""#;
        let corpus = run(Shelf::suite(), scope, copies, threads);
        assert_eq!((corpus.store.len(), corpus.report.ledger.counters.failures), (40, 82));
        let told = |finding: &beget_plan::finding::Finding| {
            let message = finding.problem.message.to_string();
            let said = message.split_once(": ").expect("it has a place").1.to_owned();
            let recipe = finding.witness.recipe.as_ref().expect("calls show it");
            (said, recipe.n_calls(), finding.count)
        };
        let told: Vec<_> = corpus.report.findings.iter().map(told).collect();
        let slip = "index out of bounds: the len is 3 but the index is 3";
        let check = "no room for 0 on [0, 0, 0]";
        assert_eq!(told, [(slip.to_owned(), 5, 1), (check.to_owned(), 5, 81)]);
    }
}

/// A name, kept in an object that no scope below has room for twice.
#[derive(Clone, Heap)]
pub struct Label {
    name: String,
}

/// Labels whose names are longer than bounds that are meant for lists.
#[beget::api(name = "label")]
impl Label {
    /// Without a name.
    pub fn new() -> Self {
        Label { name: String::new() }
    }

    /// Gives it a name.
    pub fn name_it(&mut self) {
        self.name = "countdown".to_owned();
    }
}

#[test]
fn a_run_that_comes_to_nothing_but_what_constructors_leave_says_so() {
    let note =
        "no call but those of constructors left a new structure: the bounds may be too small";
    let short = beget::check!(Label, k = 3, arrays = k);
    assert_eq!((short.generated(), short.corpus().report.ledger.counters.out_of_scope), (1, 1));
    assert!(short.to_string().ends_with(note), "{short}");
    let long = beget::check!(Label, k = 3, arrays = 3 * k);
    assert_eq!((long.generated(), long.corpus().report.ledger.counters.out_of_scope), (2, 0));
    assert!(!long.to_string().contains(note), "{long}");
}

/// Something that refuses numbers, each in words of its own.
#[derive(Clone, Heap)]
pub struct Refusal {
    done: bool,
}

/// A refusal for each number.
#[beget::api(name = "refusal")]
impl Refusal {
    /// Nothing is refused yet.
    pub fn new() -> Self {
        Refusal { done: false }
    }

    /// Refuses a number: no digits, so that no two refusals are of one cause.
    pub fn refuse(&mut self, number: u16) {
        let words: String = number.to_string().bytes().map(|digit| (digit + 49) as char).collect();
        panic!("no {words}");
    }
}

#[test]
fn causes_that_are_not_kept_are_said_to_be_only_counted() {
    let note = "those found later are only counted";
    for threads in [1, 2] {
        for (n, is_noted) in [(1000, false), (1001, true)] {
            let corpus = run(Refusal::suite(), &format!("k: 1, ints: \"0..{n}\""), REGION, threads);
            assert_eq!(
                (corpus.report.ledger.counters.failures, corpus.report.findings.len()),
                (n, 1000)
            );
            assert_eq!(has_note(&corpus, note), is_noted, "{:?}", corpus.report.ledger.notes);
        }
    }
}

/// Rules of use with one message at two places, and another rule.
#[derive(Clone, Debug, Heap)]
pub struct Ruled {
    n: u8,
}

#[beget::api]
impl Ruled {
    /// Nothing.
    pub fn new() -> Self {
        Ruled { n: 0 }
    }

    /// Two numbers are refused.
    pub fn set(&mut self, n: u8) {
        assert!(n != 1, "there is no 1");
        assert!(n != 2, "there is no 2");
        self.n = n;
    }

    /// The number, if there is one.
    pub fn take(&mut self) -> u8 {
        assert!(self.n > 0, "it is empty");
        std::mem::take(&mut self.n)
    }
}

#[test]
fn expected_panics_are_told_by_pattern_method_and_place() {
    let scope = r#"k: 1, ints: "0..4", misuse: (panics: ["there is no", "empty|there"])"#;
    for copy_options in [REGION, CLONES, RECONSTRUCT] {
        for threads in [1, 2] {
            let corpus = run(Ruled::suite(), scope, copy_options, threads);
            assert_complete(&corpus, 2);
            let report = &corpus.report;
            let seen =
                report.ledger.expected.iter().map(|panic| {
                    (panic.pattern, corpus.plan.method_name(panic.method), panic.calls)
                });
            // Each on both structures; the first pattern that fits counts.
            assert_eq!(seen.collect::<Vec<_>>(), [(0, "set", 2), (0, "set", 2), (1, "take", 1)]);
            assert_eq!(report.ledger.counters.misuse, 5);
            let shared = report.shared_patterns();
            let [(0, places)] = &shared[..] else { panic!("{shared:?}") };
            assert_eq!(places.len(), 2, "{places:?}");
            assert!(places[0] < places[1] && places[0].contains("findings.rs:"), "{places:?}");
        }
    }
}
