//! Work on several threads, or on one: the results are the same.
//!
//! The feature `threads` chooses between the threads of a pool, `pooled`, and `single`: one thread
//! besides the caller's, which waits and watches. A pool brings four crates, which a test's build
//! goes without.

#[cfg(feature = "threads")]
mod pooled;
#[cfg(not(feature = "threads"))]
mod single;

use std::convert::Infallible;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
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
        let results = PlacedResults::new(items.len());
        let (working, all) = channel();
        let work = |index: usize| results.put(index, work(&items[index]));
        self.start_all(items.len(), &work, working, &mut || wait_for_threads(&all, wait));
        results.into_all()
    }
}

/// The results of work on several threads, in places of their own.
///
/// The thread that waits for them is not woken by each: it sleeps until all are there.
#[derive(Debug)]
pub struct PlacedResults<R>(Vec<Mutex<Option<R>>>);

impl<R> PlacedResults<R> {
    /// Places for `n` results.
    pub fn new(n: usize) -> Self {
        PlacedResults((0..n).map(|_| Mutex::new(None)).collect())
    }

    /// Puts a result at its place.
    pub fn put(&self, index: usize, result: R) {
        *self.0[index].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    }

    /// Returns all results.
    ///
    /// # Panics
    ///
    /// If one is missing: the thread that should have put it there has panicked.
    pub fn into_all(self) -> Vec<R> {
        let taken = |place: Mutex<Option<R>>| {
            let result = place.into_inner().unwrap_or_else(PoisonError::into_inner);
            result.expect("all work has ended")
        };
        self.0.into_iter().map(taken).collect()
    }
}

/// Waits until no thread holds a sender to `threads` any more, and calls `wait` about ten times a
/// second meanwhile.
pub fn wait_for_threads(threads: &Receiver<Infallible>, wait: &mut dyn FnMut()) {
    while threads.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
        wait();
    }
}

/// Runs `work` on each item, on the threads of this thread's pool, if it has one.
pub fn map_all<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    chosen::map_all(items, work)
}

/// Does both, on two threads of this thread's pool, if it has one.
pub(crate) fn both(one: impl FnOnce() + Send, other: impl FnOnce() + Send) {
    chosen::both(one, other);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items_and_waiting_goes_on_meanwhile() {
        let items: Vec<u64> = (0..20).collect();
        let (mut n_waits, slow) = (0, TICK * 5 / 2);
        let work = |&item: &u64| {
            if item == 3 {
                std::thread::sleep(slow);
            }
            item * item
        };
        let squares = Pool::new(2).run_all(&items, work, &mut || n_waits += 1);
        assert_eq!(squares, items.iter().map(|item| item * item).collect::<Vec<_>>());
        assert!(n_waits >= 2, "{n_waits}");
        assert_eq!(Pool::new(2).run_all(&[], |item: &u64| *item, &mut || ()), []);
    }

    #[test]
    fn a_panic_of_the_work_reaches_the_caller() {
        let work = |&item: &u64| assert_ne!(item, 3);
        let run = || Pool::new(2).run_all(&[1, 2, 3, 4], work, &mut || ());
        assert!(std::panic::catch_unwind(run).is_err());
    }

    #[test]
    fn both_are_done() {
        let (mut one, mut other) = (0, 0);
        both(|| one = 1, || other = 2);
        assert_eq!((one, other), (1, 2));
    }
}
