//! Work on a thread of its own, and a look now and then at what it is in the middle of.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use beget_finding::StopReason;

use crate::RepOkRun;

/// How often a waiting thread looks up.
const TICK: Duration = Duration::from_millis(100);

/// Runs of repOKs that are waited for, of a search or of a check.
pub trait RepOkRuns {
    /// The runs in progress, each by two numbers that no other run has.
    fn runs(&self) -> Vec<[u64; 2]>;

    /// What a run is of, for the user; `None` if it is over.
    fn source(&self, run: [u64; 2]) -> Option<String>;

    /// What a search would leave if it stopped now, for this reason; `None` where there is no search.
    fn so_far(&self, reason: StopReason) -> Option<RepOkRun>;
}

/// Does `work` and calls `wait` on this thread until it is done.
pub(crate) fn wait_for<R: Send>(work: impl FnOnce() -> R + Send, wait: &mut dyn FnMut()) -> R {
    let (sender, receiver) = channel::<()>();
    std::thread::scope(|scope| {
        let worker = scope.spawn(move || {
            // Dropped with the end of the work, however it ends.
            let _sender = sender;
            work()
        });
        while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(TICK) {
            wait();
        }
        worker.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}
