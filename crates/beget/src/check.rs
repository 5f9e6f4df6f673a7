//! Running a suite from an ordinary test.

mod deepening;
mod page;
mod space;
mod stop;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::fs;
use std::io::Write as _;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use beget_engine::store::{Recipes, Store, StoreError};
use beget_engine::{
    Block, BlockResult, BlockRunner, BoundCount, Corpus, Explorer, Interim, ProbeTally, Settings,
};
use beget_oracle::rep_ok::{HasRepOks, Subject};
use beget_plan::finding::{Finding, Kind, Priority, Problem, StopReason};
use beget_plan::scope::{BoundName, OPTIMISED_DEPENDENCIES, Overrides, Plan};
use beget_process::guard::{CallInProgress, ProcessEnd, short_place};
use beget_run::{
    Catalog, CheckRun, Depth, DiffPlan, Event, FailureTest, Film, FilmMaker, Host, Input,
    InputError, LeavingThreads, LevelEnds, Observation, Questions, RepOkSource, StoreKind, Thin,
    Watch, Widening, advice_for, failure_tests, resident_bytes,
};
use beget_suite::{Suite, TestFunction, unpaired_notes};

/// Builds every structure of a scope, makes every call on each, and fails the test if it finds a
/// problem.
///
/// ```
/// # mod example {
/// #[derive(Clone, beget::Heap)]
/// pub struct Stack {
///     items: Vec<u8>,
/// }
///
/// #[beget::api]
/// impl Stack {
///     pub fn new() -> Self {
///         Stack { items: Vec::new() }
///     }
///
///     pub fn push(&mut self, value: u8) {
///         self.items.push(value);
///     }
///
///     pub fn pop(&mut self) -> Option<u8> {
///         self.items.pop()
///     }
/// }
/// # }
/// # use example::Stack;
/// // Every stack of at most 3 numbers below 3: 1 + 3 + 9 + 27.
/// assert_eq!(beget::check!(Stack, k = 3).generated(), 40);
/// ```
///
/// The first argument is a type with a suite ([`api`](crate::api), [`suite!`](crate::suite)). The
/// scope follows, in one of these forms:
///
/// - `check!(Stack, "scopes/stack.ron")`: a scope file, relative to the crate's manifest;
/// - `check!(Stack, k = 4, ints = 0..4)`: fields of a scope, with [defaults for any
///   suite](beget_plan::scope::default_scope) for the others;
/// - `check!(Stack)`: the defaults at k = 1, 2, 3, ..., each exhausted, until a k shows a failure
///   or five seconds are over. `seconds = 20` or the variable `BEGET_SECONDS`, which takes
///   precedence, gives it more time; `at_least = 3` fails the test if k = 3 is not exhausted by
///   then. The k that is reached depends on the machine. `k: Auto` in a scope file does the same.
///
/// A problem is a call that fails, a broken invariant or contract, or a structure that a repOK of
/// the type ([`HasRepOks`]) rejects. The run ends with the first level that has one, so the calls
/// shown are as few as possible; with `all = true` it continues. A passing test prints one line,
/// and returns the structures for further assertions. Progress, and settings of the scope without
/// effect, are shown on stderr.
///
/// # Panics
/// If the scope is wrong, there is a problem, or a budget of the scope stopped the run before
/// everything was tried: exactly when `beget check` does not end with 0.
///
/// On Linux, a call that would end the process stops its thread instead; the run continues without
/// it, and the test fails at its end. Locks of the thread stay locked.
///
/// A call that does not return is given up after a minute, or the seconds of the variable
/// `BEGET_CALL_SECONDS`; after three such calls a method is called no more, and the tenth in all
/// ends the run. A repOK or contract that does not return is given up likewise, and asked no more.
/// If the scope has a budget of `max_seconds`, the test fails two seconds after these in both
/// cases, and names the culprit.
#[macro_export]
macro_rules! check {
    ($ty:ty $(, $($scope:tt)*)?) => {{
        #[allow(unused_imports)]
        use $crate::check::probe::{IsWithRepOks as _, IsWithoutRepOks as _};
        $crate::check::check(
            <$ty as $crate::HasSuite>::suite().seen_from(::core::module_path!()),
            (&$crate::__private::heap::probe::Probe::<$ty>::new()).subject(),
            $crate::scope_source!($($($scope)*)?),
        )
    }};
}

