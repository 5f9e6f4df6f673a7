//! What a search is in the middle of, for those who wait for it: a run of the repOK may never end.
//!
//! A worker notes its job, and by a plain store how far it is in it. A candidate is not copied: who
//! wants to see it makes the way to it again, since where a job leads depends on its candidates
//! alone.

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

/// What one worker is in the middle of.
#[derive(Debug, Default)]
pub(crate) struct WorkerNote {
    /// The last job, under its number.
    job: Mutex<(u64, Job)>,
    /// The candidate in work; 0 if there is none.
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

/// A search whose next part is waited for.
#[derive(Clone, Copy)]
pub struct SearchInProgress<'a> {
    /// What it has come to so far; the reason for its end means nothing yet.
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
    /// The runs of the repOK. What changes meanwhile may be read half changed; a run that does not
    /// end is exact.
    pub fn runs(&self) -> Vec<RunId> {
        self.notes.iter().filter_map(WorkerNote::run).collect()
    }

    /// The candidate of a run, object by object; `None` if its job is over. The repOK is run again
    /// on the candidates before it.
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
