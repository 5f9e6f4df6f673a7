//! Collections whose elements are followed: those of the standard library, and what is counted.
#![allow(unsafe_code, reason = "an element is dropped twice only by unsafe code")]
#![allow(
    missing_docs,
    clippy::new_without_default,
    clippy::eq_op,
    clippy::len_without_is_empty,
    reason = "the types stand for those of a library"
)]

use super::common;

use std::cell::RefCell;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use beget::elements::{self, Tracked, TrackedUnit};
use beget::suites::Suite;
use beget::{HasSuite, Heap};
use beget_engine::Settings;
use beget_engine::store::Store as _;
use beget_plan::finding::StopReason;
use beget_run::{Catalog, CheckRun, Host, Input, Questions, StoreKind, Watch};
use common::{check_within, table, told};

beget::suite! {
    /// Elements in two directions.
    #[name = "queue"]
    pub suite Queue for VecDeque<Tracked> {
        fn new() -> Self;
        fn push_back(&mut self, value: Tracked);
        fn push_front(&mut self, value: Tracked);
        fn pop_front(&mut self) -> Option<Tracked>;
        fn insert(&mut self, index: usize, value: Tracked);
        fn remove(&mut self, index: usize) -> Option<Tracked>;
        fn truncate(&mut self, len: usize);
        fn split_off(&mut self, at: usize) -> Self;
        fn append(&mut self, other: &mut Self);
        fn contains(&self, x: &Tracked) -> bool;
    }
}

beget::suite! {
    /// The largest element first.
    #[name = "heap"]
    pub suite Heaped for BinaryHeap<Tracked> {
        fn new() -> Self;
        fn push(&mut self, item: Tracked);
        fn pop(&mut self) -> Option<Tracked>;
        fn into_sorted_vec(self) -> Vec<Tracked>;
    }
}

beget::suite! {
    /// Keys and values.
    #[name = "map"]
    pub suite Map for BTreeMap<Tracked, TrackedUnit> {
        fn new() -> Self;
        fn insert(&mut self, key: Tracked, value: TrackedUnit) -> Option<TrackedUnit>;
        fn remove(&mut self, key: &Tracked) -> Option<TrackedUnit>;
        fn split_off(&mut self, key: &Tracked) -> Self;
    }
}

/// A collection of elements without a value, one of which it loses.
#[derive(Heap)]
pub struct Units {
    items: Vec<TrackedUnit>,
}

#[beget::api(name = "units")]
impl Units {
    pub fn new() -> Self {
        Units { items: Vec::new() }
    }

    pub fn push(&mut self, item: TrackedUnit) {
        self.items.push(item);
    }

    pub fn halve(&mut self) {
        let rest = self.items.split_off(self.items.len() / 2);
        if self.items.len() == 1 {
            std::mem::forget(rest);
        }
    }

    pub fn give_up(&mut self, item: TrackedUnit) {
        drop(item);
        panic!("documented");
    }
}

/// A collection that loses a clone of each element, and drops elements that it keeps.
#[derive(Heap)]
pub struct Leaking {
    items: Vec<Tracked>,
}

#[beget::api(name = "leaking")]
impl Leaking {
    pub fn new() -> Self {
        Leaking { items: Vec::new() }
    }

    pub fn push(&mut self, item: Tracked) {
        std::mem::forget(item.clone());
        self.items.push(item);
    }

    pub fn count(&self) -> usize {
        // SAFETY: elements own nothing; that they are dropped again is the defect.
        self.items.iter().map(|item| drop(unsafe { std::ptr::read(item) })).count()
    }
}

/// A collection whose fields nobody can see, that loses a clone of each element.
pub struct Hidden {
    items: Vec<Tracked>,
}

impl Hidden {
    pub fn new() -> Self {
        Hidden { items: Vec::new() }
    }

    pub fn extend(&mut self, items: &[Tracked]) {
        items.iter().cloned().for_each(std::mem::forget);
        self.items.extend_from_slice(items);
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }
}

