//! What each thread is in the middle of, for those who look on: a call that never ends, or that
//! ends the process, can still be named.
//!
//! A call is noted by two plain stores, before it is made. The numbers mean something only to
//! whoever notes them.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// A call that is being made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallInProgress {
    /// The run that it is of, by the number that was noted.
    pub run: usize,
    /// The method, by the number that was noted; `None` while its arguments are reconstructed.
    pub method: Option<u32>,
    /// Which of the method's literals it takes.
    pub tuple: u32,
    /// The structures that it takes; `None` if they are more than are noted.
    pub arguments: Option<Vec<u32>>,
    /// Whether it has ended the process, which waits for someone to say so.
    pub ends_process: bool,
}

/// The most arguments that are noted.
const MOST_ARGUMENTS: usize = 8;

/// Stands for no method.
const NONE: u32 = u32::MAX;

/// The note of what one thread does, as long as this lives.
#[derive(Debug)]
pub struct CurrentCall {
    thread: u64,
    run: usize,
    method: AtomicU32,
    tuple: AtomicU32,
    n_arguments: AtomicU32,
    arguments: [AtomicU32; MOST_ARGUMENTS],
    ends_process: AtomicBool,
}

static ALL: Mutex<Vec<Weak<CurrentCall>>> = Mutex::new(Vec::new());

impl CurrentCall {
    /// A note of what this thread does from here on, for a run whose number no other run has
    /// meanwhile.
    pub fn on_this_thread(run: usize) -> Arc<CurrentCall> {
        let current = Arc::new(CurrentCall {
            thread: thread_number(),
            run,
            method: AtomicU32::new(NONE),
            tuple: AtomicU32::new(0),
            n_arguments: AtomicU32::new(0),
            arguments: Default::default(),
            ends_process: AtomicBool::new(false),
        });
        let mut all = lock();
        all.retain(|known| known.strong_count() > 0);
        all.push(Arc::downgrade(&current));
        current
    }

    /// Notes that these structures are reconstructed, for calls on them.
    pub fn set_arguments(&self, arguments: impl IntoIterator<Item = u32>) {
        self.method.store(NONE, Relaxed);
        let mut n_arguments = 0;
        for (index, argument) in arguments.into_iter().enumerate() {
            if let Some(noted) = self.arguments.get(index) {
                noted.store(argument, Relaxed);
            }
            n_arguments += 1;
        }
        self.n_arguments.store(n_arguments, Relaxed);
    }

    /// Notes the call that is made next.
    #[inline(always)]
    pub fn set_call(&self, method: u32, tuple: u32) {
        self.method.store(method, Relaxed);
        self.tuple.store(tuple, Relaxed);
    }

    fn read(&self) -> CallInProgress {
        let method = self.method.load(Relaxed);
        let noted = self.arguments.get(..self.n_arguments.load(Relaxed) as usize);
        CallInProgress {
            run: self.run,
            method: (method != NONE).then_some(method),
            tuple: self.tuple.load(Relaxed),
            arguments: noted.map(|noted| noted.iter().map(|id| id.load(Relaxed)).collect()),
            ends_process: self.ends_process.load(Relaxed),
        }
    }
}

/// What all threads do. A note that changes meanwhile may be read half changed; the note of a call
/// that does not end is exact.
pub fn current_calls() -> Vec<CallInProgress> {
    lock().iter().filter_map(Weak::upgrade).map(|current| current.read()).collect()
}

/// Notes that the call on this thread has ended the process. Returns whether there is such a note:
/// not on threads that a subject started itself.
pub fn mark_end_of_process() -> bool {
    let thread = thread_number();
    let known: Vec<_> = lock().iter().filter_map(Weak::upgrade).collect();
    let mine = known.iter().rfind(|current| current.thread == thread);
    mine.inspect(|current| current.ends_process.store(true, Relaxed)).is_some()
}

fn lock() -> MutexGuard<'static, Vec<Weak<CurrentCall>>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A number of the thread's own, to be had while a process exits too, when variables with
/// destructors are gone.
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

    #[test]
    fn a_note_says_what_its_thread_does() {
        let current = CurrentCall::on_this_thread(5);
        current.set_arguments([7, 9]);
        let made = CallInProgress {
            run: 5,
            method: None,
            tuple: 0,
            arguments: Some(vec![7, 9]),
            ends_process: false,
        };
        assert_eq!(current_calls(), std::slice::from_ref(&made));
        current.set_call(3, 2);
        let call = CallInProgress { method: Some(3), tuple: 2, ..made };
        assert_eq!(current_calls(), std::slice::from_ref(&call));
        // Another thread's end is not this one's.
        assert!(!std::thread::spawn(mark_end_of_process).join().unwrap());
        assert_eq!(current_calls(), std::slice::from_ref(&call));
        assert!(mark_end_of_process());
        assert_eq!(current_calls(), [CallInProgress { ends_process: true, ..call }]);
        current.set_arguments(0..9);
        assert_eq!(current_calls()[0].arguments, None);
        drop(current);
        assert_eq!(current_calls(), []);
    }
}
