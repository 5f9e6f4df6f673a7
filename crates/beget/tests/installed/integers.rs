//! Integers in structures have ranges: those that the scope gives to fields, or else those of its
//! literals, wider by what it counts to. A counter in a field makes no scope endless.
#![allow(clippy::new_without_default, reason = "the types stand for those of a library")]

use crate::common;

use std::cell::{Cell, RefCell};
use std::path::PathBuf;

use beget::check::{CheckError, CheckedRun, ScopeSource, try_check};
use beget::{HasSuite, Heap};
use beget_engine::store::{Store, StructureId};
use beget_engine::{CopyOptions, Corpus, Settings};
use beget_plan::scope::BoundName;
use beget_run::{Catalog, Event, Host, Input, StoreKind, Watch};
use common::{CLONES, RECONSTRUCT, REGION, REPLAY, assert_complete, found, run};

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

/// Runs `suite` with the ranges of integers that the scope implies.
fn run_limited(
    suite: beget::suites::Suite,
    fields: &str,
    copy_options: CopyOptions,
    threads: usize,
) -> Corpus {
    struct Idle;
    impl Host for Idle {
        fn seconds(&self) -> f64 {
            0.0
        }
    }
    let text = format!("Scope(suite: \"{}\", {fields})", suite.name);
    let input = Input::of_text("test.ron", text, Catalog::new(vec![suite])).unwrap();
    let plan = input.resolve(&beget_plan::scope::Overrides::default()).unwrap().plan;
    let watch = Watch::new(plan.budget, &Idle);
    beget_run::generate(plan, Settings { threads, copy_options }, StoreKind::Exact, &watch)
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
    let out_of_scope = checked.corpus().report.ledger.counters.out_of_scope;
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
    assert_eq!(with(r#""*": "0..=100 | 1000""#), (202, 1 + 202 * 3, 1));
    assert_eq!(with(r#""*": "0..2", "Conn.window": "any""#), (4, 1 + 4 * 3, 1));
}

/// What a run says that is stopped by a budget.
fn stopped(suite: beget::suites::Suite, fields: &str) -> String {
    let error = checked(suite, fields).unwrap_err();
    assert!(matches!(error, CheckError::Incomplete { .. }), "{error}");
    error.to_string()
}

/// The first level has a closed connection, the second opens it; each further one sends once more
/// from an open one and closes the last: up to level n there are the numbers 0 to n - 2.
#[test]
fn any_integer_is_endless_and_the_run_says_which() {
    let with = |budget| format!(r#"k: 3, fields: {{"Conn.next_seq": "any"}}, budget: ({budget})"#);
    let error = stopped(Conn::suite(), &with("max_levels: Some(50)"));
    let said = "not everything was tried: all sequences of 50 calls or fewer were made; only integers \
        grew: `Conn.next_seq` had 49 values at level 50; give them a range in the scope, \
        `fields: {\"Conn.next_seq\": \"0..k\"}`, or leave it out with `\"skip\"`; if that is enough";
    assert!(error.starts_with(said), "{error}");
}

/// Two numbers.
#[derive(Clone, Debug, Heap)]
pub struct Score {
    away: u16,
    home: i64,
}

#[beget::api(name = "score")]
impl Score {
    /// Nothing to nothing.
    pub fn new() -> Self {
        Score { away: 1_000, home: 0 }
    }

    /// A point for one side.
    pub fn away(&mut self) {
        self.away += 1;
    }

    /// A point from the other side.
    pub fn home(&mut self) {
        self.home -= 1;
    }
}

/// Level n has n scores: 8,515 up to level 130. Of so many only the first and last 512 are looked
/// at.
#[test]
fn of_many_structures_the_first_and_the_last_are_looked_at() {
    let fields = r#"k: 1, fields: {"*": "any"}, budget: (max_levels: Some(130))"#;
    let error = stopped(Score::suite(), fields);
    let said = "only integers grew: `Score.away` had values from 1,000 to 1,129, `Score.home` had values \
        from -129 to 0 at level 130; give them a range in the scope, `fields: {\"Score.away\": \
        \"1000..1000 + k\"}`";
    assert!(error.contains(said), "{error}");
}

/// Where all ranges are small, nothing has to be said, though the run has seen a part only.
#[test]
fn integers_with_small_ranges_do_not_grow() {
    let error = stopped(Score::suite(), "k: 40, budget: (max_levels: Some(30))");
    assert!(!error.contains("grew"), "{error}");
    let wide = r#"k: 40, fields: {"*": "-k..=40*k"}, budget: (max_levels: Some(30))"#;
    assert!(stopped(Score::suite(), wide).contains("grew"));
}

/// Where structures get larger too, integers are not to blame.
#[test]
fn a_run_that_stops_early_does_not_blame_integers_that_grow_with_the_structures() {
    let fields = r#"k: 9, objects: {"*": "k"}, arrays: "k", ints: "0..2", fields: {"*": "any"},
        budget: (max_levels: Some(6))"#;
    let error = stopped(Bag::suite(), fields);
    assert!(!error.contains("grew"), "{error}");
}

#[test]
fn a_run_that_takes_long_says_what_grows() {
    /// A clock that goes on by a second with each look.
    struct Slow(Cell<f64>, RefCell<Vec<String>>);
    impl Host for Slow {
        fn seconds(&self) -> f64 {
            self.0.set(self.0.get() + 1.0);
            self.0.get()
        }
        fn report(&self, event: Event<'_>) {
            if let Event::LongRun { structures, explored, growth, .. } = event {
                self.1.borrow_mut().push(format!("{structures} {explored} {growth}"));
            }
        }
    }
    let text = r#"Scope(suite: "conn", k: 3, fields: {"Conn.next_seq": "any"},
        budget: (max_levels: Some(20)))"#;
    let catalog = Catalog::new(vec![Conn::suite()]);
    let input = Input::of_text("test.ron", text.to_owned(), catalog).unwrap();
    let plan = input.resolve(&beget_plan::scope::Overrides::default()).unwrap().plan;
    let host = Slow(Cell::new(0.0), RefCell::default());
    let watch = Watch::new(plan.budget, &host);
    beget_run::generate(plan, Settings::default(), StoreKind::Exact, &watch);
    let said = host.1.into_inner();
    // Two seconds a level. Up to level 4 there are closed ones with 0 and 1 and open ones with 0, 1
    // and 2, which are too few to tell; each level brings two, and each structure of earlier levels
    // three calls.
    assert_eq!(
        said,
        ["1 1 no integers", "5 10 no integers", "19 52 `Conn.next_seq` had 10 values at level 11",]
    );
}

/// Integers of all kinds of places, each of which one method counts up.
#[derive(Clone, Debug, Heap)]
pub struct Places {
    direct: u8,
    inner: Inner,
    boxed: Option<Box<Inner>>,
    listed: Vec<i16>,
    items: Vec<Inner>,
}

/// A number in a struct of its own.
#[derive(Clone, Debug, Heap)]
pub struct Inner(u32);

#[beget::api(name = "places")]
impl Places {
    /// Zeros.
    pub fn new() -> Self {
        let (boxed, listed, items) = (Some(Box::new(Inner(0))), vec![0], vec![Inner(0)]);
        Places { direct: 0, inner: Inner(0), boxed, listed, items }
    }

    /// Counts in the structure itself.
    pub fn direct(&mut self) {
        self.direct += 1;
    }

    /// Counts in a struct within it.
    pub fn inner(&mut self) {
        self.inner.0 += 1;
    }

    /// Counts behind a pointer.
    pub fn boxed(&mut self) {
        self.boxed.iter_mut().for_each(|inner| inner.0 += 1);
    }

    /// Counts down in a list.
    pub fn listed(&mut self) {
        self.listed.iter_mut().for_each(|value| *value -= 1);
    }

    /// Two structures, of which the second may leave the scope.
    pub fn twice(&self) -> Self {
        let mut twice = self.clone();
        twice.items.iter_mut().for_each(|item| item.0 += 1);
        twice
    }
}

/// At k = 1 each of the five integers has two values in range: 32 structures, and for each of five
/// methods one call in two leaves the scope.
#[test]
fn a_run_names_the_fields_whose_integers_left_their_ranges() {
    let fields = r#"k: 1, objects: {"*": "k"}, arrays: "k""#;
    let places = [("Inner.0", 48), ("Places.direct", 16), ("Places.listed", 16)];
    let rule = r#", fields: {"Places.direct": "0..=1"}"#;
    for (fields, copies) in [REGION, CLONES, RECONSTRUCT, REPLAY]
        .into_iter()
        .flat_map(|copies| [(fields.to_owned(), copies), (format!("{fields}{rule}"), copies)])
    {
        for threads in [1, 3] {
            let corpus = run_limited(Places::suite(), &fields, copies, threads);
            assert_complete(&corpus, 32);
            let named = corpus.report.ledger.passed.iter().map(|passed| {
                let name = BoundName::new(passed.bound, corpus.plan.schema()).name;
                (name.expect("a field"), passed.calls)
            });
            let mut named: Vec<_> = named.collect();
            named.sort();
            let expected: Vec<_> = places.map(|(name, calls)| (name.to_owned(), calls)).into();
            assert_eq!(named, expected, "{copies:?}");
            assert_eq!(corpus.report.ledger.counters.out_of_scope, 48 + 16 + 16);
        }
    }
}

#[test]
fn a_test_that_passes_says_which_integers_were_cut() {
    let checked = checked(Conn::suite(), "k: 3").unwrap();
    assert_eq!(
        checked.to_string(),
        "conn: 8 structures by 25 calls at k = 3, 1 of them out of scope (1 beyond the range of \
         `Conn.next_seq`); complete: the space is exhausted"
    );
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

/// Integers of 128 bits, each replaced by the next literal.
#[derive(Clone, Debug, Heap)]
pub struct Widest {
    unsigned: u128,
    signed: i128,
}

#[beget::api(name = "widest")]
impl Widest {
    /// Both zero.
    pub fn new() -> Self {
        Widest { unsigned: 0, signed: 0 }
    }

    /// Replaces the one.
    pub fn set_unsigned(&mut self, value: u128) {
        self.unsigned = value;
    }

    /// Replaces the other.
    pub fn set_signed(&mut self, value: i128) {
        self.signed = value;
    }
}

/// The ends of both types as numbers, as expressions and as the ends of ranges: with zero, four
/// unsigned values and four signed ones.
#[test]
fn every_integer_of_128_bits_can_be_a_literal() {
    let (max, min) = (u128::MAX, i128::MIN);
    let signed_max = i128::MAX;
    for (unsigned, signed) in [
        (
            format!("[{max}, {}, {}]", max - 1, max - 2),
            format!("[{min}, {}, {signed_max}]", min + 1),
        ),
        (
            format!("[\"{max}\", \"{max} - k\", 0x{:x}]", max - 2),
            format!("[\"{min}\", \"{min} + k\", {signed_max}]"),
        ),
        (format!("\"{max} - 2*k..={max}\""), format!("\"{min}..={min} + 2\"")),
    ] {
        let fields = format!(
            r#"k: 1, params: {{"set_unsigned.value": {unsigned}, "set_signed.value": {signed}}}"#
        );
        let corpus = run(Widest::suite(), &fields, RECONSTRUCT, 1);
        assert_complete(&corpus, 4 * 4);
        let recipe = corpus.recipe(StructureId::new(1)).unwrap();
        let source = beget::suites::to_source(&corpus.plan.suite, &recipe).0;
        let first = source.contains(&max.to_string()) || source.contains(&(max - 2).to_string());
        assert!(first, "{source}");
    }
}
