//! A real API of 34 methods, of which three build everything.
#![allow(unreachable_pub, missing_docs, clippy::new_without_default, reason = "a suite's subject")]

mod common;
#[path = "common/rich.rs"]
mod rich;

use beget::HasSuite;
use beget_builders::{Exact, Genetic, Search, Settings, identify};
use beget_heap::Layout;
use beget_scope::Plan;

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
    let k = std::env::var("K").ok().and_then(|k| k.parse().ok()).unwrap_or(3);
    let plan = plan(k);
    for how in
        [Search::HillClimbing, Search::Exact(Exact::default()), Search::Genetic(Genetic::default())]
    {
        let t = std::time::Instant::now();
        let found = identify(&plan, how, Settings::default(), &mut |_| None).unwrap();
        eprintln!(
            "{} {:?} {:?} {}",
            how.name(),
            t.elapsed(),
            found.names,
            found.counters.explored()
        );
        assert_eq!(found.full_generated, n_lists(k.into()));
        assert_eq!(found.names.len(), 3);
        assert_eq!(found.observers.len(), 14);
        assert!(found.certificate.is_sufficient() && found.certificate.is_minimal());
    }
}
