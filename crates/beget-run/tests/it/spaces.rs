//! Verdicts on small spaces, and tests of panicking destructors.
#![allow(missing_docs, reason = "the types stand for those of a library")]

use crate::common;

use beget::{HasSuite, Heap};
use beget_plan::finding::{Finding, Problem, StopReason};
use beget_plan::scope::{MethodsOverride, Overrides};
use beget_run::{
    Catalog, CheckRun, Depth, DepthEnd, FailureTest, Input, NoFailure, RandomOptions, RepOkSource,
    SpaceVerdict, StoreKind, Watch, Widening, advice_for, check, failure_tests, random,
};
use common::{Scripted, settings};

fn checked(input: &Input<'_>) -> CheckRun {
    let (plan, host) = (input.resolve(&Overrides::default()).unwrap().plan, Scripted::default());
    let watch = Watch::new(plan.budget, &host);
    check(input, &[], plan, settings(), StoreKind::Exact, &watch).unwrap()
}

fn chains(fields: &str) -> CheckRun {
    checked(&common::input(&format!("{fields}, contracts: Off")))
}

/// The reasons why a space at a given k is thin.
fn reasons(run: &CheckRun) -> Option<String> {
    SpaceVerdict::of(run, None, false, false).thin.map(|thin| thin.to_string())
}

/// The chain says 0, and is to say one number after another: 1 of 20 is within the scope.
#[test]
fn a_space_is_thin_if_more_than_nine_of_ten_calls_went_beyond_a_bound() {
    let of = |n: u32| {
        chains(&format!(
            r#"k: 1, methods: Only(["new", "claim"]), ints: "0..{n}", fields: {{"*": "0..=0"}}"#
        ))
    };
    // 18 and 19 beyond it, besides `new` and one claim.
    assert_eq!(reasons(&of(19)), None);
    let thin = reasons(&of(20)).unwrap();
    assert!(thin.starts_with("19 of 21 calls went beyond "), "{thin}");
}

