//! Interrupts: the first one asks the run to end in good order, the second ends the process.

use std::sync::atomic::{AtomicBool, Ordering};

static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Listens for Ctrl-C and termination from here on, also where the process was started with them
/// ignored, as background jobs are. A hangup is left alone: `nohup` means that the run goes on.
/// Systems without signals are not listened to.
pub(crate) fn listen() {
    #[cfg(unix)]
    signals::listen();
}

pub(crate) fn is_interrupted() -> bool {
    IS_INTERRUPTED.load(Ordering::Relaxed)
}

#[cfg(unix)]
mod signals {
    use std::sync::atomic::Ordering;

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    use super::IS_INTERRUPTED;
    use crate::{exit_guard, print};

    /// What a shell expects of a process that Ctrl-C ended.
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
            // First, or a short run may be over before it is said.
            print::note("interrupted: ending in good order; interrupt again to give up at once");
            IS_INTERRUPTED.store(true, Ordering::Relaxed);
        }
    }
}
