//! The one place where panics of a subject are caught.
//!
//! A panic in a subject's code is an outcome. It is kept silent, whatever panic hook is installed, and its message and place
//! are handed to the caller.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

/// A panic's message and source position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct PanicReport {
    /// The message; a fixed text if the payload is no string.
    pub message: String,
    /// `file:line:column` of the panic.
    pub location: String,
}

impl std::fmt::Display for PanicReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "panicked at {}: {}", self.location, self.message)
    }
}

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
    static LAST: RefCell<Option<PanicReport>> = const { RefCell::new(None) };
}

/// The work panicked; [`last_panic`] says how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Panicked;

/// Runs `work`, which may be a subject's code, and catches its panic.
///
/// The report is fetched apart, because `work` may run in a memory region that is put back
/// before anything allocated in it could be dropped.
#[inline]
pub(crate) fn guarded<R>(work: impl FnOnce() -> R) -> Result<R, Panicked> {
    let was_guarded = IS_GUARDED.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    IS_GUARDED.set(was_guarded);
    result.map_err(|payload| {
        drop_quietly(payload);
        Panicked
    })
}

/// The report of the last panic that was caught on this thread.
pub(crate) fn last_panic() -> PanicReport {
    LAST.take().unwrap_or_else(unhooked)
}

/// A payload is the subject's too: dropping it may panic again.
fn drop_quietly(payload: Box<dyn std::any::Any + Send>) {
    if let Err(again) = panic::catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(again);
    }
}

fn unhooked() -> PanicReport {
    PanicReport { message: "a panic without a message".into(), location: "an unknown place".into() }
}

/// Installs the hook that keeps guarded panics silent; other panics go to the hook installed before.
pub(crate) fn install_hook() {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_GUARDED.get() {
                previous(info);
                return;
            }
            beget_alloc::pause(|| {
                let message = info.payload_as_str().unwrap_or("a panic payload that is no string");
                let location = info.location().map(ToString::to_string).unwrap_or_default();
                LAST.set(Some(PanicReport { message: message.to_owned(), location }));
            });
        }));
    });
}
