use beget_heap::Form;
use beget_plan::scope::Plan;
use beget_suite::type_of;

use super::*;
use crate::common::{plan, suite};
use crate::data::ids::CallIdx;
use crate::run::executor::Threads;
use crate::store::{Candidate, ExactStore};
use crate::strategy::levels::Levels;
use crate::worker::explorer::Settings;

/// Trees of up to two numbers: 5. Their forms leave the size out, so values are matched that may
/// differ: those of 6 of the 10 insertions.
fn probing(methods: &[&str], rounds: u32) -> Plan {
    plan(suite(), methods, 2).with(|draft| {
        draft.bounds.omitted = [("Tree".to_owned(), "size".to_owned())].into();
        draft.probe = rounds;
    })
}

fn settings() -> Settings {
    Settings { threads: 1, ..Settings::default() }
}

fn value(form: &CanonicalForm) -> MergedValue {
    let words = form.as_ref().to_words();
    MergedValue::of(&Candidate {
        form: Form { words: &words, len: form.as_bytes().len() },
        call: CallIdx::new(0),
        arguments: &[],
        objects: 0,
        continues_call: false,
    })
}

/// The structures of each task, by number.
fn tasks(explorer: &Explorer<'_>, block: &Block) -> Vec<Vec<u64>> {
    let tasks = block.tasks.iter();
    let of = |task| {
        let members = block.members_of(task, explorer.group(task.group).types.len()).iter();
        members.map(|&member| block.structure(member).0.number()).collect()
    };
    tasks.map(of).collect()
}

/// In each round all that the last one left is known, so each value has two more.
#[test]
fn matched_values_are_extended_by_as_many_calls_as_the_plan_says() {
    let probes = |rounds| {
        let explorer_plan = probing(&["new", "insert"], rounds);
        crate::Run::new(explorer_plan).settings(settings()).go().report.ledger.probes
    };
    let tally = |extended, calls| crate::ProbeTally { extended, calls, failures: 0, unknown: 0 };
    assert_eq!(probes(0), tally(0, 0));
    assert_eq!(probes(1), tally(6, 12));
    assert_eq!(probes(2), tally(6 + 12, 12 + 24));
}

/// The tree that `split` takes by `&` is as it was. In the first round each of its two results is
/// a value that may differ.
#[test]
fn an_argument_that_was_only_lent_is_extended_no_more() {
    let probes = |rounds| {
        let plan = probing(&["new", "split"], rounds);
        crate::Run::new(plan).settings(settings()).go().report.ledger.probes
    };
    // The empty tree splits into two.
    assert_eq!((probes(1).extended, probes(2).extended), (2, 2 + 4));
}

/// Such ends are a budget of calls, a full store, and that everything was tried.
#[test]
fn values_are_extended_after_ends_that_are_always_the_same() {
    let plan = probing(&["new", "insert"], 1);
    let explorer = Explorer::new(&plan, settings());
    let extended = |ended: StopReason| {
        let mut executor = Executor::new(&explorer, ExactStore::of(&plan));
        let mut run = MergedStrategy::new(Levels::new(), &plan);
        executor.run(&mut run, &Threads, &mut |_: Progress| None);
        let stopped = executor.probe(&mut run, ended, &Threads, &mut |_: Progress| None);
        assert_eq!(stopped, None);
        executor.ledger().probes.extended
    };
    for ended in [StopReason::Exhausted, StopReason::StoreFull, StopReason::MaxCalls(11)] {
        assert_eq!(extended(ended), 6);
    }
    let others = [
        StopReason::MaxSeconds(std::time::Duration::from_secs(1)),
        StopReason::Interrupted,
        StopReason::StoreFailed,
        StopReason::LeftOut,
        StopReason::Undecided,
    ];
    for ended in others {
        assert_eq!(extended(ended), 0);
    }
}

/// 11 calls of the levels and 12 of the only batch of probes.
#[test]
fn progress_counts_the_calls_of_probes_with_the_others() {
    let mut last = None;
    crate::Run::new(probing(&["new", "insert"], 1))
        .settings(settings())
        .observe(&mut |progress: Progress| {
            last = Some(progress);
            None
        })
        .go();
    let last = last.expect("a batch");
    assert_eq!((last.explored, last.structures, last.level), (11 + 12, 5, None));
}

