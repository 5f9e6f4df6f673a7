use beget_plan::scope::Plan;

use super::*;
use crate::common::{plan, suite};
use crate::data::after_panic::PanicTally;
use crate::data::call_audit::AskedTally;
use crate::data::ids::{CallIdx, GroupIdx};
use crate::rebuild::reconstruct::Losses;
use crate::store::{Origin, StoreError};
use crate::worker::explorer::Settings;

const NEW: PlannedIdx = PlannedIdx::new(0);
const INSERT: PlannedIdx = PlannedIdx::new(1);
const SPLIT: PlannedIdx = PlannedIdx::new(2);

/// `insert` has two literals; `insert` and `split` take a tree.
fn trees() -> Plan {
    plan(suite(), &["new", "insert", "split"], 2)
}

fn explorer(plan: &Plan) -> Explorer<'_> {
    Explorer::new(plan, Settings { threads: 1, ..Settings::default() })
}

/// Structure number n is made by call number n of structure 9.
struct FromNine;

impl Recipes for FromNine {
    fn origin_of(&self, id: StructureId) -> Result<Origin, StoreError> {
        let call = CallIdx::new(id.number() as u32);
        Ok(Origin { call, arguments: vec![StructureId::new(9)] })
    }
}

/// No origin can be read.
struct Unreadable;

impl Recipes for Unreadable {
    fn origin_of(&self, _: StructureId) -> Result<Origin, StoreError> {
        Err(StoreError::CutShort)
    }
}

fn call(task: u32, method: Option<u32>, after: u32) -> CallInProgress {
    CallInProgress {
        run: 0,
        task,
        method,
        tuple: 1,
        is_own_work: false,
        n_made: 0,
        after,
        arguments: None,
        end: None,
    }
}

/// A block with the calls of the methods on a tree on each of some structures.
fn block_on(explorer: &Explorer<'_>, ids: &[u64]) -> Block {
    let mut block = Block::default();
    let (group, _) = explorer.signatures().nth(1).expect("the methods on a tree");
    for &id in ids {
        let form = beget_heap::FormRef::new(&[1]);
        let member = block.add_structure(StructureId::new(id), form);
        block.add_calls(group, &[member]);
    }
    block
}

/// The tasks of a block: the group, the literals and the number of the structure.
fn tasks(block: &Block) -> Vec<(GroupIdx, Option<u32>, u64)> {
    let of = |task: &Task| {
        let member = block.members_of(task, 1)[0];
        (task.group, task.literals, block.structure(member).0.number())
    };
    block.tasks.iter().map(of).collect()
}

#[test]
fn a_place_is_the_call_and_the_work_after_it() {
    let place = CallPlace::of(&call(3, Some(1), 0));
    assert_eq!((place.task, place.method()), (3, Some(INSERT)));
    assert!(!place.is_own_work() && !place.is_after_panic());
    assert_eq!(place.audit(), None);
    let own = CallPlace::of(&CallInProgress { is_own_work: true, ..call(3, Some(1), 0) });
    assert!(own.is_own_work());
    let after = CallPlace::of(&call(3, Some(1), 2));
    assert!(after.is_after_panic());
    let audited = CallPlace::of(&call(3, Some(1), CallAudit::Lie(4).number()));
    assert_eq!((audited.audit(), audited.is_after_panic()), (Some(CallAudit::Lie(4)), false));
    // Without a call there is no work after it.
    let making = CallPlace::of(&call(3, None, 2));
    assert_eq!((making.method(), making.is_after_panic()), (None, false));
}

/// The call is still that of its own block.
#[test]
fn a_later_place_is_the_same_call_at_another_step() {
    let place = CallPlace::of(&call(3, Some(1), 0));
    let elsewhere = CallInProgress { is_own_work: true, ..call(0, None, 2) };
    let later = place.later(&elsewhere);
    assert_eq!((later.task, later.method()), (3, Some(INSERT)));
    assert!(later.is_after_panic() && later.is_own_work());
    let audited = later.later(&call(0, None, CallAudit::Memory.number()));
    assert_eq!(audited.audit(), Some(CallAudit::Memory));
    assert!(!audited.is_after_panic() && !audited.is_own_work());
}

#[test]
fn a_place_after_a_panic_says_what_is_done_there() {
    let plan = trees();
    let explorer = explorer(&plan);
    let words =
        |after| CallPlace::of(&call(0, Some(1), after)).after()?.activity(explorer.plan(), INSERT);
    assert_eq!(words(0), None);
    let shown = "after the panic in `insert`, looking at what it left or dropping that";
    assert_eq!(words(1).as_deref(), Some(shown));
    let called = "after the panic in `insert`, `insert` or dropping what that left";
    assert_eq!(words(2).as_deref(), Some(called));
    assert_eq!(words(99), None);
}

