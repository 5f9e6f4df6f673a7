//! The threads of a pool, which stay for the run.

use std::convert::Infallible;
use std::sync::mpsc::Sender;

use crate::data::parallel::STACK;

/// The threads that make a run's calls.
#[derive(Debug)]
pub struct Pool {
    pool: rayon_core::ThreadPool,
}

impl Pool {
    /// A pool of this many threads; 0 stands for all cores.
    ///
    /// # Panics
    /// If they cannot be started.
    pub fn new(threads: usize) -> Self {
        let pool = rayon_core::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK);
        Pool { pool: pool.build().expect("a thread pool can be started") }
    }

    /// Runs `work` on one of the threads, so that its parallel parts use the others.
    pub(crate) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }

    pub(super) fn start_all(
        &self,
        n: usize,
        work: &(impl Fn(usize) + Sync),
        working: Sender<Infallible>,
        listen: &mut dyn FnMut(),
    ) {
        self.pool.in_place_scope(|scope| {
            for index in 0..n {
                let working = working.clone();
                scope.spawn(move |_| {
                    work(index);
                    drop(working);
                });
            }
            drop(working);
            listen();
        });
    }
}

pub(super) fn map_all<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
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

pub(super) fn both(one: impl FnOnce() + Send, other: impl FnOnce() + Send) {
    rayon_core::join(one, other);
}
