//! Panics that are followed: how many, what is done after them, and what that shows.

use crate::common;

use beget_engine::store::{ExactStore, FormRef, Origin, Recipes, StoreError, StructureId};
use beget_engine::{Block, CallIdx, Explorer, Ledger, PanicTally, Run, Settings};
use beget_plan::finding::{Finding, Kind};
use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{CallFn, Invariant, Method, Outcome, TypeIdx};
use common::{Tree, plan, suite};

fn settings() -> Settings {
    Settings { threads: 1, ..Settings::default() }
}

/// Trees whose insertion is `call`, and whose panics are followed.
fn inserting(call: CallFn, k: u32) -> Plan {
    let mut suite = suite();
    suite.methods[1] = Method { call, ..suite.methods[1].clone() };
    plan(suite, &["new", "insert"], k).with(|draft| draft.follows_panics = true)
}

fn run(plan: Plan) -> (Ledger, Vec<Finding>) {
    let report = Run::new(plan).settings(settings()).go().report;
    (report.ledger, report.findings)
}

/// Of six numbers, 0 is not inserted.
fn without_zero(call: &mut beget_suite::Call<'_>) -> Outcome {
    let info = *call.literal::<i32>(0);
    assert!(info != 0, "zero");
    call.structure::<Tree>(0).insert(info);
    Outcome::Returned
}

/// Trees of n of five numbers: 1, 5, 20, 50, 70 and 42. Each is the argument of a panic. Of one
/// place eight are followed in a block, and one only if none of the first 128 structures is among
/// them, as in the last level.
#[test]
fn of_the_panics_of_a_block_some_are_followed() {
    let (ledger, findings) = run(inserting(without_zero, 6));
    assert_eq!(ledger.counters.failures, 1 + 5 + 20 + 50 + 70 + 42);
    assert_eq!(ledger.panics, PanicTally { followed: 1 + 5 + 8 + 8 + 8 + 1, broken: 0 });
    assert_eq!(findings.len(), 1);
    let plan = inserting(without_zero, 6).with(|draft| draft.follows_panics = false);
    assert_eq!(run(plan).0.panics, PanicTally::default());
}

/// Two places are two causes, each of which is followed.
#[test]
fn the_panics_of_each_place_are_followed() {
    let call = |call: &mut beget_suite::Call<'_>| match *call.literal::<i32>(0) {
        0 => panic!("zero"),
        1 => panic!("one"),
        info => {
            call.structure::<Tree>(0).insert(info);
            Outcome::Returned
        }
    };
    // Trees of four numbers: 1, 4, 12, 20 and 14, all among the first 128.
    let (ledger, findings) = run(inserting(call, 6));
    assert_eq!(ledger.counters.failures, 2 * (1 + 4 + 12 + 20 + 14));
    assert_eq!(ledger.panics, PanicTally { followed: 2 * (1 + 4 + 8 + 8 + 8), broken: 0 });
    assert_eq!(findings.len(), 2);
}

/// Each structure is the empty tree.
struct Empty;

impl Recipes for Empty {
    fn origin_of(&self, _: StructureId) -> Result<Origin, StoreError> {
        Ok(Origin { call: CallIdx::new(0), arguments: Vec::new() })
    }
}

/// The results of the calls of `insert` on the empty tree, as structures of these numbers, in one
/// block.
fn on_empty(plan: &Plan, ids: &[u64], change: impl Fn(&mut Block)) -> Ledger {
    let explorer = Explorer::new(plan, settings());
    let mut block = Block::default();
    block.add_calls(explorer.alone(PlannedIdx::new(0)).0, &[]);
    let made = explorer.run_block(&block, &ExactStore::of(plan)).candidates;
    let form = made.iter().next().expect("the empty tree").form.to_canonical();
    let mut block = Block::default();
    for &id in ids {
        let member = block.add_structure(StructureId::new(id), FormRef::new(form.as_bytes()));
        block.add_calls(explorer.alone(PlannedIdx::new(1)).0, &[member]);
    }
    change(&mut block);
    explorer.run_block(&block, &Empty).ledger
}

/// Structure 127 is the last of the first ones.
#[test]
fn panics_on_later_structures_are_followed_if_none_of_their_place_was() {
    let plan = inserting(|_| panic!("never"), 1);
    let followed = |ids: &[u64]| on_empty(&plan, ids, |_| {}).panics.followed;
    assert_eq!(followed(&[126, 127]), 2);
    assert_eq!(followed(&[127, 128]), 1);
    assert_eq!(followed(&[128, 127]), 2);
    assert_eq!(followed(&[128, 129]), 1);
    // A method that ends the process after its panics is followed no more.
    let unfollowed =
        on_empty(&plan, &[126, 127], |block| block.unfollow(PlannedIdx::new(1))).panics;
    assert_eq!(unfollowed, PanicTally::default());
}

/// Those of one task count before they are followed: twenty insertions into one tree.
#[test]
fn of_the_panics_on_one_structure_eight_are_followed() {
    let plan = inserting(|_| panic!("never"), 20);
    assert_eq!(on_empty(&plan, &[0], |_| {}).panics.followed, 8);
    assert_eq!(on_empty(&plan, &[0, 1], |_| {}).panics.followed, 8);
    assert_eq!(on_empty(&plan, &[128], |_| {}).panics.followed, 1);
}

