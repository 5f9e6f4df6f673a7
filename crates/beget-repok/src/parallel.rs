//! Jobs over threads, their results in the order of the whole.
//!
//! Workers take jobs in order and hand batches over through bounded queues, one a job; the
//! caller's thread empties the queues one after the other. The oldest unfinished job is always being worked on and its queue always
//! being emptied, so the others may wait and memory stays bounded.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Instant;

use crate::cursor::Choice;
use crate::job::{Batch, Ended, EventKind, Task, Worker, split};
use crate::report::{Finding, SearchReport, Stop};
use crate::search::{Found, Progress, Search};

/// Enough parts that a few large ones do not decide the time.
const JOBS_PER_THREAD: usize = 256;

/// Batches that a job may be ahead of the caller.
const QUEUE_LENGTH: usize = 8;

enum Message {
    Batch(Batch),
    Ended(Ended),
}

pub(crate) fn run(
    task: Task<'_>,
    search: &Search<'_>,
    sink: &mut dyn FnMut(Found<'_>),
) -> SearchReport {
    let mut total = Total::new(task, search, sink);
    let n_threads = search.settings.threads;
    if n_threads <= 1 {
        total.begin_job();
        let ended = Worker::new(task).explore(&[], &mut |batch| total.take(batch));
        total.end_job(ended);
    } else {
        run_threads(task, n_threads, &mut total);
    }
    total.into_report()
}

fn run_threads(task: Task<'_>, n_threads: usize, total: &mut Total<'_, '_>) {
    let jobs = split(task, n_threads * JOBS_PER_THREAD);
    let (senders, receivers): (Vec<_>, Vec<_>) =
        jobs.iter().map(|_| sync_channel(QUEUE_LENGTH)).unzip();
    let next = AtomicUsize::new(0);
    let queues = &Queues { jobs: &jobs, senders: &senders, next: &next };
    std::thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(move || work(task, queues));
        }
        for receiver in receivers {
            if total.is_over() {
                break;
            }
            total.begin_job();
            drain(receiver, total);
        }
        // Dropping the receivers lets workers that wait for room go on to the flag.
        task.is_stopped.store(true, Ordering::Relaxed);
    });
}

fn drain(receiver: Receiver<Message>, total: &mut Total<'_, '_>) {
    for message in receiver {
        match message {
            Message::Batch(batch) => total.take(batch),
            Message::Ended(ended) => return total.end_job(ended),
        }
    }
}

struct Queues<'q> {
    jobs: &'q [Vec<Choice>],
    senders: &'q [SyncSender<Message>],
    next: &'q AtomicUsize,
}

fn work(task: Task<'_>, queues: &Queues<'_>) {
    let mut worker = Worker::new(task);
    while !task.is_stopped.load(Ordering::Relaxed) {
        let job = queues.next.fetch_add(1, Ordering::Relaxed);
        let Some(choices) = queues.jobs.get(job) else { return };
        // A queue without a receiver belongs to a search that is over.
        let send = |message| drop(queues.senders[job].send(message));
        let ended = worker.explore(choices, &mut |batch| send(Message::Batch(batch)));
        send(Message::Ended(ended));
    }
}

/// What the caller's thread adds up, job after job.
struct Total<'t, 's> {
    task: Task<'t>,
    search: &'t Search<'t>,
    sink: &'s mut dyn FnMut(Found<'_>),
    report: SearchReport,
    started: Instant,
    /// Candidates of the jobs before this one.
    before: u64,
    /// The candidate that was heard of last.
    reached: u64,
    /// How often each finding of this job was seen within the budget.
    seen: Vec<u64>,
}

