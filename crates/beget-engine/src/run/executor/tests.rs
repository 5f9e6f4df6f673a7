use std::cell::{Cell, RefCell};

use beget_plan::finding::Problem;
use beget_plan::scope::Plan;
use beget_suite::Outcome;

use super::*;
use crate::common::{pairs, plan, suite};
use crate::data::ledger::BoundCount;
use crate::rebuild::reconstruct::Losses;
use crate::store::ExactStore;
use crate::store::delayed::DelayedStore;
use crate::strategy::levels::Levels;
use crate::worker::explorer::Settings;

/// Has the calls made, and changes what came of each batch.
pub(crate) struct ResultChanger<F>(pub(crate) F);

impl<F: Fn(&Explorer<'_>, &[Block], &mut Vec<BlockResult>)> BlockRunner for ResultChanger<F> {
    fn run_all(
        &self,
        explorer: &Explorer<'_>,
        recipes: &dyn Recipes,
        blocks: &[Block],
        wait: &mut dyn FnMut(),
    ) -> Vec<BlockResult> {
        let mut results = Threads.run_all(explorer, recipes, blocks, wait);
        self.0(explorer, blocks, &mut results);
        results
    }
}

/// Trees of up to three numbers: 15, found in levels 1 to 4; the fifth finds none.
fn trees() -> Plan {
    plan(suite(), &["new", "insert"], 3)
}

/// Runs the levels of a plan into a store, and gives the stop reason with what is left of the run.
fn run<S: Store, R>(
    plan: &Plan,
    store: S,
    runner: &dyn BlockRunner,
    see: impl FnOnce(&StopReason, &Executor<'_, '_, S>) -> R,
) -> R {
    let explorer = Explorer::new(plan, Settings { threads: 1, ..Settings::default() });
    let mut executor = Executor::new(&explorer, store);
    let reason = executor.run(&mut Levels::new(), runner, &mut |_| None);
    see(&reason, &executor)
}

fn hang() -> Problem {
    Problem::new(Kind::Hang, "the call does not return")
}

/// A call of `insert` on the empty tree does not return.
fn hangs(n: u64, explorer: &Explorer<'_>) -> Ledger {
    let call = explorer.calls().call(PlannedIdx::new(1), 0, 0);
    let sighting = Sighting { count: n, ..Sighting::new(hang(), call, vec![StructureId::new(0)]) };
    let mut ledger = Ledger::default();
    ledger.sightings.add(sighting, PlannedIdx::new(1));
    ledger
}

/// The counts of calls that left something new, and of those that matched, are the same as in a
/// store that decides at once. It settles once in each of the five levels.
#[test]
fn calls_whose_results_are_decided_later_are_counted_in_the_end() {
    let plan = trees();
    let counters = |_: &StopReason, executor: &Executor<'_, '_, ExactStore>| {
        (executor.ledger().counters, executor.store().len())
    };
    let at_once = run(&plan, ExactStore::of(&plan), &Threads, counters);
    assert_eq!((at_once.0.kept, at_once.1), (15, 15));
    run(&plan, DelayedStore::of(&plan), &Threads, |reason, executor| {
        assert_eq!(*reason, StopReason::Exhausted);
        assert_eq!((executor.ledger().counters, executor.store().len()), at_once);
        assert_eq!(executor.store().n_settled, 5);
    });
}

/// Levels of pairs of trees take several batches. Those that leave nothing have nothing to settle.
#[test]
fn a_store_settles_when_it_is_due() {
    let plan = plan(suite(), &["new", "insert", "absorb"], 3);
    let n_settled = |due_at| {
        run(&plan, DelayedStore::of(&plan).due_at(due_at), &Threads, |reason, executor| {
            assert_eq!(*reason, StopReason::Exhausted);
            executor.store().n_settled
        })
    };
    let n_batches = Cell::new(0);
    let counting = ResultChanger(|_: &Explorer<'_>, _: &[Block], all: &mut Vec<BlockResult>| {
        let has_candidates = all.iter().any(|result| !result.candidates.is_empty());
        n_batches.set(n_batches.get() + u32::from(has_candidates));
    });
    run(&plan, ExactStore::of(&plan), &counting, |reason, _| {
        assert_eq!(*reason, StopReason::Exhausted);
    });
    assert_eq!(n_batches.get(), 21);
    assert_eq!(n_settled(0), 21);
    // A tree takes up to four calls, so pairs are made in levels up to the ninth.
    assert_eq!(n_settled(u64::MAX), 9);
}

