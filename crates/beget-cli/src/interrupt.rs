//! Interrupts: the first one asks the run to end in good order, the second ends the process.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::print;

static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// What a shell expects of a process that Ctrl-C ended.
const KILLED: i32 = 130;

/// Listens for Ctrl-C and termination from here on.
pub(crate) fn listen() {
    let heard = ctrlc::try_set_handler(|| {
        if IS_INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(KILLED);
        }
        print::note("interrupted: ending in good order; interrupt again to give up at once");
    });
    if let Err(error) = heard {
        print::note(&format!("an interrupt will lose what was found: {error}"));
    }
}

pub(crate) fn is_interrupted() -> bool {
    IS_INTERRUPTED.load(Ordering::Relaxed)
}
