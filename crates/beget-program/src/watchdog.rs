//! Calls that do not end: a run whose time is up, or that is interrupted, ends all the same.
//!
//! A thread that runs a subject's code cannot be stopped. So the process ends without it: a run of
//! calls with everything up to its last batch ([`Watchdog`]), and all else with no more than a word
//! on why ([`stand_by`]).

use std::cell::RefCell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use beget_emit::{EmptySummary, Header};
use beget_engine::{Corpus, Interim, StoreView};
use beget_finding::StopReason;
use beget_guard::{CallInProgress, current_calls};

use crate::measure::Start;
use crate::{Exit, exit_guard, interrupt, print, stdout};

/// How long the calls of a batch may go on after the run should have ended. Most batches take less
/// than a second.
const GRACE: Duration = Duration::from_secs(2);

/// How long a call must have gone on to be named as one that does not end.
const STANDSTILL: Duration = Duration::from_secs(1);

/// Writes what a run has, and says how the program ends.
pub(crate) type Rescue<'r> = dyn FnMut(Corpus<StoreView<'_>>, &Start) -> Exit + 'r;

/// Watches over runs whose calls may not end.
#[derive(Default)]
pub(crate) struct Watchdog<'r> {
    /// Without it a run ends without results.
    rescue: RefCell<Option<&'r mut Rescue<'r>>>,
    seen: RefCell<Observation>,
}

/// What was seen of a run.
#[derive(Default)]
struct Observation {
    /// When it was first seen that the run should end.
    due: Option<Instant>,
    /// The calls being made, and when each was first seen.
    calls: Vec<(CallInProgress, Instant)>,
}

/// Why the process must end here and now.
pub(crate) enum Alarm {
    /// The subject ends it, by this call.
    Exit(CallInProgress),
    /// Calls go on although the run should have ended. These are the ones that do not seem to end.
    Standstill(StopReason, Vec<CallInProgress>),
}

impl<'r> Watchdog<'r> {
    pub(crate) fn new(rescue: &'r mut Rescue<'r>) -> Self {
        Watchdog { rescue: RefCell::new(Some(rescue)), seen: RefCell::default() }
    }

    /// Another run begins.
    pub(crate) fn begin_run(&self) {
        self.seen.take();
    }

    /// Looks at the calls in progress of a run that should end if it is `due`.
    pub(crate) fn look(&self, due: Option<StopReason>) -> Option<Alarm> {
        let now = Instant::now();
        let mut seen = self.seen.borrow_mut();
        seen.look(now);
        if let Some((call, _)) = seen.calls.iter().find(|(call, _)| call.ends_process) {
            return Some(Alarm::Exit(call.clone()));
        }
        let reason = due?;
        let is_over = now.duration_since(*seen.due.get_or_insert(now)) >= GRACE;
        is_over.then(|| Alarm::Standstill(reason, seen.standing(now)))
    }

    /// Ends the process, with what the run has if that can be written.
    pub(crate) fn end(&self, alarm: &Alarm, interim: &Interim<'_>, start: &Start) -> ! {
        let (reason, calls) = match alarm {
            Alarm::Exit(call) => exit_guard::tell_end_of_process(interim.source(call).as_deref()),
            Alarm::Standstill(reason, calls) => (*reason, calls),
        };
        let notes: Vec<String> = calls.iter().map(|call| tell(interim, call)).collect();
        notes.iter().for_each(|note| print::note(note));
        print::note("the run ends without the calls in progress, with what it had before them");
        let mut corpus = interim.corpus(reason);
        corpus.report.notes.extend(notes);
        let exit = match self.rescue.take() {
            Some(rescue) => rescue(corpus, start),
            None => without_results(reason.name(), &corpus.report.notes),
        };
        exit_guard::leave(exit as i32)
    }
}

impl Observation {
    fn look(&mut self, now: Instant) {
        let known = std::mem::take(&mut self.calls);
        let since = |call: &CallInProgress| {
            known.iter().find(|(known, _)| known == call).map(|known| known.1)
        };
        self.calls = current_calls()
            .into_iter()
            .map(|call| {
                let first = since(&call).unwrap_or(now);
                (call, first)
            })
            .collect();
    }

