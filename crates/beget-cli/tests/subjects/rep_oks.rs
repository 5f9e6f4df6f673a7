//! The repOKs of the case studies: what Korat counts with them, and how they relate to what the API
//! builds.

use crate::common;

use std::collections::{BTreeMap, BTreeSet};

use beget::heap::view::{BrokenClause, Verdict};
use beget::repok::Checker;
use beget_engine::Settings;
use beget_engine::store::Store;
use beget_search::repok::{Group, Search, count};
use common::rep_oks::{
    Case, OnlyInRepOk, assert_counts, assert_only_in_rep_ok, case, compared, counted, subject,
};

#[test]
fn candidates_of_the_roops_benchmark_are_counted_as_by_korat() {
    assert_counts("roops/");
}

#[test]
fn candidates_of_the_fajita_benchmark_are_counted_as_by_korat() {
    assert_counts("fajita/");
}

#[test]
fn candidates_of_the_korat_benchmark_are_counted_as_by_korat() {
    assert_counts("korat/");
}

#[test]
fn candidates_of_the_kiasan_benchmark_are_counted_as_by_korat() {
    assert_counts("kiasan/");
}

#[test]
fn corrections_that_are_another_repok_are_counted_alike() {
    for k in 1..=5 {
        let (fajita, roops) = ("fajita/rbt", "roops/rbt");
        assert_eq!(counted(fajita, "corrected", k), counted(roops, "corrected", k), "k = {k}");
        let set = "kiasan/treeset";
        assert_eq!(counted(set, "corrected", k), counted(set, "published", k), "k = {k}");
    }
}

const ONLY_IN_REP_OK: &[OnlyInRepOk] = &[
    ("roops/ncl", "published", &[1, 17, 210, 2818, 43_815]),
    ("roops/ncl", "corrected", &[0, 0, 0, 0, 0, 0]),
    ("roops/llist", "published", &[0, 0, 0, 0, 0, 0, 0]),
    ("korat/dllist", "published", &[0, 0, 0, 0, 0, 0]),
    ("korat/slist", "published", &[0, 0, 0, 0, 0, 0, 0]),
    ("korat/searchtree", "published", &[0, 0, 0, 0, 0, 0, 0, 0]),
    ("korat/fibheap", "published", &[0, 3, 30, 780, 17_974]),
    ("kiasan/disjsets_fast", "published", &[0, 0, 5, 103, 2082, 51_621]),
    ("kiasan/disjsets_fast", "corrected", &[0, 0, 0, 0, 0, 0, 0]),
    ("kiasan/treeset", "published", &[0, 0, 1, 0, 2, 4]),
    ("kiasan/treeset", "corrected", &[0, 0, 1, 0, 2, 4]),
    ("kiasan/treeset", "without_root_clause", &[1, 2, 5, 12, 43, 130]),
    // Merging calls on every pair, which is too many at 5.
    ("ours/skewheap", "published", &[0, 0, 0, 0]),
];

#[test]
fn rep_oks_admit_what_the_builders_make_and_so_much_more() {
    assert_only_in_rep_ok(ONLY_IN_REP_OK);
}

/// The label and the size of each group.
fn sizes(groups: &[Group]) -> BTreeMap<&str, u64> {
    groups.iter().map(|group| (group.label.as_str(), group.count)).collect()
}