/// Like [`check!`](crate::check!), but returns an `Err` instead of panicking, for a test that
/// inspects the findings.
///
/// ```
/// # mod example {
/// /// A number that no longer fits.
/// #[derive(Clone, Debug, beget::Heap)]
/// pub struct Level {
///     value: u8,
/// }
///
/// #[beget::api]
/// impl Level {
///     pub fn new() -> Self {
///         Level { value: 0 }
///     }
///
///     pub fn raise(&mut self) {
///         assert!(self.value < 2, "it is full");
///         self.value += 1;
///     }
/// }
/// # }
/// # use example::Level;
/// let found = beget::try_check!(Level, k = 3).unwrap_err();
/// assert_eq!(found.findings().len(), 1);
/// assert!(found.findings()[0].problem.message.ends_with("it is full"));
/// ```
#[macro_export]
macro_rules! try_check {
    ($ty:ty $(, $($scope:tt)*)?) => {{
        #[allow(unused_imports)]
        use $crate::check::probe::{IsWithRepOks as _, IsWithoutRepOks as _};
        $crate::check::try_check(
            $crate::check::catalog_of(
                <$ty as $crate::HasSuite>::suite().seen_from(::core::module_path!()),
                (&$crate::__private::heap::probe::Probe::<$ty>::new()).subject(),
            ),
            $crate::scope_source!($($($scope)*)?),
            &mut |warning| ::std::eprintln!("{warning}"),
        )
    }};
}

/// Makes the [`ScopeSource`] of the arguments of [`check!`](crate::check!) after the type.
#[doc(hidden)]
#[macro_export]
macro_rules! scope_source {
    () => {
        $crate::check::ScopeSource::inline(&[])
    };
    ($field:ident = $($rest:tt)+) => {
        $crate::scope_source!(@inline [], $field, [], $($rest)+)
    };
    // Values are those of a scope file, which need not be expressions of Rust: all tokens up to a
    // comma.
    (@inline [$($done:tt)*], $field:ident, [$($value:tt)+], , $next:ident = $($rest:tt)+) => {
        $crate::scope_source!(@inline [$($done)* ($field, $($value)+)], $next, [], $($rest)+)
    };
    (@inline [$(($name:ident, $($known:tt)+))*], $field:ident, [$($value:tt)+], $(,)?) => {
        $crate::check::ScopeSource::inline(&[
            $((::core::stringify!($name), ::core::stringify!($($known)+)),)*
            (::core::stringify!($field), ::core::stringify!($($value)+)),
        ])
    };
    (@inline $done:tt, $field:ident, [$($value:tt)*], $token:tt $($rest:tt)*) => {
        $crate::scope_source!(@inline $done, $field, [$($value)* $token], $($rest)*)
    };
    ($scope:expr $(,)?) => {
        $crate::check::ScopeSource::file(::core::env!("CARGO_MANIFEST_DIR"), $scope)
    };
}

/// The scope of a [`check!`](crate::check!).
#[derive(Clone, Debug)]
pub enum ScopeSource {
    /// A file.
    File(PathBuf),
    /// Fields of a scope file with their values, written in the test.
    Inline(Vec<(String, String)>),
}

impl ScopeSource {
    /// Makes a source from a file, by its path relative to the crate's manifest.
    pub fn file(manifest_dir: &str, path: impl AsRef<Path>) -> Self {
        ScopeSource::File(Path::new(manifest_dir).join(path))
    }

    /// Makes a source from fields of a scope file with their values. `seconds` is short for the
    /// `max_seconds` of a budget.
    pub fn inline(fields: &[(&str, &str)]) -> Self {
        let has_budget = fields.iter().any(|(name, _)| *name == "budget");
        let owned = |&(name, value): &(&str, &str)| match name {
            "seconds" if !has_budget => ("budget".to_owned(), format!("(max_seconds: {value})")),
            _ => (name.to_owned(), value.to_owned()),
        };
        ScopeSource::Inline(fields.iter().map(owned).collect())
    }

    /// Makes the same source for a check, which tries one k after the other if none is given.
    fn deepening(self) -> Self {
        match self {
            ScopeSource::Inline(mut fields) if fields.iter().all(|(name, _)| name != "k") => {
                fields.push(("k".to_owned(), "Auto".to_owned()));
                ScopeSource::Inline(fields)
            }
            source => source,
        }
    }

    pub(crate) fn read(&self, catalog: Catalog) -> Result<Input<'static>, InputError> {
        match self {
            ScopeSource::File(path) => Input::read(path, catalog, &|path| fs::read_to_string(path)),
            ScopeSource::Inline(fields) => {
                let suite = catalog.suites.first().map(|suite| suite.name.clone());
                let (name, suite) = ("the scope of check!", suite.unwrap_or_default());
                Input::of_default_scope(name, &suite, fields.clone(), catalog)
            }
        }
    }
}

/// The structures of a scope after a check without findings.
pub struct CheckedRun {
    run: CheckRun,
    /// The last exhausted k, if none was given.
    depth: Option<Depth>,
}

