//! What the tests of both kinds of binary share.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part")]

use std::time::Instant;

use beget_conformance::case::Case;
use beget_conformance::compare::{Truth, differences, is_said_to_span_structures, truth};

/// Compares the cases; prints a line for each.
pub fn check(cases: &[Case], threads: &[usize]) {
    let mut all = Vec::new();
    for case in chosen(cases) {
        let truth = truth(case, 100_000).unwrap_or_else(|| panic!("{} is too large", case.name));
        all.extend(check_one(case, &truth, threads));
    }
    assert!(all.is_empty(), "{} differences:\n{}", all.len(), all.join("\n"));
}

/// Compares those of the cases that are small enough: a suite drawn by chance may have no end.
pub fn check_all_that_are_small(cases: &[Case], threads: &[usize]) {
    let mut all = Vec::new();
    let (mut n_small, mut n_large, mut n_spanning) = (0, 0, 0);
    for case in chosen(cases) {
        match truth(case, 3000) {
            Some(_) if is_said_to_span_structures(case) => {
                println!("{}: a structure is part of another one, says a finding", case.name);
                n_spanning += 1;
            }
            Some(truth) => {
                n_small += 1;
                all.extend(check_one(case, &truth, threads));
            }
            None => n_large += 1,
        }
    }
    println!("{n_small} suites compared, {n_large} left out: more than 3000 calls");
    println!("{n_spanning} left out: findings `owned_elsewhere`");
    assert!(n_small > n_large, "most suites are too large");
    assert!(50 * n_spanning <= n_small, "what structures own of each other is seen too often");
    assert!(all.is_empty(), "{} differences:\n{}", all.len(), all.join("\n"));
}

/// The cases whose names have `BEGET_CONFORMANCE_ONLY` in them.
fn chosen(cases: &[Case]) -> impl Iterator<Item = &Case> {
    let only = std::env::var("BEGET_CONFORMANCE_ONLY").unwrap_or_default();
    cases.iter().filter(move |case| case.name.contains(&only))
}

fn check_one(case: &Case, truth: &Truth, threads: &[usize]) -> Vec<String> {
    let begin = Instant::now();
    let different = differences(case, truth, threads);
    let verdict = if different.is_empty() { "equal" } else { "DIFFERENT" };
    let calls: u64 = truth.all.levels.iter().map(|level| level.explored).sum();
    let n = truth.all.found.len();
    println!("{}: {n} structures, {calls} calls: {verdict} ({:.1?})", case.name, begin.elapsed());
    different
}