beget::suite! {
    /// Elements come in lists, and are in nothing that tells structures apart.
    #[name = "hidden"]
    pub suite HiddenSuite for Hidden {
        shown;
        fn new() -> Self;
        fn extend(&mut self, items: &[Tracked]);
        fn len(&self) -> usize;
    }
}

/// Whether [`HELD`] have their defects at the time.
static IS_SEEDED: AtomicBool = AtomicBool::new(false);

/// Lists whose `touch` has a defect, and what that is.
macro_rules! held {
    ($($name:ident($suite:literal) of $element:ty: $kind:literal, $what:literal, $touch:expr;)+) => {
        $(
            /// Elements.
            #[derive(Heap)]
            pub struct $name {
                items: Vec<$element>,
            }

            #[beget::api(name = $suite)]
            impl $name {
                pub fn new() -> Self {
                    $name { items: Vec::new() }
                }

                pub fn push(&mut self, item: $element) {
                    self.items.push(item);
                }

                pub fn touch(&mut self) {
                    if IS_SEEDED.load(Relaxed) {
                        let touch: fn(&mut Vec<$element>) = $touch;
                        touch(&mut self.items);
                    }
                }
            }
        )+

        /// What elements are, what becomes of them, and the suite.
        const HELD: &[(&str, &str, fn() -> Suite)] = &[$(($kind, $what, $name::suite)),+];
    };
}

/// Drops an item that the list keeps.
fn drop_again<T>(items: &[T]) {
    // SAFETY: elements own nothing; that one is dropped again is the defect.
    items.first().into_iter().for_each(|item| drop(unsafe { std::ptr::read(item) }));
}

/// Uses a copy of an item: where that panics, both are dropped.
fn use_copy<R>(items: &[Tracked], work: impl FnOnce(&Tracked) -> R) {
    if let Some(item) = items.first() {
        // SAFETY: elements own nothing; that two may be dropped is the defect.
        let copy = unsafe { std::ptr::read(item) };
        let result = work(&copy);
        std::mem::forget(copy);
        drop(result);
    }
}

/// Drops an item once more if what it says twice is not the same.
fn believe<R: PartialEq>(items: &[Tracked], asked: impl Fn(&Tracked) -> R) {
    if items.first().is_some_and(|item| asked(item) != asked(item)) {
        drop_again(items);
    }
}

fn hash_of(item: &Tracked) -> u64 {
    let mut hasher = DefaultHasher::new();
    item.hash(&mut hasher);
    hasher.finish()
}

fn hint_of(item: &Tracked) -> (usize, Option<usize>) {
    elements::items(std::slice::from_ref(item)).size_hint()
}

held! {
    DroppedAgain("dropped_again") of Tracked: "an integer with identity", "is dropped twice", |items| drop_again(items);
    Lost("lost") of Tracked: "an integer with identity", "is never dropped", |items| items.drain(..).for_each(std::mem::forget);
    UnitDroppedAgain("unit_dropped_again") of TrackedUnit: "without size, with `Drop`", "is dropped twice", |items| drop_again(items);
    UnitLost("unit_lost") of TrackedUnit: "without size, with `Drop`", "is never dropped", |items| items.drain(..).for_each(std::mem::forget);
    ClonePanics("clone_panics") of Tracked: "its `Clone` panics", "is in two places then", |items| use_copy(items, Tracked::clone);
    EqPanics("eq_panics") of Tracked: "its `==` panics", "is in two places then", |items| use_copy(items, |item| item.eq(item));
    OrdPanics("ord_panics") of Tracked: "its `Ord` panics", "is in two places then", |items| use_copy(items, |item| item.cmp(item));
    HashPanics("hash_panics") of Tracked: "its `Hash` panics", "is in two places then", |items| use_copy(items, hash_of);
    DropPanics("drop_panics") of Tracked: "its `Drop` panics", "is in the list as before then", |items| {
        let all: *mut [Tracked] = items.as_mut_slice();
        // SAFETY: elements own nothing; that they may be dropped again is the defect.
        unsafe {
            std::ptr::drop_in_place(all);
            items.set_len(0);
        }
    };
    CloneLies("clone_lies") of Tracked: "its `Clone` lies", "is believed", |items| believe(items, |item| item.clone().value());
    EqLies("eq_lies") of Tracked: "its `==` lies", "is believed", |items| believe(items, |item| item.eq(item));
    OrdLies("ord_lies") of Tracked: "its `Ord` lies", "is believed", |items| believe(items, |item| item.cmp(item));
    HashLies("hash_lies") of Tracked: "its `Hash` lies", "is believed", |items| believe(items, hash_of);
    HintPanics("hint_panics") of Tracked: "`size_hint` of its iterator panics", "is in two places then", |items| use_copy(items, hint_of);
    HintLies("hint_lies") of Tracked: "`size_hint` of its iterator lies", "is believed", |items| believe(items, hint_of);
}

