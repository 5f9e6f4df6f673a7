//! Interrupts: the first one asks the run to end in good order, the second ends the process.
//!
//! After the first one, results are written for at most [ten seconds](TIME_TO_WRITE), then closed.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// The time of the first interrupt.
static INTERRUPTED_AT: OnceLock<Instant> = OnceLock::new();

/// The time for writing results after an interrupt.
const TIME_TO_WRITE: Duration = Duration::from_secs(10);

/// The least time for writing, because calls may have used up the other.
const LEAST_TIME: Duration = Duration::from_secs(1);

/// Starts to listen for Ctrl-C and termination, even if the process was started with them ignored,
/// as background jobs are. A hangup is not handled, because `nohup` means that the run goes on.
/// Systems without signals are not supported.
pub(crate) fn listen() {
    #[cfg(unix)]
    signals::listen();
}

pub(crate) fn is_interrupted() -> bool {
    IS_INTERRUPTED.load(Ordering::Relaxed)
}

/// The time left for writing results after an interrupt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WriteLimit {
    begun: Instant,
}

impl WriteLimit {
    /// Writing begins.
    pub(crate) fn begin() -> Self {
        WriteLimit { begun: Instant::now() }
    }

    /// Returns whether the time for writing after an interrupt is over.
    pub(crate) fn is_over(&self) -> bool {
        is_interrupted()
            && INTERRUPTED_AT.get().is_some_and(|at| is_over(at.elapsed(), self.begun.elapsed()))
    }
}

/// Returns whether writing should end, `writing` after its start.
fn is_over(interrupted: Duration, writing: Duration) -> bool {
    interrupted >= TIME_TO_WRITE && writing >= LEAST_TIME
}

#[cfg(unix)]
mod signals {
    use std::sync::atomic::Ordering;
    use std::time::Instant;

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    use super::{INTERRUPTED_AT, IS_INTERRUPTED};
    use crate::{exit_guard, print};

    /// The exit code that a shell expects of a process that Ctrl-C ended.
    const KILLED: i32 = 130;

    pub(super) fn listen() {
        match Signals::new([SIGINT, SIGTERM]) {
            Ok(signals) => drop(std::thread::spawn(|| hear(signals))),
            Err(error) => print::note(&format!("an interrupt will lose what was found: {error}")),
        }
    }

    fn hear(mut signals: Signals) {
        for _ in signals.forever() {
            if IS_INTERRUPTED.load(Ordering::Relaxed) {
                exit_guard::leave(KILLED);
            }
            print::clear_bar();
            // Print first, because a short run may be over soon.
            print::note("interrupted: ending in good order; interrupt again to give up at once");
            let _ = INTERRUPTED_AT.set(Instant::now());
            IS_INTERRUPTED.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_ends_ten_seconds_after_an_interrupt_and_has_one_at_least() {
        let is_over = |interrupted: u64, writing: u64| {
            super::is_over(Duration::from_millis(interrupted), Duration::from_millis(writing))
        };
        assert!(!is_over(0, 60_000), "a run that is written when the interrupt comes");
        assert!(!is_over(9_999, 9_999));
        assert!(is_over(10_000, 60_000));
        assert!(is_over(10_000, 1_000), "the calls took nine seconds to end");
        assert!(!is_over(30_000, 999), "the calls took long to end");
    }
}
