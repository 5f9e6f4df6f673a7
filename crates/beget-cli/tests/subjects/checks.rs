//! The repOKs of all case studies, asked about every structure that the builders make.
//!
//! The published ones keep their flaws, so some of them reject what the class builds. The corrected
//! ones, and those that need no correction, must accept everything; one class can not be saved by
//! its repOK, because it is the class that is wrong.

use crate::common;

use std::collections::{BTreeMap, BTreeSet};

use beget::repok::Checker;
use beget_engine::Settings;
use beget_engine::store::Store;
use common::rep_oks::subject;

/// How many of the structures a repOK accepts.
#[derive(Clone, Copy, Debug)]
enum Accepts {
    All,
    /// By k from 1, with the reason.
    Only(&'static [u64], &'static str),
}
use Accepts::{All, Only};

/// Scope file, structures by k from 1, and what each repOK accepts of them.
type Row = (&'static str, &'static [u64], &'static [(&'static str, Accepts)]);

/// Sum over the m elements of (k - m) * k^m.
const CACHING_LISTS: &[u64] = &[1, 4, 18, 112, 975];
/// Sum of k^m for m < k.
const LISTS_WITH_HEADER: &[u64] = &[1, 3, 13, 85, 781];
/// Sum of k^m for m <= k.
const LISTS: &[u64] = &[2, 7, 40, 341];
/// Sum over n of binomial(k, n) * Catalan(n).
const SEARCH_TREES: &[u64] = &[2, 5, 15, 51, 188, 731];
const AVL_TREES: &[u64] = &[2, 5, 11, 25, 62, 157, 396];
const RED_BLACK_TREES: &[u64] = &[2, 5, 11, 29, 72, 197, 561];
const BINOMIAL_HEAPS: &[u64] = &[2, 6, 28, 120, 936];
const FIBONACCI_HEAPS: &[u64] = &[2, 6, 48, 335];

const EMPTY_TREE: Accepts = Only(
    &[1; AVL_TREES.len()],
    "it takes a missing child to be as high as a leaf, so every tree but the empty one breaks a height",
);

const TABLE: &[Row] = &[
    ("roops/ncl", CACHING_LISTS, &[("published", All), ("corrected", All)]),
    ("roops/llist", LISTS_WITH_HEADER, &[("published", All)]),
    ("roops/avl", AVL_TREES, &[("published", EMPTY_TREE), ("mended", All), ("corrected", All)]),
    ("roops/bintree", SEARCH_TREES, &[("published", All), ("corrected", All)]),
    ("roops/binheap", BINOMIAL_HEAPS, &[("published", All)]),
    (
        "roops/fibheap",
        FIBONACCI_HEAPS,
        &[
            (
                "published",
                Only(&[1, 5, 23, 144], "as the mended one, and it rejects the empty heap"),
            ),
            ("mended", Only(&[2, 6, 24, 145], "it wants no parent in nodes that have one")),
            ("corrected", All),
        ],
    ),
    ("roops/rbt", RED_BLACK_TREES, &[("published", All), ("corrected", All)]),
    ("fajita/avl", AVL_TREES, &[("published", EMPTY_TREE), ("corrected", All)]),
    ("fajita/binheap", BINOMIAL_HEAPS, &[("published", All)]),
    ("fajita/bintree", SEARCH_TREES, &[("published", All)]),
    (
        "fajita/ncl",
        CACHING_LISTS,
        &[
            ("published", Only(&[0; 5], "it wants values in the header and in cached nodes")),
            ("corrected", All),
        ],
    ),
    (
        "fajita/cdlist",
        LISTS_WITH_HEADER,
        &[
            ("published", Only(&[0; 5], "it wants nothing before the header of a circular list")),
            ("corrected", All),
        ],
    ),
    ("fajita/slist", LISTS_WITH_HEADER, &[("published", All)]),
    ("fajita/rbt", RED_BLACK_TREES, &[("published", All), ("corrected", All)]),
    ("korat/dllist", LISTS, &[("published", All)]),
    ("korat/slist", LISTS_WITH_HEADER, &[("published", All)]),
    // binomial(2k - 2, k - 1).
    ("korat/sortedlist", &[1, 2, 6, 20, 70, 252], &[("published", All)]),
    ("korat/searchtree", SEARCH_TREES, &[("published", All)]),
    ("korat/binheap", BINOMIAL_HEAPS, &[("published", All)]),
    ("korat/fibheap", FIBONACCI_HEAPS, &[("published", All)]),
    ("korat/rbt", RED_BLACK_TREES, &[("published", All), ("corrected", All)]),
    ("kiasan/binaryheap", &[1, 5, 31, 249], &[("published", All), ("corrected", All)]),
    ("kiasan/bst", SEARCH_TREES, &[("published", All)]),
    ("kiasan/disjsets_fast", &[0, 1, 4, 14, 83, 544], &[("published", All), ("corrected", All)]),
    // Sum of k^n for n in 1..k.
    (
        "kiasan/disjsets",
        &[0, 2, 12, 84, 780],
        &[(
            "published",
            Only(
                &[0, 2 - 1, 12 - 8, 84 - 64, 780 - 635],
                "the class does not check what it unites, and so makes cycles and parents outside the array",
            ),
        )],
    ),
    ("kiasan/dllist", LISTS_WITH_HEADER, &[("published", All)]),
    (
        "kiasan/treeset",
        RED_BLACK_TREES,
        &[("published", All), ("corrected", All), ("without_root_clause", All)],
    ),
    ("kiasan/treemap", &[2, 13, 91, 1745], &[("published", All)]),
    ("kiasan/stack", LISTS, &[("published", All)]),
];

