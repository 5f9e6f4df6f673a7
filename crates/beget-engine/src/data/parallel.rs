//! Work on several threads, or on one: the results are the same.
//!
//! Without the feature `threads` there is one, beside the caller's, which waits and watches.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How often a waiting thread looks up.
const TICK: Duration = Duration::from_millis(100);

/// Recipes are deep where structures are.
const STACK: usize = 64 << 20;

/// The threads that make a run's calls.
#[derive(Debug)]
pub(crate) struct Pool {
    #[cfg(feature = "threads")]
    pool: rayon_core::ThreadPool,
}

impl Pool {
    /// So many threads; 0 stands for all cores.
    ///
    /// # Panics
    /// If they cannot be started.
    #[cfg(feature = "threads")]
    pub(crate) fn new(threads: usize) -> Self {
        let pool = rayon_core::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK);
        Pool { pool: pool.build().expect("a thread pool can be started") }
    }

    /// One thread, when there is work.
    #[cfg(not(feature = "threads"))]
    pub(crate) fn new(_: usize) -> Self {
        Pool {}
    }

    /// Runs `work` on one of the threads, so that parallel work in it uses the others.
    pub(crate) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        #[cfg(feature = "threads")]
        return self.pool.install(work);
        #[cfg(not(feature = "threads"))]
        work()
    }

    /// Runs `work` on each item, and calls `wait` on this thread until all are done. The results
    /// have the order of the items.
    pub(crate) fn run_all<T: Sync, R: Send>(
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

    #[cfg(feature = "threads")]
    fn start_all<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: &(impl Fn(&T) -> R + Sync),
        sender: Sender<(usize, R)>,
        listen: &mut dyn FnMut(),
    ) {
        self.pool.in_place_scope(|scope| {
            for (index, item) in items.iter().enumerate() {
                let sender = sender.clone();
                // Nobody has stopped listening: the scope outlives its work.
                scope.spawn(move |_| drop(sender.send((index, work(item)))));
            }
            drop(sender);
            listen();
        });
    }

    #[cfg(not(feature = "threads"))]
    fn start_all<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: &(impl Fn(&T) -> R + Sync),
        sender: Sender<(usize, R)>,
        listen: &mut dyn FnMut(),
    ) {
        std::thread::scope(|scope| {
            let run = move || {
                for (index, item) in items.iter().enumerate() {
                    drop(sender.send((index, work(item))));
                }
            };
            let thread = std::thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, run).expect("a thread can be started");
            listen();
        });
    }
}

/// Takes `n` results, each with its position, until nobody works any more, and calls `wait` about
/// ten times a second meanwhile.
///
/// # Panics
/// If one is missing: whoever should have sent it has panicked.
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

/// Runs `work` on each item, on the threads of the pool that this one belongs to, if it does.
pub fn map_all<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    #[cfg(feature = "threads")]
    {
        let items: Vec<T> = items.into_iter().collect();
        let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
        let work = &work;
        rayon_core::scope(|scope| {
            for (item, result) in items.into_iter().zip(&mut results) {
                scope.spawn(move |_| *result = Some(work(item)));
            }
        });
        results.into_iter().map(|result| result.expect("all work has ended")).collect()
    }
    #[cfg(not(feature = "threads"))]
    items.into_iter().map(work).collect()
}
