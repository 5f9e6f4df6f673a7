//! The numbers of the literature, which `benchmarks/published/table1.ron` holds, and others like
//! them that the engine must give.
//!
//! The data file says of each row where it comes from, and its own tests compare it with the closed
//! forms that are known. What the other rows count:
//! - AVL trees: the heights and shapes over subsets of the keys that insertion alone reaches;
//!   removal adds none.
//! - Red-black trees: those over subsets of the keys that need no larger tree on the way.
//! - `kiasan/treemap`: the sum over the trees of `kiasan/treeset` of k^n for n nodes.
//! - Binomial heaps: every heap of at most k nodes. `roops/fibheap`: those that consist of binomial
//!   trees.
//! - `kiasan/binaryheap`: the valid heaps of every length, together with every stale cell behind
//!   them.

use crate::common;

use std::path::Path;

use beget_engine::Settings;
use beget_engine::store::Store;
use beget_plan::finding::StopReason;
use serde::Deserialize;

/// Rows with more calls are left to optimized builds, or to the binary `table1` of the benchmarks.
const MOST_CALLS: u64 = if cfg!(debug_assertions) { 500_000 } else { 10_000_000 };

/// Scope file and k of larger rows that are checked in all builds: a ring of raw pointers, a boxed
/// list, a counted tree.
const LARGE: &[(&str, u32)] = &[("roops/llist", 7), ("korat/slist", 7), ("kiasan/treeset", 11)];

/// What is of use here of the data file.
#[derive(Deserialize)]
struct Published {
    subjects: Vec<Subject>,
}

#[derive(Deserialize)]
struct Subject {
    suite: String,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    k: u32,
    generated: Option<u64>,
    explored: Option<u64>,
}

impl Row {
    /// Structures and calls, if they are known.
    fn numbers(&self) -> Option<(u64, u64)> {
        self.generated.zip(self.explored)
    }
}

fn published() -> Published {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/published/table1.ron");
    let text = std::fs::read_to_string(path).expect("the data file");
    let options =
        ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    options.from_str(&text).expect("a table")
}

/// Compares what is generated with the rows of a benchmark whose numbers are known.
#[track_caller]
fn check_published(benchmark: &str, n_suites: usize) {
    let mut subjects = published().subjects;
    subjects.retain(|subject| subject.suite.starts_with(benchmark));
    assert_eq!(subjects.len(), n_suites, "suites of {benchmark}");
    for Subject { suite, rows } in subjects {
        let scope = suite.replace("::", "/");
        for row in rows {
            if let Some(expected) = row.numbers() {
                check(&scope, &[], row.k, expected);
            }
        }
    }
}

/// Compares structures and, in the published way of counting, calls, with the methods of the scope
/// file if none are named.
#[track_caller]
fn check(scope: &str, methods: &[&str], k: u32, expected: (u64, u64)) {
    if expected.1 > MOST_CALLS && !LARGE.contains(&(scope, k)) {
        return;
    }
    let corpus = common::run(common::plan(scope, k, methods), Settings::default());
    let report = &corpus.report;
    let found = (corpus.store.len(), common::published_explored(&corpus));
    assert_eq!(found, expected, "{scope}, k = {k}, {methods:?}");
    assert_eq!(report.stop_reason, StopReason::Exhausted, "{scope}, k = {k}");
    assert_eq!(report.findings, [], "{scope}, k = {k}");
    assert_eq!(report.ledger.counters.failures, 0, "{scope}, k = {k}");
    let by_level = report.levels.iter().map(|level| level.explored).sum::<u64>();
    assert_eq!(report.ledger.counters.explored(), by_level, "{scope}, k = {k}");
}

#[test]
fn the_published_numbers_of_roops_are_reached() {
    check_published("roops::", 7);
}

#[test]
fn the_published_numbers_of_fajita_are_reached() {
    check_published("fajita::", 7);
}

#[test]
fn the_published_numbers_of_korat_are_reached() {
    check_published("korat::", 7);
}

#[test]
fn the_published_numbers_of_kiasan_are_reached() {
    check_published("kiasan::", 8);
}

/// Scope file and k of rows that the data file does not have, and a suite for which it has them:
/// its structures are the same.
const LEFT_OUT: &[(&str, u32, &str)] = &[
    ("roops/bintree", 8, "korat::searchtree"),
    ("roops/bintree", 9, "korat::searchtree"),
    ("roops/rbt", 10, "kiasan::treeset"),
    ("fajita/bintree", 9, "korat::searchtree"),
    ("fajita/rbt", 10, "kiasan::treeset"),
];

#[test]
fn equal_classes_reach_equal_numbers_where_the_data_file_leaves_one_out() {
    let Published { subjects } = published();
    for &(scope, k, suite) in LEFT_OUT {
        let twin = subjects.iter().find(|subject| subject.suite == suite).expect("a suite");
        let row = twin.rows.iter().find(|row| row.k == k).expect("a row");
        check(scope, &[], k, row.numbers().expect("numbers"));
    }
}

/// Scope file, methods (none: those of the file), and by k from 1 the numbers of an independent
/// enumeration.
type Enumerated = (&'static str, &'static [&'static str], &'static [(u64, u64)]);

const NOT_PUBLISHED: &[Enumerated] = &[
    (
        "roops/ncl",
        &["new", "add_last", "remove_index", "set_maximum_cache_size", "contains"],
        &[(2, 11), (12, 101), (71, 859), (553, 8857)],
    ),
    (
        "kiasan/binaryheap",
        &["with_capacity", "insert", "delete_min"],
        &[
            (1, 4),
            (5, 23),
            (31, 148),
            (249, 1301),
            (2496, 15_056),
            (30_869, 216_239),
            (458_123, 3_665_180),
        ],
    ),
];

#[test]
fn the_numbers_of_enumerations_are_reached() {
    for &(scope, methods, rows) in NOT_PUBLISHED {
        for (k, &expected) in (1..).zip(rows) {
            check(scope, methods, k, expected);
        }
    }
}

/// Scope file, methods that add nothing to what the builders reach, and the largest k to try.
const MORE_METHODS: &[(&str, &[&str], u32)] = &[
    ("roops/avl", &["new", "insert", "remove", "make_empty"], 6),
    ("roops/bintree", &["new", "add", "remove_key"], 5),
    ("fajita/binheap", &["new", "insert", "extract_min", "delete"], 3),
    ("fajita/ncl", &["new", "add_last", "add", "remove_index", "remove"], 4),
    (
        "fajita/cdlist",
        &[
            "new",
            "add",
            "add_last",
            "add_first",
            "add_at",
            "remove_index",
            "remove_first",
            "remove_last",
            "remove",
            "set",
            "clear",
        ],
        4,
    ),
    ("fajita/slist", &["new", "insert_back", "remove", "contains"], 4),
];

#[test]
fn the_other_methods_add_nothing_to_what_the_builders_reach() {
    for &(scope, methods, most) in MORE_METHODS {
        for k in 1..=most {
            let builders = common::run(common::plan(scope, k, &[]), Settings::default());
            let more = common::run(common::plan(scope, k, methods), Settings::default());
            assert!(
                more.report.ledger.counters.explored() > builders.report.ledger.counters.explored()
            );
            assert_eq!(more.store.totals(), builders.store.totals(), "{scope}, k = {k}");
            assert_eq!(more.report.findings, [], "{scope}, k = {k}");
        }
    }
}
