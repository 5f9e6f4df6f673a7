//! Work that makes calls of the subject, on a thread of its own that is left where a call would end
//! the process, or does not return.
//!
//! The thread stops for ever there, with all that it holds, so the work is to be done anew without
//! that call. A thread that does not return can be stopped on Linux only.

use std::sync::atomic::AtomicU32;

use beget_process::guard::{EndGuard, ProcessEnd, ThreadStop, run_leavable};

/// Recipes are deep where structures are.
const STACK: usize = 64 << 20;

/// Looks at a thread, a hundred in a second, before it is left.
pub const MOST_LOOKS: u32 = 500;

/// Why work on a thread of its own gave nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadLoss {
    /// A call ended the thread or did not return, and the thread was left.
    Stopped,
    /// The work panicked, or there can be no thread.
    Failed,
}

/// Does work that takes five seconds at most.
pub fn on_leavable_thread<R: Send>(work: impl FnOnce() -> R + Send) -> Result<R, ThreadLoss> {
    let mut looks = 1..MOST_LOOKS;
    on_watched_thread(work, &mut || looks.next().is_some())
}

/// Does work for as long as `goes_on`, which is asked a hundred times a second.
pub fn on_watched_thread<R: Send>(
    work: impl FnOnce() -> R + Send,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<R, ThreadLoss> {
    // One for each thread: a thread that is left may write to it at any time.
    let word: &'static AtomicU32 = Box::leak(Box::default());
    let guarded_work = || {
        let _guard = EndGuard::on_this_thread(word);
        work()
    };
    let mut is_stopped = false;
    let ran = run_leavable(STACK, guarded_work, &mut |thread| {
        if ProcessEnd::noted(word).is_some() {
            ProcessEnd::tell(word);
        }
        if !is_stopped && !goes_on() && cfg!(target_os = "linux") {
            is_stopped = true;
            thread.stop();
        }
    });
    match ran {
        Ok(Ok(Ok(result))) => Ok(result),
        Ok(Err(ThreadStop)) => Err(ThreadLoss::Stopped),
        Ok(Ok(Err(_))) | Err(_) => Err(ThreadLoss::Failed),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    /// The work waits for the third look.
    #[test]
    fn work_goes_on_until_it_is_done() {
        let n_looks = AtomicU32::new(0);
        let work = || {
            while n_looks.load(Relaxed) < 3 {
                std::thread::yield_now();
            }
            7
        };
        let done = on_watched_thread(work, &mut || n_looks.fetch_add(1, Relaxed) < 100_000);
        assert_eq!(done, Ok(7));
        assert_eq!(on_leavable_thread(|| panic!("it fails")), Err::<(), _>(ThreadLoss::Failed));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_is_left_when_its_work_is_not_to_go_on() {
        let work = || -> u8 {
            loop {
                std::thread::park();
            }
        };
        assert_eq!(on_watched_thread(work, &mut || false), Err(ThreadLoss::Stopped));
    }
}