/// A contract of an audit, or of a panic, has limits of its own.
#[test]
fn a_method_is_endless_if_its_call_or_an_invariant_does_not_return() {
    let hang = || Problem::new(Kind::Hang, "the call does not return");
    let place = |after| CallPlace::of(&call(0, Some(1), after));
    assert_eq!(place(0).endless_method(&hang()), Some(INSERT));
    assert_eq!(place(0).endless_method(&Problem::new(Kind::Crash, "it dies")), None);
    assert_eq!(place(2).endless_method(&hang()), None);
    assert_eq!(place(CallAudit::Memory.number()).endless_method(&hang()), None);
    let of_invariant = place(AfterCall::Invariant(0).number());
    assert_eq!(of_invariant.endless_method(&hang().with_name("is_sorted")), Some(INSERT));
    assert_eq!(CallPlace::of(&call(0, None, 0)).endless_method(&hang()), None);
}

#[test]
fn the_halves_of_a_block_have_its_tasks_in_order() {
    let plan = trees();
    let explorer = explorer(&plan);
    let halves = |ids: &[u64]| {
        let (one, other) = block_on(&explorer, ids).halves()?;
        let numbers = |block: &Block| tasks(block).iter().map(|task| task.2).collect::<Vec<_>>();
        Some((numbers(&one), numbers(&other)))
    };
    assert_eq!(halves(&[3, 4, 5]), Some((vec![3], vec![4, 5])));
    assert_eq!(halves(&[3, 4, 5, 6]), Some((vec![3, 4], vec![5, 6])));
    assert_eq!(halves(&[3, 4]), Some((vec![3], vec![4])));
    assert_eq!(halves(&[3]), None);
    assert_eq!(halves(&[]), None);
}

#[test]
fn a_task_is_taken_apart_into_its_calls() {
    let plan = trees();
    let explorer = explorer(&plan);
    let singles = block_on(&explorer, &[7]).single_calls(&explorer);
    let all: Vec<_> = singles.iter().map(tasks).collect();
    let one = |method, tuple| vec![(explorer.alone(method).0, Some(tuple), 7)];
    assert_eq!(all, [one(INSERT, 0), one(INSERT, 1), one(SPLIT, 0)]);
    assert_eq!(singles[0].single_calls(&explorer).len(), 0);
}

/// The calls of the other methods stay, on the same structures.
#[test]
fn the_calls_of_a_method_are_left_out_of_a_block() {
    let plan = trees();
    let explorer = explorer(&plan);
    let mut block = block_on(&explorer, &[7, 8]);
    block.add_calls(explorer.alone(NEW).0, &[]);
    let split = explorer.alone(SPLIT).0;
    assert!(block.spare_calls(&explorer, INSERT));
    assert_eq!(block.tasks.len(), 3);
    let mut on_trees = block.clone();
    on_trees.tasks.pop();
    assert_eq!(tasks(&on_trees), [(split, None, 7), (split, None, 8)]);
    assert_eq!(block.tasks[2].group, explorer.alone(NEW).0);
    assert!(!block.spare_calls(&explorer, INSERT));
    assert_eq!(block.tasks.len(), 3);
    assert!(block.spare_calls(&explorer, NEW) && block.spare_calls(&explorer, SPLIT));
    assert!(block.is_empty());
}

#[test]
fn with_the_third_call_that_does_not_return_a_block_spares_the_method() {
    let plan = trees();
    let explorer = explorer(&plan);
    let mut block = block_on(&explorer, &[7]);
    let mut note = |method| block.note_hang(&explorer, method).ledger.spared;
    assert_eq!([note(SPLIT), note(INSERT), note(INSERT)], [const { Vec::new() }; 3]);
    assert_eq!(note(INSERT), [INSERT]);
    // There are none left.
    assert_eq!(note(INSERT), []);
    assert_eq!([note(SPLIT), note(SPLIT)], [vec![], vec![SPLIT]]);
    assert_eq!(block.hangs, [(SPLIT, 3), (INSERT, 4)]);
    assert!(block.is_empty());
    // Those that the run has met before count.
    let mut block = block_on(&explorer, &[7]);
    block.hangs = vec![(INSERT, 2)];
    assert_eq!(block.note_hang(&explorer, INSERT).ledger.spared, [INSERT]);
    assert_eq!(tasks(&block), [(explorer.alone(SPLIT).0, None, 7)]);
}

