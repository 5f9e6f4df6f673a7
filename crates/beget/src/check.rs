//! Running a suite from an ordinary test.

use std::path::Path;
use std::sync::Arc;

use beget_engine::store::Store;
use beget_engine::{Corpus, Settings, generate};
use beget_scope::{Overrides, ScopeFile};
use beget_suite::{Suite, to_source};

/// Makes every structure of a scope and fails the test if a call fails.
///
/// The first argument is a type with a suite ([`api`](crate::api), [`suite!`](crate::suite)), the second the path of a scope file as seen from
/// the crate's manifest. The result holds what was made, for further assertions.
///
/// # Panics
/// If the scope file is wrong, a call fails, or a budget of the scope stopped the run before everything was tried.
#[macro_export]
macro_rules! check {
    ($ty:ty, $scope:expr $(,)?) => {
        $crate::check::check(
            <$ty as $crate::HasSuite>::suite(),
            ::core::env!("CARGO_MANIFEST_DIR"),
            $scope,
        )
    };
}

/// Every structure of a scope.
#[derive(Debug)]
pub struct Checked {
    corpus: Corpus,
}

impl Checked {
    /// The number of structures of the suite's main type.
    pub fn generated(&self) -> u64 {
        self.corpus.totals().by_type.first().copied().unwrap_or(0)
    }

    /// The number of calls made.
    pub fn explored(&self) -> u64 {
        self.corpus.report.counters.explored()
    }

    /// The structures, their recipes and the report.
    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }
}

/// What [`check!`](crate::check!) calls.
///
/// # Panics
/// As [`check!`](crate::check!).
#[track_caller]
pub fn check(suite: Suite, manifest_dir: &str, scope: &str) -> Checked {
    let path = Path::new(manifest_dir).join(scope);
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("cannot read the scope file {shown}: {error}"));
    let file = ScopeFile::parse(&shown, &text).unwrap_or_else(|problems| panic!("\n{problems}"));
    if file.suite_name() != suite.name {
        panic!("\n{}", beget_scope::unknown_suite(&file, &[&suite.name]));
    }
    let read = |path: &str| std::fs::read_to_string(path).map_err(|error| error.to_string());
    let resolved = file
        .resolve(&Arc::new(suite), &Overrides::default(), &read)
        .unwrap_or_else(|problems| panic!("\n{problems}"));
    let corpus = generate(resolved.plan, Settings::default(), &mut |_| None);
    if let Some(failures) = failures(&corpus) {
        panic!("{failures}");
    }
    let reason = corpus.report.stop_reason;
    assert!(corpus.report.is_complete(), "not everything was tried: {reason}");
    Checked { corpus }
}

/// At most this many witnesses are shown; the rest is counted.
const MOST_SHOWN: usize = 3;

/// The findings with their witnesses as source, shortest first.
fn failures(corpus: &Corpus) -> Option<String> {
    let findings = &corpus.report.findings;
    if findings.is_empty() {
        return None;
    }
    let shown = findings.iter().take(MOST_SHOWN).map(|finding| {
        let recipe = finding.witness.recipe.as_ref();
        let source = recipe.map(|recipe| to_source(&corpus.plan.suite, recipe).0);
        let source = source.unwrap_or_default();
        format!("{}\n\n{}\n", finding.problem, indented(&source))
    });
    let n_failures = corpus.report.counters.failures;
    let n_structures = corpus.store.len();
    let shown: Vec<String> = shown.collect();
    Some(format!("{n_failures} calls on {n_structures} structures failed.\n\n{}", shown.join("\n")))
}

fn indented(source: &str) -> String {
    source.lines().map(|line| format!("    {line}\n")).collect()
}
