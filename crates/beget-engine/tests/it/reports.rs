//! What a run tells of itself: levels, progress, outcomes and findings.

use crate::common;

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use beget_engine::{AuditTally, CopyOptions, MethodReach, Report, Run, Settings};
use beget_heap::{
    Bounds, ClassKey, Decoder, Field, Heap, PassedBound, Schema, Undecodable, Walker,
};
use beget_plan::finding::{Kind, Progress, StopReason};
use beget_plan::scope::{CallAudits, Plan, PlannedIdx};
use beget_suite::{Breach, CallFn, Invariant, Method, Outcome, Output, Suite, TypeIdx, type_of};
use common::{Tree, plan, suite};

/// Trees whose insertion is `call`.
fn inserting(call: CallFn, k: u32) -> Plan {
    let mut suite = suite();
    suite.methods[1] = Method { call, ..suite.methods[1].clone() };
    plan(suite, &["new", "insert"], k)
}

fn report(plan: Plan) -> Report {
    Run::new(plan).settings(Settings { threads: 1, ..Settings::default() }).go().report
}

/// Trees of n of three numbers: 1, 3, 3 * 2 and 5. Each gets three insertions.
#[test]
fn each_level_tells_its_calls_and_what_they_brought() {
    let report = report(plan(suite(), &["new", "insert"], 3));
    let levels: Vec<_> = report.levels.iter().map(|level| (level.new, level.explored)).collect();
    assert_eq!(levels, [(1, 1), (3, 3), (6, 3 * 3), (5, 6 * 3), (0, 5 * 3)]);
}

#[test]
fn a_level_without_calls_is_none() {
    assert_eq!(report(plan(suite(), &["insert"], 3)).levels, []);
}

/// The fifth level has 15 * 4 calls; the budget ends after some of them.
#[test]
fn a_level_that_is_cut_is_not_told_as_done() {
    let plan =
        plan(suite(), &["new", "insert"], 4).with(|draft| draft.budget.max_calls = Some(200));
    let mut last = None;
    let corpus = Run::new(plan)
        .observe(&mut |progress: Progress| {
            last = progress.level;
            None
        })
        .go();
    assert_eq!(corpus.report.stop_reason, StopReason::MaxCalls(200));
    let last = last.unwrap();
    assert!((1..1000).contains(&last.done), "{last:?}");
}

/// The same panic on the empty tree and on that of one number, in two levels.
#[test]
fn a_cause_is_one_finding_with_the_number_of_its_calls() {
    let call = |call: &mut beget_suite::Call<'_>| {
        let info = *call.literal::<i32>(0);
        assert!(info == 0, "one is too much");
        call.structure::<Tree>(0).insert(info);
        Outcome::Returned
    };
    let report = report(inserting(call, 2).with(|draft| {
        let literals = &mut draft.methods[1].domains[0];
        let one = literals[1].clone();
        literals.resize(1000, one);
    }));
    assert_eq!((report.findings.len(), report.findings[0].count), (1, 2 * 999));
    assert_eq!(report.ledger.counters.failures, 2 * 999);
}

#[test]
fn a_panic_that_the_scope_expects_is_misuse() {
    let plan = inserting(|_| panic!("as expected"), 2)
        .with(|draft| draft.misuse.panics = vec![regex_lite::Regex::new("expected").unwrap()]);
    let report = report(plan);
    assert_eq!((report.ledger.counters.misuse, report.ledger.counters.failures), (2, 0));
    assert_eq!(report.findings, []);
    let expected = report.ledger.expected.iter();
    let expected: Vec<_> =
        expected.map(|one| (one.pattern, one.method.index(), one.calls)).collect();
    assert_eq!(expected, [(0, 1, 2)]);
}

/// Two methods on the same tree, so their calls are in one block.
#[test]
fn each_method_whose_expected_panic_changes_its_argument_is_noted() {
    let mut suite = suite();
    let call = |call: &mut beget_suite::Call<'_>| {
        call.structure::<Tree>(0).insert(1);
        panic!("as expected")
    };
    suite.methods[1].call = call;
    suite.methods[3].call = call;
    let plan = plan(suite, &["new", "insert", "split"], 2)
        .with(|draft| draft.misuse.panics = vec![regex_lite::Regex::new("expected").unwrap()]);
    let report = report(plan);
    let notes = report.ledger.notes.iter().filter(|note| note.contains("changed an argument"));
    let names: Vec<_> = notes.map(|note| note.split(' ').next().unwrap_or_default()).collect();
    assert_eq!(names, ["`insert`", "`split`"]);
    assert_eq!(report.ledger.counters.misuse, 2 + 1);
}

