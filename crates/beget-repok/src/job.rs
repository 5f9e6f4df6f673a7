//! One part of a search: all candidates whose first reads are given.

use std::sync::atomic::{AtomicBool, Ordering};

use beget_heap::view::{Broken, Table, Verdict, to_text, walk};
use beget_heap::{Encoder, Layout};

use crate::cursor::{Choice, Cursor};
use crate::guard::guarded;
use crate::report::{Cause, Finding};
use crate::space::Space;

/// What all parts of a search have in common.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) space: &'a Space,
    pub(crate) rep_ok: &'a (dyn Fn(&Table) -> Verdict + Sync),
    /// How to write canonical forms; `None` to write none.
    pub(crate) layout: Option<&'a Layout>,
    /// The bits in front of each form, and how many.
    pub(crate) tag: (u64, u32),
    pub(crate) max_explored: u64,
    pub(crate) max_reads: u64,
    /// Ends all parts.
    pub(crate) is_stopped: &'a AtomicBool,
}

/// Something that happened at candidate number `ordinal` of a job.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub(crate) ordinal: u64,
    pub(crate) kind: EventKind,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum EventKind {
    /// Accepted; its form ends at this byte of the batch.
    Accepted(u32),
    /// Accepted, but no value is like it.
    Unrepresentable,
    /// The job's finding of this number was seen.
    Finding(u32),
}

/// Events in order, with the forms of the accepted candidates one after the other.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) events: Vec<Event>,
    pub(crate) forms: Vec<u8>,
}

/// How a job ended.
#[derive(Debug, Default)]
pub(crate) struct Ended {
    pub(crate) explored: u64,
    /// Whether the budget ended it with candidates left.
    pub(crate) is_cut: bool,
    pub(crate) findings: Vec<Finding>,
}

const BATCH_EVENTS: usize = 4096;

/// Candidates between two looks at the flag that ends the search.
const STOP_INTERVAL: u64 = 1 << 12;

/// Candidates after which a batch is sent even if it is not full, so that the clock is looked at.
const SEND_INTERVAL: u64 = 1 << 16;

/// Candidates between two checks that the repOK reads the same fields when asked again.
const STABILITY_INTERVAL: u64 = 1 << 14;

