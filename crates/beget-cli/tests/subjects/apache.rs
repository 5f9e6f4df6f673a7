//! The whole API of a list builds what three of its methods build.

use crate::common;

use beget_engine::store::Store;
use beget_engine::{Corpus, Settings};
use beget_plan::finding::StopReason;

/// All methods of the suite.
fn api() -> Vec<&'static str> {
    let suite = common::plan("apache/ncl", 1, &[]).suite.clone();
    suite.methods.iter().map(|method| method.name).collect()
}

fn run(k: u32, methods: &[&str]) -> Corpus {
    let corpus = common::run(common::plan("apache/ncl", k, methods), Settings::default());
    let report = &corpus.report;
    assert_eq!((report.stop_reason, report.ledger.counters.failures), (StopReason::Exhausted, 0));
    corpus
}

/// With m elements there are k^m contents, and the cache has one of k - m sizes: one node is the
/// header.
fn n_lists(k: u64) -> u64 {
    (0..k).map(|m| (k - m) * k.pow(m as u32)).sum()
}

/// The order-free digest of the structures, and how many there are.
fn extent(corpus: &Corpus) -> (u64, u128) {
    (corpus.store.len(), corpus.store.totals().digest)
}

#[test]
fn an_addition_and_a_removal_at_the_front_build_every_list() {
    for k in 1..=5 {
        let corpus = run(k as u32, &[]);
        assert_eq!(corpus.store.len(), n_lists(k), "k = {k}");
        // Each list gets k additions and a removal. The fullest cache takes k - 1 additions and as
        // many removals, so there are 2 * k rounds, and each calls the constructor.
        let explored = n_lists(k) * (k + 1) + 2 * k;
        assert_eq!(common::published_explored(&corpus), explored, "k = {k}");
    }
}

#[test]
fn the_whole_api_builds_the_same_lists() {
    for k in 1..=3 {
        let by_all = run(k, &api());
        for set in [["new", "add_first", "remove_first"], ["new", "add", "clear"]] {
            assert_eq!(extent(&run(k, &set)), extent(&by_all), "k = {k}, {set:?}");
        }
    }
}

#[test]
fn lists_differ_from_those_of_the_benchmarks_in_nothing_that_is_counted() {
    for k in 1..=4 {
        let n_of =
            |scope| common::run(common::plan(scope, k, &[]), Settings::default()).store.len();
        let counts = ["apache/ncl", "roops/ncl", "fajita/ncl"].map(n_of);
        assert_eq!(counts.map(u64::from), [n_lists(k.into()); 3], "k = {k}");
    }
}
