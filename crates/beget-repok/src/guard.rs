//! The one place where panics of a repOK are caught.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use beget_heap::view::TooManyReads;

use crate::report::Cause;

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
    static PLACE: Cell<Option<String>> = const { Cell::new(None) };
}

/// Runs `work`, which calls a repOK, and says how it ended if not by itself. Nothing is printed.
pub(crate) fn guarded<R>(work: impl FnOnce() -> R) -> Result<R, Cause> {
    install_hook();
    let was_guarded = IS_GUARDED.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    IS_GUARDED.set(was_guarded);
    result.map_err(cause)
}

fn cause(payload: Box<dyn Any + Send>) -> Cause {
    if payload.is::<TooManyReads>() {
        return Cause::Endless;
    }
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let message = text.or_else(|| payload.downcast_ref::<String>().cloned());
    let message = message.unwrap_or_else(|| "a panic payload that is no string".to_owned());
    Cause::Panic { message, location: PLACE.take().unwrap_or_default() }
}

/// Keeps guarded panics silent; other panics go to the hook that was installed before.
fn install_hook() {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if IS_GUARDED.get() {
                PLACE.set(info.location().map(ToString::to_string));
            } else {
                previous(info);
            }
        }));
    });
}