/// A call of `insert` on structure 7, and the place of its end.
fn fails(problem: Problem, is_call: bool, after: u32) -> BlockResult {
    let plan = trees();
    let explorer = explorer(&plan);
    let block = match is_call {
        true => block_on(&explorer, &[7]).single_calls(&explorer).swap_remove(1),
        false => block_on(&explorer, &[7]),
    };
    block.fails(&explorer, &FromNine, CallPlace::of(&call(0, Some(1), after)), problem)
}

#[test]
fn a_call_that_fails_is_a_failure_with_its_problem() {
    let crash = || Problem::new(Kind::Crash, "it dies");
    let result = fails(crash(), true, 0);
    assert_eq!(result.ledger.counters.failures, 1);
    assert_eq!(result.ledger.counters.explored(), 1);
    assert_eq!(result.ledger.omissions, [""; 0]);
    assert_eq!(result.ledger.panics, PanicTally::default());
    let groups = result.ledger.sightings.groups();
    let [(method, sighting)] = groups else { panic!("{groups:?}") };
    let plan = trees();
    let insertion = explorer(&plan).calls().call(INSERT, 0, 1);
    assert_eq!((*method, sighting.call), (INSERT, insertion));
    assert_eq!((&sighting.problem, sighting.after), (&crash(), None));
    assert_eq!(sighting.arguments, [StructureId::new(7)]);

    let result = fails(crash(), true, 2);
    assert_eq!(result.ledger.panics, PanicTally { followed: 1, broken: 1 });
    assert_eq!(result.ledger.sightings.groups()[0].1.after, PanicStepIdx::of_number(2));

    let lie = CallAudit::Lie(1).number();
    let result = fails(crash(), true, lie);
    assert_eq!(result.ledger.audits.lies, AskedTally { asked: 1, broken: 1 });
    assert_eq!(result.ledger.panics, PanicTally::default());
}

/// Its own origin shows the problem. Work of the framework says itself what it leaves out.
#[test]
fn a_structure_that_cannot_be_made_leaves_its_calls_out() {
    let result = fails(Problem::new(Kind::Crash, "it dies"), false, 0);
    assert_eq!(result.ledger.counters.explored(), 0);
    assert_eq!(result.ledger.omissions, [WITHOUT_CALLS]);
    let sighting = &result.ledger.sightings.groups()[0].1;
    let origin = FromNine.origin_of(StructureId::new(7)).unwrap();
    assert_eq!((sighting.call, &sighting.arguments), (origin.call, &origin.arguments));
    let result = fails(Problem::left_out("the walk"), false, 0);
    assert_eq!(result.ledger.omissions, [""; 0]);
    assert_eq!(result.ledger.sightings.groups().len(), 1);

    let plan = trees();
    let explorer = explorer(&plan);
    let place = CallPlace::of(&call(0, None, 0));
    let block = block_on(&explorer, &[7]);
    let result = block.shows(&explorer, &Unreadable, place, Problem::left_out("the walk"));
    assert_eq!(result.error(), Some(&StoreError::CutShort));
    assert!(result.ledger.sightings.groups().is_empty());
}

#[test]
fn pieces_are_put_together_as_two() {
    let plan = trees();
    let explorer = explorer(&plan);
    let numbers = |block: &Block| tasks(block).iter().map(|task| task.2).collect::<Vec<_>>();
    let in_two = |task| {
        let place = CallPlace::of(&call(task, None, 0));
        let pieces = block_on(&explorer, &[3, 4, 5]).cut(&explorer, place).expect("a task");
        let (one, other) = pieces.in_two()?;
        Some((numbers(&one), numbers(&other)))
    };
    assert_eq!(in_two(0), Some((vec![3], vec![4, 5])));
    assert_eq!(in_two(1), Some((vec![3], vec![4, 5])));
    assert_eq!(in_two(2), Some((vec![3, 4], vec![5])));
    let alone = block_on(&explorer, &[3]).cut(&explorer, CallPlace::of(&call(0, None, 0)));
    assert!(alone.expect("a task").in_two().is_none());
}

#[test]
fn a_result_is_cut_short_by_a_loss_of_trust_or_of_the_region_and_by_the_store() {
    let is_cut_short = |lost| BlockResult { lost, ..BlockResult::default() }.is_cut_short();
    let none = Losses::default();
    assert!(!is_cut_short(none));
    assert!(is_cut_short(Losses { region: true, ..none }));
    assert!(is_cut_short(Losses { trust: true, ..none }));
    assert!(!is_cut_short(Losses { clone: true, drops: true, ..none }));
    let unmade = BlockResult::unmade("no worker is left");
    assert!(unmade.is_cut_short());
    assert_eq!(unmade.error(), Some(&StoreError::Failed("no worker is left".to_owned())));
}
