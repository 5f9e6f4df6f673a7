//! What a panic leaves is looked at, used by one more call and dropped. Each defect is a suite of
//! its own, beside a twin without it.
#![allow(unsafe_code, reason = "an allocator is installed")]
#![allow(clippy::new_without_default, reason = "the types stand for those of a library")]

use crate::common;

use beget::suites::{Suite, to_source};
use beget::{HasSuite, Heap};
use beget_engine::{Corpus, PanicTally, Run, Settings};
use beget_plan::scope::Overrides;
use beget_run::{Catalog, ContractTally, Host, Input, RandomOptions, RandomRun, Watch, random};
use common::{REPLAY, plan, run_all_ways};

/// The panics of `pay` and `poison` are documented.
const FIELDS: &str = r#"k: 2, objects: {"*": "k"}, arrays: "k", ints: "0..3",
    misuse: (panics: ["no such coin"])"#;

/// Runs a suite by all ways of copying, by one thread and two; all tell the same.
#[track_caller]
fn run(suite: fn() -> Suite, fields: &str) -> Corpus {
    let plan = plan(suite(), fields).with(|draft| draft.follows_panics = true);
    run_all_ways(&plan)
}

/// Checks that the only finding is this one, with this witness, and how many calls show it.
#[track_caller]
fn check(suite: fn() -> Suite, message: &str, source: &str, panics: PanicTally) {
    let corpus = run(suite, FIELDS);
    assert_eq!(corpus.report.ledger.panics, panics);
    let [finding] = &corpus.report.findings[..] else { panic!("{:?}", corpus.report.findings) };
    let (problem, recipe) = (&finding.problem, finding.witness.recipe.as_ref().unwrap());
    assert_eq!((problem.kind.name(), problem.name.as_deref()), ("contract", Some(NAME)));
    let message = format!("the contract `{NAME}` is broken: after the panic in `pay`{message}");
    assert_eq!(problem.message, message);
    assert_eq!(to_source(&corpus.plan.suite, recipe).0, source);
    assert_eq!(finding.count, panics.broken);
    let run = by_chance(suite, FIELDS);
    let [finding] = &run.findings[..] else { panic!("{:?}", run.findings) };
    assert_eq!(finding.problem.message, message);
    let suite = &run.plan.suite;
    assert_eq!(finding.witness.calls(suite).unwrap().to_source(suite).0, source);
    assert!(tally(&run).is_some_and(|tally| tally.broken == tally.asked && tally.asked > 1));
}

/// Checks that panics are followed and nothing is found.
#[track_caller]
fn check_quiet(suite: fn() -> Suite, followed: u64) {
    let corpus = run(suite, FIELDS);
    assert_eq!(corpus.report.findings, []);
    assert_eq!(corpus.report.ledger.panics, PanicTally { followed, broken: 0 });
    let run = by_chance(suite, FIELDS);
    assert_eq!(run.findings, []);
    assert!(tally(&run).is_some_and(|tally| tally.broken == 0 && tally.asked > 1));
}

struct NoClock;

impl Host for NoClock {
    fn seconds(&self) -> f64 {
        0.0
    }
}

/// A random run of a suite.
fn by_chance(suite: fn() -> Suite, fields: &str) -> RandomRun {
    let suite = suite();
    let text = format!("Scope(suite: \"{}\", {fields})", suite.name);
    let input = Input::of_text("scope", text, Catalog::new(vec![suite])).unwrap();
    let plan = input.resolve(&Overrides::default()).unwrap().plan;
    let watch = Watch::new(plan.budget, &NoClock);
    let options = RandomOptions { max_calls: 500, ..RandomOptions::default() };
    random(&input, &[], plan, options, &watch)
}

/// How often the contract was asked about in a random run, if it was.
fn tally(run: &RandomRun) -> Option<&ContractTally> {
    run.contracts.iter().find(|tally| tally.name == NAME)
}

const NAME: &str = beget_plan::finding::USABLE_AFTER_PANIC;

