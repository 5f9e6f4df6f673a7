//! Random runs on small types: what is found, how it is minimised, and what the options do.
#![allow(clippy::new_without_default, reason = "the traits of a type decide which contracts apply")]

use std::sync::atomic::{AtomicU32, Ordering};

use beget::suites::{Pools, Suite};
use beget::{HasSuite, Heap};
use beget_plan::finding::StopReason;
use beget_plan::scope::{Overrides, default_scope};
use beget_run::{
    Catalog, Constants, Host, Input, Matching, RandomOptions, RandomReport, RandomRun, Watch,
    random,
};

struct NoClock;

impl Host for NoClock {
    fn seconds(&self) -> f64 {
        0.0
    }
}

/// A run with the literals of `fields`, which are those of a scope file.
#[track_caller]
fn run_with(suite: Suite, fields: &[(&str, &str)], options: RandomOptions) -> RandomRun {
    let fields: Vec<(String, String)> =
        fields.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let text = default_scope(&suite, &fields);
    let input = Input::of_text("scope", text, Catalog::new(vec![suite])).unwrap();
    let plan = input.resolve(&Overrides::default()).unwrap().plan;
    let watch = Watch::new(plan.budget, &NoClock);
    random(&input, &[], plan, options, &watch)
}

fn run(suite: Suite, options: RandomOptions) -> RandomRun {
    run_with(suite, &[("ints", "0..3")], options)
}

fn calls(n: u64) -> RandomOptions {
    RandomOptions { max_calls: n, ..RandomOptions::default() }
}

/// The calls of all findings as source.
fn sources(run: &RandomRun) -> Vec<String> {
    let suite = &run.plan.suite;
    let source = |finding: &beget_plan::finding::Finding| {
        finding.witness.calls(suite).unwrap().to_source(suite).0
    };
    run.findings.iter().map(source).collect()
}

/// What can be set off by a call.
#[derive(Clone, Debug, Heap)]
pub struct Alarm {
    count: u32,
}

static RINGS: AtomicU32 = AtomicU32::new(0);

#[beget::api]
impl Alarm {
    /// A silent one.
    pub fn new() -> Self {
        Alarm { count: 0 }
    }

    /// Panics for a number that no small scope has.
    pub fn dial(&mut self, number: i64) {
        assert_ne!(number, 100, "wrong number");
        self.count = 1;
    }

    /// What only a call tells.
    pub fn secret(&self) -> u16 {
        4711
    }

    /// Panics for what only a call tells.
    pub fn unlock(&mut self, secret: u16) {
        assert_ne!(secret, 4711, "open");
    }

    /// Panics without a number.
    pub fn hang_up(&mut self, number: Option<u8>) {
        assert!(number.is_some(), "nobody is there");
    }

    /// Panics on itself.
    pub fn meet(&self, other: &Self) {
        assert!(!std::ptr::eq(self, other), "it meets itself");
    }
}

/// What no other test calls.
#[derive(Clone, Heap)]
pub struct Bell {
    count: u8,
}

#[beget::api]
impl Bell {
    /// A silent one.
    pub fn new() -> Self {
        Bell { count: 0 }
    }

    /// Panics the first time of all.
    pub fn ring(&mut self) {
        assert!(RINGS.fetch_add(1, Ordering::Relaxed) > 0, "it rings once");
    }
}

#[test]
fn what_does_not_show_again_is_flaky_and_no_finding() {
    let found = run(Bell::suite(), calls(50));
    assert_eq!(found.findings, []);
    let flaky: Vec<_> =
        found.report.flaky.iter().map(|call| (call.message.as_str(), call.count)).collect();
    assert!(matches!(flaky[..], [(message, 1)] if message.ends_with("it rings once")), "{flaky:?}");
    assert_eq!(found.report.counters.failures, 1);
}

fn of(suite: Suite, names: &[&str]) -> Vec<beget_suite::Method> {
    suite.methods.into_iter().filter(|method| names.contains(&method.name)).collect()
}

/// The last line of each finding's calls.
fn last_lines(suite_methods: &[&str], options: RandomOptions) -> Vec<String> {
    let suite = Suite { methods: of(Alarm::suite(), suite_methods), ..Alarm::suite() };
    let found = run(suite, options);
    let last = |source: &String| source.lines().last().unwrap_or_default().to_owned();
    sources(&found).iter().map(last).collect()
}

