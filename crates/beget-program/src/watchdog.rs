//! Ends a run whose calls end the process or do not return.
//!
//! A thread that runs the code under test cannot be stopped, so the process ends instead, when the
//! time of the run or of the call is up, or on an interrupt: a run of calls with all results up to
//! its last batch and the calls in progress as findings ([`Watchdog`]), any other command with a
//! message only ([`stand_by`]).

use std::cell::RefCell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::records::{EmptySummary, Header};
use beget_engine::{Corpus, Interim, StoreView};
use beget_plan::finding::StopReason;
use beget_process::guard::{CallInProgress, OWN_WORK_FACTOR, ProcessEnd};
use beget_run::{CheckRun, LevelEnds, Observation, Questions, RandomRun};
use beget_search::run::RepOkRun;

use crate::error::CliError;
use crate::measure::Start;
use crate::{Exit, exit_guard, interrupt, print, stdout};

/// Writes the results of a run so far and returns the exit code.
pub(crate) type Rescue<'r> = dyn FnMut(Corpus<StoreView<'_>>, &Start) -> Exit + 'r;

/// The same for a check. The last argument is the last k that was exhausted, if none was given.
pub(crate) type CheckRescue<'r> =
    dyn FnMut(CheckRun<StoreView<'_>>, &Start, Option<u32>) -> Exit + 'r;

/// The same for a search from a repOK.
pub(crate) type RepOkRescue<'r> = dyn FnMut(RepOkRun, &Start) -> Exit + 'r;

/// The same for a comparison; `None` if it has no results yet.
pub(crate) type CompareRescue<'r> = dyn FnMut(StopReason, &Start) -> Option<Exit> + 'r;

/// The same for a random run.
pub(crate) type RandomRescue<'r> = dyn FnMut(RandomRun, &Start) -> Exit + 'r;

/// Watches runs whose calls may not end.
#[derive(Default)]
pub(crate) struct Watchdog<'r> {
    /// Without it a run ends without results.
    rescue: RefCell<Option<&'r mut Rescue<'r>>>,
    /// The same for a check.
    check_rescue: RefCell<Option<&'r mut CheckRescue<'r>>>,
    /// The same for a search from a repOK.
    rep_ok_rescue: RefCell<Option<&'r mut RepOkRescue<'r>>>,
    /// The same for a comparison.
    compare_rescue: RefCell<Option<&'r mut CompareRescue<'r>>>,
    /// The same for a random run.
    random_rescue: RefCell<Option<&'r mut RandomRescue<'r>>>,
    /// True if a call that takes too long ends the command without results.
    limits_calls: bool,
    seen: RefCell<Observation<CallInProgress>>,
    /// The repOKs' runs.
    seen_rep_oks: RefCell<Observation<[u64; 2]>>,
}

/// The reason to end the process at once.
pub(crate) enum Alarm {
    /// The code under test ended it, by this call.
    Exit(CallInProgress),
    /// These calls did not return although the run should have ended, or in their own time.
    Standstill(StopReason, Vec<CallInProgress>),
}

/// The seconds that a call may take where no other process makes it.
const CALL_SECONDS: f64 = 10.0;

/// The variable with these seconds; `0` for any number.
const CALL_SECONDS_VARIABLE: &str = "BEGET_CALL_SECONDS";

/// From now on, calls that end the process stop their threads instead, unless the variable
/// `BEGET_OUTLIVE_CRASHES` is `0`: for a debugger or a sanitizer.
pub(crate) fn outlive_ends() {
    if std::env::var_os("BEGET_OUTLIVE_CRASHES").is_none_or(|value| value != "0") {
        beget_process::guard::outlive_ends();
    }
}

/// Returns the seconds that a call may take in this process.
pub(crate) fn call_seconds() -> Result<Option<f64>, CliError> {
    let Ok(text) = std::env::var(CALL_SECONDS_VARIABLE) else { return Ok(Some(CALL_SECONDS)) };
    match text.trim().parse::<f64>() {
        Ok(seconds) if seconds >= 0.0 => Ok((seconds > 0.0).then_some(seconds)),
        _ => Err(CliError::Usage(format!(
            "{CALL_SECONDS_VARIABLE} is a number of seconds, not `{text}`"
        ))),
    }
}

