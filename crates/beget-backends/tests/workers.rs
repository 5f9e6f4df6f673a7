//! Workers that die or hang, at which call and how often, and how many processes that takes.
//!
//! The workers are this program, which makes calls in the test [`worker`], or a shell.
#![cfg(target_os = "linux")]
#![allow(
    unreachable_pub,
    clippy::new_without_default,
    clippy::print_in_format_impl,
    reason = "the types stand for those of a library, with defects"
)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use beget::suites::Suite;
use beget::{HasSuite, Heap};
use beget_backends::supervise::{CallLimits, Supervisor, connection, is_worker, serve};
use beget_engine::Settings;
use beget_engine::store::StoreError;
use beget_plan::finding::{Finding, StopReason};
use beget_run::{Catalog, CheckRun, Host, Input, OracleSet, StoreKind, Watch, Workers};
use tempfile::TempDir;

// The methods leave nothing outside their values.
beget_process::alloc::install!(unsafe);

/// The variable that names the suite of a worker.
const SUITE: &str = "BEGET_TEST_SUITE";

/// The variable that names the directory in which a call notes that it was made.
const DIRECTORY: &str = "BEGET_TEST_DIRECTORY";

/// Returns whether this is the first such call in all processes of a run.
fn is_first() -> bool {
    let directory = PathBuf::from(std::env::var_os(DIRECTORY).expect("it is a worker"));
    std::fs::create_dir(directory.join("first")).is_ok()
}

fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}

/// A number below 4, with one method.
macro_rules! number {
    ($name:ident, $number:ident => $body:expr) => {
        /// A number.
        #[derive(Clone, Debug, Heap)]
        pub struct $name {
            number: u8,
        }

        #[beget::api]
        impl $name {
            /// The number.
            pub fn new(number: u8) -> Self {
                $name { number }
            }

            /// Its subject.
            pub fn act(&self) {
                let $number = self.number;
                $body
            }
        }
    };
}

/// True once another number than 2 has acted in this process.
static HAS_COMPANY: AtomicBool = AtomicBool::new(false);

number!(Sound, _number => {});
number!(DeadlyOnce, number => if number == 2 && is_first() {
    std::process::abort();
});
number!(DeadlyInCompany, number => match number {
    2 if HAS_COMPANY.load(Relaxed) => std::process::abort(),
    2 => {}
    _ => HAS_COMPANY.store(true, Relaxed),
});
number!(Endless, number => if number > 0 {
    hang();
});
number!(EndlessOnce, number => if number == 2 && is_first() {
    hang();
});

/// A value that is still to be seen in memory that is freed.
struct Stale {
    _words: [u64; 2],
    number: *const u8,
}

number!(LooksBack, _number => {
    std::hint::black_box(look_back());
});

/// Follows a pointer that it finds in freed memory.
#[allow(unsafe_code, reason = "this is what it is about")]
fn look_back() -> u8 {
    let number = Box::new(7);
    let stale = Box::new(Stale { _words: [0; 2], number: &raw const *number });
    let place = &raw const stale.number;
    drop(stale);
    // SAFETY: none: the pointer is read from memory that is freed.
    unsafe { *place.read_volatile() }
}

/// A number that grows. By mistake 3 is equal to 6 and 7, and 5 dies once when it is shown.
#[derive(Clone, Heap)]
pub struct Growing {
    number: u8,
}

#[beget::api]
impl Growing {
    /// Zero.
    pub fn new() -> Self {
        Growing { number: 0 }
    }

    /// One more, up to 7.
    pub fn grow(&mut self) {
        self.number = 7.min(self.number + 1);
    }
}

impl PartialEq for Growing {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number || self.number == 3 && other.number > 5
    }
}

impl std::fmt::Debug for Growing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if is_worker() {
            println!("{} is shown", self.number);
            // The supervisor has read that before the answers come.
            std::thread::sleep(Duration::from_millis(30));
            if self.number == 5 && is_first() {
                std::process::abort();
            }
        }
        write!(f, "{}", self.number)
    }
}

fn suites() -> Vec<Suite> {
    vec![
        Sound::suite(),
        DeadlyOnce::suite(),
        DeadlyInCompany::suite(),
        Endless::suite(),
        EndlessOnce::suite(),
        LooksBack::suite(),
        Growing::suite(),
    ]
}

