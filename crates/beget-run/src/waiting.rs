//! Work on a separate thread, watched regularly.

use std::any::Any;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use beget_engine::store::StructureId;
use beget_oracle::{MAKING, Matter};
use beget_plan::finding::StopReason;
use beget_plan::scope::PlannedIdx;
use beget_process::guard::{CallInProgress, CurrentCall, EndGuard, ProcessEnd};
use beget_suite::TypeIdx;

/// How often a waiting thread looks up.
const TICK: Duration = Duration::from_millis(100);

/// Checks of structures in progress: repOKs, of a search or of a check, or contracts.
pub trait Questions {
    /// The noun for the check.
    fn noun(&self) -> &'static str {
        "repOK"
    }

    /// The checks in progress, each identified by two numbers.
    fn runs(&self) -> Vec<[u64; 2]>;

    /// A check's structure, for the user; `None` if it is over.
    fn source(&self, run: [u64; 2]) -> Option<String>;

    /// A check that has ended the process, whose thread has stopped instead.
    fn ended(&self) -> Option<[u64; 2]> {
        None
    }

    /// The result of the run if it stopped now, for this reason and because of these checks: of the
    /// type that the run returns, as [`RandomRun`](crate::RandomRun). `None` where there is none
    /// before the end.
    fn so_far(&self, _: StopReason, _: &[[u64; 2]]) -> Option<Box<dyn Any>> {
        None
    }
}

/// A thread is looked at a hundred times a second, and the host looks on every tenth time.
const LOOKS_PER_WAIT: u32 = 10;

/// The looks that a thread has to stop.
const LOOKS_TO_STOP: u32 = 1_000;

/// The looks at a thread.
#[derive(Default)]
pub(crate) struct ThreadLooks {
    n: u32,
    /// Their number when the thread was to stop.
    n_at_stop: Option<u32>,
}

impl ThreadLooks {
    /// Counts a look. Returns whether the host looks on too.
    pub(crate) fn count(&mut self) -> bool {
        self.n += 1;
        self.n.is_multiple_of(LOOKS_PER_WAIT)
    }

    /// The thread is to stop from now on.
    pub(crate) fn begin_stop(&mut self) {
        self.n_at_stop = Some(self.n);
    }

    /// Returns whether the thread has time left to stop.
    pub(crate) fn is_stopping(&self) -> bool {
        self.n_at_stop.is_some_and(|at| self.n - at < LOOKS_TO_STOP)
    }
}

/// The number of structures between two tests for a stop.
pub(crate) const CHECK_INTERVAL: u64 = 1 << 10;

/// The question in progress and its structure, for the thread that waits: one at most. It is noted
/// as a call is, so that it is known in other processes too.
pub(crate) struct Current {
    /// The structure that is noted, if it is one alone.
    id: AtomicU64,
    pub(crate) note: Arc<CurrentCall>,
}

/// The place of the position of an oracle in a noted question.
const ORACLE_SHIFT: u32 = 16;

/// The number of no structure.
const NO_STRUCTURE: u64 = u64::MAX;

/// The number of no run of calls: those have the addresses of their plans.
pub(crate) const NO_RUN: usize = usize::MAX;

impl Default for Current {
    fn default() -> Self {
        Current { id: AtomicU64::new(NO_STRUCTURE), note: CurrentCall::on_this_thread(NO_RUN) }
    }
}

impl Current {
    /// Notes that a structure comes next.
    pub(crate) fn begin(&self, id: StructureId) {
        self.id.store(id.number(), Relaxed);
        self.note.set_arguments([id.number()]);
    }

    /// Notes a question, by the positions of its oracle and of itself.
    pub(crate) fn set(&self, matter: Matter, [oracle, question]: [usize; 2]) {
        // No note is equal to one before: the same question may be asked of other calls.
        match matter {
            Matter::Structure(id) if self.id.load(Relaxed) == id => {
                self.note.set_making();
            }
            Matter::Structure(id) => self.begin(StructureId::new(id)),
            _ => {
                self.id.store(NO_STRUCTURE, Relaxed);
                self.note.set_arguments(words_of(matter));
            }
        }
        match question {
            MAKING => self.note.set_no_call(),
            _ => self.note.set_call(oracle as u32, question as u32),
        }
    }

