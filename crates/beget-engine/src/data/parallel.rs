//! Work on several threads, or on one: the results are the same.
//!
//! The feature `threads` chooses between the threads of a pool, `pooled`, and `single`: one thread
//! besides the caller's, which waits and watches. A pool brings four crates, which a test's build
//! goes without.

#[cfg(feature = "threads")]
mod pooled;
#[cfg(not(feature = "threads"))]
mod single;

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

#[cfg(feature = "threads")]
use pooled as chosen;
#[cfg(not(feature = "threads"))]
use single as chosen;

pub use chosen::Pool;

/// The interval at which a waiting thread wakes up.
const TICK: Duration = Duration::from_millis(100);

/// Recipes are as deep as structures.
const STACK: usize = 64 << 20;

impl Pool {
    /// Runs `work` on each item, and calls `wait` on this thread until all are done. The results
    /// are in the order of the items.
    pub fn run_all<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&T) -> R + Sync,
        wait: &mut dyn FnMut(),
    ) -> Vec<R> {
        let mut results = Vec::new();
        let (sender, receiver) = channel();
        self.start_all(items, &work, sender, &mut || {
            results = gather(&receiver, items.len(), wait);
        });
        results
    }
}

/// Collects `n` results, each with its position, until all senders are gone, and calls `wait` about
/// ten times a second meanwhile.
///
/// # Panics
///
/// If one is missing: the thread that should have sent it has panicked.
pub fn gather<R>(receiver: &Receiver<(usize, R)>, n: usize, wait: &mut dyn FnMut()) -> Vec<R> {
    let mut results: Vec<Option<R>> = (0..n).map(|_| None).collect();
    loop {
        match receiver.recv_timeout(TICK) {
            Ok((index, result)) => results[index] = Some(result),
            Err(RecvTimeoutError::Timeout) => wait(),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    results.into_iter().map(|result| result.expect("all work has ended")).collect()
}

/// Runs `work` on each item, on the threads of this thread's pool, if it has one.
pub fn map_all<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    chosen::map_all(items, work)
}
