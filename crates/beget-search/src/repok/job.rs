//! One part of a search, from its first candidate to its end, or until it is divided.

use beget_heap::view::{BrokenClause, Table, Verdict, to_text, walk};
use beget_heap::{Encoder, FormCoding};
use beget_plan::finding::{Finding, Problem, Witness};

use crate::repok::cursor::{CandidateCursor, Job};
use crate::repok::space::CandidateSpace;
use crate::repok::watch::WorkerNote;
use beget_oracle::rep_ok::Cause;
use beget_oracle::rep_ok::guarded;

/// The data common to all parts of a search.
#[derive(Clone, Copy)]
pub(crate) struct SearchTask<'a> {
    pub(crate) space: &'a CandidateSpace,
    pub(crate) rep_ok: &'a (dyn Fn(&Table) -> Verdict + Sync),
    /// The coding of canonical forms; `None` to write none.
    pub(crate) coding: Option<FormCoding<'a>>,
    pub(crate) max_reads: u64,
}

/// An event at candidate number `ordinal` of a job.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JobEvent {
    pub(crate) ordinal: u64,
    pub(crate) kind: JobEventKind,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum JobEventKind {
    /// Accepted; its form ends at this byte of the part's.
    Accepted(u32),
    /// Accepted, but no value has this heap.
    Unrepresentable,
    /// The job's finding of this number was met.
    Finding(u32),
}

/// The result of a job.
#[derive(Debug, Default)]
pub(crate) struct JobPart {
    pub(crate) explored: u64,
    /// In order.
    pub(crate) events: Vec<JobEvent>,
    /// The forms of the accepted candidates, one after the other.
    pub(crate) forms: Vec<u8>,
    pub(crate) findings: Vec<Finding>,
    /// The rest of the job, in order; empty if it is finished.
    pub(crate) rest: Vec<Job>,
}

/// The type tag of the searched type: the first type of a suite.
const MAIN_TYPE: u64 = 0;

/// The candidates after which a job is divided: few enough that threads soon have work and a part
/// is small, and enough (a fraction of a millisecond) that handing jobs over costs nothing.
const JOB_CANDIDATES: u64 = 1 << 12;

/// Does jobs, one after the other.
pub(crate) struct SearchWorker<'a> {
    task: SearchTask<'a>,
    cursor: CandidateCursor<'a>,
    encoder: Option<Encoder<'a>>,
    part: JobPart,
    /// Notes the candidate in work.
    note: &'a WorkerNote,
    /// The candidates after which a job is divided.
    most: u64,
}

impl<'a> SearchWorker<'a> {
    pub(crate) fn new(task: SearchTask<'a>, note: &'a WorkerNote) -> Self {
        SearchWorker {
            task,
            cursor: CandidateCursor::new(task.space, task.max_reads),
            encoder: task.coding.map(Encoder::new),
            part: JobPart::default(),
            note,
            most: JOB_CANDIDATES,
        }
    }

    /// Explores the candidates of a job up to the point where it is divided.
    pub(crate) fn explore(&mut self, job: &Job) -> JobPart {
        self.cursor.seat(job);
        while let Err(cause) = guarded(|| self.run()) {
            let answer = settled(self.task, &self.cursor, Err(cause));
            let verdict = answer.unwrap_or_else(|cause| self.note(cause));
            self.cursor.answered(&verdict);
            if verdict.is_ok() {
                self.accept();
            }
            if !self.go_on() {
                break;
            }
        }
        std::mem::take(&mut self.part)
    }

    /// Candidate `number` of a job, from 1, without running the repOK on it.
    pub(crate) fn candidate(&mut self, job: &Job, number: u64) -> &Table {
        self.most = number - 1;
        match self.most {
            0 => self.cursor.seat(job),
            _ => drop(self.explore(job)),
        }
        &self.cursor.table
    }