impl fmt::Debug for CheckedRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Writes one line: the number of structures and calls, the reason of the end, and the way copies
/// were made if it was not the planned one.
impl fmt::Display for CheckedRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Corpus { plan, report, store, .. } = &self.run.corpus;
        let (name, k, n_calls) = (&plan.suite.name, plan.k, report.ledger.counters.explored());
        let complete = if report.is_complete() { "complete" } else { "a part, and enough" };
        let (n, reason) = (store.len(), self.run.stop_reason);
        let left = report.ledger.counters.out_of_scope;
        write!(
            f,
            "{name}: {n} structures by {n_calls} calls at k = {k}, {left} of them out of scope"
        )?;
        // Bounds that are easily overlooked.
        report.ledger.passed.iter().try_for_each(|&BoundCount { bound, calls }| {
            write!(f, " ({calls} beyond {})", BoundName::new(bound, plan.schema()))
        })?;
        write!(f, "; {complete}: {reason}")?;
        if report.has_only_constructed() {
            f.write_str("; no call but those of constructors left a new structure: the bounds may be too small")?;
        }
        for (pattern, places) in report.shared_patterns() {
            let pattern = plan.misuse.panics[pattern as usize].as_str();
            let shown: Vec<_> = places.iter().map(|place| short_place(place)).collect();
            write!(
                f,
                "; `{pattern}` expects panics at {} places: {}",
                places.len(),
                shown.join(", ")
            )?;
        }
        if plan.probe > 0 {
            let ProbeTally { extended, calls, .. } = report.ledger.probes;
            write!(f, "; {extended} matched values extended by {calls} calls")?;
        }
        if let Some(depth) = &self.depth {
            write!(f, "; {depth}")?;
        }
        let notes = report.ledger.omissions.iter().chain(&report.ledger.notes);
        notes.into_iter().try_for_each(|note| write!(f, "; {note}"))
    }
}

impl CheckedRun {
    /// Returns the number of structures of the suite's main type.
    pub fn generated(&self) -> u64 {
        let totals = self.corpus().totals().expect("the store is in memory");
        totals.by_type.first().copied().unwrap_or(0)
    }

    /// Returns the number of calls made.
    pub fn explored(&self) -> u64 {
        self.corpus().report.ledger.counters.explored()
    }

    /// Returns the depth of a check without a given k: this run is then the last exhausted one.
    pub fn depth(&self) -> Option<&Depth> {
        self.depth.as_ref()
    }

    /// Returns the structures, their recipes and the report.
    pub fn corpus(&self) -> &Corpus {
        &self.run.corpus
    }
}

/// The reason why [`check!`](crate::check!) fails.
#[derive(Debug)]
#[non_exhaustive]
pub enum CheckError {
    /// The input is wrong: nothing was run.
    Input(InputError),
    /// Calls failed, contracts are broken, or repOKs reject structures.
    Findings(FoundFailures),
    /// A budget of the scope stopped the run.
    Incomplete {
        /// The budget.
        reason: StopReason,
        /// The advice, if there is one.
        advice: Option<String>,
    },
    /// The time was over before the requested least k was exhausted.
    TooShallow {
        /// The depth that the check reached.
        depth: Box<Depth>,
        /// The advice, if there is one.
        advice: Option<String>,
    },
    /// The run found nothing, but its space is almost empty.
    Thin(Thin),
    /// The scope is strict, and the run has these warnings.
    Warnings(Vec<String>),
    /// A budget of the scope should have stopped the run, but calls or repOKs do not return. Their
    /// threads go on until the process ends.
    Endless {
        /// The budget.
        reason: StopReason,
        /// The calls as source, and the repOKs with their structures.
        standing: Vec<String>,
    },
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Input(error) if error.is_diagnostic() => write!(f, "\n{error}"),
            CheckError::Input(error @ InputError::Unreadable { .. }) => {
                write!(f, "{error}; {NO_FILE}")
            }
            CheckError::Input(error) => error.fmt(f),
            CheckError::Findings(found) => f.write_str(&found.text),
            CheckError::Incomplete { reason, advice } => {
                write!(f, "not everything was tried: {reason}")?;
                if let Some(advice) = advice {
                    write!(f, "; {advice}")?;
                }
                if reason.can_be_enough() {
                    let line = "enough: true";
                    write!(f, "; if that is enough, add `{line}` to the `budget` of the scope")?;
                }
                Ok(())
            }
            CheckError::TooShallow { depth, advice } => {
                deepening::write_too_shallow(f, depth, advice.as_deref())
            }
            CheckError::Thin(thin) => space::write_thin(f, thin),
            CheckError::Warnings(warnings) => space::write_warnings(f, warnings),
            CheckError::Endless { reason, standing } => {
                writeln!(f, "not everything was tried: {reason}, and this does not end:")?;
                standing.iter().try_for_each(|one| write!(f, "\n{}", indented(one)))
            }
        }
    }
}

/// The findings of a run. Its [`Display`](fmt::Display) is the message of the failing test.
#[derive(Clone, Debug)]
pub struct FoundFailures {
    /// The findings, in the order of the message.
    pub findings: Vec<Finding>,
    /// The tests of the first of these findings, which fail as the findings say.
    pub tests: Vec<TestFunction>,
    /// The findings that are shown with their witnesses, as text by position.
    shown: BTreeMap<usize, String>,
    text: String,
}