/// A list of at most one element: the shortest recipe has three calls.
#[test]
fn the_table_of_seeded_defects_has_every_kind_of_element() {
    let scope = r#"arrays: 1, ints: "0..1""#;
    let rows: Vec<Vec<String>> = HELD
        .iter()
        .map(|&(kind, what, suite)| {
            IS_SEEDED.store(true, Relaxed);
            let run = check_within(suite(), scope, 1);
            IS_SEEDED.store(false, Relaxed);
            let findings: Vec<_> = run.findings().collect();
            let [finding] = &findings[..] else { panic!("{kind}: {:?}", told(&run)) };
            assert_eq!(finding.witness.recipe.as_ref().unwrap().n_calls(), 3);
            let sound = check_within(suite(), scope, 1);
            let quiet = table::quiet(sound.findings().count(), asked(&sound, "elements_dropped"));
            [kind, what, &finding.problem.to_string(), &quiet].map(str::to_owned).to_vec()
        })
        .collect();
    let head = ["element", "what becomes of it", "finding", "without"];
    table::check_section("Elements", &head, &rows);
}

const SCOPE: &str = r#"arrays: 2, ints: "0..2", misuse: (panics: [".*"])"#;

fn asked(run: &CheckRun, name: &str) -> u64 {
    run.contracts.iter().find(|tally| tally.name == name).map_or(0, |tally| tally.asked)
}

#[test]
fn the_collections_of_the_standard_library_are_quiet() {
    for suite in [Queue::suite(), Heaped::suite(), Map::suite()] {
        let name = suite.name.clone();
        let run = check_within(suite, SCOPE, 1);
        assert_eq!(told(&run), Vec::<String>::new(), "{name}");
        for contract in [
            "elements_dropped",
            "elements_dropped_once",
            "elements_survive_panics",
            "elements_survive_drop_panics",
        ] {
            assert!(asked(&run, contract) > 10, "{name}: {contract}");
        }
    }
}

