//! The sequence in progress, for the thread that waits for a call that may not return.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use beget_plan::finding::{Kind, Problem};
use beget_process::guard::{CurrentCall, EndGuard, ProcessEnd};
use beget_suite::Sequence;

use crate::random::options::MINIMIZING;
use crate::random::{CallStep, Fragment, MinimizedFinding, RandomSoFar};
use crate::waiting::NO_RUN;

/// The work that ended a process or did not return, in words. A note names only the call, not the
/// invariant or contract that may have been asked after it.
pub const CALL_OR_QUESTION: &str = "the call, or what is asked after it,";

/// The sequence in progress and the findings so far, for the thread that waits.
#[derive(Default)]
pub struct InProgress {
    running: Mutex<RunningSequence>,
    so_far: Mutex<RandomSoFar>,
    /// Is shown the sequence and the call in it, before the call is made.
    note: Option<Box<PositionNote>>,
    /// Has the way in which its thread would have ended the process.
    current: OnceLock<Arc<CurrentCall>>,
}

/// Takes the number of a sequence and the position of a call in it.
pub type PositionNote = dyn Fn(u64, u64) + Send + Sync;

impl fmt::Debug for InProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InProgress").field("running", &self.running).finish_non_exhaustive()
    }
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
    /// Shows each call to `note` before it is made.
    pub(crate) fn noted_by(note: Box<PositionNote>) -> Self {
        InProgress { note: Some(note), ..InProgress::default() }
    }

    fn show(&self, sequence: u64, call: u64) {
        if let Some(note) = &self.note {
            note(sequence, call);
        }
    }

    fn lock(&self) -> MutexGuard<'_, RunningSequence> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A sequence begins, with its prefix.
    pub(crate) fn begin(&self, number: u64, prefix: Arc<Fragment>) {
        let mut running = self.lock();
        (running.number, running.prefix) = (number, prefix);
        running.steps.clear();
        self.show(number, 0);
    }

    /// A call is made.
    pub(crate) fn push(&self, step: Arc<CallStep>) {
        let mut running = self.lock();
        running.steps.push(step);
        self.show(running.number, running.steps.len() as u64);
    }

    /// The last call was not made.
    pub(crate) fn pop(&self) {
        self.lock().steps.pop();
    }

    /// The search is over: what is run from now on makes its findings smaller.
    pub(crate) fn begin_minimizing(&self) {
        let number = self.numbers()[0] + 1;
        self.begin(number, Arc::default());
        self.show(MINIMIZING, 0);
    }

    /// Notes what the run has come to.
    pub(crate) fn publish(&self, so_far: RandomSoFar) {
        *self.so_far.lock().unwrap_or_else(PoisonError::into_inner) = so_far;
    }

    /// The state of the run when it was last noted: no longer than some hundred sequences ago,
    /// with all findings.
    pub(crate) fn so_far(&self) -> RandomSoFar {
        self.so_far.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The sequence and the call in it, by two numbers that no other call has.
    pub fn numbers(&self) -> [u64; 2] {
        let running = self.lock();
        [running.number, running.steps.len() as u64]
    }

    /// The sequence, as far as it goes.
    pub fn sequence(&self) -> Sequence {
        self.fragment().to_sequence(None)
    }

    fn fragment(&self) -> Fragment {
        let running = self.lock();
        Fragment::new(vec![running.prefix.clone()], running.steps.clone())
    }

    /// While the result lives, this thread, which runs the sequences, stops where it would end the
    /// process, if [others do](beget_process::guard::outlive_ends).
    pub fn stop_at_end(&self) -> Option<EndGuard> {
        self.current.get_or_init(|| CurrentCall::on_this_thread(NO_RUN)).stop_at_end()
    }

    /// The way in which the last call ended the process, or what is asked after it, until the
    /// finding is taken.
    pub fn end(&self) -> Option<ProcessEnd> {
        self.current.get()?.read().end
    }

    /// The finding of the call in progress, which does not return.
    pub(crate) fn endless_call(&self) -> MinimizedFinding {
        let problem = Problem::new(Kind::Hang, format!("{CALL_OR_QUESTION} does not return"));
        MinimizedFinding::of_call(problem, 1, self.fragment().to_steps())
    }

    /// The finding of a call that ended the process. Its thread does nothing more.
    pub(crate) fn take_end(&self) -> Option<MinimizedFinding> {
        let end = self.end()?;
        self.current.get()?.tell_end();
        let problem = Problem::new(Kind::Crash, format!("{CALL_OR_QUESTION} {end}"));
        Some(MinimizedFinding::of_call(problem, 1, self.fragment().to_steps()))
    }
}

#[cfg(test)]
mod tests {
    use beget_process::guard::mark_end_of_process;

    use super::*;
    use crate::random::tests::step_of;

    #[test]
    fn each_call_is_noted_before_it_is_made() {
        let noted = Arc::new(Mutex::new(Vec::new()));
        let copy = noted.clone();
        let note = move |sequence, call| copy.lock().unwrap().push([sequence, call]);
        let running = InProgress::noted_by(Box::new(note));
        let step = Arc::new(step_of(0));
        running.begin(5, Arc::default());
        running.push(step.clone());
        running.push(step.clone());
        running.pop();
        running.push(step);
        assert_eq!(running.numbers(), [5, 2]);
        running.begin_minimizing();
        assert_eq!(running.numbers(), [6, 0]);
        // The greatest number of all is that of a process that is done.
        let minimizing = [u64::MAX - 1, 0];
        assert_eq!(*noted.lock().unwrap(), [[5, 0], [5, 1], [5, 2], [5, 2], [6, 0], minimizing]);
    }

    #[test]
    fn the_end_of_the_process_is_a_finding_of_the_call_in_progress() {
        let running = InProgress::default();
        running.begin(1, Arc::default());
        running.push(Arc::new(step_of(0)));
        let _guard = running.stop_at_end();
        assert!(running.end().is_none() && running.take_end().is_none());
        assert!(mark_end_of_process());
        assert_eq!(running.end(), Some(ProcessEnd::Exit));
        let found = running.take_end().unwrap();
        let Problem { kind, message, .. } = &found.finding.problem;
        let wanted = "the call, or what is asked after it, ended the process by `exit`";
        assert_eq!((kind, &**message), (&Kind::Crash, wanted));
        assert_eq!(found.steps.len(), 1);
    }
}
