//! Builders of case studies.

use std::sync::Arc;

use beget_builders::{Exact, Goal, Identification, Search, Settings, confirm, identify};
use beget_scope::{MethodsOverride, Overrides, Plan, ScopeFile};
use beget_subjects::suites;

const RED_BLACK: &str = include_str!("../../../scopes/kiasan/treeset.ron");
const NCL: &str = include_str!("../../../scopes/roops/ncl.ron");

fn plan(scope: &str, methods: MethodsOverride, k: u32) -> Plan {
    let file = ScopeFile::parse("scope.ron", scope).expect("a scope");
    let suite = suites().into_iter().find(|suite| suite.name == file.suite_name());
    let overrides = Overrides { k: Some(k), methods: Some(methods), ..Overrides::default() };
    let no_files = |_: &str| Err("no files".to_owned());
    file.resolve(&Arc::new(suite.expect("a suite")), &overrides, &no_files).expect("a plan").plan
}

fn only(names: &[&str]) -> MethodsOverride {
    MethodsOverride::Only(names.iter().map(|&name| name.to_owned()).collect())
}

fn identified(plan: &Plan, how: Search) -> Identification {
    identify(plan, how, Settings::default(), &mut |_| None).expect("nothing stops it")
}

#[test]
fn red_black_trees_need_a_removal_from_scope_4_on() {
    let api = || only(&["new", "add", "remove", "contains"]);
    for k in 1..=5 {
        for how in [Search::HillClimbing, Search::Exact(Exact::default())] {
            let expected: &[&str] =
                if k <= 3 { &["new", "add"] } else { &["new", "add", "remove"] };
            let found = identified(&plan(RED_BLACK, api(), k), how);
            assert_eq!(found.names, expected, "k = {k}, {}", how.name());
            assert!(found.certificate.is_sufficient() && found.certificate.is_minimal());
        }
    }
}

#[test]
fn what_suffices_for_red_black_trees_of_scope_3_is_refuted_at_4() {
    let at = |k: u32| plan(RED_BLACK, only(&["new", "add", "remove", "contains"]), k);
    let found = identified(&at(3), Search::HillClimbing);
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
        let found = identified(&plan, Search::HillClimbing);
        assert_eq!(found.names, ["new", "add_last", "remove_index"], "k = {k}");
        // BEAPI's Table 1: 4, 18, 112.
        let k = u64::from(k);
        let n_lists: u64 = (0..k).map(|n| (k - n) * k.pow(n as u32)).sum();
        assert_eq!(found.full_generated, n_lists);
        assert_eq!(found.observers.len(), 1);
    }
}
