//! Subjects that keep memory outside their values: the region gives what rebuilt structures give,
//! or the run is not complete.
//!
//! A binary of its own: a process may lose so many regions, and these tests lose them.
#![allow(
    clippy::new_without_default,
    clippy::vec_box,
    reason = "the types stand for those of a library"
)]

mod common;

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use beget::{HasSuite, Heap};
use beget_engine::store::{Store as _, UnmatchedStore};
use beget_engine::{Corpus, ProbeTally, Run, Settings};
use beget_heap::{ClassKey, Decoder, Field, Schema, Undecodable, Walker};
use beget_suite::{Invariant, InvariantFn, TypeIdx};
use common::{CLONES, RECONSTRUCT, REGION, assert_complete, found, has_note, plan, problems, run};

// The subjects here break the promise in ways that must be noticed.
beget::install_allocator!(unsafe);

fn lock<T>(table: &Mutex<T>) -> MutexGuard<'_, T> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

type Memo = Vec<(Vec<u8>, Vec<u8>)>;

fn reserved() -> Mutex<Memo> {
    Mutex::new(Vec::with_capacity(1 << 14))
}

/// The word backwards, out of the memo if it is there.
fn turned(memo: &Mutex<Memo>, word: &[u8]) -> Vec<u8> {
    let mut memo = lock(memo);
    if let Some((_, turned)) = memo.iter().find(|(known, _)| known == word) {
        return turned.clone();
    }
    let turned: Vec<u8> = word.iter().rev().copied().collect();
    memo.push((word.to_vec(), turned.clone()));
    turned
}

/// The table is reserved by the constructor, that is, before the region is first used.
static LATE: LazyLock<Mutex<Memo>> = LazyLock::new(reserved);

/// A word over three letters.
#[derive(Clone, Heap)]
pub struct Word {
    letters: Vec<u8>,
}

/// Words; long ones are turned by way of the memo.
#[beget::api(name = "word")]
impl Word {
    /// Empty.
    pub fn new() -> Self {
        LazyLock::force(&LATE);
        Word { letters: Vec::new() }
    }

    /// One more letter.
    pub fn push(&mut self, letter: u8) {
        self.letters.push(letter);
    }

    /// Backwards.
    pub fn turn(&mut self) {
        if self.letters.len() > 4 {
            self.letters = turned(&LATE, &self.letters);
        } else {
            self.letters.reverse();
        }
    }
}

/// What follows depends on which thread was first: one sees an entry in its region, another that a
/// call outside of it left memory.
const GIVEN_UP: &str = "the region is given up: ";

const WORDS: &str = r#"k: 6, objects: {"*": "k"}, arrays: "k", ints: "0..3""#;
/// 3^0 + .. + 3^6.
const N_WORDS: u64 = 1093;

#[test]
fn a_table_reserved_early_and_filled_late_is_noticed() {
    let rebuilt = run(Word::suite(), WORDS, RECONSTRUCT, 1);
    assert_complete(&rebuilt, N_WORDS);
    for threads in [1, 2, 4, 1, 2, 4] {
        // Entries of the run before may lie in a region that was given up.
        lock(&LATE).clear();
        let corpus = run(Word::suite(), WORDS, REGION, threads);
        assert_complete(&corpus, N_WORDS);
        assert_eq!(found(&corpus), found(&rebuilt), "{threads} threads");
        assert!(has_note(&corpus, GIVEN_UP), "{:?}", corpus.report.ledger.notes);
    }
}

/// Reserved by the test before the run: no scan looks there.
static HIDDEN: LazyLock<Mutex<Memo>> = LazyLock::new(reserved);

/// A word over three letters.
#[derive(Clone, Heap)]
pub struct Riddle {
    letters: Vec<u8>,
}

/// Words; long ones are turned by way of the memo.
#[beget::api(name = "riddle")]
impl Riddle {
    /// Empty.
    pub fn new() -> Self {
        Riddle { letters: Vec::new() }
    }

    /// One more letter.
    pub fn push(&mut self, letter: u8) {
        self.letters.push(letter);
    }

    /// Backwards.
    pub fn turn(&mut self) {
        if self.letters.len() > 5 {
            self.letters = turned(&HIDDEN, &self.letters);
        } else {
            self.letters.reverse();
        }
    }
}