fn input(suite: &str) -> Input<'static> {
    let text = format!(r#"Scope(suite: "{suite}", k: 8, objects: {{"*": "k"}}, ints: "0..4")"#);
    Input::of_text("test.ron", text, Catalog::new(suites())).unwrap()
}

/// No test, but the workers of the others.
#[test]
fn worker() {
    if !is_worker() {
        return;
    }
    let input = input(&std::env::var(SUITE).unwrap());
    let plan = input.resolve(&Default::default()).unwrap().plan;
    let oracles = OracleSet::of(&input, &[]);
    serve(connection().unwrap(), &plan, Settings::default(), Some(&oracles));
}

/// The command of a worker that makes the calls of a suite.
fn command(suite: &str, directory: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "worker", "--nocapture", "--test-threads=1"]);
    command.env(SUITE, suite).env(DIRECTORY, directory);
    command
}

/// The command of a worker that says that it is ready, and ends.
fn useless_command() -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", r"printf '\004\000\000\000\000' >&0; exit 7"]);
    command
}

/// A host with workers, or without.
struct WithWorkers(Option<Supervisor>);

impl Host for WithWorkers {
    fn seconds(&self) -> f64 {
        0.0
    }

    fn workers(&self) -> Option<&dyn Workers> {
        self.0.as_ref().map(|workers| workers as _)
    }
}

/// The result of a run.
struct Outcome {
    run: Result<CheckRun, StoreError>,
    /// The number of processes that were started.
    n_started: usize,
    /// Their output, as it came.
    printed: Vec<Vec<u8>>,
}

impl Outcome {
    fn run(&self) -> &CheckRun {
        self.run.as_ref().unwrap()
    }

    /// The messages of findings, and how often each was seen.
    fn findings(&self) -> Vec<(String, u64)> {
        let message = |finding: &Finding| finding.problem.message.to_string();
        self.run().findings().map(|finding| (message(finding), finding.count)).collect()
    }

    /// The number of structures of a complete run.
    #[track_caller]
    fn n_structures(&self) -> u64 {
        assert_eq!(self.run().stop_reason, StopReason::Exhausted);
        self.run().corpus.store.len()
    }

    fn n_printed(&self, text: &str) -> usize {
        String::from_utf8(self.printed.concat()).unwrap().matches(text).count()
    }
}

/// The greatest number of processes of a run. More would be without end.
const MOST_STARTED: usize = 20;

/// Checks all structures of a suite with one worker. No call takes long.
fn check(suite: &str) -> Outcome {
    check_with(suite, 0, Duration::from_secs(600))
}

/// Checks all structures of a suite with one worker, whose first processes are useless ones. A call
/// may take that long.
fn check_with(suite: &str, n_useless: usize, time: Duration) -> Outcome {
    let directory = TempDir::new().unwrap();
    let n_started = Arc::new(AtomicUsize::new(0));
    let printed = Arc::new(Mutex::new(Vec::new()));
    let supervisor = {
        let (path, suite) = (directory.path().to_owned(), suite.to_owned());
        let (n_started, printed) = (Arc::clone(&n_started), Arc::clone(&printed));
        let start = move || match n_started.fetch_add(1, Relaxed) {
            n if n >= MOST_STARTED => Command::new("/there/is/no/such/program"),
            n if n < n_useless => useless_command(),
            _ => command(&suite, &path),
        };
        let limits = CallLimits { time: Some(time), memory_mib: 1 << 20 };
        let print = move |text: &[u8]| printed.lock().unwrap().push(text.to_vec());
        Supervisor::start(Box::new(start), 1, limits, print).unwrap()
    };
    let run = check_on(suite, &WithWorkers(Some(supervisor)));
    let printed = std::mem::take(&mut *printed.lock().unwrap());
    Outcome { run, n_started: n_started.load(Relaxed), printed }
}

fn check_on(suite: &str, host: &WithWorkers) -> Result<CheckRun, StoreError> {
    let input = input(suite);
    let plan = input.resolve(&Default::default()).unwrap().plan;
    let watch = Watch::new(plan.budget, host);
    beget_run::check(&input, &[], plan, Settings::default(), StoreKind::Exact, &watch)
}

