//! Running a suite from an ordinary test.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use beget_engine::store::Store;
use beget_engine::{Corpus, Settings};
use beget_finding::{Finding, StopReason};
use beget_repok::{HasRepOks, Subject};
use beget_run::{Catalog, CheckRun, Host, Input, InputError, StoreKind, Watch, resident_bytes};
use beget_suite::{Suite, to_source};

/// Makes every structure of a scope and fails the test if a call fails or a repOK rejects a structure.
///
/// The first argument is a type with a suite ([`api`](crate::api), [`suite!`](crate::suite)), the
/// second the path of a scope file as seen from the crate's manifest. If the type has repOKs
/// ([`HasRepOks`]), each of them is asked about each structure, as `beget check` does. The
/// result holds what was made, for further assertions. What has no effect in the scope file is shown
/// on stderr.
///
/// # Panics
/// If the scope file is wrong, a call fails, a repOK rejects a structure, or a budget of the scope
/// stopped the run before everything was tried: exactly where `beget check` does not end with 0.
#[macro_export]
macro_rules! check {
    ($ty:ty, $scope:expr $(,)?) => {{
        #[allow(unused_imports)]
        use $crate::check::probe::{IsWithRepOks as _, IsWithoutRepOks as _};
        $crate::check::check(
            <$ty as $crate::HasSuite>::suite(),
            (&$crate::check::probe::Probe::<$ty>::new()).subject(),
            ::core::env!("CARGO_MANIFEST_DIR"),
            $scope,
        )
    }};
}

/// Every structure of a scope, each as it should be.
#[derive(Debug)]
pub struct CheckedRun {
    run: CheckRun,
}

impl CheckedRun {
    /// The number of structures of the suite's main type.
    pub fn generated(&self) -> u64 {
        let totals = self.corpus().totals().expect("the store is in memory");
        totals.by_type.first().copied().unwrap_or(0)
    }

    /// The number of calls made.
    pub fn explored(&self) -> u64 {
        self.corpus().report.counters.explored()
    }

    /// The structures, their recipes and the report.
    pub fn corpus(&self) -> &Corpus {
        &self.run.corpus
    }
}

/// Why [`check!`](crate::check!) fails.
#[derive(Debug)]
#[non_exhaustive]
pub enum CheckError {
    /// The input is wrong: nothing was run.
    Input(InputError),
    /// Calls failed, or repOKs reject structures. The text shows the first of them.
    Findings(String),
    /// A budget of the scope stopped the run.
    Incomplete(StopReason),
}

impl std::fmt::Display for CheckError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CheckError::Input(error) if error.is_diagnostic() => write!(f, "\n{error}"),
            CheckError::Input(error) => error.fmt(f),
            CheckError::Findings(shown) => f.write_str(shown),
            CheckError::Incomplete(reason) => write!(f, "not everything was tried: {reason}"),
        }
    }
}

impl std::error::Error for CheckError {}

/// What [`check!`](crate::check!) calls.
///
/// # Panics
/// As [`check!`](crate::check!).
#[track_caller]
pub fn check(
    suite: Suite,
    subject: Option<Subject>,
    manifest_dir: &str,
    scope: &str,
) -> CheckedRun {
    let name = suite.name.clone();
    let catalog = Catalog::new(vec![suite]);
    let catalog = match subject {
        Some(subject) => catalog.with_rep_oks(&name, subject),
        None => catalog,
    };
    let path = Path::new(manifest_dir).join(scope);
    match try_check(catalog, &path, &mut |warning| eprintln!("{warning}")) {
        Ok(checked) => checked,
        Err(error) => panic!("{error}"),
    }
}