    /// Notes that nothing is asked.
    pub(crate) fn clear(&self) {
        self.note.set_no_call();
    }

    /// While the result lives, this thread stops where a check would end the process.
    pub(crate) fn stop_at_end(&self) -> Option<EndGuard> {
        self.note.stop_at_any_end()
    }

    /// The way in which a check has ended the process.
    pub(crate) fn end(&self) -> Option<ProcessEnd> {
        self.note.read().end
    }

    pub(crate) fn tell_end(&self) {
        self.note.tell_end();
    }

    /// The note.
    pub(crate) fn place(&self) -> AskedPlace {
        AskedPlace::of(&self.note.read())
    }

    /// The question, as two numbers, if there is one.
    pub(crate) fn get(&self) -> Vec<[u64; 2]> {
        let at = self.place();
        let run = |[oracle, question]: [usize; 2]| {
            [at.id().unwrap_or(NO_STRUCTURE), (oracle << ORACLE_SHIFT | question) as u64]
        };
        at.question.map(run).into_iter().collect()
    }
}

/// The work of an oracle at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AskedPlace {
    /// The matter, if it is known.
    pub matter: Option<Matter>,
    /// The positions of the oracle and of its question; `None` while the structure is made, copied
    /// or dropped.
    pub question: Option<[usize; 2]>,
}

impl AskedPlace {
    /// Reads a note.
    pub fn of(note: &CallInProgress) -> Self {
        let matter = note.arguments.as_deref().and_then(matter_of);
        let question = note.method.map(|oracle| [oracle as usize, note.tuple as usize]);
        AskedPlace { matter, question }
    }

    /// The structure, if it is known.
    pub fn id(self) -> Option<u64> {
        self.matter?.structure()
    }

    /// Reads the two numbers of a question in progress.
    pub(crate) fn of_run([id, question]: [u64; 2]) -> Self {
        let matter = (id != NO_STRUCTURE).then_some(Matter::Structure(id));
        let question = question as usize;
        let question = [question >> ORACLE_SHIFT, question & ((1 << ORACLE_SHIFT) - 1)];
        AskedPlace { matter, question: Some(question) }
    }
}

/// A matter as the words of a note, of which each kind has another number.
pub fn words_of(matter: Matter) -> Vec<u64> {
    let id = matter.structure().unwrap_or(NO_STRUCTURE);
    match matter {
        Matter::Structure(_) => vec![id],
        Matter::Type(ty) => vec![id, ty.index() as u64],
        Matter::Call(_, (planned, tuple)) => vec![id, planned.index() as u64, tuple as u64],
        Matter::Method(planned) => vec![id, planned.index() as u64, 0, 0],
    }
}

/// The matter of such words.
pub fn matter_of(words: &[u64]) -> Option<Matter> {
    let known = |id: u64| (id != NO_STRUCTURE).then_some(id);
    let planned = |idx: u64| PlannedIdx::new(idx as usize);
    match *words {
        [id] => known(id).map(Matter::Structure),
        [_, ty] => Some(Matter::Type(TypeIdx::new(ty as usize))),
        [id, of, tuple] => Some(Matter::Call(known(id), (planned(of), tuple as usize))),
        [_, of, _, _] => Some(Matter::Method(planned(of))),
        _ => None,
    }
}

/// The stack of the work: structures of random runs are deep, and code under test may be recursive.
pub(crate) const STACK_SIZE: usize = 64 << 20;

/// The seconds that calls may continue after their run should have ended. Most batches take less
/// than a second.
const GRACE: f64 = 2.0;

/// The seconds after which a call is named as one that does not end.
const STANDSTILL: f64 = 1.0;

/// The seconds after which a call is named although nothing ends the run.
const SLOW: f64 = 5.0;

/// A host's observations of calls that may not end, or of repOK runs.
#[derive(Clone, Debug)]
pub struct Observation<C> {
    /// The time at which the run should first have ended.
    due: Option<f64>,
    /// The calls being made.
    calls: Vec<Seen<C>>,
}

#[derive(Clone, Debug)]
struct Seen<C> {
    call: C,
    /// The time at which it was first seen.
    since: f64,
    is_told: bool,
}

impl<C> Default for Observation<C> {
    fn default() -> Self {
        Observation { due: None, calls: Vec::new() }
    }
}