#[test]
fn literals_come_from_the_scope_and_wherever_else_they_are_asked_for() {
    let dial = |options: RandomOptions| last_lines(&["new", "dial"], options);
    let wrong = ["let _ = alarm.dial(100);".to_owned()];
    assert_eq!(dial(calls(1000)), [""; 0]);
    let constants = Constants { has_paper: true, ..Constants::default() };
    assert_eq!(dial(RandomOptions { constants, ..calls(1000) }), wrong);
    let pools = Pools { ints: Some(vec![7, 100]), clamp: true, ..Pools::default() };
    let constants = Constants { of_source: vec![(None, pools)], ..Constants::default() };
    assert_eq!(dial(RandomOptions { constants, ..calls(1000) }), wrong);
    assert_eq!(dial(RandomOptions { fresh_ints: Some(90..=110), ..calls(1000) }), wrong);
    let unlock = |options: RandomOptions| last_lines(&["new", "secret", "unlock"], options);
    assert_eq!(unlock(calls(1000)), [""; 0]);
    let constants = Constants { has_returned: true, ..Constants::default() };
    assert_eq!(
        unlock(RandomOptions { constants: constants.clone(), ..calls(1000) }),
        ["let _ = alarm.unlock(4711);"]
    );
    // A bounded run has the literals of the scope, and no others.
    assert_eq!(unlock(RandomOptions { constants, is_bounded: true, ..calls(1000) }), [""; 0]);
}

/// What opens for words and numbers that are near those of the scope.
#[derive(Clone, Debug, Heap)]
pub struct Lock {
    is_open: bool,
}

#[beget::api]
impl Lock {
    /// A closed one.
    pub fn new() -> Self {
        Lock { is_open: false }
    }

    /// Panics near the numbers of the scope.
    pub fn turn(&mut self, by: Option<u8>) {
        assert!(!by.is_some_and(|by| (20..40).contains(&by)), "it turns");
    }

    /// Panics near a limit of the type.
    pub fn add(&mut self, weight: i32) {
        assert!(weight.checked_mul(3).is_some(), "it breaks");
    }

    /// Panics for a misspelt word.
    pub fn say(&mut self, word: &str) {
        assert!(word == "sesame" || !word.starts_with("sesa") || word.len() != 5, "it hears");
    }
}

#[test]
fn numbers_and_texts_near_those_of_the_scope_are_drawn_if_they_are_asked_for() {
    let fields = [("ints", "0..3"), ("strings", "[\"sesame\"]")];
    let found = |options: RandomOptions| {
        let found = run_with(Lock::suite(), &fields, RandomOptions { seed: 1, ..options });
        let mut messages: Vec<String> = Vec::new();
        for finding in &found.findings {
            let message = &finding.problem.message;
            messages.push(message.rsplit(": ").next().unwrap_or_default().to_owned());
        }
        messages.sort();
        (messages, sources(&found))
    };
    let plain = RandomOptions { is_widening: false, ..calls(4000) };
    let (none, _) = found(plain.clone());
    assert_eq!(none, [""; 0]);
    let fuzzed = RandomOptions { fuzz_rate: 0.5, ..plain };
    let (messages, calls) = found(fuzzed.clone());
    assert_eq!(messages, ["it breaks", "it hears", "it turns"]);
    // Minimised, with the literals that the run has drawn.
    assert!(calls.iter().all(|calls| calls.lines().count() == 2), "{calls:?}");
    // A bounded run has the literals of the scope, and no others.
    let (bounded, _) = found(RandomOptions { is_bounded: true, ..fuzzed });
    assert_eq!(bounded, [""; 0]);
}

/// Made of nothing.
#[derive(Clone, Debug, Heap)]
pub struct Ore(u8);

/// Made of ore.
#[derive(Clone, Debug, Heap)]
pub struct Steel(u8);

/// Made of steel.
#[derive(Clone, Debug, Heap)]
pub struct Blade(u8);

/// There is none.
#[derive(Clone, Debug, Heap)]
pub struct Oil;

impl Ore {
    fn dig(depth: u8) -> Self {
        Ore(depth)
    }
}

impl Steel {
    fn smelt(ore: Ore, more: &Ore) -> Self {
        Steel(ore.0 + more.0)
    }
}

impl Oil {
    fn find(_: u8) -> Option<Self> {
        None
    }
}

impl Blade {
    fn forge(steel: Steel, _: Ore) -> Self {
        Blade(steel.0)
    }

    fn quench(&self, _: &Oil) {}
}

