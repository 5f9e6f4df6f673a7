//! Jobs that several threads take and divide, and their parts in order.
//!
//! The earliest job is always in progress or free, so the parts before it come out in time. The
//! number of parts waiting behind it is bounded, and so is the memory.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard};

use crate::repok::cursor::Job;
use crate::repok::job::JobPart;
use crate::repok::parallel::TICK;

/// The most parts that may wait for the earliest job, per thread.
const WAITING_PER_THREAD: usize = 64;

pub(crate) struct Queue {
    state: Mutex<State>,
    /// A job may have become free, or the queue was closed.
    may_take: Condvar,
    /// The earliest job may have become a part.
    may_pop: Condvar,
    max_waiting: usize,
}

#[derive(Default)]
struct State {
    /// The rest of the search, in order.
    slots: VecDeque<QueueSlot>,
    /// The number of slots that are parts.
    n_waiting: usize,
    /// The number for the next job that is taken.
    next_number: u64,
    is_closed: bool,
}

enum QueueSlot {
    Free(Job),
    /// Taken, under this number.
    Taken(u64),
    Done(JobPart),
}

/// A job that a thread has taken.
pub(crate) struct Ticket {
    pub(crate) number: u64,
    pub(crate) job: Job,
}

impl Queue {
    pub(crate) fn new(whole: Job, n_threads: usize) -> Self {
        let state = State { slots: VecDeque::from([QueueSlot::Free(whole)]), ..State::default() };
        Queue {
            state: Mutex::new(state),
            may_take: Condvar::new(),
            may_pop: Condvar::new(),
            max_waiting: n_threads * WAITING_PER_THREAD,
        }
    }

    /// The earliest free job, once there is one and room for its part; `None` when there are no
    /// more.
    pub(crate) fn take(&self) -> Option<Ticket> {
        let mut state = self.lock();
        loop {
            if state.is_closed || state.slots.is_empty() {
                return None;
            }
            if let Some(ticket) = state.take(self.max_waiting) {
                return Some(ticket);
            }
            state = self.may_take.wait(state).expect("no thread panics with the lock");
        }
    }

    /// Puts the part in place of its job, followed by the rest of the job.
    pub(crate) fn put(&self, number: u64, part: JobPart) {
        let mut state = self.lock();
        let is_taken =
            |slot: &QueueSlot| matches!(slot, QueueSlot::Taken(taken) if *taken == number);
        let at = state.slots.iter().position(is_taken).expect("a job is put back once");
        let n_new = part.rest.len();
        state.replace(at, part);
        let is_first = at == 0;
        drop(state);
        (0..n_new).for_each(|_| self.may_take.notify_one());
        if is_first {
            self.may_pop.notify_one();
        }
    }

    /// The part of the earliest job, once it is done; `None` after the last, or when the queue is
    /// closed. `wait` is called now and then meanwhile.
    pub(crate) fn pop(&self, wait: &mut dyn FnMut()) -> Option<JobPart> {
        let mut state = self.lock();
        loop {
            match state.slots.pop_front() {
                Some(QueueSlot::Done(part)) => {
                    state.n_waiting -= 1;
                    let is_end = state.slots.is_empty();
                    drop(state);
                    if is_end {
                        self.may_take.notify_all()
                    } else {
                        self.may_take.notify_one()
                    }
                    return Some(part);
                }
                Some(slot) => state.slots.push_front(slot),
                None => return None,
            }
            if state.is_closed {
                return None;
            }
            let waited = self.may_pop.wait_timeout(state, TICK);
            let (guard, timeout) = waited.expect("no thread panics with the lock");
            state = guard;
            if timeout.timed_out() {
                drop(state);
                wait();
                state = self.lock();
            }
        }
    }

    /// A guard that ends the work of all threads, even if its owner unwinds.
    pub(crate) fn close_on_drop(&self) -> QueueCloser<'_> {
        QueueCloser(self)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panics with the lock")
    }
}

/// Stops taking and waiting for jobs.
pub(crate) struct QueueCloser<'q>(&'q Queue);

impl Drop for QueueCloser<'_> {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.may_take.notify_all();
        self.0.may_pop.notify_all();
    }
}

impl State {
    fn take(&mut self, max_waiting: usize) -> Option<Ticket> {
        let at = self.slots.iter().position(|slot| matches!(slot, QueueSlot::Free(_)))?;
        if at > 0 && self.n_waiting >= max_waiting {
            return None;
        }
        let number = self.next_number;
        self.next_number += 1;
        let slot = std::mem::replace(&mut self.slots[at], QueueSlot::Taken(number));
        let QueueSlot::Free(job) = slot else { unreachable!("it was found to be free") };
        Some(Ticket { number, job })
    }

    fn replace(&mut self, at: usize, mut part: JobPart) {
        let rest = std::mem::take(&mut part.rest);
        self.slots[at] = QueueSlot::Done(part);
        self.n_waiting += 1;
        for (offset, job) in rest.into_iter().enumerate() {
            self.slots.insert(at + 1 + offset, QueueSlot::Free(job));
        }
    }
}