impl fmt::Display for FoundFailures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl CheckError {
    /// Returns the findings.
    pub fn findings(&self) -> &[Finding] {
        match self {
            CheckError::Findings(found) => &found.findings,
            _ => &[],
        }
    }

    fn incomplete(reason: StopReason) -> Self {
        CheckError::Incomplete { reason, advice: None }
    }
}

impl std::error::Error for CheckError {}

impl From<StoreError> for CheckError {
    fn from(error: StoreError) -> Self {
        CheckError::incomplete(error.into())
    }
}

/// Runs [`check!`](crate::check!).
///
/// # Panics
///
/// Like [`check!`](crate::check!).
#[track_caller]
pub fn check(suite: Suite, subject: Option<Subject>, scope: ScopeSource) -> CheckedRun {
    if let Some(note) = absent_note(&suite) {
        eprintln!("{note}");
    }
    let name = suite.name.to_string();
    let catalog = catalog_of(suite, subject);
    let run = try_check(catalog, scope, &mut |warning| eprintln!("{warning}"));
    page::leave(&name, &run);
    passed(run)
}

/// Makes a catalog of a suite, with the repOKs of its main type if that has some.
pub fn catalog_of(suite: Suite, subject: Option<Subject>) -> Catalog {
    let name = suite.name.clone();
    let catalog = Catalog::new(vec![suite]);
    match subject {
        Some(subject) => catalog.with_rep_oks(&name, subject),
        None => catalog,
    }
}

/// Returns the run of a passing test, and prints its line; panics otherwise.
#[track_caller]
pub(crate) fn passed(run: Result<CheckedRun, CheckError>) -> CheckedRun {
    match run {
        Ok(checked) => {
            println!("{checked}");
            checked
        }
        Err(error) => panic!("{error}"),
    }
}

/// Like [`check!`](crate::check!), with a catalog of suites to choose from; `warn` gets each
/// warning.
///
/// # Errors
///
/// If [`check!`](crate::check!) would panic.
pub fn try_check(
    catalog: Catalog,
    scope: ScopeSource,
    warn: &mut dyn FnMut(String),
) -> Result<CheckedRun, CheckError> {
    try_run(catalog, scope, None, warn)
}

/// Like [`try_check`], optionally with a suite to compare in a search for differences.
pub(crate) fn try_run(
    catalog: Catalog,
    scope: ScopeSource,
    against: Option<Suite>,
    warn: &mut dyn FnMut(String),
) -> Result<CheckedRun, CheckError> {
    let scope = if against.is_none() { scope.deepening() } else { scope };
    on_thread(move |messages| run(catalog, &scope, against.as_ref(), messages), warn)
}