beget::suite! {
    /// Blades, and what they are made of.
    #[name = "smithy"]
    suite Smithy {
        for Blade {
            fn forge(steel: Steel, ore: Ore) -> Self;
            fn quench(&self, oil: &Oil);
        }
        for Steel {
            fn smelt(ore: Ore, more: &Ore) -> Self;
        }
        for Ore {
            fn dig(depth: u8) -> Self;
        }
        for Oil {
            fn find(where_to: u8) -> Option<Self>;
        }
    }
}

#[test]
fn what_a_method_lacks_is_made_first_if_that_is_asked_for() {
    let smithy = |seed, is_on_demand, n| {
        let options = RandomOptions { seed, is_on_demand, ..calls(n) };
        run(Smithy::suite(), options).report
    };
    let lacks = |report: &RandomReport| -> Vec<bool> {
        report.by_method.iter().map(|tally| tally.no_inputs > 0).collect()
    };
    // Of oil there is none, however often it is looked for.
    let [usual, on_demand] = [false, true].map(|is_on_demand| smithy(3, is_on_demand, 500));
    assert_eq!(lacks(&usual)[..2], [true, true]);
    assert_eq!(lacks(&on_demand), [false, true, false, false, false]);
    let n_calls = on_demand.by_method.iter().map(|tally| tally.calls.explored());
    assert!(n_calls.clone().sum::<u64>() == 500 && n_calls.skip(2).all(|n| n > 50));
    // Ore, steel, a blade: where that is all there is time for.
    let blades = |is_on_demand| {
        (0..50).filter(|&seed| smithy(seed, is_on_demand, 4).distinct.by_type[0] > 0).count()
    };
    let (usual, on_demand) = (blades(false), blades(true));
    assert!(on_demand > 2 * usual, "{usual} and {on_demand}");
}

#[test]
fn none_and_the_same_twice_have_their_shares() {
    let hang_up = |none_ratio| {
        last_lines(&["new", "hang_up"], RandomOptions { none_ratio, ..calls(500) }).len()
    };
    assert_eq!((hang_up(0.0), hang_up(0.05)), (0, 1));
    let meet =
        |alias_ratio| last_lines(&["new", "meet"], RandomOptions { alias_ratio, ..calls(500) });
    assert_eq!(meet(0.0), [""; 0]);
    assert_eq!(meet(0.1), ["let _ = alarm.meet(&alarm);"]);
}

/// A bag that says it equals each one of its size.
#[derive(Clone, Debug, Heap)]
pub struct Bag {
    values: Vec<u8>,
}

impl PartialEq for Bag {
    fn eq(&self, other: &Self) -> bool {
        self.values.len() == other.values.len()
    }
}

#[beget::api]
impl Bag {
    /// An empty one.
    pub fn new() -> Self {
        Bag { values: Vec::new() }
    }

    /// Puts a value in, up to three.
    pub fn put(&mut self, value: u8) {
        if self.values.len() < 3 {
            self.values.push(value);
        }
    }
}

#[test]
fn what_is_extended_depends_on_what_is_the_same() {
    let kept = |matching| {
        let options = RandomOptions { matching, is_widening: false, ..calls(30_000) };
        let found = run(Bag::suite(), options);
        (found.report.kept_sequences, found.report.distinct.by_type[0])
    };
    // 1 + 3 + 9 + 27 bags; four sizes, of each of which one is extended.
    assert_eq!(kept(Matching::Form), (40, 40));
    let (extended, met) = kept(Matching::Equality);
    assert_eq!(extended, 4);
    assert!(met < 40, "what is equal is not the same: {met}");
    assert!(kept(Matching::None).0 > 1000);
}

/// Two numbers that hash as they like.
#[derive(Clone, Debug, Default, Heap, Eq)]
pub struct Pair {
    left: u8,
    right: u8,
}

impl PartialEq for Pair {
    fn eq(&self, other: &Self) -> bool {
        self.left == other.left
    }
}

impl std::hash::Hash for Pair {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.right.hash(state);
    }
}

#[beget::api]
impl Pair {
    /// Zeros.
    pub fn new() -> Self {
        Pair::default()
    }

    /// Sets the left number.
    pub fn set_left(&mut self, value: u8) {
        self.left = value;
    }

    /// Sets the right number.
    pub fn set_right(&mut self, value: u8) {
        self.right = value;
    }
}

