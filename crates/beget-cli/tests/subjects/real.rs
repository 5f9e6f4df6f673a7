//! Collections in everyday use: how many states each has is known.

use crate::common;

use std::collections::BTreeSet;

use beget_engine::Settings;
use beget_engine::store::Store;
use beget_plan::finding::{Kind, StopReason};
use petgraph::stable_graph::{NodeIndex, StableDiGraph};

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

fn binomial(n: u64, r: u64) -> u64 {
    factorial(n) / factorial(r) / factorial(n - r)
}

/// Sum of `term(n)` for n up to k.
fn sum(k: u64, term: impl Fn(u64) -> u64) -> u64 {
    (0..=k).map(term).sum()
}

fn power(base: u64, exponent: u64) -> u64 {
    base.pow(exponent as u32)
}

/// For each of the k keys a value, or none.
fn maps(k: u64) -> u64 {
    power(k + 1, k)
}

/// Sequences of at most k elements.
fn sequences(k: u64) -> u64 {
    sum(k, |n| power(k, n))
}

/// A set of keys in some order, each with a value.
fn ordered_maps(k: u64) -> u64 {
    sum(k, |n| binomial(k, n) * factorial(n) * power(k, n))
}

/// Of k slots, some are vacant, in some order, and the others hold a value. A slab with fewer slots
/// is one whose last vacant slots are those at the end, in order.
fn slabs(k: u64) -> u64 {
    sum(k, |n| binomial(k, n) * factorial(n) * power(k, k - n))
}

/// Sequences in place of at most two elements, and any on the heap, unless nothing can be longer
/// than one.
fn small_vectors(k: u64) -> u64 {
    sum(k.min(2), |n| power(k, n)) + if k == 1 { 0 } else { sequences(k) }
}

/// For each set of nodes: each of k edge slots is vacant, or holds one of the pairs of nodes.
fn graphs(k: u64) -> u64 {
    sum(k, |n| binomial(k, n) * power(n * n + 1, k))
}

/// Scope, states by k, largest k.
type Row = (&'static str, fn(u64) -> u64, u32);

const TABLE: &[Row] = &[
    ("btreemap", maps, 3),
    ("btreeset", |k| power(2, k), 6),
    ("hashmap", maps, 3),
    ("linkedlist", sequences, 3),
    ("vecdeque", sequences, 3),
    // Multisets of at most k elements: k of 2k places are bars.
    ("binaryheap", |k| binomial(2 * k, k), 5),
    ("indexmap", ordered_maps, 3),
    ("slab", slabs, 4),
    ("smallvec", small_vectors, 3),
    ("stablegraph", graphs, 3),
];

#[test]
fn every_collection_has_as_many_states_as_its_closed_form_says() {
    for &(name, states, most) in TABLE {
        for k in 1..=most {
            check(name, k, states(k.into()));
        }
    }
}

#[track_caller]
fn check(name: &str, k: u32, expected: u64) {
    let corpus = common::run(common::plan(&format!("real/{name}"), k, &[]), Settings::default());
    let report = &corpus.report;
    assert_eq!(report.findings, [], "{name}, k = {k}");
    assert_eq!(corpus.store.len(), expected, "{name}, k = {k}");
    assert_eq!(report.stop_reason, StopReason::Exhausted, "{name}, k = {k}");
    assert_eq!(report.ledger.counters.failures, 0, "{name}, k = {k}");
    let by_level = report.levels.iter().map(|level| level.explored).sum::<u64>();
    assert_eq!(report.ledger.counters.explored(), by_level, "{name}, k = {k}");
}

/// Runs a scope with all methods, and returns the panics that no rule expects, each with the method
/// that ended so.
fn panics(name: &str, k: u32) -> BTreeSet<(&'static str, String)> {
    let scope = format!("real/{name}");
    let suite = common::plan(&scope, k, &[]).suite.clone();
    let all: Vec<_> = suite.methods.iter().map(|method| method.name).collect();
    let corpus = common::run(common::plan(&scope, k, &all), Settings::default());
    let shown = corpus.report.findings.iter().map(|finding| {
        let problem = &finding.problem;
        assert_eq!(problem.kind, Kind::Panic, "{problem}");
        let recipe = finding.witness.recipe.as_ref().unwrap();
        (suite.method(recipe.method).name, problem.panic_message.clone().unwrap())
    });
    shown.collect()
}

/// As of slab 0.4.12: a key beyond the last slot panics, though the page promises `None` for keys
/// without a value.
#[test]
fn two_references_into_a_slab_cannot_be_asked_for_beyond_its_end() {
    assert_eq!(panics("slab", 2), [("get2_mut", "mid > len".to_owned())].into());
}

/// As of petgraph 0.8.3: `try_add_edge` takes the vacant edge before it looks for the nodes, and
/// does not give it back. The edge is there from then on, between nodes that are not, and is not
/// counted.
#[test]
fn an_edge_that_a_stable_graph_refused_is_there_all_the_same() {
    let methods: BTreeSet<_> =
        panics("stablegraph", 2).into_iter().map(|(method, _)| method).collect();
    // Only assertions of debug builds tell; `retain_no_loops` ends at that of the first method.
    let shown: &[_] = match cfg!(debug_assertions) {
        true => &["remove_edge_at", "retain_sources"],
        false => &[],
    };
    assert_eq!(methods, shown.iter().copied().collect());
    let mut graph = StableDiGraph::<(), ()>::new();
    let node = graph.add_node(());
    let edge = graph.add_edge(node, node, ());
    graph.remove_edge(edge);
    graph.try_add_edge(node, NodeIndex::new(1), ()).unwrap_err();
    assert_eq!((graph.edge_count(), graph.edge_indices().count()), (0, 1));
}

#[test]
fn every_collection_is_called_by_twenty_methods_or_more() {
    let suites =
        beget_subjects::suites().into_iter().filter(|suite| suite.name.starts_with("real"));
    let few: Vec<_> = suites.filter(|suite| suite.methods.len() < 20).map(|s| s.name).collect();
    assert_eq!(few, [""; 0]);
}