/// Does jobs, one after the other.
pub(crate) struct Worker<'a> {
    task: Task<'a>,
    cursor: Cursor<'a>,
    encoder: Option<Encoder<'a>>,
    batch: Batch,
    ended: Ended,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(task: Task<'a>) -> Self {
        Worker {
            task,
            cursor: Cursor::new(task.space, task.max_reads),
            encoder: task.layout.map(Encoder::new),
            batch: Batch::default(),
            ended: Ended::default(),
        }
    }

    /// Explores every candidate that begins with `choices`; gives events away in batches.
    pub(crate) fn explore(&mut self, choices: &[Choice], send: &mut dyn FnMut(Batch)) -> Ended {
        self.cursor.seat(choices);
        while let Err(cause) = guarded(|| self.run(send)) {
            let answer = settled(self.task, &self.cursor, Err(cause));
            let verdict = answer.unwrap_or_else(|cause| self.note(cause));
            self.cursor.answered(&verdict);
            if verdict.is_ok() {
                self.accept(send);
            }
            if !self.go_on() {
                break;
            }
        }
        send(std::mem::take(&mut self.batch));
        std::mem::take(&mut self.ended)
    }

    /// Explores until the end, or until the repOK unwinds.
    fn run(&mut self, send: &mut dyn FnMut(Batch)) {
        loop {
            self.ended.explored += 1;
            if self.cursor.is_accepted_unseen() || self.ask().is_ok() {
                self.accept(send);
            }
            if !self.go_on() {
                return;
            }
            if self.ended.explored.is_multiple_of(SEND_INTERVAL) {
                send(std::mem::take(&mut self.batch));
            }
        }
    }

    /// Goes to the next candidate; false if there is none, or it is not to be explored.
    #[inline(always)]
    fn go_on(&mut self) -> bool {
        if !self.cursor.advance() {
            return false;
        }
        self.ended.is_cut = self.ended.explored >= self.task.max_explored;
        let is_stopped = self.ended.explored.is_multiple_of(STOP_INTERVAL)
            && self.task.is_stopped.load(Ordering::Relaxed);
        !self.ended.is_cut && !is_stopped
    }

    #[inline(always)]
    fn ask(&mut self) -> Verdict {
        let verdict = (self.task.rep_ok)(&self.cursor.table);
        if self.ended.explored % STABILITY_INTERVAL == 1 {
            self.check_stability(verdict);
        }
        self.cursor.answered(&verdict);
        verdict
    }

    #[cold]
    fn check_stability(&mut self, verdict: Verdict) {
        let table = &self.cursor.table;
        let order: Vec<u32> = (0..table.n_read()).map(|index| table.read_at(index)).collect();
        order.iter().for_each(|_| table.forget_last());
        let again = settled(self.task, &self.cursor, guarded(|| (self.task.rep_ok)(table)));
        let read: Vec<u32> = (0..table.n_read()).map(|index| table.read_at(index)).collect();
        // A job may be given choices for fields that the repOK does not read.
        let given = order.iter().take(self.cursor.n_fixed()).filter(|cell| read.contains(cell));
        let expected = given.chain(order.iter().skip(self.cursor.n_fixed()));
        let is_same = again == Ok(verdict) && expected.eq(&read);
        (0..table.n_read()).for_each(|_| table.forget_last());
        order.iter().for_each(|&cell| table.note(cell));
        if !is_same {
            let _ = self.note(Cause::Unstable);
        }
    }

    fn accept(&mut self, send: &mut dyn FnMut(Batch)) {
        self.cursor.append_unread();
        let kind = match &mut self.encoder {
            None => EventKind::Accepted(0),
            Some(encoder) => {
                encoder.begin(self.task.tag.0, self.task.tag.1);
                let walked = walk(&self.task.space.shapes, &self.cursor.table, encoder);
                match walked.is_ok().then(|| encoder.finish()) {
                    Some(Ok(form)) => {
                        form.append_to(&mut self.batch.forms);
                        EventKind::Accepted(self.batch.forms.len() as u32)
                    }
                    _ => EventKind::Unrepresentable,
                }
            }
        };
        self.batch.events.push(Event { ordinal: self.ended.explored, kind });
        self.flush_if_full(send);
    }

    #[inline(always)]
    fn flush_if_full(&mut self, send: &mut dyn FnMut(Batch)) {
        if self.batch.events.len() >= BATCH_EVENTS {
            send(std::mem::take(&mut self.batch));
        }
    }

    /// Notes what happened at this candidate, which counts as rejected if it stands for an answer.
    #[cold]
    fn note(&mut self, cause: Cause) -> Verdict {
        let findings = &mut self.ended.findings;
        let known = findings.iter().position(|finding| finding.cause == cause);
        let number = known.unwrap_or_else(|| {
            let candidate = to_text(&self.task.space.shapes, &self.cursor.table);
            findings.push(Finding { cause, count: 0, first: self.ended.explored, candidate });
            findings.len() - 1
        });
        let kind = EventKind::Finding(number as u32);
        self.batch.events.push(Event { ordinal: self.ended.explored, kind });
        NO_ANSWER
    }
}

const NO_ANSWER: Verdict = Err(Broken("it did not answer"));

/// The answer of the repOK to the current candidate, after a run of it ended with `answer`: a run that
/// was only suspected to be endless is made again with its reads counted.
fn settled(
    task: Task<'_>,
    cursor: &Cursor<'_>,
    answer: Result<Verdict, Cause>,
) -> Result<Verdict, Cause> {
    match answer {
        Err(Cause::Endless) => {
            cursor.counting(task.max_reads, |table| guarded(|| (task.rep_ok)(table)))
        }
        answer => answer,
    }
}

/// Splits the search into at least `n_jobs` parts, in the order of the whole, if it has so many.
pub(crate) fn split(task: Task<'_>, n_jobs: usize) -> Vec<Vec<Choice>> {
    let mut cursor = Cursor::new(task.space, task.max_reads);
    let mut jobs = vec![(Vec::new(), true)];
    while jobs.len() < n_jobs && jobs.iter().any(|(_, may_split)| *may_split) {
        let mut finer = Vec::new();
        for (choices, may_split) in jobs {
            match may_split.then(|| branches(task, &mut cursor, &choices)).flatten() {
                Some((cell, n)) => finer.extend((0..n).map(|index| {
                    let mut choices = choices.clone();
                    choices.push(Choice { cell, index });
                    (choices, true)
                })),
                None => finer.push((choices, false)),
            }
        }
        jobs = finer;
    }
    jobs.into_iter().map(|(choices, _)| choices).collect()
}

/// The field that is read after `choices`, and how many values it takes; `None` if none is.
fn branches(task: Task<'_>, cursor: &mut Cursor<'_>, choices: &[Choice]) -> Option<(u32, u32)> {
    cursor.seat(choices);
    let answer = guarded(|| (task.rep_ok)(&cursor.table));
    let verdict = settled(task, cursor, answer).unwrap_or(NO_ANSWER);
    cursor.answered(&verdict);
    if verdict.is_ok() {
        cursor.append_unread();
    }
    let position = choices.len();
    let is_end = position >= cursor.table.n_read();
    (!is_end).then(|| (cursor.table.read_at(position), cursor.n_allowed(position)))
}