    /// Explores until the end, or until the repOK unwinds.
    fn run(&mut self) {
        loop {
            self.part.explored += 1;
            self.note.set_candidate(self.part.explored);
            if self.cursor.is_accepted_unseen() || self.ask().is_ok() {
                self.accept();
            }
            if !self.go_on() {
                return;
            }
        }
    }

    /// Moves to the next candidate; returns false if there is none, or it is left to another job.
    #[inline(always)]
    fn go_on(&mut self) -> bool {
        if !self.cursor.advance() {
            return false;
        }
        let is_long = self.part.explored >= self.most;
        if is_long {
            self.part.rest = self.cursor.rest();
        }
        !is_long
    }

    #[inline(always)]
    fn ask(&mut self) -> Verdict {
        let verdict = (self.task.rep_ok)(&self.cursor.table);
        if self.part.explored == 1 {
            self.check_stability(verdict);
        }
        self.cursor.answered(&verdict);
        verdict
    }

    /// Checks once a job that the repOK reads the same fields and gives the same answer when
    /// repeated.
    #[cold]
    fn check_stability(&mut self, verdict: Verdict) {
        let table = &self.cursor.table;
        let order: Vec<u32> = (0..table.n_read()).map(|index| table.read_at(index)).collect();
        order.iter().for_each(|_| table.forget_last());
        let again = settled(self.task, &self.cursor, guarded(|| (self.task.rep_ok)(table)));
        let read: Vec<u32> = (0..table.n_read()).map(|index| table.read_at(index)).collect();
        // A job may have choices for fields that the repOK does not read.
        let given = order.iter().take(self.cursor.n_given()).filter(|cell| read.contains(cell));
        let expected = given.chain(order.iter().skip(self.cursor.n_given()));
        let is_same = again == Ok(verdict) && expected.eq(&read);
        (0..table.n_read()).for_each(|_| table.forget_last());
        order.iter().for_each(|&cell| table.note(cell));
        if !is_same {
            let _ = self.note(Cause::Unstable);
        }
    }

    fn accept(&mut self) {
        self.cursor.append_unread();
        let kind = match &mut self.encoder {
            None => JobEventKind::Accepted(0),
            Some(encoder) => {
                encoder.begin(MAIN_TYPE);
                let walked = walk(&self.task.space.shapes, &self.cursor.table, encoder);
                match walked.is_ok().then(|| encoder.finish()) {
                    Some(Ok(form)) => {
                        form.append_to(&mut self.part.forms);
                        JobEventKind::Accepted(self.part.forms.len() as u32)
                    }
                    _ => JobEventKind::Unrepresentable,
                }
            }
        };
        self.part.events.push(JobEvent { ordinal: self.part.explored, kind });
    }

    /// Notes an event at this candidate. If it replaces an answer, the candidate counts as
    /// rejected.
    #[cold]
    fn note(&mut self, cause: Cause) -> Verdict {
        let problem = Problem::from(cause);
        let findings = &mut self.part.findings;
        let known = findings.iter().position(|finding| finding.problem == problem);
        let number = known.unwrap_or_else(|| {
            let candidate = to_text(&self.task.space.shapes, &self.cursor.table);
            let witness = Witness::of_candidate(self.part.explored, candidate);
            findings.push(Finding { problem, count: 0, witness });
            findings.len() - 1
        });
        let kind = JobEventKind::Finding(number as u32);
        self.part.events.push(JobEvent { ordinal: self.part.explored, kind });
        NO_ANSWER
    }
}

const NO_ANSWER: Verdict = Err(BrokenClause("it did not answer"));

/// The answer of the repOK to the current candidate, after a run that ended with `answer`. A run
/// that is suspected to be endless is repeated with its reads counted.
fn settled(
    task: SearchTask<'_>,
    cursor: &CandidateCursor<'_>,
    answer: Result<Verdict, Cause>,
) -> Result<Verdict, Cause> {
    match answer {
        Err(Cause::Endless) => {
            cursor.counting(task.max_reads, |table| guarded(|| (task.rep_ok)(table)))
        }
        answer => answer,
    }
}