/// A repOK of a case study reads far less.
const MAX_READS: u64 = 100_000;

/// The structures of a scope, and how many of them each repOK accepts.
fn accepted(scope: &str, k: u32) -> (u64, BTreeMap<&'static str, u64>) {
    let corpus = common::run(common::plan(scope, k, &[]), Settings::default());
    let plan = &corpus.plan;
    let subject = subject(scope);
    let mut checker = Checker::new(&subject.shapes, plan.coding(), MAX_READS);
    let mut n_accepted: BTreeMap<_, u64> =
        subject.rep_oks.iter().map(|rep_ok| (rep_ok.name, 0)).collect();
    corpus
        .store
        .scan(0..corpus.store.len(), &mut |_, form| {
            for rep_ok in &subject.rep_oks {
                let verdict = checker.check(rep_ok.as_fn(), form);
                let verdict = verdict.unwrap_or_else(|cause| panic!("{scope}: {cause:?}"));
                *n_accepted.entry(rep_ok.name).or_default() += u64::from(verdict.is_ok());
            }
        })
        .unwrap();
    (corpus.store.len(), n_accepted)
}

#[test]
fn repoks_accept_what_the_builders_make_but_where_they_are_known_not_to() {
    for &(scope, generated, rep_oks) in TABLE {
        for (at, &generated) in generated.iter().enumerate() {
            let k = at as u32 + 1;
            let found = accepted(scope, k);
            let mut reasons = Vec::new();
            let wanted = rep_oks.iter().map(|&(name, accepts)| match accepts {
                All => (name, generated),
                Only(accepted, reason) => {
                    reasons.push(reason);
                    (name, accepted[at])
                }
            });
            let wanted = (generated, wanted.collect());
            assert_eq!(found, wanted, "{scope}, k = {k}: {reasons:?}");
        }
    }
}

#[test]
fn all_case_studies_of_the_literature_are_checked() {
    let suites = beget_subjects::suites().into_iter().map(|suite| suite.name);
    let benchmarks = ["roops::", "fajita::", "korat::", "kiasan::"];
    let of_literature =
        |name: &String| benchmarks.iter().any(|benchmark| name.starts_with(benchmark));
    let suites: BTreeSet<String> = suites.filter(of_literature).collect();
    let checked: Vec<String> = TABLE.iter().map(|row| row.0.replace('/', "::")).collect();
    assert_eq!(checked.len(), 29);
    assert_eq!(checked.into_iter().collect::<BTreeSet<_>>(), suites);
}

#[test]
fn the_last_repok_of_a_class_accepts_everything_unless_the_class_is_wrong() {
    let is_last = |name: &str, rep_oks: &[(&str, Accepts)]| {
        name == "corrected" || !rep_oks.iter().any(|&(other, _)| other == "corrected")
    };
    for &(scope, _, rep_oks) in TABLE.iter().filter(|row| row.0 != "kiasan/disjsets") {
        for &(name, accepts) in rep_oks.iter().filter(|(name, _)| is_last(name, rep_oks)) {
            assert!(matches!(accepts, All), "{scope}, {name}");
        }
    }
}
