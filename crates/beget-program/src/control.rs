//! The command line's services for runs: clock, memory, interrupts, and progress on the terminal.

use std::cell::Cell;
use std::io::IsTerminal;

use crate::records::{Header, counted, grouped};
use beget_args::cli::General;
use beget_engine::Interim;
use beget_plan::finding::{LevelProgress, Progress, StopReason};
use beget_plan::scope::{Budget, Plan};
use beget_run::random::SequenceObserver;
use beget_run::{Event, Host, LevelEnds, Machines, Questions, Workers};
use indicatif::ProgressBar;

use crate::measure::{Start, is_debugged, rss_bytes};
use crate::watchdog::{
    Alarm, CheckRescue, CompareRescue, RandomRescue, RepOkRescue, Rescue, Watchdog,
};
use crate::{interrupt, print, watchdog};

/// The receiver of a run's reports, and its source of time, memory and interrupts.
pub(crate) struct RunControl<'r> {
    start: Start,
    /// The current level and its start time.
    level: Cell<u32>,
    level_start: Cell<f64>,
    bar: Option<ProgressBar>,
    watchdog: Watchdog<'r>,
    /// The workers, if calls are not made by threads of this process.
    workers: Option<Box<dyn Workers>>,
    /// The processes that share the run.
    peers: Vec<Box<dyn Workers>>,
    machines: Option<&'r dyn Machines>,
    sequence_observer: Option<&'r dyn SequenceObserver>,
    /// True if notes are shown.
    shows_notes: bool,
    /// True if each new level is announced when there is no terminal for a bar.
    shows_levels: bool,
    /// The current k of a check without a given one, and the last k that was exhausted.
    k: Cell<Option<u32>>,
    reached: Cell<Option<u32>>,
    /// The seconds that a call may take in this process.
    call_seconds: Option<f64>,
}

impl<'r> RunControl<'r> {
    /// `header` describes the run, in case it ends without results.
    pub(crate) fn new(budget: Budget, header: Header, general: &General) -> Self {
        watchdog::stand_by(budget.max_seconds, header);
        let shows_bar = !general.quiet && std::io::stderr().is_terminal();
        RunControl {
            start: Start::now(),
            level: Cell::new(0),
            level_start: Cell::new(0.0),
            bar: shows_bar.then(print::new_bar),
            watchdog: Watchdog::default(),
            workers: None,
            peers: Vec::new(),
            machines: None,
            sequence_observer: None,
            shows_notes: !general.quiet,
            shows_levels: !general.quiet && !shows_bar && general.verbose > 0,
            k: Cell::new(None),
            reached: Cell::new(None),
            // A variable that is no number was refused before.
            call_seconds: watchdog::call_seconds().unwrap_or_default(),
        }
    }

    /// If calls do not end, or end the process, `rescue` writes the results of the run so far.
    pub(crate) fn with_rescue(self, rescue: &'r mut Rescue<'r>) -> Self {
        watchdog::outlive_ends();
        RunControl { watchdog: Watchdog::new(rescue), ..self }
    }

    /// If calls do not end, or end the process, the command ends and names them.
    pub(crate) fn without_rescue(self) -> Self {
        watchdog::outlive_ends();
        RunControl { watchdog: Watchdog::without_rescue(), ..self }
    }

    /// If calls of a check do not end, or end the process, `rescue` writes its results so far.
    pub(crate) fn with_check_rescue(self, rescue: &'r mut CheckRescue<'r>) -> Self {
        watchdog::outlive_ends();
        RunControl { watchdog: Watchdog::of_check(rescue), ..self }
    }

    /// If runs of the repOK do not end, `rescue` writes the results of the search so far.
    pub(crate) fn with_rep_ok_rescue(self, rescue: &'r mut RepOkRescue<'r>) -> Self {
        RunControl { watchdog: Watchdog::of_search(rescue), ..self }
    }

    /// If a comparison does not end, `rescue` writes the slacks completed so far.
    pub(crate) fn with_compare_rescue(self, rescue: &'r mut CompareRescue<'r>) -> Self {
        watchdog::outlive_ends();
        RunControl { watchdog: Watchdog::of_comparison(rescue), ..self }
    }

