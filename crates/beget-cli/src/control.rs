//! Watching over a run: budgets of time and memory, interrupts, progress.

use std::io::IsTerminal;
use std::time::Duration;

use beget_finding::{LevelProgress, Limits, Progress, StopReason};
use beget_scope::Budget;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::General;
use crate::measure::{Start, rss_bytes};
use crate::{interrupt, print, watchdog};

/// What the engine reports to, and what may stop it.
#[derive(Debug)]
pub(crate) struct Control {
    budget: Budget,
    start: Start,
    /// The level in work, when it began and how many calls were made before.
    level: u32,
    level_start: f64,
    bar: Option<ProgressBar>,
    /// Whether each new level is told, where there is no terminal for a bar.
    tells_levels: bool,
}

impl Control {
    pub(crate) fn new(budget: Budget, general: &General) -> Self {
        watchdog::stand_by(budget.max_seconds);
        let shows_bar = !general.quiet && std::io::stderr().is_terminal();
        Control {
            budget,
            start: Start::now(),
            level: 0,
            level_start: 0.0,
            bar: shows_bar.then(new_bar),
            tells_levels: !general.quiet && !shows_bar && general.verbose > 0,
        }
    }

    pub(crate) fn start(&self) -> &Start {
        &self.start
    }

    /// Levels are counted anew; time and budgets go on.
    pub(crate) fn begin_run(&mut self) {
        self.level = 0;
    }

    /// Shows the progress and says whether the run must stop.
    pub(crate) fn check(&mut self, progress: Progress) -> Option<StopReason> {
        self.tell(progress);
        self.stop_reason(progress.store_bytes)
    }

    /// Shows the progress of a search from a repOK and says whether it must stop.
    pub(crate) fn check_search(&self, progress: Progress) -> Option<StopReason> {
        if let Some(bar) = &self.bar {
            let rate = progress.explored as f64 / self.start.seconds().max(0.001);
            let memory = rss_bytes().unwrap_or(0) >> 20;
            bar.set_message(format!(
                "{} candidates | {} structures | {rate:.0} candidates/s | {memory} MiB",
                progress.explored, progress.structures
            ));
        }
        self.stop_reason(0)
    }

    /// Whether the run must stop; the store is what is measured where the system does not tell the memory.
    pub(crate) fn stop_reason(&self, store_bytes: u64) -> Option<StopReason> {
        watchdog::heartbeat();
        if interrupt::is_interrupted() {
            return Some(StopReason::Interrupted);
        }
        let held = || rss_bytes().unwrap_or(store_bytes);
        Limits::from(self.budget).stop_reason(|| self.start.seconds(), held)
    }

    fn tell(&mut self, progress: Progress) {
        let seconds = self.start.seconds();
        let Some(level) = progress.level else { return };
        if level.number > self.level {
            self.level = level.number;
            self.level_start = seconds;
            if self.tells_levels {
                print::message(&format!(
                    "level {}: {} structures, {} calls so far",
                    level.number, progress.structures, progress.explored
                ));
            }
        }
        if let Some(bar) = &self.bar {
            bar.set_message(line(level, progress, seconds, seconds - self.level_start));
        }
    }

    /// Another run begins under the same budget of time: levels are counted anew.
    pub(crate) fn restart_levels(&mut self) {
        self.level = 0;
        self.level_start = self.start.seconds();
    }

    /// The work is over: takes the bar away.
    pub(crate) fn finish(&self) {
        watchdog::stand_down();
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn new_bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{spinner} {msg}").expect("the template is valid");
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Progress in one line; `seconds` since the start, `in_level` of them in this level.
fn line(level: LevelProgress, progress: Progress, seconds: f64, in_level: f64) -> String {
    let memory = rss_bytes().unwrap_or(progress.store_bytes) >> 20;
    let share = f64::from(level.done) / 1000.0;
    let left = match share {
        share if share >= 1.0 => String::new(),
        share if share > 0.0 => format!(", {:.0} s left", in_level * (1.0 - share) / share),
        _ => ", time left unknown".to_owned(),
    };
    format!(
        "level {} {:.1} %{left} | {} structures | {:.0} calls/s | {memory} MiB",
        level.number,
        share * 100.0,
        progress.structures,
        progress.explored as f64 / seconds.max(0.001),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_of_a_level_follows_from_its_share() {
        let level = LevelProgress { number: 4, done: 250 };
        let progress =
            Progress { explored: 500, structures: 12, store_bytes: 1 << 20, level: Some(level) };
        let line = line(level, progress, 5.0, 2.0);
        assert!(line.starts_with("level 4 25.0 %, 6 s left | 12 structures | 100 calls/s | "));
    }
}