/// `insert` of 1 panics, on the empty tree and that of 0, and once more on the value that `insert`
/// of 0 leaves of this.
#[test]
fn progress_counts_the_failures_of_probes_with_the_others() {
    let mut suite = suite();
    suite.methods[1].call = |call| {
        let info = *call.literal::<i32>(0);
        assert!(info == 0, "one is too much");
        call.structure::<crate::common::Tree>(0).insert(info);
        beget_suite::Outcome::Returned
    };
    let plan = probing(&["new", "insert"], 1).with(|draft| draft.suite = suite.into());
    let mut failures = 0;
    let corpus = crate::Run::new(plan)
        .settings(settings())
        .observe(&mut |progress: Progress| {
            failures = progress.failures;
            None
        })
        .go();
    let ledger = &corpus.report.ledger;
    assert_eq!((ledger.counters.failures, ledger.probes.failures, failures), (2, 1, 2 + 1));
}

#[test]
fn a_type_without_a_structure_has_no_first_one() {
    let mut suite = suite();
    suite.types.push(type_of::<u8>("Stamp", None));
    let plan = plan(suite, &["new", "insert"], 2);
    let explorer = Explorer::new(&plan, settings());
    let mut executor = Executor::new(&explorer, ExactStore::of(&plan));
    assert_eq!(executor.first_structures(), Ok(vec![None, None]));
    executor.run(&mut Levels::new(), &Threads, &mut |_: Progress| None);
    let first = StructureId::new(0);
    let form = executor.store().form(first).unwrap();
    assert_eq!(executor.first_structures(), Ok(vec![Some((first, form)), None]));
}

/// A value has as many calls as a block, so each makes one; and a batch has no more than 16.
#[test]
fn a_batch_of_probes_has_sixteen_full_blocks_and_none_that_is_empty() {
    let plan = probing(&["new", "insert"], 1).with(|draft| {
        draft.budget.max_memory_mib = Some(1);
        let literals = &mut draft.methods[1].domains[0];
        let last = literals[1].clone();
        literals.resize(block_calls_within_little_memory(), last);
    });
    let explorer = Explorer::new(&plan, settings());
    let mut executor = Executor::new(&explorer, ExactStore::of(&plan));
    let mut constructors = Block::default();
    constructors.add_calls(explorer.alone(beget_plan::scope::PlannedIdx::new(0)).0, &[]);
    let made = explorer.run_block(&constructors, &executor.recipes());
    executor.store.commit(&[made.candidates]).unwrap();
    let empty = executor.store().form(StructureId::new(0)).unwrap();
    executor.merged = (0..20).map(|_| value(&empty)).collect();
    let firsts = executor.first_structures().unwrap();
    let mut next = 0;
    let mut batch = || {
        let blocks = executor.probing_blocks(&mut next, 20, &firsts).unwrap();
        blocks.iter().map(|block| tasks(&explorer, block)).collect::<Vec<_>>()
    };
    // Structure 0 is stored, so the first value is number 1.
    let blocks = |values: std::ops::RangeInclusive<u32>| -> Vec<Vec<Vec<u64>>> {
        values.map(|value| vec![vec![value.into()]]).collect()
    };
    assert_eq!(batch(), blocks(1..=16));
    assert_eq!(batch(), blocks(17..=20));
    assert_eq!(batch(), [] as [Vec<Vec<u64>>; 0]);
    assert_eq!(next, 20);
}

fn block_calls_within_little_memory() -> usize {
    1 << 13
}

/// Beside a value goes the structure with its form, in each place; beside one whose form no
/// structure has goes the first of its type.
#[test]
fn beside_a_value_goes_the_structure_that_it_was_matched_with() {
    let plan = probing(&["new", "insert", "absorb"], 1);
    let explorer = Explorer::new(&plan, settings());
    let mut executor = Executor::new(&explorer, ExactStore::of(&plan));
    executor.run(&mut Levels::new(), &Threads, &mut |_: Progress| None);
    let (store, firsts) = (executor.store(), executor.first_structures().unwrap());
    assert_eq!(store.len(), 5);
    let of = |form: &CanonicalForm| {
        let mut block = ProbingBlock::new(&explorer);
        block.extend(store, 7, &value(form), &firsts).unwrap();
        assert_eq!(block.n_calls, 2 + 2);
        tasks(&explorer, &block.block)
    };
    let third = store.form(StructureId::new(2)).unwrap();
    // Value number 7 comes after the five structures. It is inserted into, absorbs and is absorbed.
    assert_eq!(of(&third), [vec![12], vec![12, 2], vec![2, 12]]);
    let mut unknown = third.as_bytes().to_vec();
    unknown.extend([0xff; 9]);
    let unknown = FormRef::new(&unknown).to_canonical();
    assert_eq!(of(&unknown), [vec![12], vec![12, 0], vec![0, 12]]);
}
