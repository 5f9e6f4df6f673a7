//! Makes std allocate what it allocates once and keeps, before a region is first on.
//!
//! Nothing here is needed for safety where the root scan sees the memory: without it, the first
//! call that prints would merely be reported as an escape. The exception is captured output, which
//! hides behind a pointer to the ordinary heap.
#![allow(clippy::disallowed_types, reason = "the keys of std's maps are made early, not used")]

use std::{collections::hash_map::RandomState, fmt, hint::black_box, io, panic, thread};

use crate::alloc::roots;

struct Noop;

impl Drop for Noop {
    fn drop(&mut self) {}
}

thread_local! {
    static WITH_DESTRUCTOR: Noop = const { Noop };
}

/// Touches each such allocation once, on this thread.
pub(crate) fn warm_up() {
    // The buffer of stdout. Its lock is left alone: another thread may hold it and wait for us.
    drop(io::stdout());
    // The handle that names the current thread.
    black_box(thread::current().id());
    // The list of this thread's destructors, where std keeps one.
    WITH_DESTRUCTOR.with(|noop| {
        black_box(noop);
    });
    // The keys of this thread's hash maps.
    black_box(RandomState::new());
    // The environment's setting for backtraces, which is read once.
    drop(std::backtrace::Backtrace::capture());
    // The counters of panics and the unwinder's tables. This way, no hook runs.
    let _ = panic::catch_unwind(|| panic::resume_unwind(Box::new(())));
    warm_up_captured_output();
}

/// Gives the buffer behind captured output its first block.
///
/// The test harness has threads print to an `Arc<Mutex<Vec<u8>>>`. If its first block were
/// allocated in a region, then only the ordinary heap would point there, where no scan looks. Once
/// it has a block outside, it grows outside, and the call that makes it grow is reported.
///
/// There is no way to ask whether output is captured, but it shows: while something is being
/// printed, the thread-local variable that holds the buffer is empty. If so, one space is printed;
/// if not, nothing. Both standard streams are captured in the same buffer.
/// not, nothing. Both standard streams are captured in the same buffer.
fn warm_up_captured_output() {
    eprint!("");
    eprint!("{}", SpaceIfCaptured { before: roots::thread_words() });
}

struct SpaceIfCaptured {
    before: Vec<usize>,
}

impl fmt::Display for SpaceIfCaptured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_taken = |(&before, now): (&usize, usize)| looks_like_pointer(before) && now == 0;
        let is_captured = self.before.iter().zip(roots::thread_words()).any(is_taken);
        f.write_str(if is_captured { " " } else { "" })
    }
}

fn looks_like_pointer(word: usize) -> bool {
    word > 4096 && word.is_multiple_of(align_of::<usize>())
}
