//! Closures: the same sets as generation with the same methods, whatever the order in which methods
//! come into use.

use crate::common;

use std::collections::BTreeSet;

use beget_engine::store::{CanonicalForm, Store, StructureId};
use beget_engine::{Closure, Effect, Explorer, Run, Settings};
use beget_plan::finding::{Progress, StopReason};
use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{Method, Outcome};
use common::{Tree, pairs, plan, suite};

const ALL: [&str; 4] = ["new", "insert", "absorb", "split"];

fn full(k: u32) -> Plan {
    plan(suite(), &ALL, k)
}

/// Methods by their positions in [`ALL`].
fn planned(methods: &[usize]) -> Vec<PlannedIdx> {
    methods.iter().copied().map(PlannedIdx::new).collect()
}

fn extend(closure: &mut Closure<'_, '_>, methods: &[usize]) {
    assert_eq!(closure.extend(&planned(methods), &mut |_| None), StopReason::Exhausted);
}

fn forms(store: &impl Store) -> BTreeSet<CanonicalForm> {
    let mut forms = BTreeSet::new();
    store
        .scan(0..store.len(), &mut |_, form| {
            forms.insert(form.to_canonical());
        })
        .unwrap();
    forms
}

/// Every order of every subset of the four methods.
fn orders() -> Vec<Vec<usize>> {
    let mut orders = vec![vec![]];
    let mut from = 0;
    while from < orders.len() {
        for method in 0..ALL.len() {
            if !orders[from].contains(&method) {
                let longer = [&orders[from][..], &[method]].concat();
                orders.push(longer);
            }
        }
        from += 1;
    }
    orders
}

#[test]
fn a_closure_grown_in_any_order_is_what_generation_gives() {
    let plan = full(3);
    let explorer = Explorer::new(&plan, Settings::default());
    for order in orders() {
        let names: Vec<&str> = order.iter().map(|&method| ALL[method]).collect();
        let corpus = Run::new(common::plan(suite(), &names, 3)).go();
        let mut grown = explorer.empty();
        for &method in &order {
            extend(&mut grown, &[method]);
        }
        assert_eq!(grown.store().totals(), corpus.store.totals(), "{names:?}");
        assert_eq!(forms(grown.store()), forms(&corpus.store), "{names:?}");
        // Every tuple is tried once, however the methods came into use.
        assert_eq!(
            grown.total_counters().explored(),
            corpus.report.ledger.counters.explored(),
            "{names:?}"
        );
    }
}

#[test]
fn a_clone_of_a_closure_grows_on_its_own() {
    let plan = full(3);
    let explorer = Explorer::new(&plan, Settings::default());
    let mut first = explorer.empty();
    extend(&mut first, &[0]);
    let mut second = first.clone();
    extend(&mut second, &[1]);
    assert_eq!(first.store().len(), 1);
    assert!(second.store().len() > 1);
}

#[test]
fn recipes_of_a_closure_build_their_structures() {
    let plan = full(3);
    let explorer = Explorer::new(&plan, Settings::default());
    let mut closure = explorer.empty();
    extend(&mut closure, &[0, 1]);
    extend(&mut closure, &[2, 3]);
    for id in 0..closure.store().len() {
        let id = StructureId::new(id);
        assert!(closure.recipe(id).unwrap().n_calls() > 0);
        assert!(closure.graph(id).unwrap().is_some());
    }
}

#[test]
fn watching_shows_every_call_in_scope_and_the_same_for_any_number_of_threads() {
    let plan = full(3);
    let watched = |threads: usize| {
        let explorer = Explorer::new(&plan, Settings { threads, ..Settings::default() });
        let mut closure = explorer.empty();
        let mut effects = Vec::new();
        let mut watch = |effect: Effect<'_>| {
            effects.push((
                effect.method.index(),
                effect.arguments.to_vec(),
                effect.output,
                effect.target,
            ));
        };
        closure.extend_watched(&planned(&[0, 1, 2, 3]), &mut watch, &mut |_| None);
        let counters: Vec<_> = plan.planned_idxs().map(|method| closure.counters(method)).collect();
        (effects, counters)
    };
    let (effects, counters) = watched(1);
    assert_eq!((effects.clone(), counters.clone()), watched(3));
    // Search trees over subsets of three keys: 1 + 3 * 1 + 3 * 2 + 5 = 15.
    let explored = counters.iter().map(|counters| counters.explored());
    assert_eq!(explored.collect::<Vec<_>>(), [1, 15 * 3, 15 * 15, 15]);
    let of = |method: usize| effects.iter().filter(|effect| effect.0 == method).count();
    // `split` shows the receiver and two results each time, `absorb` only what is left of the
    // receiver.
    assert_eq!((of(0), of(1), of(2), of(3)), (1, 45, 225, 45));
    assert!(effects.iter().filter(|effect| effect.0 == 3 && effect.2 == 0).all(|effect| {
        let (method, arguments, output, target) = effect;
        Effect { method: PlannedIdx::new(*method), arguments, output: *output, target: *target }
            .is_unchanged()
    }));
}