/// Coins and their sum. `pay` of 2 panics; whether before or after the change, is what differs.
macro_rules! purse {
    ($name:ident, $suite:literal, $pay:expr, $close:expr, $drop:expr) => {
        /// Coins and their sum.
        #[derive(Clone, Debug, Heap)]
        pub struct $name {
            coins: Vec<u8>,
            sum: u8,
            is_torn: bool,
        }

        /// Coins below 2 are good.
        #[beget::api(name = $suite)]
        impl $name {
            /// Nothing.
            pub fn new() -> Self {
                $name { coins: Vec::new(), sum: 0, is_torn: false }
            }

            /// One coin more.
            pub fn pay(&mut self, coin: u8) {
                let pay: fn(&mut Self, u8) = $pay;
                pay(self, coin);
                self.coins.push(coin);
                self.sum += coin;
            }

            /// Whatever differs.
            pub fn close(&mut self) {
                let close: fn(&mut Self) = $close;
                close(self);
            }

            #[beget::invariant]
            fn adds_up(&self) -> bool {
                self.sum == self.coins.iter().sum()
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                let end: fn(&mut Self) = $drop;
                end(self);
            }
        }
    };
}

fn good(coin: u8) {
    assert!(coin < 2, "no such coin");
}

const QUIET: PanicTally = PanicTally { followed: 7, broken: 0 };

// Of 1 + 2 + 4 purses each has one call that panics; those that are followed are 7.
purse!(Sound, "sound", |_, coin| good(coin), |_| (), |_| ());

#[test]
fn a_panic_before_the_change_is_quiet() {
    check_quiet(Sound::suite, QUIET.followed);
}

purse!(
    Hasty,
    "hasty",
    |purse, coin| {
        purse.sum += u8::from(coin == 2);
        good(coin);
    },
    |_| (),
    |_| ()
);

#[test]
fn an_invariant_that_a_panic_breaks_is_told() {
    let source = "let mut hasty = Hasty::new();\n\
                  let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| hasty.pay(2)));";
    let message = ", the invariant `adds_up` does not hold";
    check(Hasty::suite, message, source, PanicTally { broken: 7, ..QUIET });
}

purse!(
    Torn,
    "torn",
    |purse, coin| {
        purse.is_torn = coin == 2;
        good(coin);
    },
    |purse| purse.sum += u8::from(purse.is_torn),
    |_| ()
);

#[test]
fn an_invariant_that_the_next_call_breaks_is_told_with_that_call() {
    let source = "let mut torn = Torn::new();\n\
                  let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| torn.pay(2)));\n\
                  let _ = torn.close();";
    let message = " and a call of `close`, the invariant `adds_up` does not hold";
    check(Torn::suite, message, source, PanicTally { broken: 7, ..QUIET });
}

purse!(
    Fused,
    "fused",
    |purse, coin| {
        purse.is_torn = coin == 2;
        good(coin);
    },
    |_| (),
    |purse| assert!(!purse.is_torn, "torn")
);

/// The run drops what each call leaves, and tells it.
#[test]
fn a_destructor_that_panics_after_a_panic_is_told_once() {
    let corpus = run(Fused::suite, FIELDS);
    let [finding] = &corpus.report.findings[..] else { panic!("{:?}", corpus.report.findings) };
    assert_eq!((finding.problem.kind.name(), finding.count), ("drop_panics", 7));
    let run = by_chance(Fused::suite, FIELDS);
    let [finding] = &run.findings[..] else { panic!("{:?}", run.findings) };
    assert_eq!(finding.problem.kind.name(), "drop_panics");
}

purse!(
    Primed,
    "primed",
    |purse, coin| {
        purse.is_torn = coin == 2;
        good(coin);
    },
    |purse| purse.coins.truncate(if purse.is_torn { 0 } else { 9 }),
    |purse| assert!(purse.sum == purse.coins.iter().sum(), "torn")
);

#[test]
fn a_destructor_that_panics_after_the_next_call_is_told() {
    let corpus = run(Primed::suite, FIELDS);
    let [finding] = &corpus.report.findings[..] else { panic!("{:?}", corpus.report.findings) };
    let message = &finding.problem.message;
    assert!(message.contains("after the panic in `pay` and a call of `close`, "), "{message}");
    let run = by_chance(Primed::suite, FIELDS);
    let messages: Vec<&str> = run.findings.iter().map(|found| &*found.problem.message).collect();
    assert_eq!(messages, [&**message]);
}

