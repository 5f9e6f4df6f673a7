//! Structures told apart by all that they show, as the suite says or the scope.
#![allow(
    missing_docs,
    clippy::len_without_is_empty,
    clippy::new_without_default,
    reason = "the types stand for those of a library"
)]

use crate::common;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use beget::{HasSuite, Heap};
use beget_engine::Corpus;
use beget_engine::store::{Store as _, StructureId};
use beget_plan::scope::{Overrides, ScopeFile};
use beget_suite::{StateKind, Suite, to_source};
use common::{REPLAY, assert_complete, plan, problems, run, run_all_ways};

/// A stack that knows how often it was emptied, and does not say so but by `Debug`.
#[derive(Clone, Debug, Heap)]
pub struct Stack {
    items: Vec<u8>,
    n_emptied: u8,
}

impl Stack {
    pub fn new() -> Self {
        Stack { items: Vec::new(), n_emptied: 0 }
    }

    pub fn push(&mut self, item: u8) {
        assert!(self.n_emptied < 2 || self.items.is_empty(), "one item only");
        self.items.push(item);
    }

    pub fn clear(&mut self) {
        if !self.items.is_empty() {
            self.items.clear();
            self.n_emptied = (self.n_emptied + 1).min(2);
        }
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn capacity(&self) -> usize {
        self.items.capacity()
    }
}

macro_rules! stacks {
    ($($suite:ident { $($state:tt)* })+) => {$(
        beget::suite! {
            /// Stacks.
            #[name = "stacks"]
            pub suite $suite for Stack {
                $($state)*
                fn new() -> Self;
                fn push(&mut self, item: u8);
                fn clear(&mut self);
                fn len(&self) -> usize;
                fn capacity(&self) -> usize;
            }
        }
    )+};
}

stacks! {
    ByFields {}
    ByItems { abstraction |stack| -> Vec<u8> { stack.items.clone() }; }
    ByShown { shown; }
}

const STACKS: &str = r#"k: 3, objects: {"*": "k"}, arrays: "k", ints: "0..2", fields: {"Stack.items": "any", "Stack.n_emptied": "any"}"#;
const STACKS_SHOWN: &str =
    r#"k: 3, objects: {"*": "k"}, arrays: "k", ints: "0..2", fields: {"Stack.len": "0..=k"}"#;

/// The recipes of all structures, in the order of the run: of each class, the one that was found
/// first.
fn recipes(corpus: &Corpus) -> Vec<String> {
    let source = |id| {
        let recipe = corpus.recipe(StructureId::new(id)).expect("a store in memory");
        to_source(&corpus.plan.suite, &recipe).0
    };
    (0..corpus.store.len()).map(source).collect()
}

fn with_state(state: &str, fields: &str) -> String {
    format!("state: {state}, {fields}")
}

/// Stacks of at most three of two numbers: emptied never or once; emptied twice, of at most one.
const N_STACKS: u64 = 2 * (1 + 2 + 4 + 8) + (1 + 2);

/// The twin is the type's own heap: its `Debug` is derived, so it shows as much.
#[test]
fn what_a_derived_debug_shows_is_what_the_fields_hold() {
    let by_fields = run_all_ways(&plan(ByFields::suite(), STACKS));
    assert_complete(&by_fields, N_STACKS);
    for plan in [
        plan(ByFields::suite(), &with_state("Shown", STACKS_SHOWN)),
        plan(ByItems::suite(), &with_state("Shown", STACKS_SHOWN)),
        plan(ByShown::suite(), STACKS_SHOWN),
    ] {
        assert_eq!(plan.suite.types[0].state, StateKind::Shown);
        let shown = run_all_ways(&plan);
        assert_complete(&shown, N_STACKS);
        assert_eq!(recipes(&by_fields), recipes(&shown));
        assert_eq!(by_fields.report.ledger.counters, shown.report.ledger.counters);
    }
    for suite in [ByItems::suite(), ByShown::suite()] {
        let own = run_all_ways(&plan(suite, &with_state("Fields", STACKS)));
        assert_eq!(recipes(&by_fields), recipes(&own));
    }
}

/// By its items, an emptied stack is the new one, and is not extended.
#[test]
fn a_defect_that_an_abstraction_hides_is_found_by_what_is_shown() {
    let by_items = run_all_ways(&plan(ByItems::suite(), STACKS_OF_ITEMS));
    assert_complete(&by_items, 1 + 2 + 4 + 8);
    assert!(by_items.report.findings.is_empty());
    let shown = run_all_ways(&plan(ByItems::suite(), &with_state("Shown", STACKS_SHOWN)));
    let [finding] = &shown.report.findings[..] else { panic!("{:?}", problems(&shown)) };
    assert!(finding.problem.message.contains("one item only"), "{}", finding.problem.message);
}

const STACKS_OF_ITEMS: &str = r#"k: 3, objects: {"*": "k"}, arrays: "k", ints: "0..2""#;

/// A queue that only iteration shows.
#[derive(Clone)]
pub struct Hidden {
    inner: VecDeque<u8>,
}

impl Hidden {
    pub fn new() -> Self {
        Hidden { inner: VecDeque::new() }
    }

