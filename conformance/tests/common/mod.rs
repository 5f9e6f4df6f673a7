//! What the tests of both kinds of binary share.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part")]

use beget_conformance::case::Case;
use beget_conformance::compare::{differences, truth};

/// Compares the cases; prints a line for each.
pub fn check(cases: &[Case], threads: &[usize]) {
    let mut all = Vec::new();
    for case in cases {
        let truth = truth(case).unwrap_or_else(|| panic!("{} is too large", case.name));
        let different = differences(case, &truth, threads);
        let verdict = if different.is_empty() { "equal" } else { "DIFFERENT" };
        let (n, calls) = (truth.all.found.len(), truth.all.levels.iter().map(|l| l.explored).sum::<u64>());
        println!("{}: {n} structures, {calls} calls: {verdict}", case.name);
        all.extend(different);
    }
    assert!(all.is_empty(), "{} differences:\n{}", all.len(), all.join("\n"));
}