/// Has each observer's end of a level counted.
#[derive(Default)]
struct LevelsSeen {
    n_ended: u32,
    n_unsettled: u32,
}

impl Observer for LevelsSeen {
    fn check(&mut self, _: Progress) -> Option<StopReason> {
        None
    }

    fn end_level<'r>(&mut self, interim: &dyn Fn() -> Interim<'r>) -> Result<bool, StopReason> {
        self.n_ended += 1;
        self.n_unsettled += u32::from(interim().store.unsettled().candidates > 0);
        Ok(false)
    }
}

/// Makes the constructors' calls again and again: it never has a level.
struct NoLevels {
    n_left: u32,
    has_failed: Vec<bool>,
}

impl<S: Store> Strategy<S> for NoLevels {
    fn propose(&mut self, situation: &Situation<'_, S>) -> Result<Proposal, StoreError> {
        self.has_failed.push(situation.has_failed);
        let Some(n_left) = self.n_left.checked_sub(1) else {
            return Ok(Proposal::Stop(StopReason::NothingLeft));
        };
        self.n_left = n_left;
        let mut block = Block::default();
        block.add_calls(situation.explorer.alone(PlannedIdx::new(0)).0, &[]);
        Ok(Proposal::Calls(Batch { blocks: vec![block], ..Batch::default() }))
    }

    fn learn(&mut self, _: &Lesson<'_, S>) {}
}

#[test]
fn an_observer_hears_of_the_ends_of_levels_and_of_nothing_else() {
    let plan = trees();
    let explorer = Explorer::new(&plan, Settings { threads: 1, ..Settings::default() });
    let mut seen = LevelsSeen::default();
    let mut executor = Executor::new(&explorer, DelayedStore::of(&plan));
    let reason = executor.run(&mut Levels::new(), &Threads, &mut seen);
    assert_eq!(reason, StopReason::Exhausted);
    // Before the first level, and after each of the five.
    assert_eq!((seen.n_ended, seen.n_unsettled), (6, 0));

    let mut seen = LevelsSeen::default();
    let mut executor = Executor::new(&explorer, ExactStore::of(&plan));
    let mut strategy = NoLevels { n_left: 3, has_failed: Vec::new() };
    let reason = executor.run(&mut strategy, &Threads, &mut seen);
    assert_eq!((reason, seen.n_ended), (StopReason::NothingLeft, 0));
}

/// A strategy that says nothing else gets to see what is new, is never between levels, and cannot
/// go on from a saved state.
#[test]
fn a_strategy_that_says_nothing_of_itself_learns_from_each_batch() {
    let strategy: &mut dyn Strategy<ExactStore> =
        &mut NoLevels { n_left: 0, has_failed: Vec::new() };
    assert!(strategy.needs_lessons());
    assert!(!strategy.is_between_levels());
    assert_eq!(strategy.state(), None);
    assert!(matches!(strategy.restore(&[]), Err(StoreError::Failed(_))));
}

/// Failures without a sighting are those of causes that are too many to be kept.
#[test]
fn a_run_has_failed_if_a_call_or_a_structure_shows_a_failure() {
    let plan = trees();
    let has_failed = |change: fn(&Explorer<'_>, &mut Ledger)| {
        let explorer = Explorer::new(&plan, Settings { threads: 1, ..Settings::default() });
        let runner =
            ResultChanger(|explorer: &Explorer<'_>, _: &[Block], all: &mut Vec<BlockResult>| {
                change(explorer, &mut all[0].ledger);
            });
        let mut executor = Executor::new(&explorer, ExactStore::of(&plan));
        let mut strategy = NoLevels { n_left: 1, has_failed: Vec::new() };
        executor.run(&mut strategy, &runner, &mut |_| None);
        strategy.has_failed
    };
    assert_eq!(has_failed(|_, _| {}), [false, false]);
    assert_eq!(has_failed(|_, ledger| ledger.counters.failures = 1), [false, true]);
    let is_seen = has_failed(|explorer, ledger| {
        ledger.take_remarks(hangs(1, explorer).sightings, Vec::new());
    });
    assert_eq!(is_seen, [false, true]);
}

