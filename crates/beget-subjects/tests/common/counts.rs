//! Numbers of structures and calls that runs on the API must reach.

use beget_engine::store::Store;
use beget_engine::{Settings, StopReason};

use super::{plan, published_explored, run};

/// Where a number comes from.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// Printed in the BEAPI paper (FASE 2023), Table 1, and confirmed by an independent enumeration.
    Paper,
    /// An independent enumeration of the operations, or a closed form that it confirms.
    Enumeration,
}

/// Scope file, methods (none: those of the file), and by k from 1: structures, calls in the published way of counting.
pub type Row = (&'static str, &'static [&'static str], &'static [(u64, u64, Source)]);

/// Runs the rows of up to so many calls.
#[track_caller]
pub fn assert_reached(table: &[Row], most_calls: u64) {
    for &(scope, methods, rows) in table {
        let rows = (1..).zip(rows).filter(|(_, row)| row.1 <= most_calls);
        for (k, &(generated, explored, source)) in rows {
            check(scope, methods, k, (generated, explored), source);
        }
    }
}

#[track_caller]
fn check(scope: &str, methods: &[&str], k: u32, expected: (u64, u64), source: Source) {
    let corpus = run(plan(scope, k, methods), Settings::default());
    let report = &corpus.report;
    let found = (u64::from(corpus.store.len()), published_explored(&corpus));
    assert_eq!(found, expected, "{scope}, k = {k}, {source:?}");
    assert_eq!(report.stop_reason, StopReason::Exhausted, "{scope}, k = {k}");
    assert_eq!(report.findings, [], "{scope}, k = {k}");
    assert_eq!(report.counters.failures, 0, "{scope}, k = {k}");
    let by_level = report.levels.iter().map(|level| level.explored).sum::<u64>();
    assert_eq!(report.counters.explored(), by_level, "{scope}, k = {k}");
}
