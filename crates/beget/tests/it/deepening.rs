//! `check!` without a given k: one after the other, as far as the budget goes.
#![allow(missing_docs, clippy::new_without_default, reason = "the types are those of a user")]

use beget::Heap;
use beget::check::{CheckError, CheckedRun};
use beget_run::DepthEnd;

/// The last three versions of a text, of which the fourth moves all but `current`.
#[derive(Clone, Debug, Heap)]
pub struct History {
    versions: Vec<u8>,
    current: usize,
}

#[beget::api]
impl History {
    pub fn new() -> Self {
        History { versions: vec![0], current: 0 }
    }

    pub fn edit(&mut self, version: u8) {
        self.versions.truncate(self.current + 1);
        self.versions.push(version);
        self.current += 1;
        if self.versions.len() > 3 {
            self.versions.remove(0);
        }
    }

    pub fn current(&self) -> u8 {
        self.versions[self.current]
    }
}

/// A lamp with a dimmer.
#[derive(Clone, Debug, Heap)]
pub struct Lamp {
    level: u8,
}

#[beget::api]
impl Lamp {
    pub fn new() -> Self {
        Lamp { level: 0 }
    }

    pub fn dim(&mut self) {
        self.level = (self.level + 3) % 12;
    }
}

/// Numbers in a row.
#[derive(Clone, Debug, Heap)]
pub struct Row {
    numbers: Vec<u8>,
}

#[beget::api]
impl Row {
    pub fn new() -> Self {
        Row { numbers: Vec::new() }
    }

    pub fn push(&mut self, number: u8) {
        self.numbers.push(number);
    }
}

/// A door that opens.
#[derive(Clone, Debug, Heap)]
pub struct Door {
    is_open: bool,
}

#[beget::api]
impl Door {
    pub fn new() -> Self {
        Door { is_open: false }
    }

    pub fn push(&mut self) {
        self.is_open = !self.is_open;
    }
}

/// Counts without end.
#[derive(Clone, Debug, Heap)]
pub struct Count {
    value: u64,
}

#[beget::api]
impl Count {
    pub fn new() -> Self {
        Count { value: 0 }
    }

    pub fn more(&mut self) {
        self.value += 1;
    }
}

fn message(checked: Result<CheckedRun, CheckError>) -> String {
    checked.map_or_else(|error| error.to_string(), |checked| panic!("it passes: {checked}"))
}

#[test]
fn the_first_k_that_fails_ends_the_check_and_is_named() {
    let found = message(beget::try_check!(History, seconds = 1000));
    let alone = message(beget::try_check!(History, k = 3));
    let place = "\nThis is k = 3, after every value up to k = 2: `k = 3` in `check!` makes this run alone\n";
    assert_eq!(found.strip_suffix(place), Some(alone.as_str()), "{found}");
    let (first, rest) = alone.split_once("\n\n").unwrap();
    assert!(first.starts_with("panicked at crates/beget/tests/it/deepening.rs:"), "{alone}");
    assert!(rest.starts_with("27 of 161 calls failed.\n"), "{alone}");
    assert_eq!(beget::check!(History, k = 2).generated(), 1 + 2);
}

#[test]
fn a_check_ends_where_a_larger_k_changes_nothing() {
    let of_door = beget::check!(Door, seconds = 1000, at_least = 9);
    assert_eq!(
        of_door.to_string(),
        "Door: 2 structures by 3 calls at k = 1, 0 of them out of scope; complete: the space is exhausted; \
         every value up to k = 1; any larger k is the same: no bound was met, and no literal depends on k"
    );
    // Levels 0, 3, 6 and 9: k is what an integer may be.
    let of_lamp = beget::check!(Lamp, seconds = 1000);
    assert_eq!(of_lamp.generated(), 4);
    assert_eq!(of_lamp.depth().map(|depth| &depth.end), Some(&DepthEnd::Finite));
}

#[test]
fn the_last_k_that_was_exhausted_is_the_result() {
    let deep = beget::check!(Row, budget = (max_calls: 50, max_seconds: 1000));
    let alone = beget::check!(Row, k = 2, budget = (max_calls: 50, max_seconds: 1000));
    assert!(alone.depth().is_none());
    assert_eq!(
        deep.to_string(),
        format!(
            "{alone}; every value up to k = 2; k = 3 needs more: the budget of 50 calls is spent"
        )
    );
    let totals = |run: &CheckedRun| run.corpus().totals().unwrap();
    assert_eq!(totals(&deep), totals(&alone));
}

#[test]
fn a_least_k_is_demanded() {
    let at_two = beget::check!(Row, at_least = 2, budget = (max_calls: 50, max_seconds: 1000));
    assert_eq!(at_two.depth().and_then(|depth| depth.reached), Some(2));
    let shallow = message(beget::try_check!(
        Row,
        at_least = 3,
        budget = (max_calls: 50, max_seconds: 1000)
    ));
    assert_eq!(
        shallow,
        "not everything up to k = 3 was tried: every value up to k = 2; k = 3 needs more: the budget of 50 calls \
         is spent"
    );
    // What would not end at any k says what grows.
    let endless = message(beget::try_check!(
        Count,
        fields = {"*": "any"},
        budget = (max_levels: 100, max_seconds: 1000)
    ));
    assert_eq!(
        endless,
        "not everything up to k = 1 was tried: no k is exhausted; k = 1 needs more: all sequences of 100 calls or \
         fewer were made; only integers grew: `Count.value` had 100 values at level 100; give them a range in the \
         scope, `fields: {\"Count.value\": \"0..k\"}`, or leave it out with `\"skip\"`"
    );
    let without_time = message(beget::try_check!(Row, seconds = 0));
    assert!(
        without_time.starts_with(
            "not everything up to k = 1 was tried: no k is exhausted; k = 1 needs more"
        ) && without_time.ends_with(
            "; it had 0 s: `seconds = 5` in `check!` gives it more, as does BEGET_SECONDS=5"
        ),
        "{without_time}"
    );
}

#[test]
fn what_goes_with_a_given_k_and_without_one_is_not_mixed() {
    let both = message(beget::try_check!(Row, k = 2, at_least = 2));
    assert!(
        both.contains("`at_least` goes with `k: Auto`: at `k: 2` all of the scope is tried"),
        "{both}"
    );
    let twice = message(beget::try_check!(Row, seconds = 2, budget = (max_calls: 5)));
    assert!(twice.contains("unknown field `seconds`"), "{twice}");
    // What compares two types, or asks a property, has one k.
    let pairs = beget::diff!(Door, Door);
    assert_eq!((pairs.corpus().plan.k, pairs.depth()), (3, None));
    let doors = beget::for_all!(Door, |_| true);
    assert_eq!((doors.corpus().plan.k, doors.depth()), (3, None));
}
