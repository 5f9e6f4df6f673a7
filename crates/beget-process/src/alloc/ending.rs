//! Threads that must not end the process: they stop for ever instead, so that others can report
//! what happened.
//!
//! A thread can do little at its end: it notes the end in a word, waits until the end is
//! [reported](ProcessEnd::tell), and then waits for ever. If it is not reported, the process ends
//! as usual. Locks that the thread holds stay locked.

use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};

/// The way a thread would have ended its process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessEnd {
    /// `std::process::exit`, or the like.
    Exit,
    /// Its stack is full.
    StackOverflow,
    /// A signal by its number: an abort, a fault.
    Signal(u32),
}

/// True once a thread has stopped in place of leaving by `exit`.
static IS_EXITING: AtomicBool = AtomicBool::new(false);

/// Returns whether a thread has stopped in place of leaving by `exit`. Others cannot leave so any
/// more: one that tries waits for the first.
pub fn is_exit_taken() -> bool {
    IS_EXITING.load(SeqCst)
}

const EXIT: u32 = 1;
const STACK_OVERFLOW: u32 = 2;
const FIRST_SIGNAL: u32 = 16;
const TOLD: u32 = 1 << 31;

impl ProcessEnd {
    /// The end that a thread has noted in its word, if any.
    pub fn noted(word: &AtomicU32) -> Option<Self> {
        match word.load(SeqCst) & !TOLD {
            0 => None,
            EXIT => Some(ProcessEnd::Exit),
            STACK_OVERFLOW => Some(ProcessEnd::StackOverflow),
            signal => Some(ProcessEnd::Signal(signal.saturating_sub(FIRST_SIGNAL))),
        }
    }

    /// Notes it in a word.
    pub(crate) fn note(self, word: &AtomicU32) {
        word.store(self.number(), SeqCst);
    }

    /// Marks the end noted in a word as reported.
    pub fn tell(word: &AtomicU32) {
        word.fetch_or(TOLD, SeqCst);
    }

    fn number(self) -> u32 {
        match self {
            ProcessEnd::Exit => EXIT,
            ProcessEnd::StackOverflow => STACK_OVERFLOW,
            ProcessEnd::Signal(signal) => FIRST_SIGNAL + signal,
        }
    }
}

/// The end as a phrase about the call.
impl fmt::Display for ProcessEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProcessEnd::Exit => f.write_str("ended the process by `exit`"),
            ProcessEnd::StackOverflow => f.write_str("overflowed the stack"),
            ProcessEnd::Signal(signal) => match system::name_of(*signal) {
                Some(name) => write!(f, "ended the process by {name}"),
                None => write!(f, "ended the process by signal {signal}"),
            },
        }
    }
}

/// While this lives, the thread stops instead of ending the process.
#[derive(Debug)]
pub struct EndGuard {
    /// It belongs to the thread that made it.
    _of_thread: PhantomData<*const ()>,
}

impl EndGuard {
    /// Makes this thread note in `word` how it would have ended the process. `None` if the system
    /// has no way to do so.
    pub fn on_this_thread(word: &'static AtomicU32) -> Option<Self> {
        word.store(0, SeqCst);
        system::begin(word).then_some(EndGuard { _of_thread: PhantomData })
    }
}

