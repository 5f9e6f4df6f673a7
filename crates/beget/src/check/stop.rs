//! Calls that end the process of a test, or do not return: the test fails, and names them.
//!
//! The calls of a test are made in its own process, on threads that
//! [stop](beget_process::guard::outlive_ends) where they would end it. So nothing is started and
//! nothing is sent, and the test fails as others do. The run goes on with another thread, but not
//! after `exit`, which no thread can try once more, nor where the threads are those of a pool.
//!
//! # Tried and decided against
//!
//! The command line has worker processes; a test has none. Tried and decided against, with the
//! numbers of the caching list in a debug build, on one thread:
//!
//! - **Workers as those of the command line** (the test binary once more, with the name of the test
//!   as its filter): 28 ms for each `check!` to start one, 20 to 40 % more CPU time in messages,
//!   and 4 more crates (`postcard` and `thiserror` with theirs) in every test's build. What stands
//!   before `check!` in the test would run twice. Doc tests, harnesses of one's own and a harness
//!   with one thread, which gives it no name, need other ways to come back to the same `check!`.
//! - **The whole test in a child** needs no messages, but the structures that `check!` returns are
//!   in the other process: the run would be made twice.
//! - **Threads that stop** cost nothing: the note of each call is there already, and a thread with
//!   three system calls a block. A handler of the signals that end a process, and of `exit`, notes
//!   which it is, and waits for ever; the thread that watches the run learns of the call. It works
//!   wherever threads do, with any harness. The run goes on: a thread that has said from within its
//!   handler that it will never return makes no step more, so what it borrows may go
//!   (`run_leavable` in `crates/beget-process/src/alloc/leaving.rs`), and the block is cut at the
//!   call as in the supervisor (`crates/beget-run/src/leaving.rs`). A call that does not return is
//!   sent the signal of an abort. What cannot be done is to confirm a call in a fresh process,
//!   since this one may be damaged: that is what `cargo beget check --processes 1` is for. `exit`
//!   ends the run: whoever tries it next waits for the first for ever, and nobody hears of it. So
//!   do threads of a pool, with the feature `threads`.
//!
//! The handler does what a handler may (atomics, system calls). If nobody says within ten seconds
//! that he has told of the end, it puts back what was there before it, and the end takes its
//! course. Signals of other processes and of threads that make no calls are not its concern.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use beget_engine::{Interim, with_contract};
use beget_plan::finding::{Finding, Kind, Problem, StopReason, Witness};
use beget_process::guard::{CallInProgress, OWN_WORK_FACTOR, ProcessEnd};
use beget_run::{Deepening, FailureTest, Film};

use super::{FoundFailures, shown_one};

/// The variable by which ends of the process take their course: `0`.
const OUTLIVE: &str = "BEGET_OUTLIVE_CRASHES";

/// The variable that says how many seconds a call may take; `0`: any number.
const CALL_SECONDS: &str = "BEGET_CALL_SECONDS";

/// Without it.
const USUAL_CALL_SECONDS: f64 = 60.0;

/// Returns whether a run goes on where a call would have ended the process: threads of a pool are
/// not left.
pub(super) fn goes_on() -> bool {
    !cfg!(feature = "threads") && beget_process::guard::outlives_ends()
}

/// So many calls of a run that do not return are left; the next one ends it.
const MOST_HANGS: u32 = 3;

/// So many threads of a run are left: each keeps its stack.
const MOST_LEFT: u32 = 1_000;

/// For so many seconds a call that does not return is given time to stop.
const SECONDS_TO_STOP: f64 = 10.0;

/// The calls of a run after which it has gone on.
#[derive(Clone, Debug, Default)]
pub(super) struct OutlivedCalls {
    n_left: u32,
    n_hangs: u32,
    /// The call that is being made, and since when.
    current: Option<(CallInProgress, f64)>,
}

impl OutlivedCalls {
    /// Returns whether the run may go on after one more such end. Who leaves by `exit` keeps all
    /// others from doing so, and from being noticed.
    pub(super) fn has_room_for(&self, end: ProcessEnd) -> bool {
        end != ProcessEnd::Exit && self.n_left < MOST_LEFT
    }

    /// Like [`OutlivedCalls::has_room_for`], and it goes on.
    pub(super) fn may_leave(&mut self, end: ProcessEnd) -> bool {
        let has_room = self.has_room_for(end);
        self.n_left += u32::from(has_room);
        has_room
    }