impl Alarm {
    /// Returns whether calls are to blame, and not a run that is merely slow to end.
    pub(crate) fn is_of_calls(&self) -> bool {
        match self {
            Alarm::Exit(_) => true,
            Alarm::Standstill(_, calls) => !calls.is_empty(),
        }
    }
}

impl<'r> Watchdog<'r> {
    pub(crate) fn new(rescue: &'r mut Rescue<'r>) -> Self {
        Watchdog { rescue: RefCell::new(Some(rescue)), ..Watchdog::default() }
    }

    /// For a run of calls that ends without results.
    pub(crate) fn without_rescue() -> Self {
        Watchdog { limits_calls: true, ..Watchdog::default() }
    }

    pub(crate) fn of_check(rescue: &'r mut CheckRescue<'r>) -> Self {
        Watchdog { check_rescue: RefCell::new(Some(rescue)), ..Watchdog::default() }
    }

    pub(crate) fn of_search(rescue: &'r mut RepOkRescue<'r>) -> Self {
        Watchdog { rep_ok_rescue: RefCell::new(Some(rescue)), ..Watchdog::default() }
    }

    pub(crate) fn of_comparison(rescue: &'r mut CompareRescue<'r>) -> Self {
        let compare_rescue = RefCell::new(Some(rescue));
        Watchdog { compare_rescue, limits_calls: true, ..Watchdog::default() }
    }

    /// For a random run; `limits_calls` says that no other process has tried its calls.
    pub(crate) fn of_random(rescue: &'r mut RandomRescue<'r>, limits_calls: bool) -> Self {
        let random_rescue = RefCell::new(Some(rescue));
        Watchdog { random_rescue, limits_calls, ..Watchdog::default() }
    }

    /// Notes that another run begins.
    pub(crate) fn begin_run(&self) {
        self.seen.take();
        self.seen_rep_oks.take();
    }

    /// Looks at the calls in progress at a time in seconds; a run that is `due` should end.
    pub(crate) fn look(
        &self,
        now: f64,
        interim: &Interim<'_>,
        due: Option<StopReason>,
    ) -> Option<Alarm> {
        let calls = interim.current_calls();
        if let Some(call) = calls.iter().find(|call| call.end.is_some()) {
            return Some(Alarm::Exit(call.clone()));
        }
        if exit_guard::is_ended_elsewhere()
            && let Some(call) = calls.first()
        {
            return Some(Alarm::Exit(CallInProgress {
                end: Some(ProcessEnd::Exit),
                ..call.clone()
            }));
        }
        let standstill = self.seen.borrow_mut().look(now, calls, due);
        standstill.map(|(reason, calls)| Alarm::Standstill(reason, calls))
    }

    /// Returns the calls that take longer than `most` seconds, or other work that takes longer by
    /// its factor, if this ends the run.
    pub(crate) fn hangs(&self, now: f64, most: f64) -> Option<Alarm> {
        if !self.limits_calls && !self.has_rescue() {
            return None;
        }
        let seen = self.seen.borrow();
        let is_call = |call: &CallInProgress| !call.is_own_work && call.method.is_some();
        let mut calls = seen.longer_than(now, most);
        calls.retain(is_call);
        let others = seen.longer_than(now, most * f64::from(OWN_WORK_FACTOR)).into_iter();
        calls.extend(others.filter(|call| !is_call(call)));
        (!calls.is_empty()).then_some(Alarm::Standstill(StopReason::Unreturned, calls))
    }

    /// Returns the calls that have just become slow, for the user.
    pub(crate) fn slow_calls(&self, now: f64, interim: &Interim<'_>) -> Vec<String> {
        let slow = self.seen.borrow_mut().newly_slow(now);
        let sources = slow.iter().filter_map(|call| interim.source(call));
        let told = |source: String| {
            format!("a call has not returned for five seconds: {}", one_line(&source))
        };
        sources.map(told).collect()
    }

    /// Looks at the running repOKs; returns the reason to end at once, and the runs that do not
    /// seem to end.
    pub(crate) fn look_at_rep_oks(
        &self,
        now: f64,
        runs: &dyn Questions,
        due: Option<StopReason>,
    ) -> Option<(StopReason, Vec<[u64; 2]>)> {
        if runs.ended().is_some() {
            return Some((StopReason::Unreturned, Vec::new()));
        }
        self.seen_rep_oks.borrow_mut().look(now, runs.runs(), due)
    }