/// Makes a run on a thread that can be left.
pub(crate) fn on_thread<T: Send + 'static>(
    make: impl FnOnce(&Sender<Message>) -> Result<T, CheckError> + Send + 'static,
    warn: &mut dyn FnMut(String),
) -> Result<T, CheckError> {
    stop::outlive_ends();
    let start = Instant::now();
    let (host, messages) = channel();
    let stack_size = 64 << 20;
    let run = std::thread::Builder::new().stack_size(stack_size).spawn(move || make(&host));
    let run = run.expect("a thread can be started");
    loop {
        match messages.recv() {
            Ok(Message::Warning(warning)) => warn(warning),
            // The thread is never joined: it cannot be freed from its wait.
            Ok(Message::GivenUp(error)) => return Err(error),
            // The sender is gone.
            Err(_) => break,
        }
    }
    advise_optimisation(start.elapsed());
    run.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// Says once, after a run that let one wait, that beget is compiled without optimisation.
fn advise_optimisation(took: Duration) {
    static ADVISED: Once = Once::new();
    if !beget_process::IS_OPTIMISED && took >= LONG {
        let advise = || tell_past_harness(&format!("beget: note: {OPTIMISED_DEPENDENCIES}"));
        ADVISED.call_once(advise);
    }
}

/// A run that lets one wait.
const LONG: Duration = Duration::from_secs(2);

/// A message from the thread of a run to the thread that waits for it.
pub(crate) enum Message {
    Warning(String),
    /// The run will not end, for this reason.
    GivenUp(CheckError),
}

fn run(
    catalog: Catalog,
    scope: &ScopeSource,
    against: Option<&Suite>,
    messages: &Sender<Message>,
) -> Result<CheckedRun, CheckError> {
    let input = scope.read(catalog).map_err(CheckError::Input)?;
    if against.is_none() && input.deepens() {
        return deepening::run_deepening(&input, messages);
    }
    let plan = plan_at(&input, None, &Widening::default(), messages)?;
    let process = Process::new(messages);
    let watch = Watch::new(plan.budget, &process);
    let (settings, store) = (Settings::default(), StoreKind::Exact);
    let run = match against {
        None => {
            let rep_oks = input.rep_oks(None).map_err(CheckError::Input)?;
            beget_run::check(&input, &rep_oks, plan, settings, store, &watch)?
        }
        Some(against) => {
            let plan = DiffPlan::new(plan, against).map_err(CheckError::Input)?;
            let unpaired = plan.unpaired().iter();
            let unpaired =
                unpaired.map(|one| (one.suite.as_str(), one.method, one.difference.as_deref()));
            for note in unpaired_notes(unpaired) {
                let _ = messages.send(Message::Warning(note));
            }
            CheckRun::of_calls(plan.run(settings, store, &watch).corpus)
        }
    };
    if run.has_findings() {
        return Err(CheckError::Findings(found(&run, None)));
    }
    input.require_built(&run.corpus).map_err(CheckError::Input)?;
    if run.stop_reason.is_enough(&run.corpus.plan.budget) {
        if against.is_none() {
            space::judge(&input, &run, None)?;
        }
        return Ok(CheckedRun { run, depth: None });
    }
    let advice = advice_for(&run.corpus).ok().flatten();
    Err(CheckError::Incomplete { reason: run.stop_reason, advice })
}

/// Makes the plan of a scope at a given k and with wider bounds, which ends with the first level
/// that shows a failure. Prints its warnings.
fn plan_at(
    input: &Input<'_>,
    k: Option<u32>,
    widening: &Widening,
    messages: &Sender<Message>,
) -> Result<Plan, CheckError> {
    let overrides = Overrides { k, ends_at_failure: true, ..Overrides::default() };
    let resolved = input.resolve_wider(&overrides, widening).map_err(CheckError::Input)?;
    for warning in &resolved.warnings {
        let _ = messages.send(Message::Warning(warning.to_string()));
    }
    Ok(resolved.plan)
}

/// Names the methods that the suite's blocks leave out, if they are few enough to be an oversight.
fn absent_note(suite: &Suite) -> Option<String> {
    const MOST: usize = 8;
    let (name, absent) = (&suite.name, &suite.absent);
    if absent.is_empty() || absent.len() > MOST {
        return None;
    }
    let shown = absent.iter().map(|absent| format!("`{}` ({})", absent.name, absent.reason));
    Some(format!("not in the suite `{name}`: {}", shown.collect::<Vec<_>>().join(", ")))
}

/// The clock and the memory of this process.
pub(crate) struct Process<'m> {
    start: Instant,
    /// The time that a call may take; `None` for any time.
    call_seconds: Option<f64>,
    messages: &'m Sender<Message>,
    seen: RefCell<Observation<CallInProgress>>,
    outlived: RefCell<stop::OutlivedCalls>,
    seen_rep_oks: RefCell<Observation<[u64; 2]>>,
    /// The current k of a check without a given one.
    k: Cell<Option<u32>>,
}

impl<'m> Process<'m> {
    pub(crate) fn new(messages: &'m Sender<Message>) -> Self {
        Process {
            start: Instant::now(),
            call_seconds: stop::call_seconds(),
            messages,
            seen: RefCell::default(),
            outlived: RefCell::default(),
            seen_rep_oks: RefCell::default(),
            k: Cell::default(),
        }
    }

    /// Returns why the thread of a call is to be left, if it is: how the call has ended the
    /// process, or that it takes too long.
    fn gives_up(&self, call: &CallInProgress) -> Option<String> {
        if let Some(end) = call.end {
            self.outlived.borrow_mut().may_leave(end).then(|| end.to_string())
        } else {
            let most = self.call_seconds?;
            let is_long = self.outlived.borrow_mut().is_long(call, self.seconds(), most);
            is_long.then(|| format!("does not return within {most} seconds"))
        }
    }

