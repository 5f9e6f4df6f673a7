//! Scope files, their suites, and runs.
#![allow(
    unsafe_code,
    reason = "whoever installs the allocator promises that the case studies are confined"
)]
#![allow(dead_code, unreachable_pub, reason = "each test binary uses its part")]

pub mod rep_oks;

use std::path::Path;
use std::sync::{Arc, LazyLock};

use beget::suites::Suite;
use beget_engine::{Corpus, Run, Settings};
use beget_plan::scope::{MethodsOverride, Overrides, Plan, Resolution, ScopeFile};

beget_process::alloc::install!(unsafe);

/// The plan of the scope file `scopes/{name}.ron` at scope `k`, with the methods of the file if
/// none are named.
#[track_caller]
pub fn plan(name: &str, k: u32, methods: &[&str]) -> Plan {
    let Resolution { plan, warnings, .. } = resolved(name, k, methods);
    assert!(warnings.is_empty(), "\n{warnings}");
    plan
}

/// What the scope file `scopes/{name}.ron` comes to.
#[track_caller]
pub fn resolved(name: &str, k: u32, methods: &[&str]) -> Resolution {
    let names = methods.iter().map(|&name| name.to_owned()).collect();
    let only = (!methods.is_empty()).then_some(MethodsOverride::Only(names));
    let overrides = Overrides { k: Some(k), methods: only, ..Overrides::default() };
    resolved_text(&scope_text(name), &overrides)
}

/// The scope file `scopes/{name}.ron`.
#[track_caller]
pub fn scope_text(name: &str) -> String {
    let path = format!("scopes/{name}.ron");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(&path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// What the text of a scope file comes to.
#[track_caller]
pub fn resolved_text(text: &str, overrides: &Overrides) -> Resolution {
    let file =
        ScopeFile::parse("scope.ron", text).unwrap_or_else(|problems| panic!("\n{problems}"));
    // Making all suites takes longer than most runs of these tests.
    static SUITES: LazyLock<Vec<Arc<Suite>>> =
        LazyLock::new(|| beget_subjects::suites().into_iter().map(Arc::new).collect());
    let suite = SUITES.iter().find(|suite| suite.name == file.suite_name());
    let suite = suite.unwrap_or_else(|| panic!("no suite {}", file.suite_name()));
    let no_files = |path: &str| Err(format!("{path}: not in these tests"));
    file.resolve(suite, overrides, &no_files).unwrap_or_else(|problems| panic!("\n{problems}"))
}

/// Generates everything of a plan.
pub fn run(plan: Plan, settings: Settings) -> Corpus {
    Run::new(plan).settings(settings).go()
}

/// The published way of counting calls, in which every round with something new is followed by one
/// that calls all constructors again.
pub fn published_explored(corpus: &Corpus) -> u64 {
    let constructors = corpus.plan.methods.iter().filter(|method| method.structures.is_empty());
    let n_tuples: usize = constructors.map(|method| method.n_tuples()).sum();
    let n_levels = corpus.report.levels.iter().filter(|level| level.new > 0).count();
    corpus.report.ledger.counters.explored() + (n_levels * n_tuples) as u64
}
