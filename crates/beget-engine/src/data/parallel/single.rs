//! One thread besides the caller's, which is started for each batch.

use std::convert::Infallible;
use std::sync::mpsc::Sender;

use crate::data::parallel::STACK;

/// The thread that makes a run's calls.
#[derive(Debug)]
pub struct Pool;

impl Pool {
    /// One thread, whatever the number.
    pub(crate) fn new(_: usize) -> Self {
        Pool
    }

    /// Runs `work` on the caller's thread.
    pub(crate) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        work()
    }

    pub(super) fn start_all(
        &self,
        n: usize,
        work: &(impl Fn(usize) + Sync),
        working: Sender<Infallible>,
        listen: &mut dyn FnMut(),
    ) {
        std::thread::scope(|scope| {
            let run = move || {
                (0..n).for_each(work);
                drop(working);
            };
            let thread = std::thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, run).expect("a thread can be started");
            listen();
        });
    }
}

pub(super) fn map_all<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    items.into_iter().map(work).collect()
}

pub(super) fn both(one: impl FnOnce() + Send, other: impl FnOnce() + Send) {
    one();
    other();
}