#[test]
fn a_contract_of_two_values_is_minimised_in_both() {
    let found = run(Pair::suite(), calls(500));
    let [finding] = &found.findings[..] else { panic!("{:?}", found.findings) };
    let message = finding.problem.to_string();
    assert!(message.contains("hash"), "{message}");
    let shortest = "let mut pair = Pair::new();\nlet _ = pair.set_right(1);";
    let mut both = vec![sources(&found)[0].clone(), message];
    both.sort_by_key(|text| !text.contains("set_right"));
    // One of them is as it was made, the other has another right number.
    assert!(both[0].contains("pair.set_right(1)"), "{both:?} {shortest}");
    assert!(!both.concat().contains("set_left"), "{both:?}");
}

/// No way in.
#[derive(Clone, Debug, Heap)]
pub struct Closed(u8);

#[beget::api]
impl Closed {
    /// There is none to be had.
    pub fn open() -> Option<Self> {
        None
    }

    /// Nobody gets here.
    pub fn look(&self) -> u8 {
        self.0
    }
}

#[test]
fn a_run_without_a_call_to_make_ends_and_says_why() {
    let found = run(Closed::suite(), calls(1000));
    assert_eq!(found.stop_reason, StopReason::NothingToCall);
    let reasons: Vec<_> =
        found.plan.planned_idxs().map(|idx| found.report.why_unused(&found.plan, idx)).collect();
    assert_eq!(reasons, [None, Some("there is no Closed".to_owned())]);
}

#[test]
fn a_test_of_a_sound_type_passes_and_says_what_it_did() {
    let tested = beget::random!(Bag, ints = 0..=9, calls = 2_000, seed = 3, max_length = 20);
    assert_eq!(tested.report().counters.explored(), 2_000);
    let line = tested.to_string();
    assert!(
        line.starts_with("Bag: ") && line.contains(" structures by 2000 calls with seed 3"),
        "{line}"
    );
}

#[test]
fn a_test_that_fails_shows_a_test() {
    let failed = std::panic::catch_unwind(|| beget::random!(Alarm, calls = 5_000, ints = 90..=110));
    let message = failed.unwrap_err();
    let message = message.downcast_ref::<String>().unwrap();
    assert!(message.contains("wrong number") && message.contains("#[test]"), "{message}");
    assert!(message.contains("alarm.dial(100);"), "{message}");
}

/// What it does depends on its capacity, which no form shows: made by its calls it has room for
/// 100, decoded it has none.
#[derive(Clone, Debug, Heap)]
pub struct Roomy {
    items: Vec<u8>,
    count: u16,
    seen: Option<bool>,
}

#[beget::api]
impl Roomy {
    /// With room for 100.
    pub fn new() -> Self {
        Roomy { items: Vec::with_capacity(100), count: 0, seen: None }
    }

    /// Counts.
    pub fn count(&mut self) {
        self.count += 1;
    }

    /// Sees whether there is room.
    pub fn look(&mut self) {
        self.seen = Some(self.items.capacity() >= 100);
    }

    /// Fails without room.
    pub fn rely(&mut self) {
        assert!(self.items.capacity() >= 100, "it has shrunk");
    }
}

/// What only a decoded structure shows is no finding, and ends decoding once it is noticed.
#[test]
fn what_decoding_changes_is_no_finding() {
    let run = |options: RandomOptions| {
        let suite =
            Suite { methods: of(Roomy::suite(), &["new", "count", "look"]), ..Roomy::suite() };
        run(suite, options)
    };
    let found = run(calls(5_000));
    assert_eq!(found.findings, []);
    assert!(found.report.is_decoding_inexact && found.report.spared > 0);
    assert!(found.notes.iter().any(|note| note.contains("calls on decoded structures")));
    let by_calls = run(RandomOptions { is_by_calls: true, ..calls(5_000) });
    assert!(!by_calls.report.is_decoding_inexact && by_calls.notes.is_empty());
    assert_eq!(by_calls.report.spared, 0);
}

#[test]
fn a_failure_on_a_decoded_structure_is_made_again_by_its_calls() {
    let suite = Suite { methods: of(Roomy::suite(), &["new", "count", "rely"]), ..Roomy::suite() };
    let found = run(suite, calls(5_000));
    assert_eq!(found.findings, []);
    let [flaky] = &found.report.flaky[..] else { panic!("{:?}", found.report.flaky) };
    assert!(flaky.message.contains("it has shrunk"), "{flaky:?}");
    assert_eq!(flaky.count, found.report.counters.failures);
}
