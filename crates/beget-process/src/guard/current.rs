//! The call that each thread is making, so that a call that never ends, or that ends the process,
//! can still be named.
//!
//! A call is noted by two plain stores, before it is made. The numbers have a meaning only to the
//! caller. A watched process keeps its note in [shared words](share_note), which outlive it.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::alloc::{EndGuard, ProcessEnd};

/// A call that is being made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallInProgress {
    /// The number of its run.
    pub run: usize,
    /// The number of its task.
    pub task: u32,
    /// The number of the method; `None` while its arguments are reconstructed.
    pub method: Option<u32>,
    /// The index of the method's literals that it takes.
    pub tuple: u32,
    /// True during the framework's own work, not the subject's: a structure is reconstructed, or
    /// the state after the call is walked.
    pub is_own_work: bool,
    /// The number of structures made on this thread before: the same call may be made on others.
    pub n_made: u32,
    /// The number of the work on the call after it, such as an audit; 0 before.
    pub after: u32,
    /// The structures that it takes; `None` if they are too many to be noted.
    pub arguments: Option<Vec<u64>>,
    /// The way it ended the process, until that is reported.
    pub end: Option<ProcessEnd>,
}

/// The most arguments that are noted.
const MOST_ARGUMENTS: usize = 8;

/// Stands for no method.
const NONE: u32 = u32::MAX;

/// The words of a note.
pub const NOTE_WORDS: usize = 7 + 2 * MOST_ARGUMENTS;

/// The factor by which the framework's own work on one structure may take longer than a call. A
/// large structure is not the fault of a call, but a `walk` by hand may not end.
pub const OWN_WORK_FACTOR: u32 = 20;

/// A note: the task, the method, the tuple, the work after it, how it has ended the process, the
/// number of arguments, the number of structures reconstructed so far, the arguments, each in two
/// words.
type NoteWords = [AtomicU32; NOTE_WORDS];

const TASK: usize = 0;
const METHOD: usize = 1;
const TUPLE: usize = 2;
const AFTER: usize = 3;
const END: usize = 4;
const N_ARGUMENTS: usize = 5;
const N_MADE: usize = 6;
const ARGUMENTS: usize = 7;

/// In the word of the tuple: marks the framework's own work. The next call overwrites it, so calls
/// without such work pay nothing.
const OWN_WORK: u32 = 1 << 31;

/// The note of one thread's work, as long as this lives.
#[derive(Debug)]
pub struct CurrentCall {
    thread: u64,
    run: usize,
    /// Exclusive while this lives.
    note: &'static NoteWords,
}

/// True if threads that make calls stop instead of ending the process.
static OUTLIVES: AtomicBool = AtomicBool::new(false);

static ALL: Mutex<Vec<Weak<CurrentCall>>> = Mutex::new(Vec::new());

/// Unused notes. The last is taken first.
static UNUSED: Mutex<Vec<&'static NoteWords>> = Mutex::new(Vec::new());

/// Makes the next thread with a [`CurrentCall`] note its calls in these words, and then the one
/// after it, for as long as the process lives.
pub fn share_note(words: &'static [AtomicU32; NOTE_WORDS]) {
    lock(&UNUSED).push(words);
}

/// Returns whether a note from another process is of the framework's own work.
pub fn notes_own_work(words: &[u32; NOTE_WORDS]) -> bool {
    words[TUPLE] & OWN_WORK != 0
}

impl CurrentCall {
    /// A note of this thread's work from now on, for a run whose number is unique meanwhile.
    pub fn on_this_thread(run: usize) -> Arc<CurrentCall> {
        let unused = lock(&UNUSED).pop();
        // At most as many as threads that make calls at a time.
        let note = unused.unwrap_or_else(|| Box::leak(Box::default()));
        note.iter().for_each(|word| word.store(0, Relaxed));
        note[METHOD].store(NONE, Relaxed);
        let current = Arc::new(CurrentCall { thread: thread_number(), run, note });
        let mut all = lock(&ALL);
        all.retain(|known| known.strong_count() > 0);
        all.push(Arc::downgrade(&current));
        current
    }

    /// While the result lives, this thread stops instead of ending the process, and notes the end
    /// for [`outlive_ends`].
    pub fn stop_at_end(&self) -> Option<EndGuard> {
        OUTLIVES.load(Relaxed).then(|| EndGuard::on_this_thread(&self.note[END])).flatten()
    }

    /// Like [`CurrentCall::stop_at_end`], for a thread that is waited for by
    /// [`run_leavable`](super::run_leavable): it stops whether threads that make calls do or not.
    pub fn stop_at_any_end(&self) -> Option<EndGuard> {
        EndGuard::on_this_thread(&self.note[END])
    }

    /// Marks the noted end as reported: its thread stops for ever.
    pub fn tell_end(&self) {
        ProcessEnd::tell(&self.note[END]);
    }

