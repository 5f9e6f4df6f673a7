//! What a worker prints: kept until it is known whose it is.

use std::io::{PipeReader, Read as _};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The most that is kept: the last of it.
const MOST: usize = 1 << 20;

/// How long the output of a process is waited for that has ended. A process that it has started may
/// have taken it over.
const LAST_WAIT: Duration = Duration::from_secs(3);

/// The output of a worker.
#[derive(Debug)]
pub(crate) struct WorkerOutput {
    kept: Arc<Mutex<Vec<u8>>>,
    end: Receiver<()>,
}

impl WorkerOutput {
    /// Reads it from here on, on a thread of its own.
    pub(crate) fn of(reader: PipeReader) -> Self {
        let kept = Arc::<Mutex<Vec<u8>>>::default();
        let (sender, end) = channel();
        let into = Arc::clone(&kept);
        std::thread::spawn(move || keep(reader, &into, &sender));
        WorkerOutput { kept, end }
    }

    /// Takes what was printed up to now.
    pub(crate) fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes the last of a process that has ended.
    pub(crate) fn take_last(&self) -> Vec<u8> {
        // Nothing is ever sent: it ends with the sender.
        let _ = self.end.recv_timeout(LAST_WAIT);
        self.take()
    }
}

fn keep(mut reader: PipeReader, into: &Mutex<Vec<u8>>, _end: &Sender<()>) {
    let mut buffer = [0; 1 << 14];
    while let Ok(n @ 1..) = reader.read(&mut buffer) {
        let mut kept = into.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..n]);
        let too_many = kept.len().saturating_sub(MOST);
        kept.drain(..too_many);
    }
}