/// Of a map of no or one key out of two, three structures: one constructor, and on each structure
/// two calls of `insert`, of `remove` and of `split_off`, none of which panics.
#[test]
fn each_call_on_each_structure_is_followed_once() {
    let run = check_within(Map::suite(), r#"arrays: 1, ints: "0..2""#, 1);
    assert_eq!(asked(&run, "elements_dropped"), 1 + 3 * 6);
    assert_eq!(asked(&run, "elements_dropped_once"), 1 + 3 * 6);
    // On the two maps with a key, each call compares it once; two elements are cloned for `insert`.
    assert_eq!(asked(&run, "elements_survive_panics"), 2 * 6 + 3 * 2 * 2);
}

/// Two of three or two elements are forgotten; what a panic leaves undropped is nobody's fault.
#[test]
fn elements_without_a_value_are_counted() {
    let run = check_within(Units::suite(), SCOPE, 1);
    let expected = "the contract `elements_dropped` is broken: an element is never dropped";
    assert_eq!(told(&run), [expected]);
    let recipe = run.breaches[0].witness.recipe.as_ref().unwrap();
    assert_eq!((recipe.n_calls(), run.breaches[0].count), (4, 1));
}

/// The constructor; a list of no or one element, to a collection of none; one of none to a
/// collection of one, since two are out of scope.
#[test]
fn elements_in_lists_are_followed_though_the_state_does_not_show_them() {
    let scope = r#"arrays: 1, ints: "0..1", fields: {"Hidden.len": "0..2"}"#;
    let run = check_within(HiddenSuite::suite(), scope, 1);
    let lost = "the contract `elements_dropped` is broken: an element is never dropped";
    assert_eq!(told(&run), [lost]);
    assert_eq!((run.breaches[0].count, asked(&run, "elements_dropped")), (1, 1 + 2 + 1));
}

/// What was lost before is no fault of a later call, and hides none.
#[test]
fn structures_whose_calls_lose_elements_are_followed_too() {
    let run = check_within(Leaking::suite(), SCOPE, 1);
    let broken = |name, reason| format!("the contract `{name}` is broken: {reason}");
    let lost = broken("elements_dropped", "an element is never dropped");
    let twice = broken("elements_dropped_once", "an element is dropped twice");
    assert_eq!(told(&run), [lost, twice]);
    // The pushes of either element to the empty one; `count` of the six others.
    assert_eq!([run.breaches[0].count, run.breaches[1].count], [2, 6]);
}

#[test]
fn contracts_about_elements_are_turned_off_by_name() {
    let fields = format!("{SCOPE}, contracts: Except([\"elements_dropped\"])");
    let run = check_within(Units::suite(), &fields, 1);
    assert_eq!(told(&run), Vec::<String>::new());
    assert_eq!(asked(&run, "elements_dropped"), 0);
    assert!(asked(&run, "elements_dropped_once") > 0);
}

#[test]
fn what_is_followed_does_not_depend_on_threads() {
    let runs = [1, 3].map(|threads| check_within(Units::suite(), SCOPE, threads));
    assert_eq!((&runs[0].contracts, &runs[0].breaches), (&runs[1].contracts, &runs[1].breaches));
}

/// A list whose calls take their time.
#[derive(Heap)]
pub struct Slow {
    items: Vec<Tracked>,
}

#[beget::api(name = "slow")]
impl Slow {
    pub fn new() -> Self {
        Slow { items: Vec::new() }
    }

    pub fn push(&mut self, item: Tracked) {
        std::thread::sleep(Duration::from_millis(4));
        self.items.push(item);
    }
}

/// Its clock stands still until it sees that elements are followed.
struct ClockOfElements {
    seen: RefCell<Option<String>>,
}

impl Host for ClockOfElements {
    fn seconds(&self) -> f64 {
        if self.seen.borrow().is_some() { 100.0 } else { 0.0 }
    }

    fn waiting_for_answer(&self, questions: &dyn Questions, _: Option<StopReason>) {
        let sources = questions.runs().into_iter().filter_map(|run| questions.source(run));
        let mut of_elements = sources.filter(|source| source.contains("elements_"));
        let mut seen = self.seen.borrow_mut();
        *seen = seen.take().or_else(|| of_elements.next());
    }
}

/// Of 63 structures some: elements are followed level by level, and the time is up as soon as the
/// host sees that.
#[test]
fn following_elements_can_be_waited_for_and_ends_with_the_time() {
    let text = r#"Scope(
        suite: "slow", k: 2, arrays: 5, ints: "0..k", objects: {"*": "k"}, budget: (max_seconds: 10),
    )"#;
    let input = Input::of_text("test.ron", text.into(), Catalog::new(vec![Slow::suite()])).unwrap();
    let plan = input.resolve(&Default::default()).unwrap().plan;
    let host = ClockOfElements { seen: RefCell::new(None) };
    let watch = Watch::new(plan.budget, &host);
    let run = beget_run::check(&input, &[], plan, Settings::default(), StoreKind::Exact, &watch);
    let run = run.unwrap();
    assert!(run.corpus.store.len() < 63);
    assert_eq!(run.stop_reason, StopReason::MaxSeconds(Duration::from_secs(10)));
    assert!(asked(&run, "elements_dropped") < 1 + 63 * 2);
    let seen = host.seen.into_inner().unwrap();
    assert!(seen.starts_with("`elements_"), "{seen}");
    assert!(seen.contains("` on the structure let "), "{seen}");
}