/// The empty tree is called with 0 and 1.
#[test]
fn a_call_that_returns_too_much_is_out_of_scope_unless_it_breaks_an_invariant() {
    let longer = |is_broken: bool| {
        let plan = inserting(|_| Outcome::LongerList, 2);
        let mut suite = (*plan.suite).clone();
        if is_broken {
            let check: beget_suite::InvariantFn = |value| {
                let text = format!("{:?}", value.downcast_ref::<Tree>().expect("a tree"));
                if text.contains("size: 9") { Err("nine".to_owned()) } else { Ok(()) }
            };
            let ty = TypeIdx::new(0);
            suite.invariants = vec![Invariant { name: "below_nine", ty, check }];
            suite.methods[1].call = |call| {
                (0..9).for_each(|info| call.structure::<Tree>(0).insert(info));
                Outcome::LongerList
            };
        }
        let counters = report(plan.with(|draft| draft.suite = suite.into())).ledger.counters;
        (counters.kept, counters.out_of_scope, counters.failures)
    };
    // Only the empty tree is left.
    assert_eq!(longer(false), (1, 2, 0));
    assert_eq!(longer(true), (1, 0, 2));
}

/// A breach of a panic that the scope expects is misuse.
#[test]
fn a_broken_contract_is_a_failure_for_each_call() {
    let call = |call: &mut beget_suite::Call<'_>| {
        call.break_contract(Breach {
            kind: "contract",
            name: "ordered",
            message: "it is not ordered".to_owned(),
            panic: Some("as expected".to_owned()),
        })
    };
    let broken = |pattern: &str| {
        let report = report(inserting(call, 2).with(|draft| {
            draft.misuse.panics = vec![regex_lite::Regex::new(pattern).unwrap()];
        }));
        let names = report.findings.iter().map(|finding| finding.problem.name.clone());
        let counters = report.ledger.counters;
        (counters.misuse, counters.failures, names.collect::<Vec<_>>())
    };
    assert_eq!(broken("another"), (0, 2, vec![Some("ordered".to_owned())]));
    assert_eq!(broken("expected"), (2, 0, vec![]));
}

/// The allocator of this program checks nothing.
#[test]
fn memory_is_not_audited_where_it_cannot_be_checked() {
    let audits = CallAudits { memory_sound: true, memory_freed: true, lies: false };
    let plan = plan(suite(), &["new", "insert"], 2).with(|draft| draft.audits = audits);
    assert_eq!(report(plan).ledger.audits, AuditTally::default());
}

/// A number whose walk panics if it is not zero.
#[derive(Debug)]
struct Zero(u8);

impl Heap for Zero {
    fn class() -> ClassKey {
        ClassKey::new::<Self>("Zero")
    }

    fn describe(schema: &mut Schema) {
        schema.class(Self::class(), &[Field { name: "0", ty: "u8", skipped: false }]);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        assert_eq!(self.0, 0, "as expected");
        self.0.walk(walker);
    }
}

#[test]
fn an_expected_panic_of_a_walk_is_misuse() {
    let mut suite = suite();
    suite.types = vec![type_of::<Zero>("Zero", None)];
    let call = |call: &mut beget_suite::Call<'_>| {
        call.give(Zero(0));
        Outcome::Returned
    };
    suite.methods[0] = Method { call, ..suite.methods[0].clone() };
    let call = |call: &mut beget_suite::Call<'_>| {
        call.structure::<Zero>(0).0 = *call.literal::<i32>(0) as u8;
        Outcome::Returned
    };
    suite.methods[1] = Method { call, ..suite.methods[1].clone() };
    let plan = plan(suite, &["new", "insert"], 4);
    let misused = report(plan.clone().with(|draft| {
        draft.misuse.panics = vec![regex_lite::Regex::new("as expected").unwrap()];
    }));
    // Of 0 to 3 all but the first.
    assert_eq!((misused.ledger.counters.misuse, misused.ledger.counters.failures), (3, 0));
    assert_eq!(misused.findings, []);
    let failed = report(plan);
    assert_eq!((failed.ledger.counters.misuse, failed.ledger.counters.failures), (0, 3));
}

