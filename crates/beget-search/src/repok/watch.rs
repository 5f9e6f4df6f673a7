//! The current state of a search, for a watcher: a run of the repOK may never end.
//!
//! A worker notes its job, and its position in it by a plain store. A candidate is not copied: to
//! see it, the path to it is repeated, because the candidates alone determine where a job leads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use beget_heap::view::to_text;

use crate::repok::cursor::Job;
use crate::repok::job::{SearchTask, SearchWorker};
use crate::repok::queue::Ticket;
use crate::repok::report::SearchReport;

/// A run of the repOK in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunId {
    /// The number of the job.
    pub job: u64,
    /// The candidate, by its number in the job, from 1.
    pub candidate: u64,
}

/// The current work of one worker.
#[derive(Debug, Default)]
pub(crate) struct WorkerNote {
    /// The last job, under its number.
    job: Mutex<(u64, Job)>,
    /// The candidate in work; 0 for none.
    candidate: AtomicU64,
}

impl WorkerNote {
    pub(crate) fn begin(&self, ticket: &Ticket) {
        self.candidate.store(0, Relaxed);
        *self.lock() = (ticket.number, ticket.job.clone());
    }

    #[inline(always)]
    pub(crate) fn set_candidate(&self, number: u64) {
        self.candidate.store(number, Relaxed);
    }

    pub(crate) fn end(&self) {
        self.candidate.store(0, Relaxed);
    }

    fn run(&self) -> Option<RunId> {
        let candidate = self.candidate.load(Relaxed);
        (candidate > 0).then(|| RunId { job: self.lock().0, candidate })
    }

    fn lock(&self) -> MutexGuard<'_, (u64, Job)> {
        self.job.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A search that waits for its next part.
#[derive(Clone, Copy)]
pub struct SearchInProgress<'a> {
    /// The result so far; its stop reason is meaningless.
    pub report: &'a SearchReport,
    pub(crate) task: SearchTask<'a>,
    pub(crate) notes: &'a [WorkerNote],
}

impl std::fmt::Debug for SearchInProgress<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SearchInProgress").field("report", self.report).finish_non_exhaustive()
    }
}

impl SearchInProgress<'_> {
    /// The runs of the repOK. A note that changes meanwhile may be read half changed; that of a run
    /// that does not end is exact.
    pub fn runs(&self) -> Vec<RunId> {
        self.notes.iter().filter_map(WorkerNote::run).collect()
    }

    /// The candidate of a run, object by object; `None` if its job is over. This runs the repOK
    /// again on the candidates before it.
    pub fn candidate(&self, run: RunId) -> Option<String> {
        let is_meant = |note: &&WorkerNote| note.lock().0 == run.job;
        let job = self.notes.iter().find(is_meant)?.lock().1.clone();
        let note = WorkerNote::default();
        let mut worker = SearchWorker::new(SearchTask { coding: None, ..self.task }, &note);
        Some(to_text(&self.task.space.shapes, worker.candidate(&job, run.candidate)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_is_in_the_middle_of_a_candidate_until_its_job_ends() {
        let note = WorkerNote::default();
        assert_eq!(note.run(), None);
        note.begin(&Ticket { number: 7, job: Job::default() });
        assert_eq!(note.run(), None);
        note.set_candidate(3);
        assert_eq!(note.run(), Some(RunId { job: 7, candidate: 3 }));
        note.end();
        assert_eq!(note.run(), None);
        note.set_candidate(4);
        note.begin(&Ticket { number: 8, job: Job::default() });
        assert_eq!(note.run(), None);
    }
}
