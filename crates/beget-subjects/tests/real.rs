//! Collections in everyday use: how many states each has is known.

mod common;

use beget_engine::store::Store;
use beget_engine::{Settings, StopReason};

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

/// Of k slots, some are vacant, in some order, and the others hold a value. A slab with fewer slots is one whose
/// last vacant slots are those at the end, in order.
fn slabs(k: u64) -> u64 {
    sum(k, |n| binomial(k, n) * factorial(n) * power(k, k - n))
}

/// Sequences in place of at most two elements, and any on the heap, unless nothing can be longer than one.
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
    ("btreemap", maps, 4),
    ("btreeset", |k| power(2, k), 7),
    ("hashmap", maps, 4),
    ("linkedlist", sequences, 4),
    ("vecdeque", sequences, 4),
    // Multisets of at most k elements: k of 2k places are bars.
    ("binaryheap", |k| binomial(2 * k, k), 5),
    ("indexmap", ordered_maps, 3),
    ("slab", slabs, 4),
    ("smallvec", small_vectors, 4),
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
    assert_eq!(u64::from(corpus.store.len()), expected, "{name}, k = {k}");
    assert_eq!(report.stop_reason, StopReason::Exhausted, "{name}, k = {k}");
    assert_eq!(report.counters.failures, 0, "{name}, k = {k}");
    let by_level = report.levels.iter().map(|level| level.explored).sum::<u64>();
    assert_eq!(report.counters.explored(), by_level, "{name}, k = {k}");
}

#[test]
fn every_collection_is_called_by_twenty_methods_or_more() {
    let suites =
        beget_subjects::suites().into_iter().filter(|suite| suite.name.starts_with("real"));
    let few: Vec<_> = suites.filter(|suite| suite.methods.len() < 20).map(|s| s.name).collect();
    assert_eq!(few, [""; 0]);
}