#[test]
fn a_run_that_leaves_something_out_is_not_complete() {
    let plan = trees();
    let ended = |change: fn(&Explorer<'_>, &mut Ledger)| {
        let runner =
            ResultChanger(|explorer: &Explorer<'_>, _: &[Block], all: &mut Vec<BlockResult>| {
                change(explorer, &mut all[0].ledger);
            });
        run(&plan, ExactStore::of(&plan), &runner, |reason, _| *reason)
    };
    assert_eq!(ended(|_, _| {}), StopReason::Exhausted);
    let omitted = |_: &Explorer<'_>, ledger: &mut Ledger| {
        ledger.add_omission("a call was left out".to_owned());
    };
    assert_eq!(ended(omitted), StopReason::LeftOut);
    let seen = |explorer: &Explorer<'_>, ledger: &mut Ledger| {
        let call = explorer.calls().call(PlannedIdx::new(0), 0, 0);
        let sighting = Sighting::new(Problem::left_out("the walk"), call, Vec::new());
        ledger.sightings.add(sighting, PlannedIdx::new(0));
    };
    assert_eq!(ended(seen), StopReason::LeftOut);
}

#[test]
fn a_form_that_is_undecided_ends_the_run() {
    let plan = trees();
    let runner = ResultChanger(|_: &Explorer<'_>, _: &[Block], all: &mut Vec<BlockResult>| {
        all[0].ledger.passed.push(BoundCount::once(PassedBound::Undecided));
    });
    run(&plan, ExactStore::of(&plan), &runner, |reason, executor| {
        // The first batch is the call of `new`.
        assert_eq!((reason, executor.store().len()), (&StopReason::Undecided, 1));
    });
}

/// The methods of which calls have not returned, with the number of these calls.
type Hangs = Vec<(PlannedIdx, u32)>;

/// Three calls of `insert` do not return in level 2. None is made in level 3.
#[test]
fn calls_of_a_method_that_does_not_return_are_left_out_and_the_run_says_so() {
    let plan = plan(suite(), &["new", "insert", "split"], 3);
    let n_calls = |n_hangs: u64| {
        let batches = RefCell::new(Vec::<(usize, Hangs)>::new());
        let runner = ResultChanger(
            |explorer: &Explorer<'_>, blocks: &[Block], all: &mut Vec<BlockResult>| {
                let groups = blocks.iter().flat_map(|block| &block.tasks).map(|task| task.group);
                let inserts = groups
                    .filter(|&group| explorer.group(group).methods.contains(&PlannedIdx::new(1)));
                batches.borrow_mut().push((inserts.count(), blocks[0].hangs.clone()));
                if batches.borrow().len() == 2 {
                    all[0].ledger.append(hangs(n_hangs, explorer), |_| None);
                }
            },
        );
        let omissions = run(&plan, ExactStore::of(&plan), &runner, |_, executor| {
            executor.ledger().omissions.clone()
        });
        (batches.into_inner(), omissions)
    };
    let insert = PlannedIdx::new(1);
    let (batches, omissions) = n_calls(2);
    assert_eq!((batches[0].0, &batches[1]), (0, &(1, vec![])));
    assert_eq!(batches[2], (3, vec![(insert, 2)]));
    assert_eq!(omissions, [""; 0]);
    let (batches, omissions) = n_calls(3);
    assert_eq!(batches[2], (0, vec![(insert, 3)]));
    let sentence =
        "calls of `insert` do not return: after 3 of them, in level 3, it was called no more";
    assert_eq!(omissions, [sentence]);
}