    /// Looks at the calls in progress, and leaves the run if it cannot go on with them.
    fn watch_calls(
        &self,
        (interim, levels): (&Interim<'_>, Option<&dyn LevelEnds>),
        due: Option<StopReason>,
    ) {
        let calls = interim.current_calls();
        let outlived = self.outlived.borrow().clone();
        let ends_run = |end: &ProcessEnd| !stop::goes_on() || !outlived.has_room_for(*end);
        let ended = calls.iter().find_map(|call| Some((call, call.end.filter(ends_run)?)));
        if let Some((call, end)) = ended {
            let error = CheckError::Findings(stop::found_end((interim, levels), call, end));
            self.leave(error, &|| interim.tell_ends());
        }
        let due = due.filter(|due| !self.is_patient(*due));
        let seen = self.seen.borrow_mut().look(self.seconds(), calls, due);
        if let Some((reason, calls)) = seen {
            let Some(call) = calls.first() else { self.give_up(reason, Vec::new()) };
            let found = stop::found_standing((interim, levels), call, reason);
            self.leave(CheckError::Findings(found), &|| ());
        }
        if let Some(most) = self.call_seconds
            && let [call, ..] =
                &self.seen.borrow().longer_than(self.seconds(), most + outlived.patience())[..]
            && !stop::is_debugged()
        {
            let found = stop::found_hang((interim, levels), call, most);
            self.leave(CheckError::Findings(found), &|| ());
        }
        let slow = self.seen.borrow_mut().newly_slow(self.seconds());
        for source in slow.iter().filter_map(|call| interim.source(call)) {
            tell_past_harness(&format!(
                "beget: a call has not returned for five seconds; {}:\n{}",
                stop::what_follows(self.call_seconds),
                indented(&source)
            ));
        }
    }

    /// Fails the test because calls do not return, and leaves the run.
    fn give_up(&self, reason: StopReason, standing: Vec<String>) -> ! {
        self.leave(CheckError::Endless { reason, standing }, &|| ())
    }

    /// Fails the test and leaves the run. Calls `sent` once the message is sent.
    fn leave(&self, mut error: CheckError, sent: &dyn Fn()) -> ! {
        if let (CheckError::Findings(found), Some(k)) = (&mut error, self.k.get()) {
            found.text.push_str(&deepening::alone_at(k, "", ""));
        }
        let _ = self.messages.send(Message::GivenUp(error));
        sent();
        loop {
            std::thread::park();
        }
    }
}

/// Prints past the test harness, which keeps the output of a test until it ends.
pub(super) fn tell_past_harness(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

impl Host for Process<'_> {
    fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// On systems that have it.
    fn memory_bytes(&self) -> Option<u64> {
        resident_bytes(|path| std::fs::read_to_string(path).ok())
    }

    fn runner(&self) -> Option<&dyn BlockRunner> {
        stop::goes_on().then_some(self as &dyn BlockRunner)
    }

    fn outlives_calls(&self) -> bool {
        beget_process::guard::outlives_ends()
    }

    fn report(&self, event: Event<'_>) {
        if let Event::Deepen { k } = event {
            self.k.set(Some(k));
            self.seen.take();
            self.seen_rep_oks.take();
        }
        let Event::LongRun { structures, explored, failures, growth } = event else { return };
        let level = growth.level;
        let k = self.k.get().map(|k| format!("k = {k}, ")).unwrap_or_default();
        let failed = match failures {
            0 => String::new(),
            n => format!(", {n} of them failed"),
        };
        let grows = match growth.fields.is_empty() {
            true => String::new(),
            false => format!("; {growth}"),
        };
        tell_past_harness(&format!(
            "beget: {k}level {level}, {structures} structures, {explored} calls{failed}{grows}\n"
        ));
    }

    fn waiting(&self, interim: &Interim<'_>, due: Option<StopReason>) {
        self.watch_calls((interim, None), due);
    }

    fn waiting_in_check(
        &self,
        interim: &Interim<'_>,
        levels: &dyn LevelEnds,
        due: Option<StopReason>,
    ) {
        self.watch_calls((interim, Some(levels)), due);
    }

    fn question_seconds(&self) -> Option<f64> {
        self.call_seconds.filter(|_| !stop::is_debugged())
    }

    /// A check without a given k must not fail because a call takes longer than the rest of its
    /// time: calls have a limit of their own.
    fn is_patient(&self, due: StopReason) -> bool {
        let is_of_time = matches!(due, StopReason::MaxSeconds(_));
        is_of_time && self.k.get().is_some() && self.call_seconds.is_some()
    }

    fn waiting_for_answer(&self, runs: &dyn Questions, due: Option<StopReason>) {
        let patience = due.filter(|due| self.is_patient(*due)).and(self.call_seconds);
        let seen = self.seen_rep_oks.borrow_mut().look(self.seconds(), runs.runs(), due);
        let is_long =
            |most| !self.seen_rep_oks.borrow().longer_than(self.seconds(), most).is_empty();
        let seen = seen.filter(|_| patience.is_none_or(is_long));
        if let Some((reason, standing)) = seen {
            let source = |&run: &[u64; 2]| Some(format!("{} {}", runs.noun(), runs.source(run)?));
            self.give_up(reason, standing.iter().filter_map(source).collect());
        }
    }
}

/// Leaves threads whose call would end the process, or does not return.
impl BlockRunner for Process<'_> {
    fn run_all(
        &self,
        explorer: &Explorer<'_>,
        recipes: &dyn Recipes,
        blocks: &[Block],
        wait: &mut dyn FnMut(),
    ) -> Vec<BlockResult> {
        let give_up = |call: &CallInProgress| self.gives_up(call);
        let threads = LeavingThreads { give_up: &give_up, explorer, recipes, wait };
        threads.run_all(blocks)
    }
}

/// Finds out whether a concrete type has repOKs, in the expansion of [`check!`](crate::check!),
/// which cannot use bounds: `(&Probe::<T>::new()).subject()` calls the method of `IsWithRepOks` if
/// `T: HasRepOks`, and that of `IsWithoutRepOks` otherwise.
#[doc(hidden)]
pub mod probe {
    use beget_heap::probe::Probe;

