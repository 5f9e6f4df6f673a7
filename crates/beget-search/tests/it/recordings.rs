//! Recorded calls that are made again, and observers of structures.
#![allow(missing_docs, reason = "the types stand for those of a library")]

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use beget::suites::Suite;
use beget::{HasSuite as _, Heap};
use beget_plan::finding::StopReason;
use beget_plan::scope::{Budget, Overrides, Plan};
use beget_run::random::RandomOptions;
use beget_run::{Catalog, Host, Input, RandomRun, Watch, random};
use beget_search::run::{
    RecordedSequence, RecordingDiff, TestedSequences, behaviors_by_chance, behaviors_of_outcomes,
    compare_recording, replay_all,
};
use beget_suite::{Binding, Operand, Sequence, Statement, Variable};

/// A host without a clock.
struct Unhurried;

impl Host for Unhurried {
    fn seconds(&self) -> f64 {
        0.0
    }
}

fn watch() -> Watch<'static> {
    Watch::new(Budget::default(), &Unhurried)
}

fn input_of(suite: Suite) -> Input<'static> {
    let text = format!(
        "Scope(suite: {:?}, k: 1, objects: {{\"*\": \"k\"}}, arrays: \"2\", ints: \"0..3\")",
        suite.name
    );
    Input::of_text("scope.ron", text, Catalog::new(vec![suite])).unwrap()
}

fn plan_of(suite: Suite) -> Plan {
    input_of(suite).resolve(&Overrides::default()).unwrap().plan
}

/// The sum of what was paid.
#[derive(Clone, Debug, Default, Heap)]
pub struct Wallet {
    sum: i64,
}

#[beget::api(name = "test::wallet")]
impl Wallet {
    pub fn new() -> Self {
        Wallet::default()
    }

    pub fn pay(&mut self, by: i64) -> i64 {
        self.sum += by;
        self.sum
    }

    pub fn pay_all(&mut self, all: Vec<i64>) -> i64 {
        self.sum += all.iter().sum::<i64>();
        self.sum
    }

    pub fn pay_pair(&mut self, pair: (u8, u16)) -> u32 {
        u32::from(pair.0) + u32::from(pair.1)
    }

    pub fn tear(&mut self) -> bool {
        panic!("it is torn");
    }
}

/// A new wallet in variable 0, and calls on it with these literals.
fn calls_on(plan: &Plan, calls: &[(&str, &[&str])]) -> Sequence {
    let statement = |name: &str, arguments, bindings| Statement {
        method: plan.suite.find_method(name).expect("a method"),
        arguments,
        bindings,
        ends: Vec::new(),
        panics: false,
    };
    let binding = Binding { output: 0, variable: Variable(0) };
    let mut statements = vec![statement("new", Vec::new(), vec![binding])];
    statements.extend(calls.iter().map(|(name, literals)| {
        let literals = literals.iter().map(|literal| Operand::Literal((*literal).to_owned()));
        let arguments = std::iter::once(Operand::Variable(Variable(0))).chain(literals);
        statement(name, arguments.collect(), Vec::new())
    }));
    Sequence { statements, result: None }
}

/// The comparison with a version that cannot be run.
fn compared(plan: &Plan, recorded: &[RecordedSequence]) -> RecordingDiff {
    compare_recording(plan.clone(), recorded, &|_| None, &watch())
}

fn recorded(calls: Sequence, did: &[Option<&str>]) -> RecordedSequence {
    RecordedSequence { calls, did: did.iter().map(|one| one.map(str::to_owned)).collect() }
}

#[test]
fn literals_that_no_scope_gave_are_made_from_their_integers() {
    let plan = plan_of(Wallet::suite());
    let calls: [(&str, &[&str]); 3] =
        [("pay", &["100000"]), ("pay_all", &["vec![100000, -2, 3]"]), ("pay_pair", &["(3, 300)"])];
    let replayed = replay_all(&plan, vec![calls_on(&plan, &calls)]);
    let did: Vec<_> = replayed[0].did.iter().map(Option::as_deref).collect();
    assert_eq!(did, [None, Some("gives 100000"), Some("gives 200001"), Some("gives 303")]);
}

