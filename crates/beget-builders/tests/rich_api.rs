//! A real API of 34 methods, of which three build everything.
#![allow(
    unsafe_code,
    unreachable_pub,
    missing_docs,
    clippy::new_without_default,
    clippy::vec_box,
    reason = "a suite's subject"
)]

mod common;
#[path = "common/rich.rs"]
mod rich;

use beget::HasSuite;
use beget_builders::{Exact, Genetic, Goal, Search, Settings, confirm, identify};
use beget_heap::Layout;
use beget_scope::Plan;

beget_alloc::install!(unsafe);

fn plan(k: u32) -> Plan {
    let mut plan = common::plan(rich::Rich::suite(), k);
    plan.bounds.arrays = k;
    plan.bounds.other_objects = k;
    plan.layout = Layout::new(&plan.schema, &plan.bounds);
    plan
}

/// `n` values of `k` in the list, and a cache in the nodes that are left over.
fn n_lists(k: u64) -> u64 {
    (0..k).map(|n| (k - n) * k.pow(n as u32)).sum()
}

#[test]
fn a_constructor_an_addition_and_a_removal_build_every_list() {
    let k = 3;
    let plan = plan(k);
    let searches = [
        Search::HillClimbing,
        Search::Exact(Exact::default()),
        Search::Genetic(Genetic::default()),
    ];
    for how in searches {
        let found = identify(&plan, how, Settings::default(), &mut |_| None).unwrap();
        assert_eq!(found.full_generated, n_lists(k.into()));
        assert_eq!(found.names, ["new", "add", "clear"], "{}", how.name());
        assert_eq!(found.observers.len(), 14);
        // `reverse` and `set` among others change lists, but build nothing that additions do not.
        assert!(found.certificate.is_sufficient() && found.certificate.is_minimal());
    }
}

#[test]
fn what_builds_every_small_list_is_confirmed_at_the_next_scope() {
    let plan_of_2 = plan(2);
    let found = identify(&plan_of_2, Search::HillClimbing, Settings::default(), &mut |_| None);
    let methods = found.unwrap().methods;
    let confirmation =
        confirm(&plan(3), &methods, Goal::Everything, Default::default(), &mut |_| None).unwrap();
    assert!(confirmation.missing.is_none() && confirmation.superfluous.is_empty());
    assert_eq!(confirmation.builders.structures, n_lists(3));
}
