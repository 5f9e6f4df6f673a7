//! Threads that can be left behind if they would have ended the process.
//!
//! A thread under an [`EndGuard`](crate::alloc::EndGuard) that would end its process stops for
//! ever, once that is reported. There is no need to wait for such a thread: it does nothing more,
//! so what it borrows may be dropped. This module does not know which locks the thread holds.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, JoinHandle, Result as Joined};
use std::time::Duration;

use crate::alloc::ending::{begin_stopping, end_stopping, stop_thread};

/// The interval at which a thread is checked.
const TICK: Duration = Duration::from_millis(10);

/// The thread has stopped for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadStop;

/// A thread being waited for.
#[derive(Debug)]
pub struct LeavableThread<'t> {
    thread: &'t JoinHandle<()>,
}

impl LeavableThread<'_> {
    /// Makes the thread end the process, so that it stops where it is. It must be under an
    /// [`EndGuard`](crate::alloc::EndGuard).
    pub fn stop(&self) {
        stop_thread(self.thread);
    }
}

/// Runs `work` on its own thread, and calls `look` a hundred times a second until the thread is
/// done or has stopped for ever.
///
/// # Errors
///
/// Fails if the thread has stopped, or could not be started.
pub fn run_leavable<R: Send>(
    stack_size: usize,
    work: impl FnOnce() -> R + Send,
    look: &mut dyn FnMut(&LeavableThread<'_>),
) -> io::Result<Result<Joined<R>, ThreadStop>> {
    let (sender, receiver) = channel();
    let has_stopped = Arc::new(AtomicBool::new(false));
    let flag = has_stopped.clone();
    let run = move || {
        // The flag lives as long as this closure runs.
        begin_stopping(&flag);
        let result = work();
        end_stopping();
        drop(sender.send(result));
    };
    // SAFETY: this function returns only when the thread has been joined, or has set the flag from
    // within a handler that never returns: it then accesses nothing that it borrows, and drops
    // nothing.
    let thread = unsafe { Builder::new().stack_size(stack_size).spawn_unchecked(run) }?;
    loop {
        match receiver.recv_timeout(TICK) {
            Ok(result) => {
                return Ok(Ok(thread.join().map(|()| result)));
            }
            Err(RecvTimeoutError::Disconnected) => {
                let panic = thread.join().expect_err("what has sent no result has panicked");
                return Ok(Ok(Err(panic)));
            }
            Err(RecvTimeoutError::Timeout) if has_stopped.load(SeqCst) => {
                return Ok(Err(ThreadStop));
            }
            Err(RecvTimeoutError::Timeout) => look(&LeavableThread { thread: &thread }),
        }
    }
}
