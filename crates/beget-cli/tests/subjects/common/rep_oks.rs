//! Spaces of the repOKs, and what is counted in them.

use beget::repok::{Predicate, Subject};
use beget_engine::store::{Store, StructureId};
use beget_engine::{Corpus, Settings};
use beget_plan::scope::Plan;
use beget_search::repok::{
    CandidateSpace, Comparison, Finitization, Forms, Names, Search, compare, count,
};
use beget_suite::TypeIdx;
use serde::Deserialize;

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
    pub space: CandidateSpace,
}

#[track_caller]
pub fn case(scope: &str, rep_ok: &str, k: u32) -> Case {
    let subject = subject(scope);
    let finitizations = resolved(scope, k, &[]).finitizations;
    let given = finitizations.iter().find(|given| given.name == rep_ok);
    let given = given.unwrap_or_else(|| panic!("{scope} has no finitization {rep_ok}"));
    let finitization = Finitization::of_scope(given, &subject.shapes);
    let space = finitization
        .and_then(|finitization| CandidateSpace::of_shapes(subject.shapes.clone(), &finitization));
    let space = space.unwrap_or_else(|error| panic!("{scope}, {rep_ok}, k = {k}: {error}"));
    let rep_ok = subject.rep_ok(rep_ok).expect("a repOK of that name").clone();
    Case { subject, rep_ok, space }
}

/// The counts of Korat, as `benchmarks/published/korat.ron` has them.
#[derive(Debug, Deserialize)]
struct Published {
    subjects: Vec<PublishedSubject>,
}

/// What is not named here is for the program that makes a table of them.
#[derive(Debug, Deserialize)]
struct PublishedSubject {
    scope: String,
    repok: String,
    rows: Vec<PublishedRow>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct PublishedRow {
    k: u32,
    generated: u64,
    explored: u64,
}

/// Rows with more candidates are left to optimized builds, and there to the program `korat` of the
/// benchmarks.
const MOST_CANDIDATES: u64 = if cfg!(debug_assertions) { 130_000 } else { 5_000_000 };

/// Counts candidates with each repOK of a benchmark, and compares with Korat's counts of them.
#[track_caller]
pub fn assert_counts(benchmark: &str) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benchmarks/published/korat.ron");
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let options =
        ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    let published: Published = options.from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"));
    let of_benchmark = |subject: &&PublishedSubject| subject.scope.starts_with(benchmark);
    let subjects: Vec<_> = published.subjects.iter().filter(of_benchmark).collect();
    assert!(!subjects.is_empty(), "{path} has nothing of {benchmark}");
    for PublishedSubject { scope, repok, rows } in subjects {
        for row in rows.iter().filter(|row| row.explored <= MOST_CANDIDATES) {
            let expected = (row.generated, row.explored);
            assert_eq!(counted(scope, repok, row.k), expected, "{scope}, {repok}, k = {}", row.k);
        }
    }
}

/// How many candidates a repOK accepts, and how many are explored.
#[track_caller]
pub fn counted(scope: &str, rep_ok: &str, k: u32) -> (u64, u64) {
    let Case { rep_ok: predicate, space, .. } = case(scope, rep_ok, k);
    let report = count(&Search::new(&space, predicate.as_fn()));
    assert!(report.is_complete(), "{scope}, {rep_ok}, k = {k}: {report:?}");
    (report.generated, report.explored)
}

/// The forms of the reported structures of the suite's main type, which is the first.
fn forms(corpus: &Corpus) -> Forms {
    let mut reader = corpus.reader();
    let ids = (0..corpus.store.len()).map(StructureId::new);
    let of_main_type = ids.filter(|&id| corpus.type_of(id).unwrap() == TypeIdx::new(0));
    let reported = of_main_type
        .filter(|&id| corpus.plan.slack.is_none() || reader.reported(id).unwrap().is_some());
    reported.map(|id| corpus.store.form(id).unwrap()).collect()
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
    let search = Search::new(&space, rep_ok.as_fn());
    let stronger = names.map(|name| subject.rep_ok(name).expect("a repOK of that name").clone());
    let names = match &stronger {
        Some(stronger) => Names::Clauses(stronger.as_fn()),
        None => Names::Shapes,
    };
    compare(&search, corpus.plan.coding(), &forms(&corpus), names)
}

/// Scope file, repOK, and by k from 1: how many structures the repOK admits that the builders do
/// not make. They make none that it rejects.
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
