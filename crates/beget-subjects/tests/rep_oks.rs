//! The repOKs of the case studies: what Korat counts with them, and how they relate to what the API builds.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use beget::heap::view::{Broken, Verdict};
use beget::repok::{Checker, Group, Search, count};
use beget_engine::Settings;
use beget_engine::store::Store;
use common::rep_oks::{
    Case, OnlyInRepOk, Row, assert_counts, assert_only_in_rep_ok, case, compared, subject,
};

const TABLE: &[Row] = &[
    (
        "roops/ncl",
        "published",
        &[
            (2, 10),
            (21, 136),
            (228, 746),
            (2930, 4269),
            (44_790, 47_605),
            (800_667, 805_921),
            // 2739128 as printed; this is the closed form, which fits all other rows.
            (16_434_824, 16_443_824),
            (381_367_044, 381_381_493),
        ],
    ),
    (
        "roops/ncl",
        "corrected",
        &[
            (1, 10),
            (4, 152),
            (18, 998),
            (112, 7642),
            (975, 88_280),
            (11_196, 1_335_035),
            (160_132, 24_394_314),
        ],
    ),
    (
        "roops/llist",
        "published",
        &[
            (1, 6),
            (3, 22),
            (13, 93),
            (85, 643),
            (781, 6554),
            (9331, 86_989),
            (137_257, 1_410_799),
            (2_396_745, 26_952_027),
            (48_427_561, 591_734_656),
        ],
    ),
    (
        "korat/dllist",
        "published",
        &[
            (2, 9),
            (7, 46),
            (40, 276),
            (341, 2562),
            (3906, 32_751),
            (55_987, 521_904),
            (960_800, 9_875_550),
        ],
    ),
    (
        "korat/slist",
        "published",
        &[
            (1, 5),
            (3, 18),
            (13, 94),
            (85, 764),
            (781, 8559),
            (9331, 121_000),
            (137_257, 2_055_596),
            (2_396_745, 40_701_876),
            (48_427_561, 919_451_065),
        ],
    ),
    (
        "korat/searchtree",
        "published",
        &[
            (2, 6),
            (5, 31),
            (15, 178),
            (51, 1165),
            (188, 8308),
            (731, 61_950),
            (2950, 471_708),
            (12_235, 3_625_977),
            (51_822, 27_996_730),
            (223_191, 216_680_909),
            (974_427, 1_679_669_258),
        ],
    ),
    (
        "korat/fibheap",
        "published",
        &[
            (2, 8),
            (9, 54),
            (78, 351),
            (1115, 3470),
            (22_355, 62_035),
            (573_223, 1_641_562),
            (17_858_246, 54_268_866),
        ],
    ),
    (
        "kiasan/disjsets_fast",
        "published",
        &[
            (0, 1),
            (1, 4),
            (9, 27),
            (117, 298),
            (2165, 5077),
            (52_165, 117_456),
            (1_545_157, 3_398_383),
        ],
    ),
    ("kiasan/treeset", "published", TREE_SET),
    ("kiasan/treeset", "corrected", TREE_SET),
    (
        "kiasan/treeset",
        "without_root_clause",
        &[
            (3, 10),
            (7, 77),
            (16, 706),
            (41, 8417),
            (115, 123_316),
            (327, 2_179_286),
            (911, 44_832_139),
        ],
    ),
];

const TREE_SET: &[(u64, u64)] =
    &[(2, 9), (5, 74), (12, 684), (29, 8165), (74, 121_903), (201, 2_174_635), (573, 44_820_131)];

#[test]
fn candidates_are_counted_as_by_korat() {
    assert_counts(TABLE);
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
    // Of 1, 2, 3 nodes there are 1, 2, 3 shapes, and each node has one of 4 values. Beside the header there are one or two
    // elements, a cached node or two, or one of each.
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
        let mut checker = Checker::new(&subject.shapes, &corpus.plan.layout, 0, 1000);
        for rep_ok in &subject.rep_oks {
            let mut answers: Vec<Verdict> = Vec::new();
            corpus.store.scan(0..corpus.store.len(), &mut |_, form| {
                answers.push(checker.check(rep_ok.as_fn(), form).expect("an answer"));
            });
            let rejected: Vec<_> = answers.iter().filter_map(|answer| answer.err()).collect();
            let n_rejected = n_built - n_accepted;
            assert_eq!((answers.len(), rejected.len()), (n_built, n_rejected), "k = {k}");
            let clause = Broken("the cache size is at most the maximum");
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
