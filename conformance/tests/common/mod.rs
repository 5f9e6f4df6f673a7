//! What the tests of both kinds of binary share.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part")]

use std::time::Instant;

use beget_conformance::case::Case;
use beget_conformance::compare::{differences, truth};

/// Compares the cases; prints a line for each.
pub fn check(cases: &[Case], threads: &[usize]) {
    let only = std::env::var("BEGET_CONFORMANCE_ONLY").unwrap_or_default();
    let mut all = Vec::new();
    for case in cases.iter().filter(|case| case.name.contains(&only)) {
        let begin = Instant::now();
        let Some(truth) = truth(case) else {
            all.push(format!("{}: too many calls for the enumerator", case.name));
            continue;
        };
        let enumerated = begin.elapsed();
        let different = differences(case, &truth, threads);
        let verdict = if different.is_empty() { "equal" } else { "DIFFERENT" };
        let calls: u64 = truth.all.levels.iter().map(|level| level.explored).sum();
        let n = truth.all.found.len();
        let took = begin.elapsed() - enumerated;
        let name = &case.name;
        println!("{name}: {n} structures, {calls} calls: {verdict} ({enumerated:.1?} + {took:.1?})");
        all.extend(different);
    }
    assert!(all.is_empty(), "{} differences:\n{}", all.len(), all.join("\n"));
}
