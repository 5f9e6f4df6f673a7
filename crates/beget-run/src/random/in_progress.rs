//! What is being run, for whoever waits for a call that may not return.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use beget_suite::Sequence;

use crate::random::{CallStep, Fragment, RandomSoFar};

/// What is being run, and what the run has come to, for whoever waits for it.
#[derive(Debug, Default)]
pub struct InProgress {
    running: Mutex<RunningSequence>,
    so_far: Mutex<RandomSoFar>,
}

#[derive(Debug, Default)]
struct RunningSequence {
    /// How many there were, this one included.
    number: u64,
    prefix: Arc<Fragment>,
    /// Those made, and the one being made.
    steps: Vec<Arc<CallStep>>,
}

impl InProgress {
    fn lock(&self) -> MutexGuard<'_, RunningSequence> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A sequence begins, with its prefix.
    pub(crate) fn begin(&self, number: u64, prefix: Arc<Fragment>) {
        let mut running = self.lock();
        (running.number, running.prefix) = (number, prefix);
        running.steps.clear();
    }

    /// A call is made.
    pub(crate) fn push(&self, step: Arc<CallStep>) {
        self.lock().steps.push(step);
    }

    /// The last call was not made.
    pub(crate) fn pop(&self) {
        self.lock().steps.pop();
    }

    /// The search is over: what is run from now on makes its findings smaller.
    pub(crate) fn begin_minimizing(&self) {
        let number = self.numbers()[0] + 1;
        self.begin(number, Arc::default());
    }

    /// Notes what the run has come to.
    pub(crate) fn publish(&self, so_far: RandomSoFar) {
        *self.so_far.lock().unwrap_or_else(PoisonError::into_inner) = so_far;
    }

    /// What the run had come to when it was last noted: no longer than some hundred sequences ago,
    /// with all findings.
    pub fn so_far(&self) -> RandomSoFar {
        self.so_far.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The sequence and the call in it, by two numbers that no other call has.
    pub fn numbers(&self) -> [u64; 2] {
        let running = self.lock();
        [running.number, running.steps.len() as u64]
    }

    /// The sequence, as far as it goes.
    pub fn sequence(&self) -> Sequence {
        let running = self.lock();
        let whole = Fragment::new(vec![running.prefix.clone()], running.steps.clone());
        whole.to_sequence(None)
    }
}