    /// Notes that the calls of this task come next.
    #[inline(always)]
    pub fn set_task(&self, task: u32) {
        self.note[TASK].store(task, Relaxed);
    }

    /// Notes that these structures are reconstructed, for calls on them.
    pub fn set_arguments(&self, arguments: impl IntoIterator<Item = u64>) {
        self.set_making();
        let mut n_arguments = 0;
        let mut places = self.note[ARGUMENTS..].as_chunks::<2>().0.iter();
        for argument in arguments {
            if let Some([low, high]) = places.next() {
                low.store(argument as u32, Relaxed);
                high.store((argument >> u32::BITS) as u32, Relaxed);
            }
            n_arguments += 1;
        }
        self.note[N_ARGUMENTS].store(n_arguments, Relaxed);
    }

    /// Notes the call that is made next.
    #[inline(always)]
    pub fn set_call(&self, method: u32, tuple: u32) {
        self.note[METHOD].store(method, Relaxed);
        self.note[TUPLE].store(tuple, Relaxed);
    }

    /// Notes that the next work is no call: structures are cloned or dropped.
    #[inline(always)]
    pub fn set_no_call(&self) {
        self.note[METHOD].store(NONE, Relaxed);
        self.note[TUPLE].store(0, Relaxed);
    }

    /// Notes that structures are reconstructed next, which is the framework's own work. No note
    /// equals an earlier one, because the same call may be made again.
    pub fn set_making(&self) {
        self.set_no_call();
        self.set_own_work();
        let n_made = self.note[N_MADE].load(Relaxed);
        self.note[N_MADE].store(n_made.wrapping_add(1), Relaxed);
    }

    /// Notes that the framework's own work begins and lasts until the next call: the noted call is
    /// over.
    #[inline(always)]
    pub fn set_own_work(&self) {
        let tuple = self.note[TUPLE].load(Relaxed);
        self.note[TUPLE].store(tuple | OWN_WORK, Relaxed);
    }

    /// Notes the work on the noted call after it; 0 if that is over.
    pub fn set_after(&self, after: u32) {
        self.note[AFTER].store(after, Relaxed);
    }

    /// Copies the note that another process [shares](share_note).
    pub fn copy(&self, words: &[u32; NOTE_WORDS]) {
        self.note.iter().zip(words).for_each(|(noted, &word)| noted.store(word, Relaxed));
    }

    /// The current note.
    pub fn read(&self) -> CallInProgress {
        let [task, method, tuple, after, end, n_arguments, n_made, arguments @ ..] = self.note;
        let (method, tuple) = (method.load(Relaxed), tuple.load(Relaxed));
        let noted = arguments.as_chunks().0.get(..n_arguments.load(Relaxed) as usize);
        let argument = |words: &[AtomicU32; 2]| {
            let [low, high] = words.each_ref().map(|word| u64::from(word.load(Relaxed)));
            high << u32::BITS | low
        };
        CallInProgress {
            run: self.run,
            task: task.load(Relaxed),
            method: (method != NONE).then_some(method),
            tuple: tuple & !OWN_WORK,
            is_own_work: tuple & OWN_WORK != 0,
            n_made: n_made.load(Relaxed),
            after: after.load(Relaxed),
            arguments: noted.map(|noted| noted.iter().map(argument).collect()),
            end: ProcessEnd::noted(end),
        }
    }
}

impl Drop for CurrentCall {
    fn drop(&mut self) {
        lock(&UNUSED).push(self.note);
    }
}

/// From now on, threads that make calls stop where they would end the process. Someone has to poll
/// [`current_calls`] and report the end by [`tell_ends`]: if that does not happen within some
/// seconds, the process ends.
pub fn outlive_ends() {
    OUTLIVES.store(true, Relaxed);
}

/// Returns whether threads that make calls [stop](outlive_ends) where they would end the process.
pub fn outlives_ends() -> bool {
    OUTLIVES.load(Relaxed)
}

/// True if another process notices when this one ends, and by which call.
static IS_WATCHED: AtomicBool = AtomicBool::new(false);

/// From now on, another process notices the end of this one, and the call that is to blame.
pub fn be_watched() {
    IS_WATCHED.store(true, Relaxed);
}

/// Returns whether it is noticed, and not lost, if a call ends the process.
pub fn are_ends_noticed() -> bool {
    outlives_ends() || IS_WATCHED.load(Relaxed)
}

/// Marks all ends noted by calls of a run as reported. Their threads do nothing more, and are no
/// longer among the [current calls](current_calls).
pub fn tell_ends(run: usize) {
    let has_ended = |current: &CurrentCall| current.run == run && current.read().end.is_some();
    lock(&ALL).retain(|known| {
        let ended = known.upgrade().filter(|current| has_ended(current));
        ended.inspect(|current| current.tell_end()).is_none()
    });
}