/// Two insertions at once leave two nodes, of which there may be one.
#[test]
fn a_method_that_never_stays_in_scope_is_told_from_one_that_does() {
    let call = |call: &mut beget_suite::Call<'_>| {
        let info = *call.literal::<i32>(0);
        call.structure::<Tree>(0).insert(info);
        call.structure::<Tree>(0).insert(info + 1);
        Outcome::Returned
    };
    let plan = inserting(call, 2).with(|draft| draft.bounds = Bounds::uniform(1));
    let node = plan.schema().classes().iter().position(|class| class.key.name == "Node").unwrap();
    let ledger = report(plan).ledger;
    let reach = |method| ledger.reach(PlannedIdx::new(method));
    assert_eq!(reach(0), MethodReach { is_in_scope: true, cut_by: None });
    let cut_by = Some(PassedBound::Objects { class: node as u16 });
    assert_eq!(reach(1), MethodReach { is_in_scope: false, cut_by });
}

/// Only rebuilt structures, so nothing but the sample's replays can see it.
#[test]
fn a_recipe_that_gives_something_else_the_next_time_is_found() {
    static N_CALLS: AtomicU32 = AtomicU32::new(0);
    let plan = inserting(
        |call| {
            let info = N_CALLS.fetch_add(1, Relaxed) % 3;
            call.structure::<Tree>(0).insert(info as i32);
            Outcome::Returned
        },
        3,
    );
    let copy_options = CopyOptions { no_clone: true, no_region: true, no_decode: false };
    let settings = Settings { threads: 1, copy_options };
    let report = Run::new(plan).settings(settings).go().report;
    let kinds: Vec<_> = report.findings.iter().map(|found| found.problem.kind.clone()).collect();
    assert_eq!(kinds, [Kind::Nondeterministic]);
}

/// A constructor is called twice, to compare what it gives. From then on this one panics.
#[test]
fn a_structure_that_cannot_be_made_again_is_found() {
    static N_CALLS: AtomicU32 = AtomicU32::new(0);
    let mut suite = suite();
    let call = |call: &mut beget_suite::Call<'_>| {
        assert!(N_CALLS.fetch_add(1, Relaxed) < 2, "twice is enough");
        call.give(Tree::new());
        Outcome::Returned
    };
    suite.methods[0] = Method { call, ..suite.methods[0].clone() };
    let copy_options = CopyOptions { no_clone: true, no_region: true, no_decode: true };
    let settings = Settings { threads: 1, copy_options };
    let plan = plan(suite, &["new", "insert"], 3);
    let report = Run::new(plan).settings(settings).go().report;
    let found: Vec<_> =
        report.findings.iter().map(|found| (found.problem.kind.name(), found.count)).collect();
    assert_eq!(found, [("nondeterministic", 1)]);
    // No call was made on it.
    assert_eq!(report.ledger.counters.explored(), 1);
}

/// Its `decode` gives the two numbers in the wrong order.
#[derive(Debug)]
struct Swapped(u8, u8);

const SWAPPED: &[Field] =
    &[Field { name: "0", ty: "u8", skipped: false }, Field { name: "1", ty: "u8", skipped: false }];

impl Heap for Swapped {
    fn class() -> ClassKey {
        ClassKey::new::<Self>("Swapped")
    }

    fn describe(schema: &mut Schema) {
        schema.class(Self::class(), SWAPPED);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let class = Self::class();
        walker.begin_record(class);
        for (index, value) in [&self.0, &self.1].into_iter().enumerate() {
            if walker.field(class, index) {
                value.walk(walker);
            }
        }
        walker.end_record();
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        let class = Self::class();
        let first = decoder.field(class, 0)?;
        Ok(Swapped(decoder.field(class, 1)?, first))
    }
}

#[test]
fn a_wrong_decode_is_found() {
    let new = Method {
        name: "new",
        signature: "fn new() -> Self",
        returns: Some("Self"),
        path: "Swapped::new",
        outputs: vec![Output { ty: TypeIdx::new(0), access: "" }],
        call: |call| {
            call.give(Swapped(0, 1));
            Outcome::Returned
        },
        ..suite().methods[0].clone()
    };
    let look = Method {
        name: "look",
        signature: "fn look(&self)",
        returns: None,
        path: "Swapped::look",
        outputs: vec![],
        call: |_| Outcome::Returned,
        ..suite().methods[3].clone()
    };
    let suite = Suite {
        name: "swapped".into(),
        types: vec![type_of::<Swapped>("Swapped", None)],
        methods: vec![new, look],
        ..Suite::default()
    };
    let report = report(plan(suite, &["new", "look"], 2));
    // One of each method.
    let kinds: Vec<_> = report.findings.iter().map(|found| found.problem.kind.clone()).collect();
    assert_eq!(kinds, [Kind::DecodeDiffers, Kind::DecodeDiffers]);
}