    /// If calls of a random run do not end, or end the process, `rescue` writes its results so far.
    /// Calls `are_tried` if other processes have made them before, within a limit of their own.
    pub(crate) fn with_random_rescue(
        self,
        rescue: &'r mut RandomRescue<'r>,
        are_tried: bool,
    ) -> Self {
        watchdog::outlive_ends();
        RunControl { watchdog: Watchdog::of_random(rescue, !are_tried), ..self }
    }

    /// Lets `workers` make the calls, if there are any.
    pub(crate) fn with_workers(self, workers: Option<Box<dyn Workers>>) -> Self {
        RunControl { workers, ..self }
    }

    /// Lets `peers` repeat the calls, if there are any.
    pub(crate) fn with_peers(self, peers: Vec<Box<dyn Workers>>) -> Self {
        RunControl { peers, ..self }
    }

    /// Shares the run with other processes, if there are any.
    pub(crate) fn with_machines(self, machines: Option<&'r dyn Machines>) -> Self {
        RunControl { machines, ..self }
    }

    /// The sequences of a random run are shown to an observer, if there is one.
    pub(crate) fn with_sequence_observer(
        self,
        sequence_observer: Option<&'r dyn SequenceObserver>,
    ) -> Self {
        RunControl { sequence_observer, ..self }
    }

    pub(crate) fn start(&self) -> &Start {
        &self.start
    }

    /// Shows the progress of a search, by levels or by candidates.
    fn show(&self, progress: Progress) {
        let seconds = self.start.seconds();
        let message = match progress.level {
            Some(level) => {
                self.enter(level.number, progress);
                let in_level = seconds - self.level_start.get();
                self.bar.as_ref().map(|_| line(level, progress, seconds, in_level))
            }
            None => self.bar.as_ref().map(|_| candidates_line(progress, seconds)),
        };
        if let (Some(bar), Some(message)) = (&self.bar, message) {
            bar.set_message(message);
        }
    }

    fn enter(&self, level: u32, progress: Progress) {
        if level <= self.level.get() {
            return;
        }
        self.level.set(level);
        self.level_start.set(self.start.seconds());
        if self.shows_levels {
            let Progress { structures, explored, .. } = progress;
            let k = self.k.get().map(|k| format!("k = {k}, ")).unwrap_or_default();
            let failures = failures(progress.failures, ", ");
            let (structures, calls) = (counted(structures, "structure"), counted(explored, "call"));
            print::message(&format!("{k}level {level}: {structures}, {calls}{failures} so far"));
        }
    }

    /// Returns whether calls have a limit here: workers have limits of their own, and other
    /// processes would wait for this one.
    fn limits_calls(&self) -> bool {
        self.machines.is_none() && self.workers.is_none() && !is_debugged()
    }

    /// Looks at the calls in progress. If they keep the run from its end, ends the process.
    fn watch_calls(
        &self,
        interim: &Interim<'_>,
        levels: Option<&dyn LevelEnds>,
        due: Option<StopReason>,
    ) {
        let now = self.start.seconds();
        let due = due.filter(|due| !self.is_patient(*due));
        let alarm = self.watchdog.look(now, interim, due);
        let most = self.call_seconds.filter(|_| self.limits_calls());
        let alarm = alarm.or_else(|| most.and_then(|most| self.watchdog.hangs(now, most)));
        // Ending one of several processes loses the run of all, and ending a check without a given
        // k loses what was exhausted before. Only a call that does not end justifies that, not a
        // slow batch.
        let is_alone = self.machines.is_none() && self.k.get().is_none();
        let must_end = |alarm: &Alarm| is_alone || alarm.is_of_calls();
        if let Some(alarm) = alarm.filter(must_end) {
            self.finish();
            self.tell_reached();
            self.watchdog.end(&alarm, interim, levels, (&self.start, self.reached.get()));
        }
        let slow = self.watchdog.slow_calls(now, interim);
        if self.shows_notes {
            slow.iter().for_each(|note| print::note(note));
        }
    }

    /// Prints the progress of a run that ends in the middle.
    fn tell_reached(&self) {
        if let Some(k) = self.reached.get() {
            print::note(&format!("nothing was found up to k = {k}"));
        }
    }

