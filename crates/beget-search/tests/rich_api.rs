//! A real API of 34 methods, of which three build everything: the running example of Ponzio et al.
//! (FASE 2019).
//!
//! A binary of its own: it installs the allocator.
#![allow(unsafe_code, reason = "an allocator is installed")]

use std::sync::Arc;

use beget::HasSuite;
use beget_plan::scope::{MethodsOverride, Overrides, Plan, PlannedIdx, ScopeFile};
use beget_search::builders::{
    BuilderSearch, BuilderSettings, Exact, Genetic, Goal, Identification, certify, confirm,
    identify,
};
use beget_subjects::apache::ncl::NodeCachingLinkedList;

beget_process::alloc::install!(unsafe);

const SCOPE: &str = include_str!("../../../scopes/apache/ncl.ron");

fn plan(k: u32) -> Plan {
    let file = ScopeFile::parse("ncl.ron", SCOPE).expect("a scope");
    let suite = Arc::new(NodeCachingLinkedList::suite());
    let methods = Some(MethodsOverride::All);
    let overrides = Overrides { k: Some(k), methods, ..Overrides::default() };
    let no_files = |_: &str| Err("no files".to_owned());
    file.resolve(&suite, &overrides, &no_files).expect("a plan").plan
}

/// `n` values of `k` in the list, and a cache in the nodes that are left over.
fn n_lists(k: u64) -> u64 {
    (0..k).map(|n| (k - n) * k.pow(n as u32)).sum()
}

fn observers(plan: &Plan, found: &Identification) -> Vec<&'static str> {
    let name = |position: PlannedIdx| plan.method(position).name;
    found.observers.iter().map(|observer| name(observer.method)).collect()
}

#[test]
fn a_constructor_an_addition_and_a_removal_build_every_list() {
    let k = 3;
    let plan = plan(k);
    let searches = [
        BuilderSearch::HillClimbing,
        BuilderSearch::Exact(Exact::default()),
        BuilderSearch::Genetic(Genetic::default()),
    ];
    for how in searches {
        let found = identify(&plan, how, BuilderSettings::default(), &mut |_| None).unwrap();
        assert_eq!(found.full_generated, n_lists(k.into()));
        // The first of the cheapest sets: `add` is one of three additions with one parameter,
        // `clear` one of three removals with none.
        assert_eq!(found.names, ["new", "add", "clear"], "{}", how.name());
        assert!(found.certificate.is_sufficient() && found.certificate.is_minimal());
    }
}

#[test]
fn the_published_set_is_sufficient_and_minimal_too() {
    let plan = plan(3);
    let name = |position: &PlannedIdx| plan.method(*position).name;
    let is_published = |name: &str| ["new", "add_first", "remove_first"].contains(&name);
    let set: Vec<PlannedIdx> =
        plan.planned_idxs().filter(|position| is_published(name(position))).collect();
    let certificate =
        certify(&plan, &set, Goal::Everything, Default::default(), &mut |_| None).unwrap();
    assert!(set.len() == 3 && certificate.is_sufficient() && certificate.is_minimal());
}

#[test]
fn thirteen_methods_observe_as_in_the_paper_and_three_more_as_rust_has_them() {
    let plan = plan(3);
    let found =
        identify(&plan, BuilderSearch::HillClimbing, BuilderSettings::default(), &mut |_| None)
            .unwrap();
    let observers = observers(&plan, &found);
    // In Java these give an object or change an array: there they do not count as observers. Of the
    // others the paper's text has the number only.
    let (not_in_java, in_java): (Vec<&str>, Vec<&str>) = observers
        .into_iter()
        .partition(|&name| ["iterator", "list_iterator", "to_array_in"].contains(&name));
    assert_eq!(not_in_java, ["iterator", "list_iterator", "to_array_in"]);
    let expected = [
        "contains",
        "contains_all",
        "equals",
        "get",
        "get_first",
        "get_last",
        "hash_code",
        "index_of",
        "is_empty",
        "last_index_of",
        "size",
        "to_array",
        "to_text",
    ];
    assert_eq!(in_java, expected);
}

#[test]
fn what_builds_every_small_list_is_confirmed_at_the_next_scope() {
    let plan_of_2 = plan(2);
    let found =
        identify(&plan_of_2, BuilderSearch::HillClimbing, BuilderSettings::default(), &mut |_| {
            None
        });
    let methods = found.unwrap().methods;
    let confirmation =
        confirm(&plan(3), &methods, Goal::Everything, Default::default(), &mut |_| None).unwrap();
    assert!(confirmation.missing.is_none() && confirmation.superfluous.is_empty());
    assert_eq!(confirmation.builders.structures, n_lists(3));
}
