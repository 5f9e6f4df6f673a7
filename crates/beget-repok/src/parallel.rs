//! The parts of a search, on one thread or several, added up in the order of the whole.
//!
//! Where a job is divided depends on its candidates alone, so the parts are the same for any number of threads.

use crate::cursor::Job;
use crate::job::{Task, Worker};
use crate::queue::Queue;
use crate::report::SearchReport;
use crate::search::{AcceptedCandidate, Search};
use crate::total::Total;

pub(crate) fn run(
    task: Task<'_>,
    search: &Search<'_>,
    sink: &mut dyn FnMut(AcceptedCandidate<'_>),
) -> SearchReport {
    let mut total = Total::new(search, task.coding.is_some(), sink);
    match search.settings.threads {
        0 | 1 => run_here(task, &mut total),
        n_threads => run_threads(task, n_threads, &mut total),
    }
    total.into_report()
}

fn run_here(task: Task<'_>, total: &mut Total<'_, '_>) {
    let mut worker = Worker::new(task);
    let mut jobs = vec![Job::default()];
    while !total.is_over()
        && let Some(job) = jobs.pop()
    {
        let mut part = worker.explore(&job);
        jobs.extend(part.rest.drain(..).rev());
        total.add(part);
    }
}

fn run_threads(task: Task<'_>, n_threads: usize, total: &mut Total<'_, '_>) {
    let queue = &Queue::new(Job::default(), n_threads);
    std::thread::scope(|scope| {
        let _closing = queue.close_on_drop();
        for _ in 0..n_threads {
            scope.spawn(move || work(task, queue));
        }
        while let Some(part) = queue.pop() {
            total.add(part);
            if total.is_over() {
                break;
            }
        }
    });
}

fn work(task: Task<'_>, queue: &Queue) {
    let _closing = queue.close_on_drop();
    let mut worker = Worker::new(task);
    while let Some(ticket) = queue.take() {
        queue.put(ticket.number, worker.explore(&ticket.job));
    }
}
