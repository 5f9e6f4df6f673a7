//! Running suites of the tests, and counting without the engine.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part")]

use std::collections::BTreeSet;
use std::sync::Arc;

use beget::suites::Suite;
use beget_engine::store::Store;
use beget_engine::{CopyOptions, Corpus, Run, Settings};
use beget_plan::scope::{Overrides, Plan, ScopeFile};

pub const REGION: CopyOptions = CopyOptions { no_decode: false, no_region: false, no_clone: true };
pub const CLONES: CopyOptions = CopyOptions { no_decode: false, no_region: true, no_clone: false };
pub const RECONSTRUCT: CopyOptions =
    CopyOptions { no_decode: false, no_region: true, no_clone: true };
pub const REPLAY: CopyOptions = CopyOptions { no_decode: true, ..RECONSTRUCT };

/// The message with which a check fails.
pub fn message_of(check: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let failure = std::panic::catch_unwind(check).expect_err("the check fails");
    *failure.downcast().expect("a text")
}

/// Runs `suite` with the scope's `fields`.
pub fn run(suite: Suite, fields: &str, copy_options: CopyOptions, threads: usize) -> Corpus {
    Run::new(plan(suite, fields)).settings(Settings { threads, copy_options }).go()
}

/// Runs a plan by all ways of copying, by one thread and two; all tell the same.
#[track_caller]
pub fn run_all_ways(plan: &Plan) -> Corpus {
    let run = |copy_options, threads| {
        Run::new(plan.clone()).settings(Settings { threads, copy_options }).go()
    };
    let corpus = run(REGION, 1);
    for (copy_options, threads) in [(REGION, 2), (CLONES, 1), (RECONSTRUCT, 2), (REPLAY, 1)] {
        let other = run(copy_options, threads);
        assert_eq!(found(&corpus), found(&other));
        assert_eq!(corpus.report.findings, other.report.findings);
        assert_eq!(corpus.report.ledger.panics, other.report.ledger.panics);
        assert_eq!(corpus.report.ledger.audits, other.report.ledger.audits);
        assert_eq!(corpus.report.ledger.probes, other.report.ledger.probes);
    }
    corpus
}

/// The plan of `suite` with the scope's `fields`.
pub fn plan(suite: Suite, fields: &str) -> Plan {
    let text = format!("Scope(suite: \"{}\", {fields})", suite.name);
    let file = ScopeFile::parse("test.ron", &text).unwrap_or_else(|wrong| panic!("{wrong}"));
    let no_file = |_: &str| Err("no files".to_owned());
    file.resolve(&Arc::new(suite), &Overrides::default(), &no_file)
        .unwrap_or_else(|wrong| panic!("{wrong}"))
        .plan
}

/// Everything that must not depend on threads and on the copy strategy.
pub fn found(corpus: &Corpus) -> impl PartialEq + std::fmt::Debug + use<> {
    let mut structures = Vec::new();
    let scanned = corpus.store.scan(0..corpus.store.len(), &mut |id, form| {
        structures.push((form.to_canonical(), corpus.store.origin(id)));
    });
    scanned.expect("a store in memory");
    (structures, corpus.report.ledger.counters, corpus.report.levels.clone())
}

#[track_caller]
pub fn assert_complete(corpus: &Corpus, n: u64) {
    assert_eq!(
        (corpus.report.stop_reason.name(), corpus.store.len()),
        ("exhausted", n),
        "{:?} {:?}",
        corpus.report.findings,
        corpus.report.ledger.notes
    );
}

/// The kinds of the findings.
pub fn problems(corpus: &Corpus) -> Vec<&str> {
    corpus.report.findings.iter().map(|finding| finding.problem.kind.name()).collect()
}

pub fn has_note(corpus: &Corpus, part: &str) -> bool {
    corpus.report.ledger.notes.iter().any(|note| note.contains(part))
}

/// Counts what sequences of `methods` make of a new value, each run from the start, told apart by
/// `shown`; `None` is out of scope.
pub fn n_by_sequences<T>(
    new: fn() -> T,
    methods: &[fn(&mut T)],
    shown: fn(&T) -> Option<String>,
) -> u32 {
    let mut seen = BTreeSet::new();
    let mut queue = vec![Vec::new()];
    while let Some(sequence) = queue.pop() {
        let mut value = new();
        sequence.iter().for_each(|&method: &usize| methods[method](&mut value));
        if shown(&value).is_some_and(|text| seen.insert(text)) {
            queue.extend((0..methods.len()).map(|next| [&sequence[..], &[next]].concat()));
        }
    }
    seen.len() as u32
}