    /// Returns the calls of sequences that take longer than `most` seconds, if this ends the run.
    /// Other work, such as making findings smaller, may take longer.
    pub(crate) fn endless_calls(
        &self,
        now: f64,
        most: f64,
        runs: &dyn Questions,
    ) -> Option<(StopReason, Vec<[u64; 2]>)> {
        if !self.limits_calls || runs.noun() != "call" {
            return None;
        }
        let mut calls = self.seen_rep_oks.borrow().longer_than(now, most);
        calls.retain(|&call| runs.source(call).is_some());
        (!calls.is_empty()).then_some((StopReason::Unreturned, calls))
    }

    fn has_rescue(&self) -> bool {
        self.rescue.borrow().is_some() || self.check_rescue.borrow().is_some()
    }

    /// Ends the process, with the results of the run if they can be written. Of a check, `levels`
    /// has the answers so far, and `reached` is the last k that was exhausted.
    pub(crate) fn end(
        &self,
        alarm: &Alarm,
        interim: &Interim<'_>,
        levels: Option<&dyn LevelEnds>,
        (start, reached): (&Start, Option<u32>),
    ) -> ! {
        let (reason, calls, notes) = match alarm {
            Alarm::Exit(call) => {
                let source = interim.source(call);
                print::subject_ended(source.as_deref());
                if !self.has_rescue() {
                    interim.tell_ends();
                    self.end_comparison(StopReason::Unreturned, start);
                    exit_guard::leave_without_results();
                }
                (StopReason::Unreturned, vec![call.clone()], Vec::new())
            }
            Alarm::Standstill(reason, calls) => {
                let notes: Vec<String> = calls.iter().map(|call| tell(interim, call)).collect();
                (*reason, calls.clone(), notes)
            }
        };
        notes.iter().for_each(|note| print::note(note));
        self.end_comparison(reason, start);
        exit_guard::begin_rescue();
        interim.tell_ends();
        limit_rescue(reason);
        print::note("the run ends without the calls in progress, with what it had before them");
        let mut corpus = interim.corpus_with(reason, &calls);
        corpus.report.ledger.extend_notes(notes.clone());
        let exit = match (self.rescue.take(), self.check_rescue.take()) {
            (Some(rescue), _) => rescue(corpus, start),
            (None, Some(rescue)) => {
                let run = match levels {
                    Some(levels) => levels.so_far(corpus),
                    None => Ok(CheckRun::of_calls(corpus)),
                };
                match run {
                    Ok(run) => rescue(run, start, reached),
                    Err(_) => without_results(reason.name(), &notes),
                }
            }
            (None, None) => without_results(reason.name(), &notes),
        };
        exit_guard::leave(exit as i32)
    }

    /// Ends a comparison with the slacks completed so far, if any.
    fn end_comparison(&self, reason: StopReason, start: &Start) {
        let Some(rescue) = self.compare_rescue.take() else { return };
        exit_guard::begin_rescue();
        limit_rescue(reason);
        if let Some(exit) = rescue(reason, start) {
            print::note("the comparison ends with the slacks that were completed");
            exit_guard::leave(exit as i32)
        }
    }

    /// Like [`Watchdog::end`], where `standing` runs of repOKs do not end.
    pub(crate) fn end_rep_oks(
        &self,
        (reason, standing): (StopReason, Vec<[u64; 2]>),
        runs: &dyn Questions,
        start: &Start,
    ) -> ! {
        if let Some(run) = runs.ended() {
            if self.random_rescue.borrow().is_none() {
                exit_guard::tell_end_of_process(runs.source(run).as_deref());
            }
            // The call is shown with the finding.
            print::subject_ended(None);
            exit_guard::begin_rescue();
            limit_rescue(reason);
        }
        // A call that takes longer than a call may is a finding of a random run.
        let is_endless = self.random_rescue.borrow().is_some() && reason == StopReason::Unreturned;
        let endless = if is_endless { &standing[..] } else { &[] };
        let others = standing.iter().filter(|run| !endless.contains(run));
        let notes: Vec<String> = others.map(|&run| tell_rep_ok(runs, run)).collect();
        notes.iter().for_each(|note| print::note(note));
        self.end_comparison(reason, start);
        if let (Some(rescue), Some(mut run)) =
            (self.random_rescue.take(), so_far::<RandomRun>(runs, reason, endless))
        {
            print::note(match endless.is_empty() {
                true => "the run ends with what it had before",
                false => "a call does not return: the run ends with what it had before",
            });
            run.notes.extend(notes);
            exit_guard::leave(rescue(run, start) as i32)
        }
        let exit = match (self.rep_ok_rescue.take(), so_far(runs, reason, &standing)) {
            (Some(rescue), Some(found)) => {
                print::note("the search ends with what it had before them");
                rescue(found, start)
            }
            _ => without_results(reason.name(), &notes),
        };
        exit_guard::leave(exit as i32)
    }
}

