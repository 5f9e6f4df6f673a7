//! Sequences of calls drawn by chance, from an ordinary test.

use std::fmt::{self, Write as _};
use std::ops::RangeInclusive;
use std::sync::mpsc::Sender;

use beget_oracle::rep_ok::Subject;
use beget_plan::finding::StopReason;
use beget_plan::scope::{Budget, Overrides};
use beget_run::{Catalog, RandomOptions, RandomReport, RandomRun, RepOkSource, Watch};
use beget_suite::Suite;

use crate::check::{
    CheckError, FoundFailures, Message, Process, ScopeSource, found_failures, on_thread,
};

/// Makes random sequences of calls and fails the test if one of them shows a problem: a call that
/// fails, a broken contract, a structure that a repOK rejects. The message has a test with as few
/// and as simple calls as could be found.
///
/// It is for types whose scope is too large for [`check!`](crate::check!): sequences get longer and
/// structures larger. The scope file gives the methods, the literals and the misuse; its bounds on
/// structures do not apply. Without a file the scope is that of [`check!`](crate::check!) with k =
/// 3.
///
/// Options follow: `calls` (their number), `seed`, `k` (overrides the file), `ints` (a range of
/// further integers to draw from), `max_length` (of a sequence), `max_objects` (of a structure),
/// `bounded` (true to keep the bounds of the scope). The same options give the same run.
///
/// ```
/// # mod example {
/// /// A ring of eight places.
/// #[derive(Clone, beget::Heap)]
/// pub struct Ring { places: Vec<u8>, first: usize }
///
/// #[beget::api]
/// impl Ring {
///     pub fn new() -> Self {
///         Ring { places: Vec::new(), first: 0 }
///     }
///
///     pub fn push(&mut self, value: u8) {
///         if self.places.len() < 8 {
///             self.places.push(value);
///         } else {
///             self.places[self.first] = value;
///             self.first += 1;
///         }
///     }
/// }
/// # }
/// # use example::Ring;
/// // After sixteen calls of `push`, the next one is out of bounds, whatever values it pushes.
/// let failed = std::panic::catch_unwind(|| beget::random!(Ring, calls = 10_000));
/// let message = failed.unwrap_err();
/// let message = message.downcast_ref::<String>().unwrap();
/// assert!(message.contains("index out of bounds"), "{message}");
/// assert_eq!(message.matches("ring.push(0)").count(), 17, "{message}");
/// ```
///
/// # Panics
/// If the scope file is wrong, an error is found, or the run could not make its calls: a budget of
/// time in the scope was spent, or no method can be called.
#[macro_export]
macro_rules! random {
    ($ty:ty $(, $option:ident = $value:expr)* $(,)?) => {
        $crate::random!(@ $ty, $crate::check::ScopeSource::inline(&[]) $(, $option = $value)*)
    };
    (@ $ty:ty, $source:expr $(, $option:ident = $value:expr)*) => {{
        #[allow(unused_imports)]
        use $crate::check::probe::{IsWithRepOks as _, IsWithoutRepOks as _};
        $crate::random::random(
            <$ty as $crate::HasSuite>::suite().seen_from(::core::module_path!()),
            (&$crate::__private::heap::probe::Probe::<$ty>::new()).subject(),
            $source,
            $crate::random::RandomTest::default()$(.$option($value))*,
        )
    }};
    ($ty:ty, $scope:expr $(, $option:ident = $value:expr)* $(,)?) => {
        $crate::random!(
            @ $ty,
            $crate::check::ScopeSource::file(::core::env!("CARGO_MANIFEST_DIR"), $scope)
            $(, $option = $value)*
        )
    };
}

/// The options of [`random!`](crate::random!).
#[derive(Clone, Debug, Default)]
pub struct RandomTest {
    k: Option<u32>,
    calls: Option<u64>,
    options: RandomOptions,
}

impl RandomTest {
    /// Sets the number of calls.
    #[must_use]
    pub fn calls(self, calls: u64) -> Self {
        RandomTest { calls: Some(calls), ..self }
    }

    /// Sets k, in place of the file's.
    #[must_use]
    pub fn k(self, k: u32) -> Self {
        RandomTest { k: Some(k), ..self }
    }

