//! Builders of case studies.

use std::sync::Arc;

use beget_plan::scope::{MethodsOverride, Overrides, Plan, ScopeFile};
use beget_search::builders::{
    BuilderSearch, BuilderSettings, Exact, Goal, Identification, confirm, identify,
};
use beget_subjects::suites;

const RED_BLACK: &str = include_str!("../../../../scopes/kiasan/treeset.ron");

/// A scope file with the methods of its suite that take no part here.
type Subject = (&'static str, &'static [&'static str]);

/// Left out are constructors that make a tree with a red root: without them these are the published
/// APIs.
const RED_BLACK_TREES: [Subject; 5] = [
    (include_str!("../../../../scopes/roops/rbt.ron"), &[]),
    (include_str!("../../../../scopes/fajita/rbt.ron"), &["with_root", "leaf"]),
    (include_str!("../../../../scopes/korat/rbt.ron"), &[]),
    (RED_BLACK, &["from_key"]),
    (include_str!("../../../../scopes/kiasan/treemap.ron"), &[]),
];

/// Left out is a method with which the size grows without bound.
const AVL_TREES: [Subject; 2] = [
    (include_str!("../../../../scopes/roops/avl.ron"), &[]),
    (include_str!("../../../../scopes/fajita/avl.ron"), &["make_empty"]),
];

/// Left out are methods that put other keys into nodes: no method hands a node out, so that the
/// papers' tools cannot call them.
const BINOMIAL_HEAPS: [Subject; 3] = [
    (include_str!("../../../../scopes/roops/binheap.ron"), &["decrease_key_at"]),
    (include_str!("../../../../scopes/fajita/binheap.ron"), &["decrease_key_at", "delete"]),
    (include_str!("../../../../scopes/korat/binheap.ron"), &["decrease_key_at", "delete"]),
];

const NCL: &str = include_str!("../../../../scopes/roops/ncl.ron");

fn plan(scope: &str, methods: MethodsOverride, k: u32) -> Plan {
    let file = ScopeFile::parse("scope.ron", scope).expect("a scope");
    let suite = suites().into_iter().find(|suite| suite.name == file.suite_name());
    let overrides = Overrides { k: Some(k), methods: Some(methods), ..Overrides::default() };
    let no_files = |_: &str| Err("no files".to_owned());
    file.resolve(&Arc::new(suite.expect("a suite")), &overrides, &no_files).expect("a plan").plan
}

/// The plan of a subject's API.
fn api((scope, left_out): Subject, k: u32) -> Plan {
    let file = ScopeFile::parse("scope.ron", scope).expect("a scope");
    let suite = suites().into_iter().find(|suite| suite.name == file.suite_name());
    let names = suite.expect("a suite").methods.into_iter().map(|method| method.name);
    let names: Vec<&str> = names.filter(|name| !left_out.contains(name)).collect();
    plan(scope, only(&names), k)
}

/// Checks what each search finds, and that it is certified.
#[track_caller]
fn assert_builders(plan: &Plan, expected: &[&str]) {
    for how in [BuilderSearch::HillClimbing, BuilderSearch::Exact(Exact::default())] {
        let found = identified(plan, how);
        let of = format!("{}, k = {}, {}", plan.suite.name, plan.k, how.name());
        assert_eq!(found.names, expected, "{of}");
        let certificate = &found.certificate;
        assert!(certificate.is_sufficient() && certificate.is_minimal(), "{of}");
    }
}

fn only(names: &[&str]) -> MethodsOverride {
    MethodsOverride::Only(names.iter().map(|&name| name.to_owned()).collect())
}

fn identified(plan: &Plan, how: BuilderSearch) -> Identification {
    identify(plan, how, BuilderSettings::default(), &mut |_| None).expect("nothing stops it")
}

/// BEAPI (FASE 2023), section 3.3: "for scopes greater than 3".
#[test]
fn red_black_trees_need_a_removal_from_scope_4_on() {
    for subject in RED_BLACK_TREES {
        let add = if subject.0.contains("\"put\"") { "put" } else { "add" };
        for k in 1..=3 {
            assert_builders(&api(subject, k), &["new", add]);
        }
        assert_builders(&api(subject, 4), &["new", add, "remove"]);
    }
    for subject in RED_BLACK_TREES.into_iter().filter(|subject| !subject.0.contains("\"put\"")) {
        assert_builders(&api(subject, 5), &["new", "add", "remove"]);
    }
}

/// The same section: a constructor and an insertion suffice.
#[test]
fn avl_trees_need_no_removal() {
    for subject in AVL_TREES {
        for k in 1..=6 {
            assert_builders(&api(subject, k), &["new", "insert"]);
        }
    }
}

/// The same section counts binomial heaps among those that need more than two; their published set
/// has `extract_min`.
#[test]
fn binomial_heaps_of_small_scopes_need_no_removal() {
    for subject in BINOMIAL_HEAPS {
        for k in 1..=5 {
            assert_builders(&api(subject, k), &["new", "insert"]);
        }
    }
}

/// Red roots, which only another constructor makes, make it a builder; from scope 4 on the empty
/// tree is what a removal leaves.
#[test]
fn a_second_constructor_of_red_black_trees_is_a_builder() {
    let (fajita, kiasan) = (RED_BLACK_TREES[1].0, RED_BLACK_TREES[3].0);
    assert_builders(&api((fajita, &[]), 3), &["new", "with_root", "add", "leaf"]);
    assert_builders(&api((fajita, &[]), 4), &["with_root", "add", "remove", "leaf"]);
    assert_builders(&api((kiasan, &[]), 3), &["new", "from_key", "add"]);
    assert_builders(&api((kiasan, &[]), 4), &["from_key", "add", "remove"]);
}

#[test]
fn what_suffices_for_red_black_trees_of_scope_3_is_refuted_at_4() {
    let at = |k: u32| plan(RED_BLACK, only(&["new", "add", "remove", "contains"]), k);
    let found = identified(&at(3), BuilderSearch::HillClimbing);
    let confirm_at = |k: u32| {
        confirm(&at(k), &found.methods, Goal::Everything, Default::default(), &mut |_| None)
    };
    assert!(confirm_at(2).unwrap().missing.is_none());
    assert!(confirm_at(4).unwrap().missing.is_some());
}

#[test]
fn caching_lists_need_an_addition_and_a_removal() {
    for k in 2..=4 {
        let plan = plan(NCL, only(&["new", "add_last", "remove_index", "contains"]), k);
        let found = identified(&plan, BuilderSearch::HillClimbing);
        assert_eq!(found.names, ["new", "add_last", "remove_index"], "k = {k}");
        // BEAPI's Table 1: 4, 18, 112.
        let k = u64::from(k);
        let n_lists: u64 = (0..k).map(|n| (k - n) * k.pow(n as u32)).sum();
        assert_eq!(found.full_generated, n_lists);
        assert_eq!(found.observers.len(), 1);
    }
}