#[test]
fn equal_differences_are_one_finding_with_their_number() {
    let plan = plan_of(Wallet::suite());
    let short = || calls_on(&plan, &[("pay", &["1"])]);
    let long = calls_on(&plan, &[("pay", &["1"]), ("pay", &["2"])]);
    let all = [
        recorded(long, &[None, Some("gives 7"), Some("gives 9")]),
        recorded(short(), &[None, Some("gives 7")]),
        recorded(short(), &[None, Some("gives 1")]),
        recorded(short(), &[None, Some("gives 7")]),
    ];
    let diff = compared(&plan, &all);
    let [finding] = &diff.findings[..] else { panic!("{:?}", diff.findings) };
    assert_eq!(finding.problem.message, "`Wallet::pay` gives 1; recorded: it gives 7");
    assert_eq!(finding.count, 3);
    // The shortest is shown.
    assert_eq!(finding.witness.calls(&plan.suite).unwrap().statements, short().statements);
    let [note] = &diff.notes[..] else { panic!("{:?}", diff.notes) };
    assert!(note.contains("name the program that recorded"), "{note}");
    // As a run: the calls before a difference matched, and those after it.
    let run = diff.into_run();
    let counters = run.report.counters;
    assert_eq!((counters.matched, counters.failures), (4 + 2, 3));
    assert_eq!((run.report.sequences, run.report.longest), (4, 3));
    assert_eq!((run.findings.len(), run.stop_reason), (1, StopReason::NothingLeft));
}

#[test]
fn a_call_without_a_recorded_effect_must_not_fail() {
    let plan = plan_of(Wallet::suite());
    let all = [
        recorded(calls_on(&plan, &[("pay", &["1"])]), &[None, None]),
        recorded(calls_on(&plan, &[("tear", &[])]), &[None, None]),
    ];
    let diff = compared(&plan, &all);
    let [finding] = &diff.findings[..] else { panic!("{:?}", diff.findings) };
    let message = "`Wallet::tear` panics: it is torn; recorded: it returned";
    assert_eq!((&*finding.problem.message, finding.count), (message, 1));
}

static N_LOOKS: AtomicU32 = AtomicU32::new(0);

/// Light that never looks the same twice, and takes its time.
#[derive(Clone, Debug, Default, Heap)]
pub struct Lantern {
    oil: u8,
}

#[beget::api(name = "test::lantern")]
impl Lantern {
    pub fn new() -> Self {
        Lantern::default()
    }

    pub fn fill(&mut self, oil: u8) {
        self.oil = self.oil.wrapping_add(oil);
    }

    pub fn lit(oil: u8) -> Self {
        Lantern { oil }
    }

    /// Another number each time.
    pub fn flicker(&self) -> u32 {
        N_LOOKS.fetch_add(1, Relaxed)
    }

    /// Longer than the time between two looks at its thread.
    pub fn glow(&self) -> u8 {
        std::thread::sleep(Duration::from_millis(30));
        self.oil
    }
}

fn lantern_run(max_calls: u64) -> RandomRun {
    let (input, plan) = (input_of(Lantern::suite()), plan_of(Lantern::suite()));
    let options = RandomOptions { max_calls, ..RandomOptions::default() };
    random(&input, &[], plan, options, &watch())
}

#[test]
fn observers_may_take_their_time_and_are_left_out_if_they_vary() {
    let run = lantern_run(130);
    let found = behaviors_by_chance(&run, &run.plan, 2, &watch());
    let maximal = run.pool.maximal().len();
    assert!(maximal > 3, "{maximal}");
    // Two of all, evenly spread.
    let ids: Vec<usize> = found.all.iter().map(|one| one.id.index()).collect();
    assert_eq!(ids, [0, maximal / 2]);
    for behavior in &found.all {
        let looks = found.statements(behavior).skip(behavior.n_building);
        let names = looks.map(|one| run.plan.suite.method(one.method).name);
        assert_eq!(names.collect::<Vec<_>>(), ["glow"]);
    }
    let varies = "what `flicker` returns: it is not the same every time";
    assert_eq!(found.left_out, [varies]);
    // Once, though both kinds of sequences show it.
    let tested = TestedSequences { most: 1, observers: &[] };
    let found = behaviors_of_outcomes(&run, &run.plan, tested, &watch());
    assert!(found.all.len() > 1);
    assert_eq!(found.left_out, [varies]);
}
