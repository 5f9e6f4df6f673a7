//! The output of workers, kept until the call that printed it is known.

use std::io::{PipeReader, Read as _};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Written by a worker when it is ready: what was written before is of the program that leads to
/// it, such as a test harness, and not of the code under test.
pub(crate) const BEGIN: &[u8] = b"\x01a worker of beget is ready\n";

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
    let mut has_begun = false;
    while let Ok(n @ 1..) = reader.read(&mut buffer) {
        let mut kept = into.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..n]);
        if !has_begun && let Some(at) = kept.windows(BEGIN.len()).position(|part| part == BEGIN) {
            kept.drain(..at + BEGIN.len());
            has_begun = true;
        }
        let too_many = kept.len().saturating_sub(MOST);
        kept.drain(..too_many);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn kept(written: &[&[u8]]) -> String {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let output = WorkerOutput::of(reader);
        written.iter().for_each(|part| writer.write_all(part).unwrap());
        drop(writer);
        String::from_utf8(output.take_last()).unwrap()
    }

    #[test]
    fn what_is_written_before_a_worker_is_ready_is_not_of_its_calls() {
        assert_eq!(kept(&[b"running 1 test\ntest a ... ", BEGIN, b"said\n"]), "said\n");
        let (start, end) = BEGIN.split_at(9);
        assert_eq!(kept(&[b"running", start, end, b"said"]), "said");
        // One that dies before is quoted.
        assert_eq!(kept(&[b"no such test\n"]), "no such test\n");
    }
}
