//! Spaces of the repOKs, and what is counted in them.

use beget::repok::{Finitization, Predicate, Search, Space, Subject, count};

use super::resolved;

#[track_caller]
pub fn subject(scope: &str) -> Subject {
    let suite = scope.replace('/', "::");
    let mut subjects = beget_subjects::subjects().into_iter();
    let found = subjects.find(|subject| subject.suite == suite);
    found.unwrap_or_else(|| panic!("{suite} has no repOKs")).subject
}

/// A subject, with the space that its scope file gives one of its repOKs.
pub struct Case {
    pub subject: Subject,
    pub rep_ok: Predicate,
    pub space: Space,
}

#[track_caller]
pub fn case(scope: &str, rep_ok: &str, k: u32) -> Case {
    let subject = subject(scope);
    let finitizations = resolved(scope, k, &[]).finitizations;
    let given = finitizations.iter().find(|given| given.name == rep_ok);
    let given = given.unwrap_or_else(|| panic!("{scope} has no finitization {rep_ok}"));
    let finitization = Finitization::of_scope(given, &subject.shapes);
    let space = finitization.and_then(|finitization| subject.space(&finitization));
    let space = space.unwrap_or_else(|error| panic!("{scope}, {rep_ok}, k = {k}: {error}"));
    let rep_ok = subject.rep_ok(rep_ok).expect("a repOK of that name").clone();
    Case { subject, rep_ok, space }
}

/// Scope file, repOK, and by k from 1: candidates accepted and explored, as the original Korat counts them.
pub type Row = (&'static str, &'static str, &'static [(u64, u64)]);

/// Rows with more candidates are left to optimized builds, or to whoever has the time.
const MOST_CANDIDATES: u64 = if cfg!(debug_assertions) { 130_000 } else { 60_000_000 };

#[track_caller]
pub fn assert_counts(table: &[Row]) {
    for &(scope, rep_ok, rows) in table {
        let rows = (1..).zip(rows).filter(|(_, row)| row.1 <= MOST_CANDIDATES);
        for (k, &expected) in rows {
            let Case { rep_ok: predicate, space, .. } = case(scope, rep_ok, k);
            let report = count(&Search::new(&space, predicate.as_fn()));
            let found = (report.generated, report.explored);
            assert_eq!(found, expected, "{scope}, {rep_ok}, k = {k}");
            assert!(report.is_complete(), "{scope}, {rep_ok}, k = {k}: {report:?}");
        }
    }
}