/// The first two levels have settled, and a batch of the third has left a candidate. It stays
/// undecided if the store is full or does not work, and is decided otherwise.
#[test]
fn a_candidate_is_not_decided_on_if_the_store_cannot_go_on() {
    let plan = plan(suite(), &["new", "insert", "absorb"], 3);
    let broken_off = |change: fn(&mut BlockResult)| {
        let n_batches = Cell::new(0);
        let runner = ResultChanger(|_: &Explorer<'_>, _: &[Block], all: &mut Vec<BlockResult>| {
            n_batches.set(n_batches.get() + 1);
            if n_batches.get() == 4 {
                change(&mut all[0]);
            }
        });
        run(&plan, DelayedStore::of(&plan), &runner, |reason, executor| {
            let notes = executor.ledger().notes.clone();
            (*reason, executor.store().n_settled, notes)
        })
    };
    let undecided =
        "of 1 candidates it was not found out whether they are new: their calls count as matched";
    let full = broken_off(|result| result.store_error = Some(StoreError::Full));
    assert_eq!(full, (StopReason::StoreFull, 2, vec![undecided.to_owned()]));
    let cut_short = broken_off(|result| result.store_error = Some(StoreError::CutShort));
    let notes = [undecided, "the interrupt has cut saving short"].map(str::to_owned);
    assert_eq!(cut_short, (StopReason::Interrupted, 2, notes.to_vec()));
    let lost = broken_off(|result| result.lost = Losses { trust: true, ..Losses::default() });
    assert_eq!(lost, (StopReason::CopiesDiffer, 3, vec![]));
}

#[test]
fn a_store_that_decides_at_once_leaves_nothing_undecided() {
    let plan = trees();
    let runner = ResultChanger(|_: &Explorer<'_>, _: &[Block], all: &mut Vec<BlockResult>| {
        all[0].store_error = Some(StoreError::Failed("no disk".to_owned()));
    });
    run(&plan, ExactStore::of(&plan), &runner, |reason, executor| {
        assert_eq!(*reason, StopReason::StoreFailed);
        assert_eq!(executor.ledger().notes, ["the store failed: no disk"]);
    });
}

/// The destructors of all calls on the first 128 structures run. If one panics later, others may
/// have been missed before.
#[test]
fn destructors_that_panic_late_may_have_been_missed_before() {
    let missed = |n_stamps: u32, lost: Losses| {
        let plan = pairs(n_stamps, 1);
        let explorer = Explorer::new(&plan, Settings { threads: 1, ..Settings::default() });
        let mut executor = Executor::new(&explorer, ExactStore::of(&plan));
        // In the second level there are all stamps.
        let runner =
            ResultChanger(|_: &Explorer<'_>, blocks: &[Block], all: &mut Vec<BlockResult>| {
                if blocks[0].n_structures() > 0 {
                    all[0].lost = lost;
                }
            });
        let reason = executor.run(&mut Levels::new(), &runner, &mut |_| None);
        (reason, explorer.copy_strategies().has_missed_drops())
    };
    let drops = Losses { drops: true, ..Losses::default() };
    assert_eq!(missed(128, drops), (StopReason::Exhausted, false));
    assert_eq!(missed(129, drops), (StopReason::CopiesDiffer, true));
    // Of a batch that is not trusted nothing is known.
    let trust = Losses { trust: true, ..drops };
    assert_eq!(missed(129, trust), (StopReason::CopiesDiffer, false));
    assert_eq!(missed(129, Losses::default()), (StopReason::Exhausted, false));
}

#[test]
fn a_method_that_leaves_its_argument_stays_in_scope() {
    let mut suite = suite();
    suite.methods[1].call = |_| Outcome::Returned;
    let plan = plan(suite, &["new", "insert"], 2);
    run(&plan, ExactStore::of(&plan), &Threads, |reason, executor| {
        assert_eq!(*reason, StopReason::Exhausted);
        assert!(executor.ledger().reach(PlannedIdx::new(1)).is_in_scope);
    });
}