    pub fn push(&mut self, item: u8) {
        self.inner.push_back(item);
    }

    pub fn pop(&mut self) -> Option<u8> {
        self.inner.pop_front()
    }

    pub fn len(&self) -> usize {
        self.inner.len()
    }
}

impl<'h> IntoIterator for &'h Hidden {
    type Item = &'h u8;
    type IntoIter = std::collections::vec_deque::Iter<'h, u8>;

    fn into_iter(self) -> Self::IntoIter {
        self.inner.iter()
    }
}

/// As [`Hidden`], which only methods show. One has a rule.
pub struct Asked {
    inner: VecDeque<u8>,
}

#[beget::api(shown)]
impl Asked {
    pub fn new() -> Self {
        Asked { inner: VecDeque::new() }
    }

    pub fn push(&mut self, item: u8) {
        self.inner.push_back(item);
    }

    pub fn front(&self) -> u8 {
        *self.inner.front().expect("an item")
    }

    pub fn back(&self) -> Option<&u8> {
        self.inner.back()
    }

    pub fn len(&self) -> usize {
        self.inner.len()
    }

    pub fn as_ptr(&self) -> *const u8 {
        self.inner.as_slices().0.as_ptr()
    }
}

beget::suite! {
    /// What only iteration shows.
    #[name = "hidden"]
    pub suite HiddenSuite for Hidden {
        shown;
        fn new() -> Self;
        fn push(&mut self, item: u8);
        fn pop(&mut self) -> Option<u8>;
        fn len(&self) -> usize;
    }
}

#[test]
fn what_iteration_shows_is_enough() {
    let fields = r#"k: 2, ints: "0..2", fields: {"Hidden.len": "0..=k"}"#;
    assert_complete(&run_all_ways(&plan(HiddenSuite::suite(), fields)), 1 + 2 + 4);
}

/// The first and the last item tell queues of two apart; of three, those that differ in the middle
/// are one.
#[test]
fn what_methods_show_is_enough_even_if_they_refuse_some_values() {
    let fields =
        r#"k: 3, ints: "0..2", misuse: (panics: ["an item"]), fields: {"Asked.len": "0..=k"}"#;
    assert_complete(&run_all_ways(&plan(Asked::suite(), fields)), 1 + 2 + 4 + 4);
}

/// A queue of which only the hash shows more than the length.
#[derive(Clone, Hash)]
pub struct Hashed {
    inner: VecDeque<u8>,
}

impl Hashed {
    pub fn new() -> Self {
        Hashed { inner: VecDeque::new() }
    }

    pub fn push(&mut self, item: u8) {
        self.inner.push_back(item);
    }

