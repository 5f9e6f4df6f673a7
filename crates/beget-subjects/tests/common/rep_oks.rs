//! Spaces of the repOKs, and what is counted in them.

use beget::repok::{
    Comparison, Finitization, Forms, Names, Predicate, Search, Space, Subject, compare, count,
};
use beget::suites::TypeIdx;
use beget_engine::store::{Store, StructureId};
use beget_engine::{Corpus, Settings, tag_bits};
use beget_scope::Plan;

use super::{plan, resolved, run};

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

/// The forms of the reported structures of the suite's main type, which is the first.
fn forms(corpus: &Corpus) -> Forms {
    let mut reader = corpus.reader();
    let ids = (0..corpus.store.len()).map(StructureId);
    let of_main_type = ids.filter(|&id| corpus.type_of(id) == TypeIdx(0));
    let reported =
        of_main_type.filter(|&id| corpus.plan.slack.is_none() || reader.reported(id).is_some());
    reported.map(|id| corpus.store.form(id)).collect()
}

/// Compares what the builders of the scope build with what a repOK admits.
#[track_caller]
pub fn compared(scope: &str, rep_ok: &str, k: u32, names: Option<&str>) -> Comparison {
    compared_in(plan(scope, k, &[]), scope, rep_ok, names)
}

/// Compares what is built in a plan of the scope with what a repOK admits.
#[track_caller]
pub fn compared_in(plan: Plan, scope: &str, rep_ok: &str, names: Option<&str>) -> Comparison {
    let corpus = run(plan, Settings::default());
    let Case { subject, rep_ok, space } = case(scope, rep_ok, corpus.plan.k);
    let tag = (0, tag_bits(&corpus.plan));
    let search = Search { tag, ..Search::new(&space, rep_ok.as_fn()) };
    let stronger = names.map(|name| subject.rep_ok(name).expect("a repOK of that name").clone());
    let names = match &stronger {
        Some(stronger) => Names::Clauses(stronger.as_fn()),
        None => Names::Shapes,
    };
    compare(&search, &corpus.plan.layout, &forms(&corpus), names)
}

/// Scope file, repOK, and by k from 1: how many structures the repOK admits that the builders do not make. They make none that
/// it rejects.
pub type OnlyInRepOk = (&'static str, &'static str, &'static [u64]);

/// Larger k are left to optimized builds.
const MOST_K_COMPARED: usize = if cfg!(debug_assertions) { 5 } else { usize::MAX };

#[track_caller]
pub fn assert_only_in_rep_ok(table: &[OnlyInRepOk]) {
    for &(scope, rep_ok, rows) in table {
        for (k, &expected) in (1..).zip(rows).take(MOST_K_COMPARED) {
            let result = compared(scope, rep_ok, k, None);
            let found = (result.only_api, result.only_rep_ok);
            assert_eq!(found, (0, expected), "{scope}, {rep_ok}, k = {k}: {result:#?}");
        }
    }
}