    /// Removes the bar when the work is over.
    pub(crate) fn finish(&self) {
        watchdog::stand_down();
        print::clear_bar();
    }
}

/// The header of an unfinished run of calls.
pub(crate) fn begun(plan: &Plan) -> Header {
    Header::new(plan, StopReason::Interrupted)
}

impl Host for RunControl<'_> {
    fn seconds(&self) -> f64 {
        self.start.seconds()
    }

    fn memory_bytes(&self) -> Option<u64> {
        rss_bytes()
    }

    fn cpu_seconds(&self) -> Option<f64> {
        self.start.cpu_seconds()
    }

    fn workers(&self) -> Option<&dyn Workers> {
        self.workers.as_deref()
    }

    fn peers(&self) -> &[Box<dyn Workers>] {
        &self.peers
    }

    fn machines(&self) -> Option<&dyn Machines> {
        self.machines
    }

    fn sequence_observer(&self) -> Option<&dyn SequenceObserver> {
        self.sequence_observer
    }

    /// All runs call this when they ask whether to stop.
    fn is_interrupted(&self) -> bool {
        watchdog::heartbeat();
        interrupt::is_interrupted()
    }

    fn report(&self, event: Event<'_>) {
        match event {
            Event::Begin => {
                self.level.set(0);
                self.level_start.set(self.start.seconds());
                self.watchdog.begin_run();
            }
            Event::Deepen { k } => {
                self.reached.set(self.k.replace(Some(k)));
                watchdog::now_at(k);
                if let Some(bar) = &self.bar {
                    bar.set_prefix(format!("k = {k} | "));
                }
            }
            Event::Progress(progress) => self.show(progress),
            Event::LongRun { growth, .. } if self.shows_notes && !growth.fields.is_empty() => {
                print::note(&growth.to_string());
            }
            Event::Generation { number, of, points, known, fitness } => {
                let known = known.map(|known| format!(" of {known}")).unwrap_or_default();
                let line = format!(
                    "generation {number} of {of}: best {fitness:.0}, {points:.1}{known} points"
                );
                match &self.bar {
                    Some(bar) => bar.set_prefix(line),
                    None if self.shows_levels => print::message(&line),
                    None => {}
                }
            }
            Event::MoreSlack { slack, gap } if self.shows_notes => print::note(&format!(
                "not built with a slack of {slack}: {gap} of the repOK's structures; trying {}",
                slack + 1
            )),
            _ => {}
        }
    }

    fn without_calls(&self, work: &mut dyn FnMut()) {
        watchdog::unwatched(work);
    }

    fn waiting(&self, interim: &Interim<'_>, due: Option<StopReason>) {
        self.watch_calls(interim, None, due);
    }

    fn waiting_in_check(
        &self,
        interim: &Interim<'_>,
        levels: &dyn LevelEnds,
        due: Option<StopReason>,
    ) {
        self.watch_calls(interim, Some(levels), due);
    }

    fn question_seconds(&self) -> Option<f64> {
        self.call_seconds.filter(|_| !is_debugged())
    }

    /// A check without a given k does not fail because a call takes longer than the rest of its
    /// time.
    fn is_patient(&self, due: StopReason) -> bool {
        let is_of_time = matches!(due, StopReason::MaxSeconds(_));
        is_of_time && self.k.get().is_some() && self.call_seconds.is_some() && self.limits_calls()
    }

    fn waiting_for_answer(&self, runs: &dyn Questions, due: Option<StopReason>) {
        let due = due.filter(|due| !self.is_patient(*due));
        let now = self.start.seconds();
        let standstill = self.watchdog.look_at_rep_oks(now, runs, due);
        let most = self.call_seconds.filter(|_| self.limits_calls());
        let endless = || most.and_then(|most| self.watchdog.endless_calls(now, most, runs));
        let standstill = standstill.or_else(endless);
        // As with calls: slow work alone does not justify it.
        let must_end =
            |(_, runs): &(StopReason, Vec<_>)| self.k.get().is_none() || !runs.is_empty();
        if let Some(standstill) = standstill.filter(must_end) {
            self.finish();
            self.tell_reached();
            self.watchdog.end_rep_oks(standstill, runs, &self.start);
        }
    }
}