    use super::{HasRepOks, Subject};

    /// Chosen if `T: HasRepOks`.
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

/// The number of findings shown with witnesses; the others are shown by their messages.
const MOST_SHOWN: usize = 3;

/// The advice if there is no scope file.
const NO_FILE: &str = "`cargo beget init` writes a first scope file for each suite into `scopes/`, and \
                       `check!` without a path takes the same scope without a file";

/// The advice for panics that may be documented.
const RULE_OF_USE: &str = "\nA panic that is a documented rule of use is no failure if the scope says so: \
                           `misuse: (panics: [\"part of its message\"])` in its file, \
                           `misuse = (panics: [\"part of its message\"])` in `check!`\n";

/// The advice for a contract that is not meant to hold.
const OTHER_CONTRACT: &str = "\nA contract that the type does not mean to keep is not asked if the scope says so: \
                              `contracts: Except([\"its name\"])` in its file, \
                              `contracts = Except([\"its name\"])` in `check!`\n";

/// The advice for a run that is to continue.
const ALL: &str = "\nThe run stopped after the first level with a failure: `all: true` in the scope's file, or \
                   `all = true` in `check!`, goes on\n";

/// Makes the failures of a run, the first with their witnesses as source. `depth` is given if no k
/// was.
fn found(run: &CheckRun, depth: Option<&Depth>) -> FoundFailures {
    let report = &run.corpus.report;
    let mut counts = String::new();
    if report.ledger.counters.failures > 0 {
        let (n_failures, n_calls) =
            (report.ledger.counters.failures, report.ledger.counters.explored());
        let _ = writeln!(counts, "{n_failures} of {n_calls} calls failed.\n");
    }
    for rep_ok in run.rep_oks.iter().filter(|rep_ok| rep_ok.rejected > 0) {
        let (rejected, checked) = (rep_ok.rejected, run.checked);
        let _ = writeln!(
            counts,
            "repOK {}: {rejected} of {checked} structures rejected.\n",
            rep_ok.name
        );
    }
    // Without counts the first cause comes first anyway.
    let text = if counts.is_empty() { counts } else { headline(run) + &counts };
    let tests = failure_tests(run, RepOkSource::Type);
    let mut found =
        found_failures(text, &run.corpus.plan, tests, run.findings().cloned().collect());
    for omission in &report.ledger.omissions {
        let _ = write!(found.text, "\nNote: {omission}.\n");
    }
    if run.stop_reason == StopReason::FailureFound {
        found.text.push_str(ALL);
    }
    if let Some(depth) = depth {
        found.text.push_str(&deepening::where_found(run, depth));
    }
    found
}

/// The first cause with its place: the first line of the panic's message, which is all that many
/// tools show of a failing test.
fn headline(run: &CheckRun) -> String {
    let mut findings = run.findings();
    let Some(first) = findings.next() else { return String::new() };
    let problem = first.problem.to_string();
    let more = match findings.count() {
        0 => String::new(),
        1 => " (and 1 more cause)".to_owned(),
        n => format!(" (and {n} more causes)"),
    };
    format!("{}{more}\n\n", problem.lines().next().unwrap_or_default())
}

/// Appends findings to `text`: those among `tests` with their witnesses, the others with their
/// problems only.
pub(crate) fn found_failures<'t>(
    mut text: String,
    plan: &Plan,
    tests: impl Iterator<Item = FailureTest<'t>>,
    findings: Vec<Finding>,
) -> FoundFailures {
    let shown = shown_in_full(&findings);
    let last = shown.iter().max().map_or(0, |last| last + 1);
    let tests = tests.take(last).enumerate().filter(|(index, _)| shown.contains(index));
    let (positions, tests): (Vec<usize>, Vec<FailureTest<'_>>) = tests.unzip();
    let mut films = FilmMaker::new(plan);
    let mut shown_one = |test: &FailureTest<'_>| {
        let film = films.film(test.finding);
        shown_one(&plan.suite, test, &film)
    };
    let sources: Vec<String> = tests.iter().map(&mut shown_one).collect();
    text.push_str(&sources.join("\n"));
    let sources = positions.into_iter().zip(sources).collect();
    let others = findings.iter().enumerate().filter(|(index, _)| !shown.contains(index));
    text.push_str(&told_briefly(&plan.suite, others.map(|(_, finding)| finding)));
    if findings.iter().any(|finding| stop::is_of_left_thread(&finding.problem)) {
        text.push_str(stop::UNCONFIRMED);
    }
    if findings.iter().any(|finding| finding.problem.priority() == Priority::Check) {
        text.push_str(RULE_OF_USE);
    }
    if findings.iter().any(|finding| is_of_contract(&finding.problem)) {
        text.push_str(OTHER_CONTRACT);
    }
    let tests = tests.into_iter().filter(|test| test.verdict.is_ok());
    FoundFailures {
        findings,
        tests: tests.map(|test| test.function).collect(),
        shown: sources,
        text,
    }
}

