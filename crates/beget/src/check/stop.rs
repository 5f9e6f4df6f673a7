//! Calls that end the process of a test, or do not return: the test fails, and names them.
//!
//! A test makes its calls in its own process, on threads that
//! [stop](beget_process::guard::outlive_ends) where a call would end the process. So nothing is
//! started or sent, and the test fails as others do. The run continues with another thread, except
//! after `exit`, which no thread can try again, and on threads of a pool.
//!
//! # Tried and decided against
//!
//! The command line has worker processes; a test has none. The numbers are for the caching list in
//! a debug build, on one thread:
//!
//! - **Workers like those of the command line** (the test binary once more, with the name of the
//!   test as its filter): 28 ms for each `check!` to start one, 20 to 40 % more CPU time in
//!   messages, and 4 more crates (`postcard` and `thiserror` with their dependencies) in every
//!   test's build. The code before `check!` in the test would run twice. Doc tests, other
//!   harnesses, and a harness with one thread, which gives it no name, need other ways to return to
//!   the same `check!`.
//! - **The whole test in a child** needs no messages, but the structures that `check!` returns are
//!   in the other process: the run would be made twice.
//! - **Threads that stop** cost nothing: the note of each call is there already, and a thread with
//!   three system calls a block. A handler of the signals that end a process, and of `exit`, notes
//!   which it is, and waits for ever; the thread that watches the run learns of the call. It works
//!   wherever threads do, with any harness. The run continues: a thread whose handler has promised
//!   never to return makes no further step, so its borrows may end (`run_leavable` in
//!   `crates/beget-process/src/alloc/leaving.rs`), and the block is cut at the call as in the
//!   supervisor (`crates/beget-run/src/leaving.rs`). A call that does not return gets the signal of
//!   an abort. A call cannot be confirmed in a fresh process, since this one may be damaged: `cargo
//!   beget check --processes 1` does that. `exit` ends the run: every further caller waits for the
//!   first for ever, unnoticed. So do threads of a pool, with the feature `threads`.
//!
//! The handler does only what a handler may (atomics, system calls). If the watching thread does
//! not confirm within ten seconds that it has reported the end, the handler restores its
//! predecessor, and the process ends. It ignores signals of other processes and of threads that
//! make no calls.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use beget_engine::{Interim, named_by_work};
use beget_plan::finding::{Finding, Kind, Problem, StopReason, Witness};
use beget_process::guard::{CallInProgress, OWN_WORK_FACTOR, ProcessEnd};
use beget_run::{Deepening, FailureTest, Film, LevelEnds};

use super::{FoundFailures, shown_one};

/// The variable that, set to `0`, lets calls end the process.
const OUTLIVE: &str = "BEGET_OUTLIVE_CRASHES";

/// The variable with the seconds that a call may take; `0` for any number.
const CALL_SECONDS: &str = "BEGET_CALL_SECONDS";

/// The seconds without that variable.
const USUAL_CALL_SECONDS: f64 = 60.0;

/// Returns whether a run continues after a call that would have ended the process: threads of a
/// pool are not left.
pub(super) fn goes_on() -> bool {
    !cfg!(feature = "threads") && beget_process::guard::outlives_ends()
}

/// The number of calls that do not return and are left; the next one ends the run. A method is
/// called no more after three of them.
const MOST_HANGS: u32 = 9;

/// The number of threads that a run leaves: each keeps its stack.
const MOST_LEFT: u32 = 1_000;

/// The seconds that a call that does not return has to stop.
const SECONDS_TO_STOP: f64 = 10.0;

/// The calls of a run after which it has continued.
#[derive(Clone, Debug, Default)]
pub(super) struct OutlivedCalls {
    n_left: u32,
    n_hangs: u32,
    /// The call that is being made, and its start.
    current: Option<(CallInProgress, f64)>,
}

impl OutlivedCalls {
    /// Returns whether the run may continue after one more such end. A thread that leaves by `exit`
    /// keeps all others from doing so, and from being noticed.
    pub(super) fn has_room_for(&self, end: ProcessEnd) -> bool {
        end != ProcessEnd::Exit && self.n_left < MOST_LEFT
    }

    /// Like [`OutlivedCalls::has_room_for`], and counts the end if so.
    pub(super) fn may_leave(&mut self, end: ProcessEnd) -> bool {
        let has_room = self.has_room_for(end);
        self.n_left += u32::from(has_room);
        has_room
    }

    /// Returns whether a call takes longer than `most` seconds and the run continues without it.
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

    /// Returns the seconds beyond its limit after which a call ends the run.
    pub(super) fn patience(&self) -> f64 {
        match goes_on() && self.n_hangs < MOST_HANGS {
            true => SECONDS_TO_STOP,
            false => 0.0,
        }
    }
}