purse!(
    Poisoned,
    "poisoned",
    |purse, coin| {
        assert!(!purse.is_torn, "poisoned");
        purse.is_torn = coin == 2;
        good(coin);
    },
    |purse| assert!(!purse.is_torn, "poisoned"),
    |_| ()
);

/// A type may refuse to work after a panic: a second panic is nothing.
#[test]
fn methods_that_panic_on_what_a_panic_left_are_quiet() {
    check_quiet(Poisoned::suite, QUIET.followed);
}

purse!(Grim, "grim", |_, coin| good(coin), |_| (), |purse| {
    assert!(purse.coins.len() < 2, "two are too many");
});

/// What is so without the panic is not the panic's: of the destructor the run tells itself.
#[test]
fn a_destructor_that_panics_anyway_is_no_matter_of_a_panic() {
    let corpus = run_without_region(Grim::suite);
    assert!(corpus.report.ledger.panics.followed > 0);
    assert_eq!(corpus.report.ledger.panics.broken, 0);
    let kinds: Vec<_> = corpus.report.findings.iter().map(|it| it.problem.kind.name()).collect();
    assert!(kinds.iter().all(|kind| *kind == "drop_panics"), "{kinds:?}");
    let run = by_chance(Grim::suite, FIELDS);
    assert!(tally(&run).is_some_and(|tally| tally.broken == 0 && tally.asked > 1));
    let kinds: Vec<_> = run.findings.iter().map(|it| it.problem.kind.name()).collect();
    assert_eq!(kinds, ["drop_panics"], "of `pay` and of `close`, at one place");
}

fn run_without_region(suite: fn() -> Suite) -> Corpus {
    let plan = plan(suite(), FIELDS).with(|draft| draft.follows_panics = true);
    Run::new(plan).settings(Settings { threads: 1, copy_options: REPLAY }).go()
}

/// Where the scope keeps what a panic leaves, invariants are asked of it by the run.
#[test]
fn what_is_kept_is_not_told_twice() {
    let fields = FIELDS.replace("panics:", "keep_panicked: true, panics:");
    let corpus = run(Hasty::suite, &fields);
    let kinds: Vec<_> = corpus.report.findings.iter().map(|it| it.problem.kind.name()).collect();
    assert_eq!(kinds, ["invariant"]);
    let run = by_chance(Hasty::suite, &fields);
    let kinds: Vec<_> = run.findings.iter().map(|it| it.problem.kind.name()).collect();
    assert_eq!(kinds, ["invariant"]);
}

#[test]
fn a_check_tells_it_and_asks_unless_it_is_switched_off() {
    use std::panic::catch_unwind;

    let checked = || {
        catch_unwind(|| {
            beget::check!(
                Torn,
                k = 2,
                arrays = "k",
                ints = 0..3,
                misuse = (panics: ["no such coin"])
            )
        })
    };
    let shown = checked().expect_err("a finding");
    let shown = shown.downcast_ref::<String>().expect("a message");
    assert!(shown.contains("the contract `usable_after_panic` is broken"), "{shown}");
    assert!(shown.contains("torn.close();"), "{shown}");
    assert!(shown.contains("contracts = Except"), "{shown}");
    beget::check!(
        Torn,
        k = 2,
        arrays = "k",
        ints = 0..3,
        misuse = (panics: ["no such coin"]),
        contracts = Except(["usable_after_panic"])
    );
}

/// Of a structure with many calls that panic, the first of each method and place are followed.
#[test]
fn calls_that_panic_alike_are_followed_up_to_a_bound() {
    let corpus = run(Sound::suite, &FIELDS.replace("0..3", "0..40"));
    // 1 + 2 + 4 purses, 38 coins that are not good; 8 of a block.
    assert_eq!(corpus.report.ledger.counters.misuse, 7 * 38);
    assert_eq!(corpus.report.ledger.panics.followed % 8, 0, "{:?}", corpus.report.ledger.panics);
    assert!(corpus.report.ledger.panics.followed < 7 * 38);
}