impl Drop for EndGuard {
    fn drop(&mut self) {
        system::end();
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
pub(crate) use system::stack_of_thread;
pub(crate) use system::{begin_stopping, end_stopping, stop_thread};

#[cfg(all(target_os = "linux", not(miri)))]
mod system {
    use std::cell::Cell;
    use std::mem::MaybeUninit;
    use std::os::unix::thread::JoinHandleExt as _;
    use std::ptr;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
    use std::thread::JoinHandle;

    use libc::{SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, c_int, c_void, sigaction, siginfo_t};

    use super::{IS_EXITING, ProcessEnd, TOLD};

    /// The signals by which a thread ends its process.
    const SIGNALS: [(c_int, &str); 5] = [
        (SIGABRT, "SIGABRT"),
        (SIGBUS, "SIGBUS"),
        (SIGFPE, "SIGFPE"),
        (SIGILL, "SIGILL"),
        (SIGSEGV, "SIGSEGV"),
    ];

    /// The previous actions for these signals.
    static BEFORE: OnceLock<[sigaction; SIGNALS.len()]> = OnceLock::new();

    thread_local! {
        /// The word in which this thread notes its end.
        static WORD: Cell<Option<&'static AtomicU32>> = const { Cell::new(None) };
        /// The lowest address of its stack.
        static STACK_END: Cell<usize> = const { Cell::new(0) };
        /// The flag that this thread sets when it has stopped for ever; null if none.
        static STOPPED: Cell<*const AtomicBool> = const { Cell::new(ptr::null()) };
    }

    /// The distance from the end of the stack within which a fault counts as an overflow.
    const GUARD: usize = 128 << 10;

    /// The interval at which a waiting thread checks the word.
    const TICK: libc::timespec = libc::timespec { tv_sec: 0, tv_nsec: 5_000_000 };

    /// The ticks that a thread waits for its end to be reported.
    const MOST_TICKS: u32 = 2_000;

    pub(super) fn name_of(signal: u32) -> Option<&'static str> {
        let named = SIGNALS.iter().find(|(number, _)| *number as u32 == signal);
        named.map(|(_, name)| *name)
    }

    pub(super) fn begin(word: &'static AtomicU32) -> bool {
        STACK_END.set(stack_end());
        WORD.set(Some(word));
        BEFORE.get_or_init(listen);
        true
    }

    pub(super) fn end() {
        WORD.set(None);
    }

    /// From now on, this thread sets the flag when it has stopped for ever.
    pub(crate) fn begin_stopping(stopped: &AtomicBool) {
        STOPPED.set(stopped);
    }

    pub(crate) fn end_stopping() {
        STOPPED.set(ptr::null());
    }

    /// Sends a thread the signal of an abort.
    pub(crate) fn stop_thread(thread: &JoinHandle<()>) {
        // SAFETY: the thread has not been joined, so its handle is one.
        unsafe { libc::pthread_kill(thread.as_pthread_t(), SIGABRT) };
    }

    /// The lowest address of this thread's stack; 0 if unknown.
    fn stack_end() -> usize {
        stack_of_thread().map_or(0, |(start, _)| start)
    }

    /// The lowest address of this thread's stack, and the one after its highest.
    pub(crate) fn stack_of_thread() -> Option<(usize, usize)> {
        let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
        // SAFETY: the thread is this one, and the attributes have room.
        if unsafe { libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) } != 0 {
            return None;
        }
        let (mut start, mut len) = (ptr::null_mut(), 0);
        // SAFETY: the attributes were just filled in, and are destroyed once.
        unsafe {
            libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut start, &raw mut len);
            libc::pthread_attr_destroy(attributes.as_mut_ptr());
        }
        Some((start.addr(), start.addr() + len))
    }

    fn listen() -> [sigaction; SIGNALS.len()] {
        // SAFETY: the handler lives as long as the program and does not unwind.
        unsafe { libc::atexit(on_exit) };
        SIGNALS.map(|(signal, _)| {
            let mut before = MaybeUninit::<sigaction>::zeroed();
            // SAFETY: zeros are a mask without signals, and no flags.
            let mut action = unsafe { MaybeUninit::<sigaction>::zeroed().assume_init() };
            action.sa_sigaction = on_signal as *const () as usize;
            // On the stack that the standard library provides for this: its own may be full.
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            // SAFETY: both actions live until the call returns; the handler does only what a
            // handler may: atomics, sleep, system calls.
            unsafe {
                libc::sigaction(signal, &raw const action, before.as_mut_ptr());
                before.assume_init()
            }
        })
    }

    extern "C" fn on_signal(signal: c_int, info: *mut siginfo_t, _: *mut c_void) {
        // SAFETY: with `SA_SIGINFO` the system passes this information.
        let info = unsafe { &*info };
        // A signal from another process is not this thread's doing.
        if let Some(word) = WORD.get().filter(|_| info.si_code != libc::SI_USER) {
            // SAFETY: the address is there for faults, and is not used for other signals.
            let address = unsafe { info.si_addr() }.addr();
            let is_overflow = signal == SIGSEGV && address.abs_diff(STACK_END.get()) <= GUARD;
            let end = match is_overflow {
                true => ProcessEnd::StackOverflow,
                false => ProcessEnd::Signal(signal as u32),
            };
            if is_told(end, word) {
                say_stopped();
                loop {
                    rest();
                }
            }
        }
        let index = SIGNALS.iter().position(|(number, _)| *number == signal);
        if let Some(before) = index.and_then(|index| Some(&BEFORE.get()?[index])) {
            // SAFETY: this is the previous action. When this returns, the same instruction faults
            // again.
            unsafe { libc::sigaction(signal, before, ptr::null_mut()) };
            let is_sent = info.si_code <= 0;
            if is_sent {
                // SAFETY: a signal may be raised anywhere; it waits until this returns.
                unsafe { libc::raise(signal) };
            }
        }
    }

    /// Says that this thread has stopped for ever, if somebody waits for that.
    fn say_stopped() {
        let stopped = STOPPED.get();
        if !stopped.is_null() {
            // SAFETY: the flag lives as long as the interrupted work, which never resumes.
            unsafe { &*stopped }.store(true, SeqCst);
        }
    }

    extern "C" fn on_exit() {
        let Some(word) = WORD.get() else { return };
        if !is_told(ProcessEnd::Exit, word) {
            return;
        }
        IS_EXITING.store(true, SeqCst);
        say_stopped();
        // From here on no other thread can leave by `exit`: it would wait for this one. A test has
        // failed.
        while !main_thread_leaves() {
            rest();
        }
        // SAFETY: the process has nothing left to do.
        unsafe { libc::_exit(101) }
    }

    /// Waits until the end is reported; returns whether it was.
    fn is_told(end: ProcessEnd, word: &AtomicU32) -> bool {
        end.note(word);
        for _ in 0..MOST_TICKS {
            if word.load(SeqCst) & TOLD != 0 {
                return true;
            }
            rest();
        }
        false
    }

    fn rest() {
        // SAFETY: the time is there until the call returns.
        unsafe { libc::nanosleep(&TICK, ptr::null_mut()) };
    }

    /// Returns whether the main thread waits in `pause` for the one in `exit`, as the standard
    /// library makes it. If that cannot be observed, assumes it.
    fn main_thread_leaves() -> bool {
        let process = std::process::id();
        #[allow(clippy::disallowed_methods, reason = "no other way tells what a thread waits for")]
        let call = std::fs::read_to_string(format!("/proc/self/task/{process}/syscall"));
        call.map_or(true, |call| {
            call.split(' ').next().and_then(|number| number.parse().ok()) == Some(PAUSE)
        })
    }

    #[cfg(target_arch = "x86_64")]
    const PAUSE: i64 = libc::SYS_pause;
    #[cfg(not(target_arch = "x86_64"))]
    const PAUSE: i64 = libc::SYS_ppoll as i64;
}

#[cfg(not(all(target_os = "linux", not(miri))))]
mod system {
    use std::sync::atomic::{AtomicBool, AtomicU32};
    use std::thread::JoinHandle;

    pub(crate) fn begin_stopping(_: &AtomicBool) {}

    pub(crate) fn end_stopping() {}

    pub(crate) fn stop_thread(_: &JoinHandle<()>) {}

    pub(super) fn name_of(_: u32) -> Option<&'static str> {
        None
    }

    pub(super) fn begin(_: &'static AtomicU32) -> bool {
        false
    }

    pub(super) fn end() {}
}
