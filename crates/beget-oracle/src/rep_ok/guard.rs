//! How a repOK ends, if not with an answer.

use beget_heap::view::TooManyReads;
use beget_process::guard::{PanicReport, last_panic, stoppable};

use super::cause::Cause;

/// Runs `work`, which calls a repOK, and says how it ended if not by itself. Nothing is printed.
pub fn guarded<R>(work: impl FnOnce() -> R) -> Result<R, Cause> {
    match beget_process::guard::guarded(|| stoppable::<TooManyReads, _>(work)) {
        Ok(ended) => ended.map_err(|TooManyReads| Cause::Endless),
        Err(_) => {
            let PanicReport { message, location } = last_panic();
            Err(Cause::Panic { message, location })
        }
    }
}