/// Returns the positions of the findings whose witnesses are shown: the first ones, but a method's
/// problem that was shown already gives way to another problem.
fn shown_in_full(findings: &[Finding]) -> Vec<usize> {
    let mut known = BTreeSet::new();
    let (new, again): (Vec<usize>, Vec<usize>) =
        (0..findings.len()).partition(|&index| known.insert(findings[index].problem.signature()));
    new.into_iter().chain(again).take(MOST_SHOWN).collect()
}

/// Returns a line for each problem, with the methods whose calls end in it.
fn told_briefly<'f>(suite: &Suite, findings: impl Iterator<Item = &'f Finding>) -> String {
    let mut told: Vec<(String, u64, Vec<&str>)> = Vec::new();
    for finding in findings {
        let (problem, count) = (finding.problem.to_string(), finding.count.max(1));
        let calls = finding.witness.calls(suite);
        let last = calls.as_ref().and_then(|calls| calls.statements.last());
        let method = last.map(|last| suite.method(last.method).name);
        let position = told.iter().position(|(other, ..)| *other == problem);
        let position = position.unwrap_or_else(|| {
            told.push((problem, 0, Vec::new()));
            told.len() - 1
        });
        let (_, n_alike, methods) = &mut told[position];
        *n_alike += count;
        methods.extend(method.filter(|method| !methods.contains(method)));
    }
    let mut text = String::new();
    for (problem, count, methods) in told {
        let _ = write!(text, "\nalso: {problem}{}", more_like_it(count));
        if !methods.is_empty() {
            let methods: Vec<String> = methods.iter().map(|name| format!("`{name}`")).collect();
            let _ = write!(text, ", by calls that end in {}", methods.join(", "));
        }
    }
    text
}

/// Returns whether the problem is of a built-in contract.
fn is_of_contract(problem: &Problem) -> bool {
    let name = problem.name.as_deref().unwrap_or_default();
    problem.kind == Kind::Contract && beget_run::contract_names().contains(&name)
}

/// Writes a finding with the test of its witness, or with its calls alone if these return.
pub(crate) fn shown_one(suite: &Suite, test: &FailureTest<'_>, film: &Film) -> String {
    let FailureTest { finding, function, verdict } = test;
    let problem = &finding.problem;
    // A call that ends the process or does not return is not made again to see that it fails.
    let is_silent = verdict.is_err() && problem.priority() < Priority::Memory;
    let source = match (function.body.is_empty(), verdict) {
        (true, _) => String::new(),
        (false, Err(reason)) if is_silent => {
            format!("// No test: {reason}.\n{}\n", function.body.join("\n"))
        }
        (false, _) => function.with_uses(suite).to_string(),
    };
    let state = match film.after() {
        after if after.is_empty() => {
            let before = finding.witness.text_before();
            section("before the last call", before.lines())
        }
        after => section("after the last call", after.iter().map(String::as_str)),
    };
    let changed = film.changed();
    let changed = section("changed by the last call", changed.iter().map(String::as_str));
    let source = indented(&source);
    format!("{problem}{}\n\n{source}{state}{changed}\n", more_like_it(finding.count))
}

/// The greatest number of lines of a state, or of changes.
const MOST_LINES: usize = 12;

/// Writes lines under a heading; nothing if there are none.
fn section<'l>(heading: &str, lines: impl Iterator<Item = &'l str>) -> String {
    let lines: Vec<&str> = lines.collect();
    if lines.is_empty() {
        return String::new();
    }
    let shown = &lines[..lines.len().min(MOST_LINES)];
    let more = match lines.len() - shown.len() {
        0 => String::new(),
        more => format!("    ({more} more lines)\n"),
    };
    format!("\n{heading}\n{}{more}", indented(&shown.join("\n")))
}

fn more_like_it(count: u64) -> String {
    match count {
        0 | 1 => String::new(),
        count => format!(" (and {} more like it)", count - 1),
    }
}

fn indented(source: &str) -> String {
    source.lines().map(|line| format!("{}\n", format!("    {line}").trim_end())).collect()
}

#[cfg(test)]
mod tests {
    use beget_suite::{Absence, AbsentMethod};

    use super::*;

    #[test]
    fn what_is_left_out_is_said_where_it_may_be_an_oversight() {
        let absent = |n: usize| {
            let all = [("grow", Absence::NotPublic), ("retain", Absence::Skipped)];
            let absent = all.into_iter().cycle().take(n);
            let absent = absent.map(|(name, reason)| AbsentMethod { name, reason }).collect();
            absent_note(&Suite { name: "Stack".into(), absent, ..Suite::default() })
        };
        let note = "not in the suite `Stack`: `grow` (not `pub`), `retain` (skipped)";
        assert_eq!(absent(2).as_deref(), Some(note));
        assert_eq!((absent(0), absent(8).is_some(), absent(9)), (None, true, None));
    }
}