/// As [`check!`](crate::check!), with a catalog of suites to choose from, and `warn` to be given each
/// warning.
///
/// # Errors
/// Where [`check!`](crate::check!) panics.
pub fn try_check(
    catalog: Catalog,
    scope: &Path,
    warn: &mut dyn FnMut(String),
) -> Result<CheckedRun, CheckError> {
    let input = Input::read(scope, catalog, &|path| std::fs::read_to_string(path));
    let input = input.map_err(CheckError::Input)?;
    let resolved = input.resolve(&crate::scope::Overrides::default()).map_err(CheckError::Input)?;
    let rep_oks = input.rep_oks(None).map_err(CheckError::Input)?;
    resolved.warnings.iter().for_each(|warning| warn(warning.to_string()));
    let process = Process { start: Instant::now() };
    let watch = Watch::new(resolved.plan.budget, &process);
    let plan = resolved.plan;
    let run =
        beget_run::check(&input, &rep_oks, plan, Settings::default(), StoreKind::Exact, &watch)
            .map_err(|error| CheckError::Incomplete(error.into()))?;
    if run.has_findings() {
        return Err(CheckError::Findings(shown(&run)));
    }
    match run.stop_reason {
        StopReason::Exhausted => Ok(CheckedRun { run }),
        reason => Err(CheckError::Incomplete(reason)),
    }
}

/// The clock and the memory of this process.
struct Process {
    start: Instant,
}

impl Host for Process {
    fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Where the system tells.
    fn memory_bytes(&self) -> Option<u64> {
        resident_bytes(|path| std::fs::read_to_string(path).ok())
    }
}

/// Finds out whether a concrete type has repOKs, in the expansion of [`check!`](crate::check!), which
/// cannot ask by bounds: `(&Probe::<T>::new()).subject()` picks the method of `IsWithRepOks` where
/// `T: HasRepOks`, and that of `IsWithoutRepOks` otherwise.
#[doc(hidden)]
pub mod probe {
    use std::marker::PhantomData;

    use super::{HasRepOks, Subject};

    /// Carries the type asked about.
    #[derive(Debug)]
    pub struct Probe<T>(PhantomData<T>);

    impl<T> Probe<T> {
        /// A probe for `T`.
        #[allow(clippy::new_without_default)]
        pub fn new() -> Self {
            Probe(PhantomData)
        }
    }

    /// Chosen where `T: HasRepOks`.
    pub trait IsWithRepOks {
        /// The type with its repOKs.
        fn subject(&self) -> Option<Subject>;
    }

    impl<T: HasRepOks> IsWithRepOks for Probe<T> {
        fn subject(&self) -> Option<Subject> {
            Some(Subject::new(T::rep_oks()))
        }
    }

    /// Chosen otherwise.
    pub trait IsWithoutRepOks {
        /// `None`.
        fn subject(&self) -> Option<Subject>;
    }

    impl<T> IsWithoutRepOks for &Probe<T> {
        fn subject(&self) -> Option<Subject> {
            None
        }
    }
}

/// At most this many witnesses are shown; the rest is counted.
const MOST_SHOWN: usize = 3;

/// How many findings there are, and the first with their witnesses as source, shortest first.
fn shown(run: &CheckRun) -> String {
    let report = &run.corpus.report;
    let mut text = String::new();
    if !report.findings.is_empty() {
        let (n_failures, n_structures) = (report.counters.failures, run.corpus.store.len());
        let _ = writeln!(text, "{n_failures} calls on {n_structures} structures failed.\n");
    }
    for rep_ok in run.rep_oks.iter().filter(|rep_ok| rep_ok.rejected > 0) {
        let (rejected, checked) = (rep_ok.rejected, run.checked);
        let _ =
            writeln!(text, "repOK {}: {rejected} of {checked} structures rejected.\n", rep_ok.name);
    }
    let suite = &run.corpus.plan.suite;
    let shown = run.findings().take(MOST_SHOWN).map(|finding| shown_one(suite, finding));
    text.push_str(&shown.collect::<Vec<_>>().join("\n"));
    text
}

fn shown_one(suite: &Suite, finding: &Finding) -> String {
    let recipe = finding.witness.recipe.as_ref();
    let source = recipe.map(|recipe| to_source(suite, recipe).0).unwrap_or_default();
    format!("{}\n\n{}\n", finding.problem, indented(&source))
}

fn indented(source: &str) -> String {
    source.lines().map(|line| format!("    {line}\n")).collect()
}
