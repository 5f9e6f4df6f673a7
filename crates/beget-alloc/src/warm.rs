//! What std allocates once and keeps is made to exist before a region is first on.
//!
//! Nothing here is needed for safety where the root scan sees the memory: without it, the first
//! call that prints would merely be reported as an escape. The exception is captured output,
//! which hides behind a pointer to the ordinary heap.

use std::{
    cell::Cell,
    collections::hash_map::RandomState,
    fmt,
    hint::black_box,
    io::{self, Write},
    panic, thread,
};

use crate::roots;

struct Noop;

impl Drop for Noop {
    fn drop(&mut self) {}
}

thread_local! {
    static WITH_DESTRUCTOR: Noop = const { Noop };
}

/// Touches each such thing once, on this thread.
pub(crate) fn warm_up() {
    // The buffer of stdout, and the locks of both streams, which learn this thread's identity. A
    // failing flush is nobody's concern here: the next print says so.
    let _ = io::stdout().lock().flush();
    let _ = io::stderr().lock().flush();
    // The handle that names the current thread.
    black_box(thread::current().id());
    // The list of this thread's destructors, where std keeps one.
    WITH_DESTRUCTOR.with(|noop| {
        black_box(noop);
    });
    // The keys of this thread's hash maps.
    black_box(RandomState::new());
    // The environment's word on backtraces, which is asked for once.
    drop(std::backtrace::Backtrace::capture());
    // The counters of panics and the unwinder's tables. This way, no hook runs.
    let _ = panic::catch_unwind(|| panic::resume_unwind(Box::new(())));
    warm_up_captured_output();
}

/// Gives the buffer behind captured output its first block.
///
/// The test harness has threads print to an `Arc<Mutex<Vec<u8>>>`. Were its first block allocated
/// in a region, then only the ordinary heap would point there, where no scan looks. Once there is a
/// block outside, it grows outside, and the call that makes it grow is reported.
///
/// Whether output is captured cannot be asked for, but it shows: while something is being printed,
/// the thread-local variable that holds the buffer is empty. If so, one space is printed; if
/// not, nothing.
fn warm_up_captured_output() {
    let mut before = [0; N_WORDS];
    print!("");
    roots::thread_words(&mut before);
    print!("{}", SpaceIfCaptured { before: &before, called: Cell::new(false) });
}

/// More thread-local words than programs usually have; further ones are not looked at.
const N_WORDS: usize = 1024;

struct SpaceIfCaptured<'a> {
    before: &'a [usize; N_WORDS],
    called: Cell<bool>,
}

impl fmt::Display for SpaceIfCaptured<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.called.replace(true) {
            return Ok(());
        }
        let mut now = [0; N_WORDS];
        roots::thread_words(&mut now);
        let is_taken = |(&before, &now): (&usize, &usize)| looks_like_pointer(before) && now == 0;
        if self.before.iter().zip(&now).any(is_taken) { f.write_str(" ") } else { Ok(()) }
    }
}

fn looks_like_pointer(word: usize) -> bool {
    word > 4096 && word.is_multiple_of(align_of::<usize>())
}
