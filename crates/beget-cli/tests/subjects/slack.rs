//! What is only built by way of larger structures: the tables of the literature that say how many
//! more structures slack brings.
//!
//! Our slack has more literals on both ends of a range. The tables are of searches with more nodes
//! alone, or with more literals above; scope files that say so stand in for them.

use crate::common;

use beget_engine::Settings;
use beget_plan::scope::{Overrides, Plan};

use common::{published_explored, resolved_text, run, scope_text};

/// The plan that explores up to `k + slack` nodes, with literals up to `k + more_literals`, and
/// reports the scope k.
#[track_caller]
fn plan(scope: &str, k: u32, slack: u32, more_literals: u32) -> Plan {
    let text = scope_text(scope);
    let overrides = Overrides { k: Some(k), slack: Some(1), ..Overrides::default() };
    let proper = resolved_text(&text, &overrides).plan.slack.clone();
    let raised = text
        .replace(r#"objects: {"*": "k"}"#, &format!(r#"objects: {{"*": "k + {slack}"}}"#))
        .replace(r#"ints: "0..k""#, &format!(r#"ints: "0..k + {more_literals}""#));
    assert_ne!(raised, text);
    let overrides = Overrides { k: Some(k), ..Overrides::default() };
    resolved_text(&raised, &overrides).plan.with(|draft| draft.slack = proper)
}

/// k, and by slack from 0 how many structures of the scope k are built.
type Row = (u32, &'static [u64]);

/// With as many more keys above as there are more nodes. The search is that of the scope
/// `k + slack`.
const RED_BLACK_TREES: &[Row] = &[
    (1, &[2]),
    (2, &[5]),
    (3, &[11, 12, 12, 12, 12]),
    (4, &[29, 29, 29, 29, 29]),
    (5, &[72, 73, 73, 74, 74]),
    (6, &[197, 197, 201, 201, 201]),
    (7, &[561, 572, 572, 573]),
    (8, &[1657, 1657, 1673]),
    (9, &[4748, 4885, 4885, 4886, 4886]),
];

/// Larger scopes are left to optimized builds, and there the largest to one of the trees, which all
/// have the same algorithms.
fn most_nodes(scope: &str) -> u32 {
    match scope {
        _ if cfg!(debug_assertions) => 5,
        "korat/rbt" => 13,
        _ => 9,
    }
}

#[test]
fn red_black_trees_are_completed_by_removals_from_larger_ones() {
    for scope in ["roops/rbt", "fajita/rbt", "korat/rbt", "kiasan/treeset"] {
        for &(k, counts) in RED_BLACK_TREES {
            for (slack, &expected) in (0..=most_nodes(scope).saturating_sub(k)).zip(counts) {
                let corpus = run(
                    plan(scope, k, slack, slack),
                    Settings { threads: 1, ..Settings::default() },
                );
                let found = corpus.totals().unwrap().by_type[0];
                assert_eq!(found, expected, "{scope}, k = {k}, slack {slack}");
            }
        }
    }
}

/// k, and by slack from 0 structures of the scope k and calls.
type HeapRow = (u32, &'static [(u64, u64)]);

/// With the keys of the scope k. From 3 on the repOK admits more than any slack brings: 78, 1115
/// and 22355.
const FIBONACCI_HEAPS: &[HeapRow] = &[
    (2, &[(6, 22), (9, 67), (9, 128), (9, 368)]),
    (3, &[(48, 199), (48, 536), (54, 2147), (54, 6520)]),
    (4, &[(335, 1683), (450, 8536), (450, 33_212), (450, 141_920)]),
    (5, &[(4381, 26_297), (4521, 124_632), (4521, 657_381)]),
];

/// Longer searches are left to optimized builds.
const MOST_CALLS: u64 = if cfg!(debug_assertions) { 10_000 } else { u64::MAX };

#[test]
fn some_fibonacci_heaps_are_out_of_reach_with_any_slack() {
    for scope in ["roops/fibheap", "korat/fibheap"] {
        for &(k, counts) in FIBONACCI_HEAPS {
            let counts = (0..).zip(counts).filter(|(_, (_, explored))| *explored <= MOST_CALLS);
            for (slack, &expected) in counts {
                let corpus =
                    run(plan(scope, k, slack, 0), Settings { threads: 1, ..Settings::default() });
                let found = (corpus.totals().unwrap().by_type[0], published_explored(&corpus));
                assert_eq!(found, expected, "{scope}, k = {k}, slack {slack}");
            }
        }
    }
}