impl<'t, 's> Total<'t, 's> {
    fn new(task: Task<'t>, search: &'t Search<'t>, sink: &'s mut dyn FnMut(Found<'_>)) -> Self {
        let report = SearchReport {
            generated: 0,
            explored: 0,
            unrepresentable: 0,
            digest: 0,
            stop: Stop::SpaceExhausted,
            findings: Vec::new(),
        };
        Total {
            task,
            search,
            sink,
            report,
            started: Instant::now(),
            before: 0,
            reached: 0,
            seen: Vec::new(),
        }
    }

    /// Whether another job would be too much. Each has one candidate at least.
    fn is_over(&mut self) -> bool {
        let max = self.search.settings.max_explored;
        if self.report.explored >= max && self.report.stop == Stop::SpaceExhausted {
            self.report.stop = Stop::Explored(max);
        }
        self.report.stop != Stop::SpaceExhausted
    }

    fn begin_job(&mut self) {
        self.before = self.report.explored;
        self.seen.clear();
    }

    fn take(&mut self, batch: Batch) {
        self.look_at_clock();
        let mut start = 0;
        for event in batch.events {
            let ordinal = self.before + event.ordinal;
            self.reached = ordinal;
            if ordinal > self.search.settings.max_explored || self.is_full(ordinal) {
                return;
            }
            match event.kind {
                EventKind::Accepted(end) => {
                    let form = &batch.forms[start..end as usize];
                    start = end as usize;
                    self.accept(Found { form, ordinal });
                }
                EventKind::Unrepresentable => {
                    self.report.generated += 1;
                    self.report.unrepresentable += 1;
                }
                EventKind::Finding(number) => self.see(number as usize),
            }
        }
    }

    /// Whether the budget of accepted candidates ended the search before candidate `ordinal`.
    fn is_full(&mut self, ordinal: u64) -> bool {
        let max = self.search.settings.max_generated;
        if self.report.generated >= max && self.report.stop == Stop::SpaceExhausted {
            self.report.explored = ordinal - 1;
            self.stop(Stop::Generated(max));
        }
        self.report.generated >= max
    }

    fn stop(&mut self, stop: Stop) {
        self.report.stop = stop;
        self.task.is_stopped.store(true, Ordering::Relaxed);
    }

    fn accept(&mut self, found: Found<'_>) {
        self.report.generated += 1;
        if self.task.layout.is_some() {
            self.report.digest = mixed(self.report.digest, found.form);
            (self.sink)(found);
        }
    }

    fn see(&mut self, number: usize) {
        if self.seen.len() <= number {
            self.seen.resize(number + 1, 0);
        }
        self.seen[number] += 1;
    }

    fn end_job(&mut self, ended: Ended) {
        self.look_at_clock();
        if !matches!(self.report.stop, Stop::Generated(_)) {
            self.count_explored(&ended);
        }
        let seen = std::mem::take(&mut self.seen);
        for (finding, count) in ended.findings.into_iter().zip(seen) {
            self.add_finding(finding, count);
        }
    }

    fn count_explored(&mut self, ended: &Ended) {
        let max = self.search.settings.max_explored;
        self.report.explored = self.before + ended.explored;
        if ended.is_cut || self.report.explored > max {
            self.report.explored = max;
            self.report.stop = Stop::Explored(max);
        }
    }

    fn add_finding(&mut self, finding: Finding, count: u64) {
        let findings = &mut self.report.findings;
        match findings.iter_mut().find(|known| known.cause == finding.cause) {
            Some(known) => known.count += count,
            None => findings.push(Finding { count, first: self.before + finding.first, ..finding }),
        }
    }

    fn look_at_clock(&mut self) {
        if self.report.stop != Stop::SpaceExhausted {
            return;
        }
        let progress = Progress {
            explored: self.reached.max(self.report.explored),
            generated: self.report.generated,
        };
        if let Some(limit) = self.search.settings.time
            && self.started.elapsed() > limit
        {
            self.stop(Stop::Time(limit));
        } else if (self.search.control)(progress) {
            self.stop(Stop::Asked);
        }
    }

    fn into_report(self) -> SearchReport {
        self.report
    }
}

/// Adds a form to a digest that depends on the order.
fn mixed(digest: u64, form: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let add = |digest: u64, word: u64| (digest.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    let digest = add(digest, form.len() as u64);
    form.chunks(8).fold(digest, |digest, chunk| {
        let word = chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        add(digest, word)
    })
}