    /// Returns whether a call has gone on for so many seconds, and the run goes on without it.
    pub(super) fn is_long(&mut self, call: &CallInProgress, now: f64, most: f64) -> bool {
        let since = match &self.current {
            Some((known, since)) if known == call => *since,
            _ => {
                self.current = Some((call.clone(), now));
                now
            }
        };
        let most = if call.is_own_work { f64::from(OWN_WORK_FACTOR) * most } else { most };
        let is_long = now - since >= most && self.n_hangs < MOST_HANGS && !is_debugged();
        self.n_hangs += u32::from(is_long);
        is_long
    }

    /// How many seconds longer than it may a call may take before it ends the run.
    pub(super) fn patience(&self) -> f64 {
        match goes_on() && self.n_hangs < MOST_HANGS {
            true => SECONDS_TO_STOP,
            false => 0.0,
        }
    }
}

/// Returns whether a thread was left where the problem was met.
pub(super) fn is_of_left_thread(problem: &Problem) -> bool {
    goes_on() && [Kind::CRASH, Kind::HANG, Kind::LEFT_OUT].contains(&problem.kind)
}

/// What to know of calls that ended, or did not return, and the run went on.
pub(super) const UNCONFIRMED: &str = "\nCalls that would end the process, or do not return, are left on their \
                                      threads, which may have damaged what comes after them: `cargo beget check`, with \
                                      `--processes 1`, makes each once more in a process of its own. A call may take \
                                      longer if BEGET_CALL_SECONDS says so.\n";

/// What to do about a call that ends its process.
const ADVICE: &str = "\nThe run ends with this call. `cargo beget check` goes on without such calls, \
                      with `--processes 1`.\n";

/// From here on, calls that end the process stop their threads instead.
pub(super) fn outlive_ends() {
    if std::env::var_os(OUTLIVE).is_none_or(|value| value != "0") {
        beget_process::guard::outlive_ends();
    }
}

/// How long a call may take.
pub(super) fn call_seconds() -> Option<f64> {
    let told = std::env::var(CALL_SECONDS).ok();
    let seconds = told.map_or(USUAL_CALL_SECONDS, |told| match told.parse() {
        Ok(seconds) if seconds >= 0.0 => seconds,
        _ => panic!("{CALL_SECONDS} is a number of seconds, not `{told}`"),
    });
    (seconds > 0.0).then_some(seconds)
}

/// How long a check takes without a given k: as the scope says, unless the variable does.
pub(super) fn deepening_seconds(scope: Option<f64>) -> f64 {
    let told = std::env::var(Deepening::VARIABLE).ok();
    Deepening::seconds(told.as_deref(), scope).unwrap_or_else(|problem| panic!("{problem}"))
}

/// What becomes of a test whose call does not return.
pub(super) fn what_follows(call_seconds: Option<f64>) -> String {
    match call_seconds {
        Some(most) => {
            format!("if it does not within {most} seconds (`{CALL_SECONDS}`), the test fails")
        }
        None => {
            "if it never does, so does the test, unless the scope has a budget of `max_seconds`"
                .to_owned()
        }
    }
}

/// Returns whether somebody looks at the process with a debugger: then calls take any time.
pub(super) fn is_debugged() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
    tracer.is_some_and(|tracer| tracer.trim() != "0")
}

/// A call that has ended the process.
pub(super) fn found_end(
    interim: &Interim<'_>,
    call: &CallInProgress,
    end: ProcessEnd,
) -> FoundFailures {
    let problem = Problem::new(Kind::CRASH, format!("{} {end}", interim.culprit(call)));
    found(interim, call, problem, ADVICE)
}

/// A call that does not return within so many seconds.
pub(super) fn found_hang(interim: &Interim<'_>, call: &CallInProgress, most: f64) -> FoundFailures {
    let message = format!("{} does not return within {most} seconds", interim.culprit(call));
    let advice = format!("{ADVICE}A call may take longer if {CALL_SECONDS} says so.\n");
    found(interim, call, Problem::new(Kind::HANG, message), &advice)
}

fn found(
    interim: &Interim<'_>,
    call: &CallInProgress,
    problem: Problem,
    advice: &str,
) -> FoundFailures {
    let corpus = interim.corpus(StopReason::Interrupted);
    let problem = with_contract(problem, call);
    let witness = interim.recipe(call).map(Witness::of_call).unwrap_or_default();
    let finding = Finding { problem, count: 1, witness };
    let test = FailureTest::of(&corpus.plan, &finding, 1, None);
    let mut text = shown_one(&corpus.plan.suite, &test, &Film::default());
    // What they show is not made again in a process that should not be there any more.
    for finding in &corpus.report.findings {
        let _ = writeln!(text, "found before: {}", finding.problem);
    }
    let before = corpus.report.findings.iter().cloned();
    let findings = std::iter::once(finding).chain(before).collect();
    FoundFailures { findings, tests: Vec::new(), shown: BTreeMap::new(), text: text + advice }
}