    /// The calls that have gone on for so long that they do not seem to end.
    fn standing(&self, now: Instant) -> Vec<CallInProgress> {
        let stands =
            |(_, first): &&(CallInProgress, Instant)| now.duration_since(*first) >= STANDSTILL;
        self.calls.iter().filter(stands).map(|(call, _)| call.clone()).collect()
    }
}

fn tell(interim: &Interim<'_>, call: &CallInProgress) -> String {
    match interim.source(call) {
        Some(source) => format!("a call does not end: {}", one_line(&source)),
        None => "a call, or reconstructing its arguments, does not end".to_owned(),
    }
}

/// Statements on one line.
pub(crate) fn one_line(source: &str) -> String {
    source.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

/// How long code may run that reports to nobody after the command should have ended: a repOK
/// without end, but also the comparison of large sets.
const LONG_GRACE: Duration = Duration::from_secs(30);

/// Counts the times that somebody asked whether to stop.
static HEARTBEATS: AtomicU64 = AtomicU64::new(0);
/// Whether a command is at work that should ask so.
static IS_ON: AtomicBool = AtomicBool::new(false);
/// When time is up.
static DEADLINE: Mutex<Option<Instant>> = Mutex::new(None);
/// What the command runs.
static HEADER: Mutex<Option<Header>> = Mutex::new(None);
/// Whether results are JSON.
static IS_JSON: AtomicBool = AtomicBool::new(false);

pub(crate) fn print_json() {
    IS_JSON.store(true, Relaxed);
}

pub(crate) fn heartbeat() {
    HEARTBEATS.fetch_add(1, Relaxed);
}

/// The work is over; what comes is writing, which may take its time.
pub(crate) fn stand_down() {
    IS_ON.store(false, Relaxed);
}

/// Ends the process if work that should have ended does not ask whether to stop. `header` tells what it is.
pub(crate) fn stand_by(max_seconds: Option<f64>, header: Header) {
    *HEADER.lock().expect("it only holds a value") = Some(header);
    let limit = max_seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
    *DEADLINE.lock().expect("it only holds a value") = deadline;
    IS_ON.store(true, Relaxed);
    static START: std::sync::Once = std::sync::Once::new();
    START.call_once(|| drop(std::thread::spawn(stand_guard)));
}

fn stand_guard() {
    let mut last = (HEARTBEATS.load(Relaxed), Instant::now());
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let is_time_up = DEADLINE
            .lock()
            .expect("it only holds a value")
            .is_some_and(|deadline| Instant::now() >= deadline);
        let beats = HEARTBEATS.load(Relaxed);
        let should_end = interrupt::is_interrupted() || is_time_up;
        if !should_end || !IS_ON.load(Relaxed) || beats != last.0 {
            last = (beats, Instant::now());
        } else if last.1.elapsed() >= LONG_GRACE {
            give_up(if interrupt::is_interrupted() { "interrupted" } else { "max_seconds" });
        }
    }
}

/// Nothing of the run can be reached from here.
fn give_up(stop_reason: &str) -> ! {
    print::note("the code under test does not return");
    exit_guard::leave(without_results(stop_reason, &[]) as i32)
}

/// Says that a command ends without its results.
fn without_results(stop_reason: &str, notes: &[String]) -> Exit {
    print::note("the command ends without results");
    if IS_JSON.load(Relaxed) {
        let begun = HEADER.lock().expect("it only holds a value").take().unwrap_or_default();
        let header = Header { complete: false, stop_reason: stop_reason.to_owned(), ..begun };
        let summary = EmptySummary { header, notes: notes.to_vec() };
        // Nothing is left to do if that fails.
        if let Ok(line) = serde_json::to_string(&summary) {
            let _ = stdout::write(&(line + "\n"));
        }
    }
    Exit::Stopped
}