impl<C: Clone + PartialEq> Observation<C> {
    /// Observes the calls in progress at a time in seconds. If the run was `due` to end and has not
    /// ended in time, returns the reason and the calls that do not seem to end.
    pub fn look(
        &mut self,
        now: f64,
        calls: Vec<C>,
        due: Option<StopReason>,
    ) -> Option<(StopReason, Vec<C>)> {
        let known = std::mem::take(&mut self.calls);
        let seen = |call: C| {
            let known = known.iter().find(|known| known.call == call);
            let (since, is_told) = known.map_or((now, false), |known| (known.since, known.is_told));
            Seen { call, since, is_told }
        };
        self.calls = calls.into_iter().map(seen).collect();
        let reason = due?;
        let is_over = now - *self.due.get_or_insert(now) >= GRACE;
        let stands = |seen: &&Seen<C>| now - seen.since >= STANDSTILL;
        let standing = || self.calls.iter().filter(stands).map(|seen| seen.call.clone());
        is_over.then(|| (reason, standing().collect()))
    }

    /// The calls that had taken this many seconds at the last observation.
    pub fn longer_than(&self, now: f64, seconds: f64) -> Vec<C> {
        let long = self.calls.iter().filter(|seen| now - seen.since >= seconds);
        long.map(|seen| seen.call.clone()).collect()
    }

    /// The calls that had taken five seconds at the last observation, each once.
    pub fn newly_slow(&mut self, now: f64) -> Vec<C> {
        let mut slow = Vec::new();
        for seen in self.calls.iter_mut().filter(|seen| now - seen.since >= SLOW) {
            if !std::mem::replace(&mut seen.is_told, true) {
                slow.push(seen.call.clone());
            }
        }
        slow
    }
}

/// Does `work` and calls `wait` on this thread until it is done.
pub fn wait_for<R: Send>(work: impl FnOnce() -> R + Send, wait: &mut dyn FnMut()) -> R {
    let mut done = wait_for_all(vec![work], wait);
    done.pop().expect("one result for one work")
}

