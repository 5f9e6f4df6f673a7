//! The one place where panics of a subject's code are caught.
//!
//! A panic in a subject's code is an outcome, not an error. [`guarded`] runs such code and keeps
//! its panic silent whatever panic hook is installed; [`last_panic`] has the message and the place.
//!
//! ```
//! use beget_process::guard::{guarded, last_panic};
//!
//! assert_eq!(guarded(|| 1 + 1), Ok(2));
//!
//! assert!(guarded(|| panic!("no such key")).is_err());
//! assert_eq!(last_panic().message, "no such key");
//! ```
//!
//! It does not know the code or its owner. It copes with:
//!
//! - A subject that installs its own panic hook. The message comes from the payload, which no hook
//!   can take away. The place is known only to a hook, so ours is installed again before the next
//!   guarded work, and the subject's is called for panics elsewhere. If the hook is replaced and
//!   the panic follows in the same work, the place is unknown.
//! - A payload whose destructor panics. It is dropped under guard too.
//! - A subject that panics on its own threads. Those panics do not belong to the guarded work: they
//!   go to the previous hook, and are not confused with a panic of this thread.
//!
//! A panic in a destructor that runs because of a panic aborts the process, as everywhere in Rust.
//!
//! [`CurrentCall`] notes which call each thread makes, for calls from which nothing returns.
//!
//! [`stop_with`] and [`stoppable`] are for the other use of unwinding: leaving infallible code.
//!
//! # Calls that never return
//!
//! A call may never return, and may end the process. Each worker notes its current call
//! (`CurrentCall` in `crates/beget-process/src/guard.rs`) by two plain stores. The thread that
//! commits waits for the calls of a batch and shows a watcher, ten times a second, the results up
//! to the last batch (`Interim` in `crates/beget-engine/src/run/interim.rs`). Nothing can interrupt
//! a call, so a watcher that gives up writes the results and ends the process; the borrow ends with
//! it. The run layer shows it to its host (`Host::waiting`; `Host::waiting_for_answer` for repOKs
//! and contracts, which run on separate threads). `beget::check!` makes its run on a thread that it
//! can leave, and its calls on threads that stop where they would end the process
//! (`crates/beget-process/src/alloc/ending.rs`). The command line does this in
//! `crates/beget-program/src/watchdog.rs` and `exit_guard.rs`.
#![warn(missing_docs)]

mod current;
mod hook;
mod stop;

use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};

pub use crate::alloc::{
    EndGuard, LeavableThread, ProcessEnd, ThreadStop, is_exit_taken, pause, run_leavable,
};
pub use current::{
    CallInProgress, CurrentCall, NOTE_WORDS, OWN_WORK_FACTOR, are_ends_noticed, be_watched,
    current_calls, mark_end_of_process, notes_own_work, outlive_ends, outlives_ends, share_note,
    tell_ends,
};
pub use hook::show_panics;
pub use stop::{stop_with, stoppable};

/// A panic's message and source position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PanicReport {
    /// The message; a fixed text if the payload is no string.
    pub message: String,
    /// `file:line:column` of the panic; a fixed text if no hook saw it.
    pub location: String,
}

impl fmt::Display for PanicReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "panicked at {}: {}", short_place(&self.location), self.message)
    }
}

/// A place for people: in a crate of a registry, without the directory that Cargo keeps it in.
pub fn short_place(place: &str) -> &str {
    let in_registry = place.split_once("/registry/src/").and_then(|(_, rest)| rest.split_once('/'));
    in_registry.map_or(place, |(_, in_crate)| in_crate)
}

/// Returns whether a place is in the standard library, wherever its sources are.
///
/// ```
/// use beget_process::guard::is_std_place;
///
/// assert!(is_std_place("/rustc/4a4ef493e3/library/alloc/src/rc.rs:7:9"));
/// assert!(is_std_place("/home/a/lib/rustlib/src/rust/library/alloc/src/rc.rs:7:9"));
/// assert!(!is_std_place("src/library/a.rs:7:9"));
/// ```
pub fn is_std_place(place: &str) -> bool {
    place.starts_with("/rustc/")
        || place.starts_with("library/")
        || place.contains("/lib/rustlib/src/rust/")
}

/// The work panicked; [`last_panic`] has the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaughtPanic;

thread_local! {
    static LAST: Cell<Option<PanicReport>> = const { Cell::new(None) };
}

/// Runs `work`, which may be a subject's code, and catches its panic.
///
/// The report is fetched separately, because `work` may run in a memory region that is restored
/// before anything allocated in it could be dropped.
#[inline]
pub fn guarded<R>(work: impl FnOnce() -> R) -> Result<R, CaughtPanic> {
    hook::ensure_installed();
    hook::enter();
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    hook::leave();
    result.map_err(caught)
}

/// The report of the last panic that was caught on this thread. It can be fetched once.
pub fn last_panic() -> PanicReport {
    LAST.take().unwrap_or_else(|| PanicReport {
        message: "a panic without a message".to_owned(),
        location: UNKNOWN_PLACE.to_owned(),
    })
}

/// Like [`last_panic`], for work in a memory region that must not free memory from outside: the
/// report can be read again.
pub fn look_at_last_panic<R>(look: impl FnOnce(&PanicReport) -> R) -> R {
    let report = last_panic();
    let seen = look(&report);
    LAST.set(Some(report));
    seen
}

const UNKNOWN_PLACE: &str = "an unknown place";

#[cold]
fn caught(payload: Box<dyn Any + Send>) -> CaughtPanic {
    // The report must not lie in a region that is on.
    crate::alloc::pause(|| LAST.set(Some(report_of(&*payload))));
    drop_quietly(payload);
    CaughtPanic
}

/// The message is the payload's. The place is the one that the hook noted, if it noted this panic:
/// it does not run for a resumed panic, nor while the subject has another hook installed.
fn report_of(payload: &(dyn Any + Send)) -> PanicReport {
    let message = hook::text_of(message_of(payload));
    let noted = hook::take_noted().filter(|noted| noted.message == message);
    let location = noted.map_or_else(|| UNKNOWN_PLACE.to_owned(), |noted| noted.location);
    PanicReport { message, location }
}

fn message_of(payload: &(dyn Any + Send)) -> Option<&str> {
    let text = payload.downcast_ref::<&'static str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
}

/// A payload is the subject's too: dropping it may panic again, with another such payload.
fn drop_quietly(payload: Box<dyn Any + Send>) {
    hook::enter();
    let dropped = panic::catch_unwind(AssertUnwindSafe(|| drop(payload)));
    hook::leave();
    if let Err(again) = dropped {
        std::mem::forget(again);
        crate::alloc::pause(|| drop(hook::take_noted()));
    }
}