#[test]
fn a_budget_stops_a_closure() {
    let plan = full(4).with(|draft| draft.budget.max_calls = Some(10));
    let explorer = Explorer::new(&plan, Settings::default());
    let stopped = explorer.empty().extend(&planned(&[0, 1, 2, 3]), &mut |_| None);
    assert_eq!(stopped, StopReason::MaxCalls(10));
}

#[test]
fn a_closure_tells_its_findings_and_reconstructs_its_structures() {
    let mut suite = suite();
    let call = |call: &mut beget_suite::Call<'_>| {
        assert!(*call.literal::<i32>(0) != 1, "one is too much");
        Outcome::Returned
    };
    suite.methods[1] = Method { call, ..suite.methods[1].clone() };
    let plan = plan(suite, &["new", "insert"], 2);
    let explorer = Explorer::new(&plan, Settings::default());
    let mut closure = explorer.empty();
    extend(&mut closure, &[0, 1]);
    let findings = closure.findings();
    assert_eq!((findings.len(), closure.total_counters().failures), (1, 1));
    assert!(findings[0].problem.message.ends_with(": one is too much"), "{findings:?}");
    let value = closure.reconstruct(StructureId::new(0)).unwrap().expect("the empty tree");
    assert!(value.downcast_ref::<Tree>().is_some());
}

/// The calls of a method on all new structures are one block. `new` is 1 call, then `insert` is 3
/// and `split` 1, then `insert` on three trees is 9 and `split` 3. A block is begun only if the
/// budget is for all of it, unless the budget is for a part and nothing else is begun.
#[test]
fn a_budget_ends_a_closure_between_two_blocks() {
    for (most, expected) in [(2, 4), (4, 4), (5, 5), (6, 14), (14, 14), (15, 17)] {
        let plan = plan(suite(), &["new", "insert", "split"], 3)
            .with(|draft| draft.budget.max_calls = Some(most));
        let explorer = Explorer::new(&plan, Settings::default());
        let mut closure = explorer.empty();
        let mut shares = Vec::new();
        let stopped = closure.extend(&planned(&[0, 1, 2]), &mut |progress: Progress| {
            shares.extend(progress.level.map(|level| level.done));
            None
        });
        assert_eq!(stopped, StopReason::MaxCalls(most));
        assert_eq!(closure.total_counters().explored(), expected, "{most}");
        assert!(shares.iter().all(|&share| (1..=1000).contains(&share)), "{shares:?}");
    }
}

/// The calls on one stamp and all others are more blocks than a batch has. The budget ends at the
/// first of them: all of them are made, and none on the next stamp.
#[test]
fn a_budget_that_ends_within_the_calls_on_one_structure_lets_a_closure_make_them() {
    let (n_stamps, n_literals) = (17, 1 << 15);
    let plan = pairs(n_stamps, n_literals)
        .with(|draft| draft.budget.max_calls = Some(u64::from(n_stamps) + 1));
    let explorer = Explorer::new(&plan, Settings { threads: 1, ..Settings::default() });
    let mut closure = explorer.empty();
    let stopped = closure.extend(&planned(&[0, 1]), &mut |_| None);
    assert_eq!(stopped, StopReason::MaxCalls(u64::from(n_stamps) + 1));
    let n_calls = u64::from(n_stamps) * (1 + n_literals as u64);
    assert_eq!(closure.total_counters().explored(), n_calls);
}