    /// Sets the seed.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        self.with(|options| options.seed = seed)
    }

    /// Sets integers to draw from, in addition to those of the scope.
    #[must_use]
    pub fn ints(self, ints: RangeInclusive<i128>) -> Self {
        self.with(|options| options.fresh_ints = Some(ints))
    }

    /// Sets the greatest number of calls of a sequence.
    #[must_use]
    pub fn max_length(self, max_length: usize) -> Self {
        self.with(|options| options.max_length = max_length)
    }

    /// Sets the greatest number of objects of a class in a structure, and the greatest length of
    /// arrays and texts.
    #[must_use]
    pub fn max_objects(self, max_objects: u32) -> Self {
        self.with(|options| options.max_objects = max_objects)
    }

    /// Sets whether the bounds of the scope hold.
    #[must_use]
    pub fn bounded(self, is_bounded: bool) -> Self {
        self.with(|options| options.is_bounded = is_bounded)
    }

    fn with(mut self, change: impl FnOnce(&mut RandomOptions)) -> Self {
        change(&mut self.options);
        self
    }
}

/// A random run without findings.
pub struct PassedRandomRun {
    run: RandomRun,
}

impl PassedRandomRun {
    /// Returns the report: counters, structures, the results of each method.
    pub fn report(&self) -> &RandomReport {
        &self.run.report
    }
}

impl fmt::Debug for PassedRandomRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Writes one line: the numbers of structures and calls, and the methods whose calls never left
/// anything.
impl fmt::Display for PassedRandomRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RandomRun { plan, report, options, .. } = &self.run;
        let n_calls = report.counters.explored();
        let n: u64 = report.distinct.by_type.iter().sum();
        let (name, seed, longest) = (&plan.suite.name, options.seed, report.longest);
        write!(
            f,
            "{name}: {n} structures by {n_calls} calls with seed {seed}, the longest sequence of {longest}"
        )?;
        for idx in plan.planned_idxs() {
            if let Some(reason) = report.why_unused(plan, idx) {
                write!(f, "; not used: {} ({reason})", plan.method_name(idx))?;
            }
        }
        Ok(())
    }
}

/// Runs [`random!`](crate::random!).
///
/// # Panics
///
/// Like [`random!`](crate::random!).
#[track_caller]
pub fn random(
    suite: Suite,
    subject: Option<Subject>,
    scope: ScopeSource,
    test: RandomTest,
) -> PassedRandomRun {
    let name = suite.name.clone();
    let catalog = Catalog::new(vec![suite]);
    let catalog = match subject {
        Some(subject) => catalog.with_rep_oks(&name, subject),
        None => catalog,
    };
    match on_thread(move |messages| run(catalog, &scope, test, messages), &mut |warning| {
        eprintln!("{warning}");
    }) {
        Ok(tested) => {
            println!("{tested}");
            tested
        }
        Err(error) => panic!("{error}"),
    }
}

fn run(
    catalog: Catalog,
    scope: &ScopeSource,
    test: RandomTest,
    messages: &Sender<Message>,
) -> Result<PassedRandomRun, CheckError> {
    let RandomTest { k, calls, mut options } = test;
    let input = scope.read(catalog).map_err(CheckError::Input)?;
    let budget = Budget { max_calls: calls, ..Budget::default() };
    let overrides = Overrides { k, slack: Some(0), budget, ..Overrides::default() };
    let resolved = input.resolve(&overrides).map_err(CheckError::Input)?;
    let rep_oks = input.rep_oks(None).map_err(CheckError::Input)?;
    for warning in &resolved.warnings {
        let _ = messages.send(Message::Warning(warning.to_string()));
    }
    let budget = resolved.plan.budget;
    options.max_calls = budget.max_calls.unwrap_or(options.max_calls);
    let process = Process::new(messages);
    let watch = Watch::new(budget, &process);
    let run = beget_run::random(&input, &rep_oks, resolved.plan, options, &watch);
    if !run.findings.is_empty() {
        return Err(CheckError::Findings(found(&run)));
    }
    match run.stop_reason {
        StopReason::MaxCalls(_) => Ok(PassedRandomRun { run }),
        reason => Err(CheckError::Incomplete { reason, advice: None }),
    }
}

/// Makes the failures of a run, the first with their witnesses as source.
fn found(run: &RandomRun) -> FoundFailures {
    let mut text = String::new();
    let counters = run.report.counters;
    if counters.failures > 0 {
        let (n_failures, n_calls) = (counters.failures, counters.explored());
        let _ = writeln!(text, "{n_failures} of {n_calls} calls failed.\n");
    }
    let tests = run.failure_tests(RepOkSource::Type);
    found_failures(text, &run.plan, tests, run.findings.clone())
}