/// Does all works, each on a thread of its own, and calls `wait` on this thread until all are done.
pub(crate) fn wait_for_all<R: Send>(
    works: Vec<impl FnOnce() -> R + Send>,
    wait: &mut dyn FnMut(),
) -> Vec<R> {
    let (sender, receiver) = channel::<()>();
    std::thread::scope(|scope| {
        let start = |work| {
            let sender = sender.clone();
            let worker = std::thread::Builder::new().stack_size(STACK_SIZE);
            let worker = worker.spawn_scoped(scope, move || {
                // Dropped with the end of the work, however it ends.
                let _sender = sender;
                let work: Box<dyn FnOnce() -> R + Send> = work;
                work()
            });
            worker.expect("a thread can be started")
        };
        let works = works.into_iter().map(|work| Box::new(work) as _);
        let workers: Vec<_> = works.map(start).collect();
        drop(sender);
        while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(TICK) {
            wait();
        }
        let join = |worker: std::thread::ScopedJoinHandle<'_, R>| {
            worker.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        workers.into_iter().map(join).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks nothing.
    struct Silence;

    impl Questions for Silence {
        fn runs(&self) -> Vec<[u64; 2]> {
            Vec::new()
        }

        fn source(&self, _: [u64; 2]) -> Option<String> {
            None
        }
    }

    #[test]
    fn questions_are_of_repoks_and_end_no_process_unless_they_say_so() {
        assert_eq!((Silence.noun(), Silence.ended()), ("repOK", None));
        assert!(Silence.so_far(StopReason::Interrupted, &[]).is_none());
    }

    #[test]
    fn the_host_looks_on_every_tenth_time_and_a_thread_has_a_thousand_looks_to_stop() {
        let mut looks = ThreadLooks::default();
        let of_host: Vec<u32> = (1..=30).filter(|_| looks.count()).collect();
        assert_eq!((of_host, looks.is_stopping()), (vec![10, 20, 30], false));
        looks.begin_stop();
        let mut n_stopping = 0;
        while looks.is_stopping() && n_stopping < 9_999 {
            looks.count();
            n_stopping += 1;
        }
        assert_eq!(n_stopping, 1_000);
    }

    #[test]
    fn a_question_in_progress_is_known_by_its_structure_and_its_place() {
        let current = Current::default();
        assert_eq!(current.get(), [[0; 2]; 0]);
        for question in [5, 6] {
            current.set(Matter::Structure(7), [2, question]);
            assert_eq!(current.get(), [[7, (2 << 16) + question as u64]]);
            assert_eq!(AskedPlace::of_run(current.get()[0]), current.place());
            assert_eq!(
                (current.place().id(), current.place().question),
                (Some(7), Some([2, question]))
            );
        }
        let call = Matter::Call(None, (PlannedIdx::new(3), 4));
        current.set(call, [1, 0]);
        assert_eq!((current.place().matter, current.place().id()), (Some(call), None));
        assert_eq!(current.get(), [[NO_STRUCTURE, 1 << 16]]);
        // Nothing is asked while a structure is made, or after the last question.
        current.set(Matter::Structure(8), [1, MAKING]);
        assert_eq!((current.get(), current.place().id()), (Vec::new(), Some(8)));
        current.set(Matter::Structure(8), [1, 0]);
        current.clear();
        assert_eq!(current.get(), [[0; 2]; 0]);
    }

    #[test]
    fn a_matter_is_the_same_behind_its_words() {
        let planned = PlannedIdx::new(3);
        for matter in [
            Matter::Structure(7),
            Matter::Type(TypeIdx::new(2)),
            Matter::Method(planned),
            Matter::Call(None, (planned, 0)),
            Matter::Call(Some(7), (planned, 5)),
        ] {
            assert_eq!(matter_of(&words_of(matter)), Some(matter));
        }
        assert_eq!((matter_of(&[]), matter_of(&[NO_STRUCTURE])), (None, None));
    }

    #[test]
    fn a_question_about_a_call_is_noted_with_it_and_the_next_one_with_its_structure() {
        let current = Current::default();
        let call = Matter::Call(Some(7), (PlannedIdx::new(3), 5));
        for matter in [Matter::Structure(7), call, Matter::Structure(7), Matter::Structure(8)] {
            current.set(matter, [1, 2]);
            let place = current.place();
            assert_eq!((place.matter, place.question), (Some(matter), Some([1, 2])));
        }
    }

    #[test]
    fn a_slow_call_is_named_once() {
        let mut seen = Observation::default();
        let mut look = |now: f64, calls: &[&'static str]| {
            assert_eq!(seen.look(now, calls.to_vec(), None), None);
            seen.newly_slow(now)
        };
        assert_eq!(look(0.0, &["a"]), [""; 0]);
        assert_eq!(look(4.9, &["a", "b"]), [""; 0]);
        assert_eq!(look(5.0, &["a", "b"]), ["a"]);
        assert_eq!(look(9.9, &["a", "b"]), ["b"]);
        assert_eq!(look(99.0, &["a", "b"]), [""; 0]);
        // It has returned in between.
        assert_eq!(look(100.0, &["b"]), [""; 0]);
        assert_eq!(look(101.0, &["a", "b"]), [""; 0]);
        assert_eq!(look(106.0, &["a", "b"]), ["a"]);
        // `b` has been running since 4.9, `a` again since 101.
        assert_eq!(seen.longer_than(106.0, 5.0), ["a", "b"]);
        assert_eq!(seen.longer_than(106.0, 5.5), ["b"]);
    }

    #[test]
    fn calls_that_stand_still_are_named_once_the_run_has_had_its_time_to_end() {
        let due = Some(StopReason::Interrupted);
        let mut seen = Observation::default();
        assert_eq!(seen.look(0.0, vec!["a", "b"], None), None);
        // However long a call takes, nothing is reported before the run should end.
        assert_eq!(seen.look(50.0, vec!["a", "b"], None), None);
        assert_eq!(seen.look(50.5, vec!["a", "b"], due), None);
        assert_eq!(seen.look(51.6, vec!["a", "c"], due), None);
        assert_eq!(seen.look(52.4, vec!["a", "c"], due), None);
        // `c` was seen for 0.9 s.
        let told = seen.look(52.5, vec!["a", "c"], due);
        assert_eq!(told, Some((StopReason::Interrupted, vec!["a"])));
        let told = seen.look(52.6, vec!["a", "c"], due);
        assert_eq!(told, Some((StopReason::Interrupted, vec!["a", "c"])));
    }
}