    pub fn len(&self) -> usize {
        self.inner.len()
    }
}

beget::suite! {
    /// Queues that show their items to a hasher alone.
    #[name = "hashed"]
    pub suite HashedSuite for Hashed {
        shown;
        fn new() -> Self;
        fn push(&mut self, item: u8);
        fn len(&self) -> usize;
    }
}

#[test]
fn what_a_hash_is_fed_is_enough() {
    let fields = r#"k: 2, ints: "0..2", fields: {"Hashed.len": "0..=k"}"#;
    assert_complete(&run_all_ways(&plan(HashedSuite::suite(), fields)), 1 + 2 + 4);
}

/// A type that shows nothing.
#[derive(Clone)]
pub struct Dark;

impl Dark {
    pub fn new() -> Self {
        Dark
    }
}

beget::suite! {
    /// Nothing to be seen.
    #[name = "dark"]
    pub suite DarkSuite for Dark {
        shown;
        fn new() -> Self;
    }
}

/// What is wrong with a scope.
fn refused(suite: Suite, fields: &str) -> String {
    let text = format!("Scope(suite: \"{}\", k: 1, {fields})", suite.name);
    let file = match ScopeFile::parse("test.ron", &text) {
        Ok(file) => file,
        Err(wrong) => return wrong.to_string(),
    };
    let no_file = |_: &str| Err("no files".to_owned());
    let resolved = file.resolve(&Arc::new(suite), &Overrides::default(), &no_file);
    resolved.map(|_| String::new()).unwrap_or_else(|wrong| wrong.to_string())
}

#[test]
fn a_state_that_a_type_does_not_have_is_refused_at_its_place() {
    let check = |suite: Suite, fields: &str, parts: &[&str]| {
        let told = refused(suite, fields);
        assert!(parts.iter().all(|part| told.contains(part)), "{told}");
    };
    check(DarkSuite::suite(), "", &["test.ron:1:15", "`Dark` shows nothing", "`abstraction`"]);
    let no_heap = ["test.ron:1:37", "`Hidden` has no heap of its own", "write `state: Shown`"];
    check(HiddenSuite::suite(), "state: Fields", &no_heap);
    let no_abstraction = ["no abstraction of `Stack`", "`state: Fields` or `state: Shown`"];
    check(ByFields::suite(), "state: Abstraction", &no_abstraction);
    check(ByFields::suite(), "state: Show", &["did you mean `Shown`?"]);
    check(ByFields::suite(), "state: Shown(1)", &["expected `Fields`, `Abstraction`, `Shown`"]);
    let spaces = r#"state: Shown, repoks: {"sound": (fields: {})}"#;
    check(ByFields::suite(), spaces, &["leave out one of both"]);
}

/// A value whose `Debug` shows where it lies.
#[derive(Debug)]
pub struct Placed {
    first: *const u8,
    second: *const u8,
    #[expect(dead_code, reason = "its address is shown")]
    home: Arc<u8>,
}

impl Placed {
    pub fn new(same: bool) -> Self {
        let home = Arc::new(0);
        let first = Arc::as_ptr(&home);
        Placed { first, second: if same { first } else { std::ptr::null() }, home }
    }

    pub fn swap(&mut self) {
        std::mem::swap(&mut self.first, &mut self.second);
    }
}

beget::suite! {
    /// Addresses.
    #[name = "placed"]
    pub suite PlacedSuite for Placed {
        shown;
        fn new(same: bool) -> Self;
        fn swap(&mut self);
    }
}

/// One with two equal addresses, and two with one.
#[test]
fn addresses_in_texts_tell_nothing_but_whether_they_are_equal() {
    let corpus = run_all_ways(&plan(PlacedSuite::suite(), "k: 1, budget: (max_levels: Some(5))"));
    assert_complete(&corpus, 3);
    assert!(corpus.report.findings.is_empty(), "{:?}", problems(&corpus));
}

/// A value whose `Debug` shows how many there were.
pub struct Counted(usize);

impl std::fmt::Debug for Counted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "number {}", self.0)
    }
}

static N_COUNTED: AtomicUsize = AtomicUsize::new(0);

impl Counted {
    pub fn new() -> Self {
        Counted(N_COUNTED.fetch_add(1, Ordering::Relaxed))
    }

    pub fn touch(&mut self) {}
}

beget::suite! {
    /// What is never the same.
    #[name = "counted"]
    pub suite CountedSuite for Counted {
        shown;
        fn new() -> Self;
        fn touch(&mut self);
    }
}

#[test]
fn what_is_shown_otherwise_each_time_is_reported() {
    let corpus = run(CountedSuite::suite(), "k: 1, budget: (max_levels: Some(2))", REPLAY, 1);
    assert!(problems(&corpus).contains(&"nondeterministic"), "{:?}", problems(&corpus));
}
