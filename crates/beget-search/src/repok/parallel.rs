//! The parts of a search, on one thread or several, added up in order.
//!
//! The candidates of a job alone determine where it is divided, so the parts are the same for any
//! number of threads.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use crate::repok::cursor::Job;
use crate::repok::job::{SearchTask, SearchWorker};
use crate::repok::queue::Queue;
use crate::repok::report::SearchReport;
use crate::repok::search::{AcceptedCandidate, Search};
use crate::repok::total::Total;
use crate::repok::watch::WorkerNote;

/// The interval at which a waiting thread wakes up.
pub(crate) const TICK: Duration = Duration::from_millis(100);

pub(crate) fn run(
    task: SearchTask<'_>,
    search: &Search<'_>,
    sink: &mut dyn FnMut(AcceptedCandidate<'_>),
) -> SearchReport {
    let mut total = Total::new(search, task.coding.is_some(), sink);
    match search.settings.threads {
        0 | 1 if search.wait.is_none() => run_here(task, &mut total),
        n_threads => run_threads(task, n_threads.max(1), &mut total),
    }
    total.into_report()
}

fn run_here(task: SearchTask<'_>, total: &mut Total<'_, '_>) {
    let note = WorkerNote::default();
    let mut worker = SearchWorker::new(task, &note);
    let mut jobs = vec![Job::default()];
    while !total.is_over()
        && let Some(job) = jobs.pop()
    {
        let mut part = worker.explore(&job);
        jobs.extend(part.rest.drain(..).rev());
        total.add(part);
    }
}

fn run_threads(task: SearchTask<'_>, n_threads: usize, total: &mut Total<'_, '_>) {
    let queue = &Queue::new(Job::default(), n_threads);
    let notes: Vec<WorkerNote> = (0..n_threads).map(|_| WorkerNote::default()).collect();
    let (sender, receiver) = channel::<()>();
    std::thread::scope(|scope| {
        let closing = queue.close_on_drop();
        for note in &notes {
            let sender = sender.clone();
            scope.spawn(move || work(task, queue, note, sender));
        }
        drop(sender);
        while !total.is_over()
            && let Some(part) = queue.pop(&mut || total.wait(task, &notes))
        {
            total.add(part);
        }
        drop(closing);
        // Also wakes up while it waits for a thread that does not end.
        while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(TICK) {
            total.wait(task, &notes);
        }
    });
}

/// Does jobs until there are none. The sender is dropped with the last.
fn work(task: SearchTask<'_>, queue: &Queue, note: &WorkerNote, _until_the_end: Sender<()>) {
    let _closing = queue.close_on_drop();
    let mut worker = SearchWorker::new(task, note);
    while let Some(ticket) = queue.take() {
        note.begin(&ticket);
        let part = worker.explore(&ticket.job);
        note.end();
        queue.put(ticket.number, part);
    }
}
