//! The running test cases, for a watcher of calls that may not return.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use beget_plan::finding::Progress;
use beget_run::random::InProgress;
use beget_suite::Sequence;

/// The chromosomes whose test cases are running, each with a unique number.
#[derive(Debug, Default)]
pub struct RunningTests {
    n_begun: AtomicU64,
    /// Calls of the generations before.
    calls: AtomicU64,
    running: Mutex<BTreeMap<u64, Arc<InProgress>>>,
}

/// Sequences of one chromosome have numbers below this.
const SEQUENCES: u64 = 1 << 32;

impl RunningTests {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<InProgress>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins the test cases of another generation, after `calls` calls.
    pub(crate) fn begin_batch(&self, calls: u64) {
        self.calls.store(calls, Relaxed);
    }

    /// The progress of the whole search; `progress` is that of one run.
    pub(crate) fn total(&self, progress: Progress) -> Progress {
        Progress { explored: self.calls.load(Relaxed) + progress.explored, ..progress }
    }

    /// Runs a function that notes its sequences.
    pub(crate) fn run<R>(&self, run: impl FnOnce(&InProgress) -> R) -> R {
        let number = self.n_begun.fetch_add(1, Relaxed);
        let in_progress = Arc::new(InProgress::default());
        self.lock().insert(number, in_progress.clone());
        let stop = in_progress.stop_at_end();
        let result = run(&in_progress);
        drop(stop);
        self.lock().remove(&number);
        result
    }

    /// The calls in progress, each identified by two numbers.
    pub fn numbers(&self) -> Vec<[u64; 2]> {
        self.lock().iter().map(|(number, running)| numbers_of(*number, running)).collect()
    }

    /// A call that has ended the process, whose thread has stopped instead.
    pub(crate) fn ended(&self) -> Option<[u64; 2]> {
        let all = self.lock();
        let (number, running) = all.iter().find(|(_, running)| running.end().is_some())?;
        Some(numbers_of(*number, running))
    }

    /// The sequence with this call, as far as it goes; `None` if the call is over.
    pub fn sequence(&self, numbers: [u64; 2]) -> Option<Sequence> {
        let in_progress = self.lock().get(&(numbers[0] / SEQUENCES)).cloned()?;
        let sequence = in_progress.sequence();
        let is_same = in_progress.numbers() == [numbers[0] % SEQUENCES, numbers[1]];
        (is_same && !sequence.statements.is_empty()).then_some(sequence)
    }
}

fn numbers_of(number: u64, in_progress: &InProgress) -> [u64; 2] {
    let [sequence, call] = in_progress.numbers();
    [number * SEQUENCES + sequence, call]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_includes_the_calls_of_the_generations_before() {
        let running = RunningTests::default();
        running.begin_batch(5);
        let own = Progress { explored: 7, structures: 3, ..Progress::default() };
        assert_eq!(running.total(own), Progress { explored: 12, ..own });
    }

    #[test]
    fn no_call_has_ended_the_process_while_cases_only_run() {
        let running = RunningTests::default();
        assert_eq!(running.run(|_| running.ended()), None);
        assert!(running.numbers().is_empty());
    }
}