/// Two places on each of eight structures.
#[test]
fn a_panic_at_another_place_does_not_count_for_a_place() {
    let plan = inserting(
        |call| match *call.literal::<i32>(0) {
            0 => panic!("zero"),
            _ => panic!("one"),
        },
        2,
    );
    let ids: Vec<u64> = (0..8).collect();
    assert_eq!(on_empty(&plan, &ids, |_| {}).panics.followed, 16);
}

/// Insertion of 1 takes 7 in, panics and leaves it there. The invariant rejects trees with 7, which
/// no call that returns leaves.
fn spoiling(call: &mut beget_suite::Call<'_>) -> Outcome {
    let info = *call.literal::<i32>(0);
    if info == 1 {
        call.structure::<Tree>(0).insert(7);
        panic!("one");
    }
    call.structure::<Tree>(0).insert(info);
    Outcome::Returned
}

fn without_seven(value: &dyn std::any::Any) -> Result<(), String> {
    let text = format!("{:?}", value.downcast_ref::<Tree>().expect("a tree"));
    if text.contains("info: 7") { Err("it has seven".to_owned()) } else { Ok(()) }
}

fn spoiled(call: CallFn, check: beget_suite::InvariantFn) -> Plan {
    let plan = inserting(call, 2);
    let mut suite = (*plan.suite).clone();
    let ty = TypeIdx::new(0);
    suite.invariants = vec![Invariant { name: "without_seven", ty, check }];
    plan.with(|draft| draft.suite = suite.into())
}

fn after_panics(findings: &[Finding]) -> Vec<String> {
    let named = findings.iter().filter(|finding| {
        finding.problem.name.as_deref() == Some(beget_plan::finding::USABLE_AFTER_PANIC)
    });
    named.map(|finding| finding.problem.message.to_string()).collect()
}

/// The trees are empty and that of 0. Each is spoiled by the insertion of 1.
#[test]
fn an_invariant_that_a_panic_breaks_is_a_finding() {
    let (ledger, findings) = run(spoiled(spoiling, without_seven));
    assert_eq!(ledger.panics, PanicTally { followed: 2, broken: 2 });
    let messages = after_panics(&findings);
    let broken =
        "after the panic in `insert`, the invariant `without_seven` does not hold: it has seven";
    assert_eq!(messages, [format!("the contract `usable_after_panic` is broken: {broken}")]);
    assert_eq!(findings.iter().filter(|one| one.problem.kind == Kind::Panic).count(), 1);
}

/// The next insertion finds the 7 and breaks the tree; the value by itself is as it should be.
#[test]
fn what_a_call_after_the_panic_breaks_is_a_finding_of_that_call() {
    fn eight(value: &dyn std::any::Any) -> Result<(), String> {
        let text = format!("{:?}", value.downcast_ref::<Tree>().expect("a tree"));
        if text.contains("info: 8") { Err("it has eight".to_owned()) } else { Ok(()) }
    }
    let call = |call: &mut beget_suite::Call<'_>| {
        let is_spoiled = format!("{:?}", call.structure::<Tree>(0)).contains("info: 7");
        if is_spoiled {
            call.structure::<Tree>(0).insert(8);
            return Outcome::Returned;
        }
        spoiling(call)
    };
    let (ledger, findings) = run(spoiled(call, eight));
    assert_eq!(ledger.panics, PanicTally { followed: 2, broken: 2 });
    let messages = after_panics(&findings);
    let when = "after the panic in `insert` and a call of `insert`";
    let broken = format!("{when}, the invariant `without_seven` does not hold: it has eight");
    assert_eq!(messages, [format!("the contract `usable_after_panic` is broken: {broken}")]);
}

/// An invariant that is broken without the panic says nothing of the panic.
#[test]
fn what_is_broken_without_the_panic_is_no_finding_of_it() {
    let always = |_: &dyn std::any::Any| -> Result<(), String> { Err("never".to_owned()) };
    // No structure is left, so there is nothing to call `insert` on.
    let (ledger, findings) = run(spoiled(spoiling, always));
    assert_eq!((ledger.panics, after_panics(&findings)), (PanicTally::default(), vec![]));
    let plan = spoiled(spoiling, always);
    let ledger = on_spoiled(&plan);
    assert_eq!(ledger.panics, PanicTally { followed: 1, broken: 0 });
}

fn on_spoiled(plan: &Plan) -> Ledger {
    let explorer = Explorer::new(plan, settings());
    let sound = inserting(spoiling, 2);
    let corpus = Run::new(sound).settings(settings()).go();
    let form = beget_engine::store::Store::form(&corpus.store, StructureId::new(0)).unwrap();
    let mut block = Block::default();
    let member = block.add_structure(StructureId::new(0), form.as_ref());
    block.add_call(explorer.alone(PlannedIdx::new(1)).0, 1, &[member]);
    explorer.run_block(&block, &Empty).ledger
}

/// With `keep_panicked` the values are structures of the run, whose invariants it checks itself.
#[test]
fn an_invariant_of_values_that_are_kept_is_checked_by_the_run() {
    let plan = spoiled(spoiling, without_seven).with(|draft| {
        draft.misuse.panics = vec![regex_lite::Regex::new("one").unwrap()];
        draft.misuse.keeps_panicked = true;
    });
    let (ledger, findings) = run(plan);
    assert_eq!(ledger.panics, PanicTally { followed: 2, broken: 0 });
    assert_eq!((ledger.counters.failures, ledger.counters.misuse), (2, 0));
    assert_eq!(after_panics(&findings), [""; 0]);
    let kinds: Vec<_> = findings.iter().map(|one| one.problem.kind.name()).collect();
    assert_eq!(kinds, ["invariant"]);
}