#[test]
fn a_space_is_thin_if_no_method_that_could_changes_anything() {
    let of = |methods: &str| {
        reasons(&chains(&format!(r#"k: 1, methods: Only(["new", {methods}]), ints: "0..1""#)))
    };
    let idle = |who: &str| Some(format!("no call changed a structure, though {who} one by `&mut`"));
    assert_eq!(of(r#""pop""#), idle("1 method takes"));
    assert_eq!(of(r#""pop", "claim""#), idle("2 methods take"));
    assert_eq!((of(""), of(r#""push""#)), (None, None));
    // A run that was cut may have changed something later.
    let cut = r#"k: 1, methods: Only(["new", "pop"]), budget: (max_calls: Some(1))"#;
    assert_eq!(reasons(&chains(cut)), None);
}

/// Never opens.
#[derive(Clone, Debug, Default, Heap)]
pub struct Turnstile {
    n_turns: u8,
}

#[beget::api(name = "turnstile")]
impl Turnstile {
    pub fn new() -> Self {
        Turnstile::default()
    }

    pub fn push(&mut self) -> Result<(), String> {
        Err("it is locked".to_owned())
    }

    pub fn turn(&mut self) {
        self.n_turns = 1 - self.n_turns;
    }
}

#[test]
fn warnings_and_thin_spaces_fail_a_check_where_they_are_refused() {
    let run = |methods: &str| {
        let text = format!(r#"Scope(suite: "turnstile", k: 1, methods: Only(["new", {methods}]))"#);
        let catalog = Catalog::new(vec![Turnstile::suite()]);
        checked(&Input::of_text("turnstile.ron", text, catalog).unwrap())
    };
    let (fine, warned, thin) = (run(r#""turn""#), run(r#""turn", "push""#), run(r#""push""#));
    let depth = Depth {
        reached: Some(1),
        end: DepthEnd::Finite,
        next_seconds: None,
        spent_on_next: 0.0,
        budget_seconds: 1.0,
        at_least: 1,
        widened: Widening::default(),
    };
    let of = |run: &CheckRun, accepts_thin: bool, is_strict: bool| {
        let verdict = SpaceVerdict::of(run, None, accepts_thin, is_strict);
        let n_warnings = verdict.warnings.len();
        (verdict.thin.is_some(), n_warnings, verdict.is_refused(), verdict.fails())
    };
    assert_eq!(of(&fine, false, true), (false, 0, false, false));
    assert_eq!(of(&warned, false, false), (false, 1, false, false));
    assert_eq!(of(&warned, false, true), (false, 1, false, true));
    assert_eq!(of(&thin, false, false), (true, 1, false, false));
    assert_eq!(of(&thin, false, true), (true, 1, true, true));
    assert_eq!(of(&thin, true, true), (false, 1, false, true));
    let deep = SpaceVerdict::of(&thin, Some(&depth), false, false);
    assert_eq!((deep.is_refused(), deep.fails()), (true, true));
    let [warning] = &SpaceVerdict::of(&warned, None, false, false).warnings[..] else {
        panic!("one warning")
    };
    assert!(warning.starts_with("`push` was never called with success: its calls"), "{warning}");
    assert_eq!(fine.stop_reason, StopReason::Exhausted);
}

/// Counts.
#[derive(Clone, Debug, Default, Heap)]
pub struct Taximeter {
    fare: u32,
}

#[beget::api(name = "taximeter")]
impl Taximeter {
    pub fn new() -> Self {
        Taximeter::default()
    }

    pub fn tick(&mut self) {
        self.fare += 1;
    }
}

#[test]
fn a_run_that_only_counts_until_its_budget_is_spent_is_advised_to_bound_the_integer() {
    let advice = |fields: &str| {
        let text = format!(r#"Scope(suite: "taximeter", k: 1, {fields})"#);
        let catalog = Catalog::new(vec![Taximeter::suite()]);
        let run = checked(&Input::of_text("taximeter.ron", text, catalog).unwrap());
        (run.corpus.store.len(), advice_for(&run.corpus).unwrap())
    };
    let cut = |n: u32, enough: &str| {
        advice(&format!(r#"fields: {{"*": "any"}}, budget: (max_structures: Some({n}){enough})"#))
    };
    let text = "only integers grew: `Taximeter.fare` had 8 values at level 8; give them a range in \
                the scope, `fields: {\"Taximeter.fare\": \"0..k\"}`, or leave it out with `\"skip\"`";
    assert_eq!(cut(8, ""), (8, Some(text.to_owned())));
    // Too few, as many as the scope says are enough, and all that there are.
    assert_eq!(cut(7, ""), (7, None));
    assert_eq!(cut(8, ", enough: true"), (8, None));
    assert_eq!(advice(r#"fields: {"*": "0..=300"}"#), (301, None));
}

/// Chains of up to two links, each with every length up to its own. `short` rejects those of two
/// links, `corrected` those that say another length.
#[test]
fn random_runs_ask_repoks_about_each_structure_once() {
    let input = common::input(r#"k: 2, methods: Only(["new", "push", "sneak"])"#);
    let of = |rep_ok: &str, methods: &[&str], stops_at_first: bool| {
        let methods = methods.iter().map(ToString::to_string).collect();
        let methods = Some(MethodsOverride::Only(methods));
        let plan = input.resolve(&Overrides { methods, ..Overrides::default() }).unwrap().plan;
        let rep_oks = input.rep_oks(Some(rep_ok)).unwrap();
        let host = Scripted::default();
        let options = RandomOptions {
            max_calls: 2_000,
            is_bounded: true,
            stops_at_first,
            ..RandomOptions::default()
        };
        let watch = Watch::new(plan.budget, &host);
        let run = random(&input, &rep_oks, plan, options, &watch);
        let counts: Vec<u64> = run.findings.iter().map(|finding| finding.count).collect();
        (counts, run.rejected_by.clone(), run.stop_reason)
    };
    let all = ["new", "push", "sneak"];
    let ended = StopReason::MaxCalls(2_000);
    assert_eq!(of("short", &all, false), (vec![3], vec!["short"], ended));
    assert_eq!(of("corrected", &all, false), (vec![3], vec!["corrected"], ended));
    let (counts, _, stopped) = of("corrected", &all, true);
    assert_eq!((counts.len(), stopped), (1, StopReason::FailureFound));
    assert_eq!(of("corrected", &all[..2], true), (vec![], vec![], ended));
}

/// Panics when it is dropped, once it is cracked.
#[derive(Debug, Default, Heap)]
pub struct Brittle {
    is_cracked: bool,
}

impl Drop for Brittle {
    fn drop(&mut self) {
        assert!(!self.is_cracked, "it breaks");
    }
}

#[beget::api(name = "brittle")]
impl Brittle {
    pub fn new() -> Self {
        Brittle::default()
    }

    pub fn crack(&mut self) {
        self.is_cracked = true;
    }
}

#[test]
fn a_destructor_that_panics_has_a_test_that_fails() {
    let text = r#"Scope(suite: "brittle", k: 1)"#;
    let catalog = Catalog::new(vec![Brittle::suite()]);
    let input = Input::of_text("brittle.ron", text.to_owned(), catalog).unwrap();
    let run = checked(&input);
    let [test] = &failure_tests(&run, RepOkSource::Elsewhere).collect::<Vec<_>>()[..] else {
        panic!("one finding")
    };
    assert_eq!((test.finding.problem.kind.name(), test.verdict), ("drop_panics", Ok(())));
    let body = ["let mut brittle = Brittle::new();", "brittle.crack();"];
    assert_eq!(test.function.body, body);
    // The calls do not show a panic elsewhere.
    let problem = Problem::drop_panics("it breaks", "elsewhere.rs:1:1".to_owned());
    let elsewhere = Finding { problem, ..test.finding.clone() };
    let test = FailureTest::of(&run.corpus.plan, &elsewhere, 1, None);
    assert_eq!(test.verdict, Err(NoFailure::Gone));
}