/// The time that writing the results of a run may take that calls have ended. The damage that they
/// have done is unknown: a lock may be held for ever.
const RESCUE_TIME: Duration = Duration::from_secs(120);

/// Ends the process if the results are not written in time.
fn limit_rescue(reason: StopReason) {
    std::thread::spawn(move || {
        std::thread::sleep(RESCUE_TIME);
        give_up(reason.name())
    });
}

fn tell(interim: &Interim<'_>, call: &CallInProgress) -> String {
    match interim.source(call) {
        Some(source) => format!("a call does not end: {}", one_line(&source)),
        None => "a call, or reconstructing its arguments, does not end".to_owned(),
    }
}

/// The result of a run of this kind if it stopped now.
fn so_far<R: 'static>(
    runs: &dyn Questions,
    reason: StopReason,
    standing: &[[u64; 2]],
) -> Option<R> {
    runs.so_far(reason, standing)?.downcast().ok().map(|run| *run)
}

fn tell_rep_ok(runs: &dyn Questions, run: [u64; 2]) -> String {
    match runs.source(run) {
        Some(source) => format!("a {} does not return: {}", runs.noun(), one_line(&source)),
        None => format!("a {} does not return", runs.noun()),
    }
}

/// Statements on one line.
pub(crate) fn one_line(source: &str) -> String {
    source.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

/// The time that code may run without reporting after the command should have ended, as a
/// comparison of large sets may, or an endless destructor while results are written.
const LONG_GRACE: Duration = Duration::from_secs(30);

/// The number of requests whether to stop.
static HEARTBEATS: AtomicU64 = AtomicU64::new(0);
/// True while a command is at work that should make such requests.
static IS_ON: AtomicBool = AtomicBool::new(false);
/// The time limit.
static DEADLINE: Mutex<Option<Instant>> = Mutex::new(None);
/// The command's run.
static HEADER: Mutex<Option<Header>> = Mutex::new(None);
/// True if results are JSON.
static IS_JSON: AtomicBool = AtomicBool::new(false);

pub(crate) fn print_json() {
    IS_JSON.store(true, Relaxed);
}

pub(crate) fn heartbeat() {
    HEARTBEATS.fetch_add(1, Relaxed);
}

/// Notes that the work is over and results are being written, which may take long.
pub(crate) fn stand_down() {
    IS_ON.store(false, Relaxed);
}

/// Does work without a time limit.
pub(crate) fn unwatched(work: &mut dyn FnMut()) {
    let was_on = IS_ON.swap(false, Relaxed);
    work();
    heartbeat();
    IS_ON.store(was_on, Relaxed);
}

/// Ends the process if work that should have ended does not ask whether to stop. `header` describes
/// the work.
pub(crate) fn stand_by(max_seconds: Option<f64>, header: Header) {
    *HEADER.lock().expect("it only holds a value") = Some(header);
    let limit = max_seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
    *DEADLINE.lock().expect("it only holds a value") = deadline;
    IS_ON.store(true, Relaxed);
    static START: std::sync::Once = std::sync::Once::new();
    START.call_once(|| drop(std::thread::spawn(stand_guard)));
}

/// Notes the current k of the command.
pub(crate) fn now_at(k: u32) {
    if let Some(header) = HEADER.lock().expect("it only holds a value").as_mut() {
        header.k = k;
    }
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

/// The results of the run cannot be reached from here.
fn give_up(stop_reason: &str) -> ! {
    print::note("the code under test does not return");
    exit_guard::leave(without_results(stop_reason, &[]) as i32)
}

/// Reports that a command ends without results.
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