/// The notes of all threads. A note that changes meanwhile may be read half changed; the note of a
/// call that does not end is exact.
pub fn current_calls() -> Vec<CallInProgress> {
    lock(&ALL).iter().filter_map(Weak::upgrade).map(|current| current.read()).collect()
}

/// Notes that the call on this thread has ended the process. Returns whether this thread has a
/// note: threads that a subject started itself have none.
pub fn mark_end_of_process() -> bool {
    let thread = thread_number();
    let known: Vec<_> = lock(&ALL).iter().filter_map(Weak::upgrade).collect();
    let mine = known.iter().rfind(|current| current.thread == thread);
    mine.inspect(|current| ProcessEnd::Exit.note(&current.note[END])).is_some()
}

fn lock<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A number of the thread, available even while a process exits, when variables with destructors
/// are gone.
fn thread_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    thread_local! {
        static NUMBER: Cell<u64> = const { Cell::new(0) };
    }
    if NUMBER.get() == 0 {
        NUMBER.set(NEXT.fetch_add(1, Relaxed));
    }
    NUMBER.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Notes are global to the process.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

    #[test]
    fn a_note_says_what_its_thread_does() {
        let _alone = lock(&ONE_AT_A_TIME);
        let current = CurrentCall::on_this_thread(5);
        current.set_task(4);
        current.set_arguments([7, 9 << 40]);
        let made = CallInProgress {
            run: 5,
            task: 4,
            method: None,
            tuple: 0,
            is_own_work: true,
            n_made: 1,
            after: 0,
            arguments: Some(vec![7, 9 << 40]),
            end: None,
        };
        assert_eq!(current_calls(), std::slice::from_ref(&made));
        current.set_call(3, 2);
        let call = CallInProgress { method: Some(3), tuple: 2, is_own_work: false, ..made };
        assert_eq!(current_calls(), std::slice::from_ref(&call));
        current.set_own_work();
        let walked = CallInProgress { is_own_work: true, ..call.clone() };
        assert_eq!(current_calls(), std::slice::from_ref(&walked));
        current.set_own_work();
        assert_eq!(current_calls(), [walked]);
        current.set_call(3, 2);
        current.set_after(4);
        assert_eq!(current_calls(), [CallInProgress { after: 4, ..call.clone() }]);
        current.set_after(0);
        // Another thread's end is not this one's.
        assert!(!std::thread::spawn(mark_end_of_process).join().unwrap());
        assert_eq!(current_calls(), std::slice::from_ref(&call));
        assert!(mark_end_of_process());
        assert_eq!(current_calls(), [CallInProgress { end: Some(ProcessEnd::Exit), ..call }]);
        current.set_no_call();
        let no_call = &current_calls()[0];
        assert_eq!((no_call.method, no_call.is_own_work), (None, false));
        current.set_arguments(0..9);
        assert_eq!(current_calls()[0].arguments, None);
        drop(current);
        assert_eq!(current_calls(), []);
    }

    #[test]
    fn one_that_watches_is_enough_to_notice_an_end() {
        assert!(!are_ends_noticed());
        be_watched();
        assert!(are_ends_noticed());
    }

    #[test]
    fn the_same_call_on_structures_that_are_made_again_has_another_note() {
        let _alone = lock(&ONE_AT_A_TIME);
        let words: &'static [AtomicU32; NOTE_WORDS] = Box::leak(Box::default());
        share_note(words);
        let current = CurrentCall::on_this_thread(5);
        let noted = || {
            current.set_call(3, 2);
            words.each_ref().map(|word| word.load(Relaxed))
        };
        let first = noted();
        assert_eq!(noted(), first);
        current.set_making();
        assert_ne!(noted(), first);
    }

    #[test]
    fn shared_words_take_the_next_note_and_others_can_copy_it() {
        let _alone = lock(&ONE_AT_A_TIME);
        let words: &'static [AtomicU32; NOTE_WORDS] = Box::leak(Box::default());
        share_note(words);
        for task in [1, 2] {
            let current = CurrentCall::on_this_thread(5);
            current.set_task(task);
            current.set_arguments([7]);
            current.set_call(3, 2);
            let copy = CurrentCall::on_this_thread(5);
            copy.copy(&words.each_ref().map(|word| word.load(Relaxed)));
            assert_eq!(copy.read(), current.read());
            let read = (copy.read().task, copy.read().method, copy.read().arguments);
            assert_eq!(read, (task, Some(3), Some(vec![7])));
            let is_own_work = || notes_own_work(&words.each_ref().map(|word| word.load(Relaxed)));
            assert!(!is_own_work());
            current.set_own_work();
            assert!(is_own_work());
            current.set_no_call();
            assert!(!is_own_work());
            // The shared words are those returned last.
            drop(copy);
            drop(current);
        }
    }
}