#[test]
fn a_table_that_no_scan_sees_makes_the_run_begin_again_when_it_is_filled() {
    LazyLock::force(&HIDDEN);
    let scope = r#"k: 7, objects: {"*": "k"}, arrays: "k", ints: "0..3""#;
    for threads in [1, 2, 4] {
        lock(&HIDDEN).clear();
        let corpus = run(Riddle::suite(), scope, REGION, threads);
        // The words of up to 7 letters.
        assert_complete(&corpus, 3 * N_WORDS + 1);
        assert_eq!(problems(&corpus), ["region_differs"]);
        assert!(has_note(&corpus, "started again with structures that are replayed"));
        lock(&HIDDEN).clear();
        assert_eq!(found(&corpus), found(&run(Riddle::suite(), scope, RECONSTRUCT, threads)));
    }
}

/// Reserved by the test, and used by every call.
static EARLY: LazyLock<Mutex<Memo>> = LazyLock::new(reserved);

/// A word over three letters.
#[derive(Clone, Heap)]
pub struct Echo {
    letters: Vec<u8>,
}

/// Words; all are turned by way of the memo.
#[beget::api(name = "echo")]
impl Echo {
    /// Empty.
    pub fn new() -> Self {
        Echo { letters: Vec::new() }
    }

    /// One more letter.
    pub fn push(&mut self, letter: u8) {
        self.letters.push(letter);
    }

    /// Backwards.
    pub fn turn(&mut self) {
        self.turn_beside(9);
    }

    /// Backwards, by way of another entry.
    pub fn turn_anew(&mut self) {
        self.turn_beside(8);
    }

    fn turn_beside(&mut self, mark: u8) {
        self.letters.push(mark);
        self.letters = turned(&EARLY, &self.letters).split_off(1);
    }
}

#[test]
fn what_outlives_the_first_calls_keeps_the_region_from_being_used() {
    LazyLock::force(&EARLY);
    for threads in [1, 2, 4] {
        lock(&EARLY).clear();
        let corpus = run(Echo::suite(), WORDS, REGION, threads);
        assert_complete(&corpus, N_WORDS);
        assert_is_given_up_once(&corpus, "of `turn` outlive the call");
    }
}

/// The first call that is noticed is the only one.
#[track_caller]
fn assert_is_given_up_once(corpus: &Corpus, part: &str) {
    let notes = corpus.report.ledger.notes.iter().filter(|note| note.starts_with(GIVEN_UP));
    let notes: Vec<_> = notes.collect();
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].contains(part), "{notes:?}");
}

/// The last letter of all, in a box that the next call frees.
static LAST: Mutex<Option<Box<u8>>> = Mutex::new(None);

/// A letter.
#[derive(Clone, Heap)]
pub struct Letter {
    letter: u8,
}

/// Letters that are kept.
#[beget::api(name = "letter")]
impl Letter {
    /// The first.
    pub fn new() -> Self {
        Letter { letter: 0 }
    }

    /// Another one, of three.
    pub fn next(&mut self) {
        self.letter = (self.letter + 1) % 3;
        *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(self.letter));
    }
}