/// The progress of a search from a repOK in one line.
fn candidates_line(progress: Progress, seconds: f64) -> String {
    let rate = progress.explored as f64 / seconds.max(0.001);
    let memory = rss_bytes().unwrap_or(0) >> 20;
    fitting(&[
        format!("{} candidates", grouped(progress.explored)),
        format!("{} structures", grouped(progress.structures)),
        format!("{} candidates/s", grouped(rate as u64)),
        format!("{} MiB", grouped(memory)),
    ])
}

/// Progress in one line; `seconds` since the start, `in_level` of them in this level.
fn line(level: LevelProgress, progress: Progress, seconds: f64, in_level: f64) -> String {
    let memory = rss_bytes().unwrap_or(progress.store_bytes) >> 20;
    let share = f64::from(level.done) / 1000.0;
    let left = match share {
        share if share >= 1.0 => String::new(),
        share if share > 0.0 => {
            let left = (in_level * (1.0 - share) / share).max(0.0).round();
            format!(", {} s left", grouped(left as u64))
        }
        _ => ", time left unknown".to_owned(),
    };
    let rate = progress.explored as f64 / seconds.max(0.001);
    let mut parts = vec![
        format!("level {} {:.1} %{left}", level.number, share * 100.0),
        format!("{} structures", grouped(progress.structures)),
        format!("{} calls/s", grouped(rate as u64)),
        format!("{} MiB", grouped(memory)),
    ];
    // The most important parts are cut last.
    let failures = failures(progress.failures, "");
    if !failures.is_empty() {
        parts.insert(1, failures);
    }
    fitting(&parts)
}

/// The parts that fit on a line of the terminal, beside the spinner and a prefix.
fn fitting(parts: &[String]) -> String {
    const BESIDE: usize = 12;
    let width = print::terminal_width().saturating_sub(BESIDE);
    joined_within(parts, width)
}

fn joined_within(parts: &[String], width: usize) -> String {
    let mut line = String::new();
    for part in parts {
        let separator = if line.is_empty() { "" } else { " | " };
        if !line.is_empty() && line.len() + separator.len() + part.len() > width {
            break;
        }
        line.push_str(separator);
        line.push_str(part);
    }
    line
}

/// The number of failed calls so far, if any.
fn failures(n: u64, separator: &str) -> String {
    match n {
        0 => String::new(),
        1 => format!("{separator}1 failure"),
        n => format!("{separator}{} failures", grouped(n)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_of_a_level_follows_from_its_share() {
        let level = LevelProgress { number: 4, done: 250 };
        let progress =
            Progress { explored: 500, structures: 12, level: Some(level), ..Progress::default() };
        let shown = line(level, progress, 5.0, 2.0);
        let wide = |shown: &str| shown.split(" | ").map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(wide(&shown)[..2], ["level 4 25.0 %, 6 s left", "12 structures"]);
        let failed = |failures| line(level, Progress { failures, ..progress }, 5.0, 2.0);
        assert_eq!(wide(&failed(1))[1], "1 failure");
        assert_eq!(wide(&failed(2000))[1], "2,000 failures");
    }

    #[test]
    fn no_time_left_is_less_than_none() {
        let level = LevelProgress { number: 4, done: 999 };
        let shown = line(level, Progress::default(), 5.0, -0.001);
        assert!(shown.starts_with("level 4 99.9 %, 0 s left"), "{shown}");
    }

    #[test]
    fn a_narrow_terminal_has_whole_parts_only() {
        let parts = ["level 4 25.0 %", "1,200 structures", "3 calls/s"].map(str::to_owned);
        assert_eq!(joined_within(&parts, 80), "level 4 25.0 % | 1,200 structures | 3 calls/s");
        assert_eq!(joined_within(&parts, 40), "level 4 25.0 % | 1,200 structures");
        assert_eq!(joined_within(&parts, 20), "level 4 25.0 %");
        assert_eq!(joined_within(&parts, 5), "level 4 25.0 %");
    }
}
