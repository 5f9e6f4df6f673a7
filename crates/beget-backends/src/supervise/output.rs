//! The output of workers, kept until the call that printed it is known.

use std::io::{PipeReader, Read as _};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The number of bytes kept: the last ones.
const MOST: usize = 1 << 20;

/// The time to wait for the output of a process that has ended. A process started by it may hold
/// the stream open.
const LAST_WAIT: Duration = Duration::from_secs(3);

/// The output of a worker.
#[derive(Debug)]
pub(crate) struct WorkerOutput {
    kept: Arc<Mutex<Vec<u8>>>,
    end: Receiver<()>,
}

impl WorkerOutput {
    /// Reads the output from now on, in a thread of its own.
    pub(crate) fn of(reader: PipeReader) -> Self {
        let kept = Arc::<Mutex<Vec<u8>>>::default();
        let (sender, end) = channel();
        let into = Arc::clone(&kept);
        std::thread::spawn(move || keep(reader, &into, &sender));
        WorkerOutput { kept, end }
    }

    /// Takes the output up to now.
    pub(crate) fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes the last output of a process that has ended.
    pub(crate) fn take_last(&self) -> Vec<u8> {
        // Nothing is ever sent; waiting ends with the sender.
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