/// What a call outside the region leaves is not freed by one inside.
#[test]
fn no_call_is_made_in_the_region_when_one_beside_it_was_noticed() {
    for threads in [1, 2, 4] {
        let corpus = run(Letter::suite(), r#"k: 1, objects: {"*": "k"}"#, REGION, threads);
        assert_complete(&corpus, 3);
        assert_is_given_up_once(&corpus, "1 bytes of `next` outlive the call");
    }
}

/// Nodes that are not in use; a static without memory of its own.
static POOL: Mutex<Vec<Box<Node>>> = Mutex::new(Vec::new());

/// A number in a box.
#[derive(Clone, Debug, Heap)]
pub struct Node {
    value: u16,
}

/// One or two nodes. Those with some late values go back to a pool.
#[derive(Clone, Heap)]
pub struct Pooled {
    first: Box<Node>,
    second: Option<Box<Node>>,
}

impl Pooled {
    fn is_pooled(&self) -> bool {
        (300..310).contains(&self.first.value)
    }
}

/// Pairs of nodes.
#[beget::api(name = "pooled")]
impl Pooled {
    /// One node.
    pub fn new(value: u16) -> Self {
        Pooled { first: Box::new(Node { value }), second: None }
    }

    /// The same value in a new node.
    pub fn refresh(&mut self) {
        if self.is_pooled() {
            let value = self.first.value;
            let old = std::mem::replace(&mut self.first, Box::new(Node { value }));
            lock(&POOL).push(old);
        }
    }

    /// A second node, out of the pool if there is one.
    pub fn attach(&mut self) {
        if self.is_pooled() {
            let mut node = lock(&POOL).pop().unwrap_or_else(|| Box::new(Node { value: 0 }));
            node.value = self.first.value + 1;
            self.second = Some(node);
        }
    }
}

#[test]
fn a_pointer_kept_in_a_static_is_found_at_the_end_of_a_block() {
    let scope = r#"k: 2, objects: {"*": "k"}, ints: "0..600""#;
    for threads in [1, 2, 4] {
        *lock(&POOL) = Vec::new();
        let rebuilt = run(Pooled::suite(), scope, RECONSTRUCT, 1);
        // The numbers, and ten pairs.
        assert_complete(&rebuilt, 610);
        *lock(&POOL) = Vec::new();
        let corpus = run(Pooled::suite(), scope, REGION, threads);
        assert_eq!(
            found(&corpus),
            found(&rebuilt),
            "{threads} threads: {:?}",
            corpus.report.ledger.notes
        );
        assert!(has_note(&corpus, GIVEN_UP), "{:?}", corpus.report.ledger.notes);
    }
}

/// A stack of letters.
#[derive(Clone, Heap)]
pub struct Stack {
    letters: Vec<u8>,
}

/// Stacks that are doubled.
#[beget::api(name = "stack")]
impl Stack {
    /// One letter.
    pub fn new() -> Self {
        Stack { letters: vec![0] }
    }

    /// A stack of other letters, and twice this one.
    pub fn double(&self) -> (Self, Self) {
        let n = self.letters.len();
        (Stack { letters: vec![1; n] }, Stack { letters: [0].repeat(2 * n) })
    }
}

#[test]
fn an_output_in_scope_is_not_kept_beside_one_that_is_not() {
    for copy_options in [REGION, RECONSTRUCT] {
        let scope = r#"k: 4, objects: {"*": "k"}, arrays: "k", ints: "0..2""#;
        let corpus = run(Stack::suite(), scope, copy_options, 1);
        // 0; 1, 00; 11, 0000. Of the stacks of 4, no result is in scope, and so `1111` is not
        // found.
        assert_complete(&corpus, 5);
        assert_eq!(corpus.report.ledger.counters.out_of_scope, 1);
        assert_eq!(corpus.report.ledger.counters.explored(), 6);
    }
}

/// A number of which some calls leave none in scope.
#[derive(Clone, Heap)]
pub struct Dial {
    at: u8,
}

/// Dials.
#[beget::api(name = "dial")]
impl Dial {
    /// At zero.
    pub fn new() -> Self {
        Dial { at: 0 }
    }

    /// One further, of three.
    pub fn step(&mut self) {
        self.at = (self.at + 1) % 3;
    }

    /// Far beyond.
    pub fn burst(&mut self) {
        self.at = 200;
    }

    /// Changes nothing.
    pub fn stay(&mut self) {}
}

/// Calls that leave something new, nothing in scope, and nothing else than before.
#[test]
fn a_method_reaches_the_scope_in_the_region_as_elsewhere() {
    let scope = r#"k: 1, objects: {"*": "k"}, ints: "0..3", fields: {"*": "0..3"}"#;
    for copy_options in [REGION, RECONSTRUCT] {
        let corpus = run(Dial::suite(), scope, copy_options, 1);
        assert_complete(&corpus, 3);
        let reach = corpus.plan.planned_idxs().map(|method| corpus.report.ledger.reach(method));
        let reach: Vec<_> = reach.collect();
        let is_in_scope: Vec<bool> = reach.iter().map(|reach| reach.is_in_scope).collect();
        assert_eq!(is_in_scope, [true, true, false, true], "{copy_options:?}");
        let is_cut: Vec<bool> = reach.iter().map(|reach| reach.cut_by.is_some()).collect();
        assert_eq!(is_cut, [false, false, true, false], "{copy_options:?}");
    }
}

/// A number that breaks when a late one is dropped.
#[derive(Clone, Heap)]
pub struct Fragile {
    number: u8,
}

impl Drop for Fragile {
    fn drop(&mut self) {
        assert_ne!(self.number, 140, "it breaks");
    }
}

/// Numbers up to 150.
#[beget::api(name = "fragile")]
impl Fragile {
    /// Zero.
    pub fn new() -> Self {
        Fragile { number: 0 }
    }

    /// One more.
    pub fn next(&mut self) {
        self.number = (self.number + 1).min(150);
    }
}

/// The calls on the first 128 structures are made outside, too, where destructors run.
#[test]
fn a_destructor_that_panics_late_makes_the_run_begin_again_without_the_region() {
    let scope = r#"k: 1, objects: {"*": "k"}, ints: "0..=150""#;
    let corpus = run(Fragile::suite(), scope, REGION, 1);
    assert_complete(&corpus, 151);
    assert!(has_note(&corpus, "started again without the region: a destructor panicked"));
    let rebuilt = run(Fragile::suite(), scope, RECONSTRUCT, 1);
    assert_eq!(found(&corpus), found(&rebuilt));
    assert_eq!(corpus.report.findings, rebuilt.report.findings);
    assert!(problems(&corpus).contains(&"drop_panics"), "{:?}", problems(&corpus));
}

macro_rules! leaking {
    ($($ty:ident = $at:literal),+) => {$(
        /// A number.
        #[derive(Clone, Heap)]
        pub struct $ty {
            number: u8,
        }

        /// Numbers up to 150, one of which loses a box.
        #[beget::api(name = "leaking")]
        impl $ty {
            /// Zero.
            pub fn new() -> Self {
                $ty { number: 0 }
            }

            /// One more.
            pub fn next(&mut self) {
                if self.number == $at {
                    Box::leak(Box::new(self.number));
                }
                self.number = (self.number + 1).min(150);
            }
        }
    )+};
}

leaking! { LeaksAt127 = 127, LeaksAt128 = 128 }

/// All calls before structure 128 were made outside, too, so none has left the same in the region.
#[test]
fn a_leak_makes_the_run_begin_again_if_earlier_calls_may_have_left_the_same() {
    let scope = r#"k: 1, objects: {"*": "k"}, ints: "0..=150""#;
    let replayed = "started again with structures that are replayed";
    let early = run(LeaksAt127::suite(), scope, REGION, 1);
    assert_complete(&early, 151);
    assert!(has_note(&early, GIVEN_UP) && !has_note(&early, replayed));
    let late = run(LeaksAt128::suite(), scope, REGION, 1);
    assert_complete(&late, 151);
    assert!(has_note(&late, replayed), "{:?}", late.report.ledger.notes);
    assert_eq!(problems(&late), ["region_differs"]);
}

/// A number and its double, which is not shown: it follows from the number.
#[derive(Clone, Debug)]
pub struct Doubled {
    number: u8,
    double: u8,
}

const DOUBLED: &[Field] = &[Field { name: "number", ty: "u8", skipped: false }];

impl Heap for Doubled {
    fn class() -> ClassKey {
        ClassKey::new::<Self>("Doubled")
    }

    fn describe(schema: &mut Schema) {
        if schema.class(Self::class(), DOUBLED) {
            u8::describe(schema);
        }
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let class = Self::class();
        walker.begin_record(class);
        if walker.field(class, 0) {
            self.number.walk(walker);
        }
        walker.end_record();
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        let number: u8 = decoder.field(Self::class(), 0)?;
        Ok(Doubled { number, double: 2 * number })
    }
}

/// Numbers.
#[beget::api(name = "doubled")]
impl Doubled {
    /// Zero.
    pub fn new() -> Self {
        Doubled { number: 0, double: 0 }
    }

    /// Another one.
    pub fn set(&mut self, number: u8) {
        *self = Doubled { number, double: 2 * number };
    }

    /// They belong together.
    pub fn check(&self) {
        assert_eq!(self.double, 2 * self.number);
    }
}

/// `Heap` by hand may leave something out, so no structure is made of the one before by an exchange
/// of the integers shown.
#[test]
fn structures_with_a_walk_by_hand_are_decoded_one_by_one() {
    let scope = r#"k: 1, objects: {"*": "k"}, ints: "0..100""#;
    for copy_options in [REGION, RECONSTRUCT] {
        let corpus = run(Doubled::suite(), scope, copy_options, 1);
        assert_complete(&corpus, 100);
        assert_eq!(problems(&corpus), [""; 0]);
    }
}

/// A number, and one that is left out of its form.
#[derive(Clone, Heap)]
pub struct Hiding {
    shown: u8,
    hidden: u8,
}

/// Numbers.
#[beget::api(name = "hiding")]
impl Hiding {
    /// Zero.
    pub fn new() -> Self {
        Hiding { shown: 0, hidden: 0 }
    }

    /// Zero, and one is hidden.
    pub fn hide(&mut self, _by: u8) {
        (self.shown, self.hidden) = (0, 1);
    }
}

/// Each of five calls leaves the same memory. Each leaves a value that is matched, and extended.
#[test]
fn a_value_that_is_matched_is_extended_even_if_an_earlier_call_has_left_its_memory() {
    let plan = plan(Hiding::suite(), r#"k: 1, objects: {"*": "k"}, ints: "0..5""#);
    let plan = plan.with(|draft| {
        draft.bounds.omitted = [("Hiding".to_owned(), "hidden".to_owned())].into();
        draft.probe = 1;
    });
    assert!(plan.schema().is_regular());
    for copy_options in [REGION, RECONSTRUCT] {
        let corpus = Run::new(plan.clone()).settings(Settings { threads: 1, copy_options }).go();
        assert_complete(&corpus, 1);
        let tally = ProbeTally { extended: 5, calls: 5 * 5, failures: 0, unknown: 0 };
        assert_eq!(corpus.report.ledger.probes, tally, "{copy_options:?}");
    }
}

/// A lever.
#[derive(Clone, Heap)]
pub struct Lever {
    at: u8,
}

/// Levers that all pulls bring to the same place.
#[beget::api(name = "lever")]
impl Lever {
    /// Up.
    pub fn new() -> Self {
        Lever { at: 0 }
    }

    /// One step down.
    pub fn pull(&mut self, _by: u8) {
        self.at += 1;
    }
}

/// Without matching each sequence leaves a structure of its own: one, five and five times five.
#[test]
fn without_matching_the_region_keeps_what_earlier_calls_have_left() {
    let scope = r#"k: 1, objects: {"*": "k"}, ints: "0..5""#;
    for copy_options in [REGION, RECONSTRUCT] {
        let plan = plan(Lever::suite(), scope).with(|draft| draft.budget.max_levels = Some(3));
        let store = UnmatchedStore::of(&plan);
        let corpus = Run::new(plan).settings(Settings { threads: 1, copy_options }).go_into(store);
        assert_eq!(corpus.store.len(), 1 + 5 + 5 * 5, "{copy_options:?}");
        assert_eq!(corpus.report.ledger.counters.kept, 1 + 5 + 5 * 5, "{copy_options:?}");
    }
}

/// A call that changes nothing leaves no structure of its own. That holds for each way of copying,
/// with and without an invariant. In each level one call leaves a new structure.
#[test]
fn without_matching_calls_that_change_nothing_are_left_out_however_they_are_made() {
    let scope = r#"k: 1, objects: {"*": "k"}, ints: "0..3", fields: {"*": "0..3"}"#;
    for (has_invariant, copy_options) in
        [false, true].into_iter().flat_map(|has| [(has, REGION), (has, CLONES), (has, RECONSTRUCT)])
    {
        let plan = plan(Dial::suite(), scope).with(|draft| {
            draft.budget.max_levels = Some(4);
            let mut suite = (*draft.suite).clone();
            let (ty, check): (_, InvariantFn) = (TypeIdx::new(0), |_| Ok(()));
            suite.invariants.extend(has_invariant.then_some(Invariant { name: "any", ty, check }));
            draft.suite = suite.into();
        });
        let store = UnmatchedStore::of(&plan);
        let settings = Settings { threads: 1, copy_options };
        let corpus = Run::new(plan).settings(settings).go_into(store);
        let counters = corpus.report.ledger.counters;
        assert_eq!((corpus.store.len(), counters.kept), (4, 4), "{has_invariant} {copy_options:?}");
        assert_eq!((counters.matched, counters.out_of_scope), (3, 3), "{copy_options:?}");
    }
}