#[test]
fn the_corrected_clauses_name_what_the_published_repok_admits() {
    let result = compared("roops/ncl", "published", 3, Some("corrected"));
    // Of 1, 2, 3 nodes there are 1, 2, 3 shapes, and each node has one of 4 values. Beside the
    // header there are one or two elements, a cached node or two, or one of each.
    let expected = [
        ("the header has no value", 3 * (1 + 2 * 4 + 3 * 16)),
        ("elements are not null", 1 + (16 - 9) + 4),
        ("cached nodes have no value", 3 + (16 - 1) + 3 * 3),
    ];
    assert_eq!(sizes(&result.only_rep_ok_groups), BTreeMap::from(expected));

    let result = compared("kiasan/treeset", "without_root_clause", 3, Some("corrected"));
    // No clause rejects the tree of three black nodes, so it goes by its shape.
    let three_nodes = "TreeSet#0 { root: #1 }\n\
                       TreeSetEntry#1 { left: #2, parent: null, right: #3 }\n\
                       TreeSetEntry#2 { left: null, parent: #1, right: null }\n\
                       TreeSetEntry#3 { left: null, parent: #1, right: null }\n";
    let expected = [("the root is black", 4), (three_nodes, 1)];
    assert_eq!(sizes(&result.only_rep_ok_groups), BTreeMap::from(expected));
}

#[test]
fn an_over_full_cache_breaks_one_clause() {
    let methods = ["new", "add_last", "remove_index", "set_maximum_cache_size", "contains"];
    for (k, (n_built, n_accepted)) in (1..).zip([(2, 2), (12, 11), (71, 66), (553, 526)]) {
        let corpus = common::run(common::plan("roops/ncl", k, &methods), Settings::default());
        let subject = subject("roops/ncl");
        let mut checker = Checker::new(&subject.shapes, corpus.plan.coding(), 1000);
        for rep_ok in &subject.rep_oks {
            let mut answers: Vec<Verdict> = Vec::new();
            corpus
                .store
                .scan(0..corpus.store.len(), &mut |_, form| {
                    answers.push(checker.check(rep_ok.as_fn(), form).expect("an answer"));
                })
                .unwrap();
            let rejected: Vec<_> = answers.iter().filter_map(|answer| answer.err()).collect();
            let n_rejected = n_built - n_accepted;
            assert_eq!((answers.len(), rejected.len()), (n_built, n_rejected), "k = {k}");
            let clause = BrokenClause("the cache size is at most the maximum");
            assert!(rejected.iter().all(|broken| *broken == clause), "k = {k}: {rejected:?}");
        }
    }
}

/// How many heaps of `n` keys in `low..k` there are in which who has a right child has a left one.
fn n_skew_heaps(n: u64, low: u64, k: u64) -> u64 {
    let below = |key, left, right| n_skew_heaps(left, key, k) * n_skew_heaps(right, key, k);
    let splits = |key| (0..n).map(move |right| (key, n - 1 - right, right));
    match n {
        0 => 1,
        _ => (low..k)
            .flat_map(splits)
            .filter(|&(_, left, right)| left > 0 || right == 0)
            .map(|(key, left, right)| below(key, left, right))
            .sum(),
    }
}

#[test]
fn skew_heaps_are_as_many_as_there_are() {
    for k in 1..=5 {
        let Case { rep_ok, space, .. } = case("ours/skewheap", "published", k);
        let report = count(&Search::new(&space, rep_ok.as_fn()));
        let k = u64::from(k);
        assert_eq!(
            report.generated,
            (0..=k).map(|n| n_skew_heaps(n, 0, k)).sum::<u64>(),
            "k = {k}"
        );
        assert!(report.is_complete(), "{report:?}");
    }
}

#[test]
fn every_repok_has_its_finitization_and_the_other_way_round() {
    for checked in beget_subjects::subjects() {
        let scope = checked.suite.replace("::", "/");
        let given = common::resolved(&scope, 3, &[]).finitizations;
        let given: BTreeSet<_> = given.into_iter().map(|given| given.name).collect();
        let rep_oks = checked.subject.rep_oks.iter();
        let rep_oks: BTreeSet<_> = rep_oks.map(|rep_ok| rep_ok.name.to_owned()).collect();
        assert_eq!(rep_oks, given, "{scope}");
        for (rep_ok, k) in rep_oks.iter().flat_map(|rep_ok| (1..=8).map(move |k| (rep_ok, k))) {
            case(&scope, rep_ok, k);
        }
    }
}
