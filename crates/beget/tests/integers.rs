//! Integers in structures have ranges: those that the scope gives to fields, or else those of its
//! literals, wider by what it counts to. A counter in a field makes no scope endless.
#![allow(clippy::new_without_default, reason = "the types stand for those of a library")]

mod common;

use std::path::PathBuf;

use beget::check::{CheckError, CheckedRun, ScopeSource, try_check};
use beget::{HasSuite, Heap};
use beget_engine::store::Store;
use beget_run::Catalog;
use common::{CLONES, RECONSTRUCT, REGION, REPLAY, assert_complete, found, run};

beget::install_allocator!(unsafe);

/// A connection that numbers what it sends, as its author would write it.
#[derive(Clone, Debug, Heap)]
pub struct Conn {
    is_open: bool,
    next_seq: u32,
    /// A constant far from all literals.
    window: u64,
    /// No peer.
    peer: u32,
}

#[beget::api(name = "conn")]
impl Conn {
    /// Closed.
    pub fn new() -> Self {
        Conn { is_open: false, next_seq: 0, window: 1000, peer: u32::MAX }
    }

    /// Opens it.
    pub fn open(&mut self) {
        self.is_open = true;
    }

    /// Closes it; numbers go on.
    pub fn close(&mut self) {
        self.is_open = false;
    }

    /// Sends something.
    pub fn send(&mut self) {
        self.next_seq += u32::from(self.is_open);
    }
}

/// Numbers with their sum.
#[derive(Clone, Debug, Heap)]
pub struct Bag {
    items: Vec<u8>,
    total: i32,
}

#[beget::api(name = "bag")]
impl Bag {
    /// Empty.
    pub fn new() -> Self {
        Bag { items: Vec::new(), total: 0 }
    }

    /// Puts a number in.
    pub fn push(&mut self, item: u8) {
        self.items.push(item);
        self.total -= i32::from(item);
    }
}

fn checked(suite: beget::suites::Suite, fields: &str) -> Result<CheckedRun, CheckError> {
    static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = dir.join(format!("integers-{}-{number}.ron", std::process::id()));
    std::fs::write(&path, format!("Scope(suite: \"{}\", {fields})", suite.name)).unwrap();
    try_check(Catalog::new(vec![suite]), ScopeSource::File(path), &mut |warning| {
        panic!("{warning}")
    })
}

/// Structures, calls, and how many of these left the scope.
fn counts(suite: beget::suites::Suite, fields: &str) -> (u64, u64, u64) {
    let checked = checked(suite, fields).unwrap_or_else(|error| panic!("{error}"));
    let out_of_scope = checked.corpus().report.counters.out_of_scope;
    (checked.generated(), checked.explored(), out_of_scope)
}

/// No literals and k = 3: integers from -3 to 3, and 997 to 1003 about the constant. So four
/// numbers, open or not; from (open, 3) one call leaves the scope.
#[test]
fn a_counter_is_bounded_without_a_word_of_the_scope() {
    assert_eq!(counts(Conn::suite(), "k: 3"), (8, 1 + 8 * 3, 1));
}

#[test]
fn a_rule_of_the_scope_wins() {
    let with = |rule: &str| counts(Conn::suite(), &format!("k: 3, fields: {{{rule}}}"));
    assert_eq!(with(r#""Conn.next_seq": "0..2""#), (4, 1 + 4 * 3, 1));
    assert_eq!(with(r#""Conn.next_seq": "0 | 1 | 5..9""#), (4, 1 + 4 * 3, 1));
    assert_eq!(with(r#""Conn.next_seq": [0, 1, "k + 2"]"#), (4, 1 + 4 * 3, 1));
    assert_eq!(with(r#""Conn.next_seq": "skip""#), (2, 1 + 2 * 3, 0));
    // The rule for all wins over the literals, the constant included.
    assert_eq!(with(r#""*": "0..=1000""#), (2002, 1 + 2002 * 3, 1));
    assert_eq!(with(r#""*": "0..2", "Conn.window": "any""#), (4, 1 + 4 * 3, 1));
}

#[test]
fn any_integer_is_endless() {
    let fields = r#"k: 3, fields: {"Conn.next_seq": "any"}, budget: (max_calls: Some(1000))"#;
    let error = checked(Conn::suite(), fields).unwrap_err();
    assert!(matches!(error, CheckError::Incomplete(_)), "{error}");
}

/// Two numbers of at most 1 each: 1 + 2 + 4 bags. All sums are within -2 to 0.
#[test]
fn a_rule_holds_for_the_integers_of_a_collection_in_the_field() {
    let scope = r#"k: 2, objects: {"*": "k"}, arrays: "k", ints: "0..k", "#;
    let with = |rule: &str| counts(Bag::suite(), &format!("{scope} fields: {{{rule}}}")).0;
    assert_eq!(with(""), 7);
    // Only zeros.
    assert_eq!(with(r#""Bag.items": [0]"#), 3);
    // At most one number is 1: 1 + 2 + 3.
    assert_eq!(with(r#""Bag.total": "-1..=0""#), 6);
}

/// Incremental re-encoding may not carry an integer past its range.
#[test]
fn rules_hold_for_every_copy_strategy() {
    for rule in [r#""Bag.items": [0, 2]"#, r#""*": "-2..3""#, r#""Bag.total": "-3 | -1 | 0""#] {
        let fields = format!(
            r#"k: 3, objects: {{"*": "k"}}, arrays: "k", ints: "0..=k", fields: {{{rule}}}"#
        );
        let expected = run(Bag::suite(), &fields, RECONSTRUCT, 1);
        assert_complete(&expected, expected.store.len());
        for copies in [REGION, CLONES, REPLAY] {
            assert_eq!(found(&run(Bag::suite(), &fields, copies, 2)), found(&expected), "{rule}");
        }
    }
}
