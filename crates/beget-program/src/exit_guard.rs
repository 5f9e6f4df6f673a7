//! Detects code under test that ends the process, so that no such run looks complete.
//!
//! `std::process::exit` runs a handler of ours before the process is gone. If a command is in
//! progress, the handler reports it and ends the process with [`Exit::Internal`]. Ends that run no
//! handlers (`abort`, `_exit`, a signal) are visible in the exit status.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use crate::{Exit, output, print};

/// The id of the process that runs a command, or 0. The code under test may fork.
static IN_PROGRESS: AtomicU32 = AtomicU32::new(0);

/// The time for the main thread to name the call.
const TIME_TO_TELL: Duration = Duration::from_secs(2);

/// Runs a command. Until it returns, any other exit of the process is the code's.
pub(crate) fn guarded<R>(command: impl FnOnce() -> R) -> R {
    listen();
    IN_PROGRESS.store(std::process::id(), Ordering::SeqCst);
    let result = command();
    IN_PROGRESS.store(0, Ordering::SeqCst);
    result
}

/// Disables the guard, because a supervisor watches the process.
pub(crate) fn stand_down() {
    IN_PROGRESS.store(0, Ordering::SeqCst);
}

/// Ends the process within a command, while its threads may still run.
pub(crate) fn leave(code: i32) -> ! {
    IN_PROGRESS.store(0, Ordering::SeqCst);
    output::discard_all();
    end(code)
}

fn end(code: i32) -> ! {
    #[cfg(unix)]
    signal_hook::low_level::exit(code);
    #[cfg(not(unix))]
    std::process::exit(code);
}

/// True once a thread that the code under test has started ends the process.
static IS_ENDED_ELSEWHERE: AtomicBool = AtomicBool::new(false);

/// True while the results of a run are written whose process the code under test has ended.
static IS_RESCUING: AtomicBool = AtomicBool::new(false);

/// Returns whether a thread that makes no calls ends the process.
pub(crate) fn is_ended_elsewhere() -> bool {
    IS_ENDED_ELSEWHERE.load(Ordering::SeqCst)
}

/// Keeps the process while the results of its run are written.
pub(crate) fn begin_rescue() {
    IS_RESCUING.store(true, Ordering::SeqCst);
}

extern "C" fn on_exit() {
    if IN_PROGRESS.load(Ordering::SeqCst) != std::process::id() {
        return;
    }
    if !beget_process::guard::mark_end_of_process() {
        IS_ENDED_ELSEWHERE.store(true, Ordering::SeqCst);
    }
    // A thread that waits for calls sees the mark, and can say more than this one.
    std::thread::sleep(TIME_TO_TELL);
    while IS_RESCUING.load(Ordering::SeqCst) {
        std::thread::sleep(TIME_TO_TELL);
    }
    tell_end_of_process(None);
}

/// Reports that the code under test ended the process, with the call if it is known.
pub(crate) fn tell_end_of_process(call: Option<&str>) -> ! {
    print::subject_ended(call);
    leave_without_results()
}

/// Ends the process of a command that has no results.
pub(crate) fn leave_without_results() -> ! {
    print::nothing_written();
    leave(Exit::Internal as i32)
}

#[allow(unsafe_code, reason = "the standard library has no handlers of exits")]
fn listen() {
    static LISTEN: Once = Once::new();
    // SAFETY: the handler is a function of this program, which is never unloaded, and does not
    // unwind: what it calls writes to stderr, removes files and sleeps, and ignores what goes wrong
    // there.
    LISTEN.call_once(|| match unsafe { libc::atexit(on_exit) } {
        0 => {}
        _ => print::note("if the code under test ends the process, that will not be noticed"),
    });
}
