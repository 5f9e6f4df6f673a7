//! Leaving infallible code by unwinding with a reason. No hook runs, and nothing is printed.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};

/// Unwinds to the [`stoppable`] work that expects such a reason.
pub fn stop_with<S: Any + Send>(reason: S) -> ! {
    panic::resume_unwind(Box::new(reason))
}

/// Runs `work`, which may be left by [`stop_with`] a reason of this type. All other unwinding
/// continues.
///
/// # Errors
/// The reason, if it was left.
///
/// ```
/// use beget_process::guard::{stop_with, stoppable};
///
/// struct TooLong;
///
/// let is_found = |n: u32, most| if n > most { stop_with(TooLong) } else { n * n > 50 };
/// let count = |most| stoppable::<TooLong, _>(|| (1..).find(|&n| is_found(n, most)));
/// assert!(matches!(count(10), Ok(Some(8))));
/// assert!(matches!(count(5), Err(TooLong)));
/// ```
#[inline]
pub fn stoppable<S: Any, R>(work: impl FnOnce() -> R) -> Result<R, S> {
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast() {
        Ok(reason) => *reason,
        Err(panic) => panic::resume_unwind(panic),
    })
}
