//! Every flaw that is known of a published repOK, or of an API, shows in the comparison of the two.
//!
//! Three known flaws have no structure to show. The checks of neighbours that the first version of
//! the ROOPS Fibonacci heap lacked are in both versions that were published with the benchmark. The
//! caching list of ROOPS ignores the index that it is given, and the singly linked list of FAJITA
//! drops all elements where it should remove the first: what they leave is a structure like any
//! other.

use crate::common;

use beget_plan::scope::{Budget, Plan};
use beget_search::repok::{Comparison, Group};
use common::rep_oks::compared_in;

/// A comparison, and the flaws that its first witnesses show.
struct Shown {
    scope: &'static str,
    /// Those of the scope file if empty.
    methods: &'static [&'static str],
    rep_ok: &'static str,
    /// The repOK whose clauses name what only the compared one admits.
    named_after: Option<&'static str>,
    k: u32,
    flaws: &'static [Flaw],
}

/// A flaw in words, and how a witness shows it.
type Flaw = (&'static str, Sign);

enum Sign {
    /// Calls build it, and a clause of the compared repOK forbids it.
    OnlyApi(&'static str),
    /// The compared repOK admits it, and a clause of the other forbids it.
    OnlyRepOk(&'static str),
    /// Calls build it, the repOK would admit it, and the text says something that its finitization
    /// leaves out.
    Outside(&'static str),
}

use Sign::{OnlyApi, OnlyRepOk, Outside};

/// With the methods of the scope file, and named after the corrected repOK.
const fn flawed(
    scope: &'static str,
    rep_ok: &'static str,
    k: u32,
    flaws: &'static [Flaw],
) -> Shown {
    Shown { scope, methods: &[], rep_ok, named_after: Some("corrected"), k, flaws }
}

/// The repOK is right, and the methods are not.
const fn misbuilt(
    scope: &'static str,
    methods: &'static [&'static str],
    rep_ok: &'static str,
    k: u32,
    flaws: &'static [Flaw],
) -> Shown {
    Shown { scope, methods, rep_ok, named_after: None, k, flaws }
}

const ROOPS: &[Shown] = &[
    flawed(
        "roops/ncl",
        "published",
        3,
        &[
            ("the header may have a value", OnlyRepOk("the header has no value")),
            ("cached nodes may have values", OnlyRepOk("cached nodes have no value")),
            ("elements may be null", OnlyRepOk("elements are not null")),
        ],
    ),
    misbuilt(
        "roops/ncl",
        &["new", "add_last", "remove_index", "set_maximum_cache_size"],
        "corrected",
        2,
        &[("the cache holds one node too many", OnlyApi("the cache size is at most the maximum"))],
    ),
    flawed(
        "roops/avl",
        "published",
        3,
        &[
            (
                "trees with the heights of the class are rejected",
                OnlyApi("the height is above the higher child"),
            ),
            ("missing children have height 0", OnlyRepOk("the height is above the higher child")),
            ("keys may be repeated", OnlyRepOk("keys are in order")),
        ],
    ),
    flawed("roops/avl", "mended", 2, &[("keys may be repeated", OnlyRepOk("keys are in order"))]),
    flawed(
        "roops/bintree",
        "published",
        2,
        &[("the root may have a parent", OnlyRepOk("the root has no parent"))],
    ),
    misbuilt(
        "roops/binheap",
        &["new", "insert", "extract_min", "decrease_key_at"],
        "published",
        2,
        &[("keys may be increased", OnlyApi("no child has a smaller key"))],
    ),
    flawed(
        "roops/fibheap",
        "published",
        3,
        &[
            ("min may be any root", OnlyRepOk("min has the least key")),
            (
                "nodes without children may have any degree",
                OnlyRepOk("a node without children has degree 0"),
            ),
            ("keys are in the wrong order", OnlyRepOk("no child has a smaller key")),
            ("heaps in the right order are rejected", OnlyApi("no child has a larger key")),
            ("no node has a parent", OnlyRepOk("parent is the node above")),
            ("heaps with parents are rejected", OnlyApi("no node has a parent")),
            ("the empty heap is rejected", OnlyApi("min is a root")),
        ],
    ),
    flawed(
        "roops/fibheap",
        "mended",
        3,
        &[
            ("no node has a parent", OnlyRepOk("parent is the node above")),
            ("heaps with parents are rejected", OnlyApi("no node has a parent")),
            (
                "below the roots, nodes without children may have any degree",
                OnlyRepOk("a node without children has degree 0"),
            ),
        ],
    ),
    flawed("roops/rbt", "published", 3, &[("the root may be red", OnlyRepOk("the root is black"))]),
];

const FAJITA: &[Shown] = &[
    flawed(
        "fajita/avl",
        "published",
        2,
        &[
            (
                "trees with the heights of the class are rejected",
                OnlyApi("the height is above the higher child"),
            ),
            ("missing children have height 0", OnlyRepOk("the height is above the higher child")),
        ],
    ),
    misbuilt(
        "fajita/avl",
        &["new", "insert", "make_empty"],
        "corrected",
        2,
        &[("a tree that was made empty keeps its size", OnlyApi("an empty tree has size 0"))],
    ),
    misbuilt(
        "fajita/binheap",
        &["new", "insert", "extract_min", "delete"],
        "published",
        4,
        &[("deleting leaves a key that was never inserted", Outside("key: -1"))],
    ),
    flawed(
        "fajita/ncl",
        "published",
        2,
        &[
            ("lists whose header has no value are rejected", OnlyApi("ring nodes have a value")),
            ("lists that cache no values are rejected", OnlyApi("cached nodes have a value")),
            ("the header has a value", OnlyRepOk("the header has no value")),
            ("cached nodes have values", OnlyRepOk("cached nodes have no value")),
        ],
    ),
    flawed(
        "fajita/cdlist",
        "published",
        2,
        &[
            ("rings are rejected", OnlyApi("the header has no previous node")),
            ("the list ends with null", OnlyRepOk("nodes have a next node")),
        ],
    ),
    flawed(
        "fajita/rbt",
        "published",
        3,
        &[("the root may be red", OnlyRepOk("the root is black"))],
    ),
];

const KORAT_AND_KIASAN: &[Shown] = &[
    misbuilt(
        "korat/binheap",
        &["new", "insert", "extract_min", "delete"],
        "published",
        4,
        &[("deleting leaves a key that was never inserted", Outside("key: -1"))],
    ),
    flawed("korat/rbt", "published", 3, &[("the root may be red", OnlyRepOk("the root is black"))]),
    flawed(
        "kiasan/binaryheap",
        "published",
        2,
        &[("the dummy cell may hold an element", OnlyRepOk("the dummy cell is 0"))],
    ),
    flawed(
        "kiasan/disjsets_fast",
        "published",
        4,
        &[
            ("ranks may be too low", OnlyRepOk("the rank is at least the height")),
            ("ranks may be too high", OnlyRepOk("a tree of rank r has 2^(r-1) elements")),
            (
                "trees may have shapes that union by rank does not build",
                OnlyRepOk("below a root of rank r are trees of heights up to 1, 2, .. r-1"),
            ),
        ],
    ),
    misbuilt(
        "kiasan/disjsets",
        &[],
        "published",
        4,
        &[
            ("a parent may lie outside of the array", OnlyApi("cells are ranks or elements")),
            ("each element may be below another one", OnlyApi("there is a root")),
            ("unions may make cycles", OnlyApi("parents lead to a root")),
        ],
    ),
    flawed(
        "kiasan/treeset",
        "without_root_clause",
        3,
        &[("the root may be red", OnlyRepOk("the root is black"))],
    ),
];

/// How many witnesses of a side `beget compare` shows without being asked for more.
const N_FIRST: usize = 10;

/// Some of the flawed methods build for ever.
const MOST_CALLS: u64 = 2000;

fn planned(shown: &Shown) -> Plan {
    let plan = common::plan(shown.scope, shown.k, shown.methods);
    let is_bounded = shown.methods.is_empty();
    let budget = Budget { max_calls: (!is_bounded).then_some(MOST_CALLS), ..plan.budget };
    plan.with(|draft| draft.budget = budget)
}

impl Sign {
    fn is_in(&self, result: &Comparison) -> bool {
        let first = |groups: &[Group], is_sign: &dyn Fn(&Group) -> bool| {
            groups.iter().take(N_FIRST).any(is_sign)
        };
        let (api, rep_ok) = (&result.only_api_groups, &result.only_rep_ok_groups);
        match self {
            OnlyApi(clause) => first(api, &|group| group.is_clause && group.label == *clause),
            OnlyRepOk(clause) => first(rep_ok, &|group| group.is_clause && group.label == *clause),
            Outside(text) => first(api, &|group| !group.is_clause && group.text.contains(text)),
        }
    }
}

#[track_caller]
fn assert_shown(table: &[Shown]) {
    for shown in table {
        let Shown { scope, rep_ok, k, .. } = shown;
        let result = compared_in(planned(shown), scope, rep_ok, shown.named_after);
        for (flaw, sign) in shown.flaws {
            let groups = (&result.only_api_groups, &result.only_rep_ok_groups);
            assert!(sign.is_in(&result), "{scope}, {rep_ok}, k = {k}: {flaw}: {groups:#?}");
        }
    }
}

#[test]
fn flaws_of_the_roops_benchmark_show_in_the_first_witnesses() {
    assert_shown(ROOPS);
}

#[test]
fn flaws_of_the_fajita_benchmark_show_in_the_first_witnesses() {
    assert_shown(FAJITA);
}

#[test]
fn flaws_of_the_korat_and_kiasan_benchmarks_show_in_the_first_witnesses() {
    assert_shown(KORAT_AND_KIASAN);
}