/// Returns whether the problem is of a thread that was left.
pub(super) fn is_of_left_thread(problem: &Problem) -> bool {
    goes_on() && [Kind::Crash, Kind::Hang, Kind::LeftOut].contains(&problem.kind)
}

/// The note on calls that ended, or did not return, while the run continued.
pub(super) const UNCONFIRMED: &str = "\nCalls that would end the process, or do not return, are left on their \
                                      threads, which may have damaged what comes after them: `cargo beget check`, with \
                                      `--processes 1`, makes each once more in a process of its own. A call may take \
                                      longer if BEGET_CALL_SECONDS says so.\n";

/// The advice about a call that ends its process.
const ADVICE: &str = "\nThe run ends with this call. `cargo beget check` goes on without such calls, \
                      with `--processes 1`.\n";

/// From now on, calls that end the process stop their threads instead.
pub(super) fn outlive_ends() {
    if std::env::var_os(OUTLIVE).is_none_or(|value| value != "0") {
        beget_process::guard::outlive_ends();
    }
}

/// Returns the seconds that a call may take.
pub(super) fn call_seconds() -> Option<f64> {
    let told = std::env::var(CALL_SECONDS).ok();
    let seconds = told.map_or(USUAL_CALL_SECONDS, |told| match told.parse() {
        Ok(seconds) if seconds >= 0.0 => seconds,
        _ => panic!("{CALL_SECONDS} is a number of seconds, not `{told}`"),
    });
    (seconds > 0.0).then_some(seconds)
}

/// Returns the seconds of a check without a given k: those of the variable, or else of the scope.
pub(super) fn deepening_seconds(scope: Option<f64>) -> f64 {
    let told = std::env::var(Deepening::VARIABLE).ok();
    Deepening::seconds(told.as_deref(), scope).unwrap_or_else(|problem| panic!("{problem}"))
}

/// Says how a test continues whose call does not return.
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

/// Returns whether a debugger is attached: then calls may take any time.
pub(super) fn is_debugged() -> bool {
    beget_run::is_debugged(|path| fs::read_to_string(path).ok())
}

/// Makes the finding for a call that has ended the process.
pub(super) fn found_end(
    (interim, levels): (&Interim<'_>, Option<&dyn LevelEnds>),
    call: &CallInProgress,
    end: ProcessEnd,
) -> FoundFailures {
    let problem = Problem::new(Kind::Crash, format!("{} {end}", interim.culprit(call)));
    found((interim, levels), call, problem, ADVICE)
}

/// Makes the finding for a call that does not return within `most` seconds.
pub(super) fn found_hang(
    (interim, levels): (&Interim<'_>, Option<&dyn LevelEnds>),
    call: &CallInProgress,
    most: f64,
) -> FoundFailures {
    let message = format!("{} does not return within {most} seconds", interim.culprit(call));
    let advice = format!("{ADVICE}A call may take longer if {CALL_SECONDS} says so.\n");
    found((interim, levels), call, Problem::new(Kind::Hang, message), &advice)
}

/// Makes the finding for a call that does not return when a budget should have ended the run.
pub(super) fn found_standing(
    (interim, levels): (&Interim<'_>, Option<&dyn LevelEnds>),
    call: &CallInProgress,
    due: StopReason,
) -> FoundFailures {
    let message = format!("{} does not return", interim.culprit(call));
    let advice = format!("\nNot everything was tried: {due}.\n{ADVICE}");
    found((interim, levels), call, Problem::new(Kind::Hang, message), &advice)
}

/// Makes the finding of a call that ends the run, and adds what was found before.
fn found(
    (interim, levels): (&Interim<'_>, Option<&dyn LevelEnds>),
    call: &CallInProgress,
    problem: Problem,
    advice: &str,
) -> FoundFailures {
    let corpus = interim.corpus(StopReason::Interrupted);
    let problem = named_by_work(&corpus.plan, problem, call);
    let witness = interim.recipe(call).map(Witness::of_call).unwrap_or_default();
    let finding = Finding { problem, count: 1, witness };
    let test = FailureTest::of(&corpus.plan, &finding, 1, None);
    let mut text = shown_one(&corpus.plan.suite, &test, &Film::default());
    let of_calls = corpus.report.findings.clone();
    let of_check = levels.and_then(|levels| levels.so_far(corpus).ok());
    let before = of_check.map_or(of_calls, |run| run.findings().cloned().collect());
    // Their failures are not made again in a process that should have ended.
    for finding in &before {
        let _ = writeln!(text, "found before: {}", finding.problem);
    }
    let findings = std::iter::once(finding).chain(before).collect();
    FoundFailures { findings, tests: Vec::new(), shown: BTreeMap::new(), text: text + advice }
}