#[test]
fn workers_that_die_before_they_begin_are_replaced_twice() {
    let outcome = check_with("Sound", 2, Duration::from_secs(600));
    assert_eq!((outcome.n_structures(), outcome.findings()), (4, vec![]));
    assert_eq!(outcome.n_started, 3);
}

/// The constructor is called twice: for the integers that it leaves, and for its structures.
#[test]
fn a_block_that_three_workers_do_not_begin_is_given_up() {
    let outcome = check_with("Sound", 6, Duration::from_secs(600));
    assert_eq!((outcome.run().stop_reason, outcome.n_started), (StopReason::StoreFailed, 7));
    let failure = outcome.run().corpus.report.store_failure.as_ref().unwrap().to_string();
    let reason = "worker processes die before they make a call: something ended the process with \
                  exit code 7";
    assert!(failure.ends_with(reason), "{failure}");
}

#[test]
fn a_death_that_is_seen_once_is_told_and_all_calls_count() {
    let outcome = check("DeadlyOnce");
    let message = "the call ended the process by SIGABRT (once: made again, it did not; other \
                   calls, or somebody from outside, may have done it)";
    assert_eq!((outcome.n_structures(), outcome.findings()), (4, vec![(message.to_owned(), 1)]));
}

#[test]
fn a_death_that_needs_other_calls_is_told_when_it_is_seen_again() {
    let outcome = check("DeadlyInCompany");
    let message = "the call ended the process by SIGABRT (after other calls in the same process: \
                   alone, it does not)";
    assert_eq!((outcome.n_structures(), outcome.findings()), (4, vec![(message.to_owned(), 1)]));
    assert_eq!(outcome.n_started, 3);
}

/// After the first process, which makes the structures, each call that does not return ends one,
/// and the first of them one more, alone.
#[test]
fn of_a_method_that_does_not_return_one_call_is_waited_for_twice() {
    let outcome = check_with("Endless", 0, Duration::from_secs(1));
    let message = "the call does not return: it was stopped";
    assert_eq!((outcome.n_structures(), outcome.findings()), (4, vec![(message.to_owned(), 3)]));
    assert_eq!(outcome.n_started, 4);
}

#[test]
fn a_call_that_does_not_return_once_is_made_again() {
    let outcome = check_with("EndlessOnce", 0, Duration::from_secs(1));
    let message = "the call does not return: it was stopped (once: made again, it did not; other \
                   calls, or somebody from outside, may have done it)";
    assert_eq!((outcome.n_structures(), outcome.findings()), (4, vec![(message.to_owned(), 1)]));
}

#[test]
fn calls_of_a_method_are_audited_until_two_audits_have_ended_their_workers() {
    let outcome = check("LooksBack");
    let message = "where freed memory is overwritten, the call or dropping what it left ended \
                   the process by SIGSEGV";
    assert_eq!((outcome.n_structures(), outcome.findings()), (4, vec![(message.to_owned(), 2)]));
}

/// Each level has one structure, so contracts of two structures need those of other levels.
#[test]
fn a_worker_that_dies_when_it_is_asked_is_replaced_by_one_that_knows_as_much() {
    let outcome = check("Growing");
    assert_eq!(outcome.n_structures(), 8);
    let tally = |run: &CheckRun, name: &str| {
        let tally = run.contracts.iter().find(|tally| tally.name == name).unwrap();
        (tally.asked, tally.broken)
    };
    assert_eq!(tally(outcome.run(), "debug_returns"), (8, 1));
    let plain = check_on("Growing", &WithWorkers(None)).unwrap();
    for name in ["eq_symmetric", "ne_negates_eq", "eq_transitive", "clone_equal"] {
        assert_eq!(tally(outcome.run(), name), tally(&plain, name), "{name}");
    }
    // The call that is made alone, to see whether it dies there too, is not shown.
    let shown = [0, 1, 2, 3, 4, 5, 6, 7].map(|n| outcome.n_printed(&format!("{n} is shown")));
    assert_eq!(shown, [1, 1, 1, 1, 1, 0, 1, 1]);
    assert!(outcome.printed.iter().all(|printed| !printed.is_empty()));
}
