//! Connections that notice when the other side is gone.
//!
//! When a connection breaks, timely panics in the thread that serves it. Here such a thread stops
//! for ever, and the loss is noted for the code that waits for messages.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use timely::communication::allocator::zero_copy::stream::Stream;

/// The state of all connections of this process.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    /// The first process that is gone, and the evidence.
    lost: Mutex<Option<String>>,
    /// True when all is said, so that connections may be closed.
    pub(crate) is_ending: AtomicBool,
    /// Bytes.
    pub(crate) sent: AtomicU64,
}

impl Traffic {
    pub(crate) fn lost(&self) -> Option<String> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn lose(&self, what: String) {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(what);
    }
}

/// A connection with another process.
#[derive(Debug)]
pub(crate) struct WatchedStream {
    stream: TcpStream,
    /// The other side's name in messages.
    name: Arc<str>,
    traffic: Arc<Traffic>,
    /// The number of zeros at the end of the bytes read.
    n_zeros: usize,
}

/// The length of timely's last message, a header of zeros.
const FAREWELL: usize = 48;

impl WatchedStream {
    pub(crate) fn new(stream: TcpStream, name: String, traffic: Arc<Traffic>) -> Self {
        WatchedStream { stream, name: name.into(), traffic, n_zeros: 0 }
    }

    /// Notes that the other side is gone, and stops this thread, which has no more to do.
    fn lose(&self, what: &dyn std::fmt::Display) -> ! {
        self.traffic.lose(format!("{} is lost: {what}", self.name));
        loop {
            std::thread::park();
        }
    }

    fn note_read(&mut self, bytes: &[u8]) {
        let n_zeros = bytes.iter().rev().take_while(|&&byte| byte == 0).count();
        self.n_zeros = if n_zeros == bytes.len() { self.n_zeros + n_zeros } else { n_zeros };
    }
}

impl Read for WatchedStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Ok(0) if self.traffic.is_ending.load(Relaxed) && self.n_zeros >= FAREWELL => {
                    return Ok(0);
                }
                Ok(0) => self.lose(&"it has closed the connection"),
                Ok(n) => {
                    self.note_read(&buffer[..n]);
                    return Ok(n);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => self.lose(&error),
            }
        }
    }
}

impl Write for WatchedStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.stream.write(bytes) {
                Ok(n) => {
                    self.traffic.sent.fetch_add(n as u64, Relaxed);
                    return Ok(n);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => self.lose(&error),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for WatchedStream {
    fn try_clone(&self) -> io::Result<Self> {
        let (name, traffic) = (Arc::clone(&self.name), Arc::clone(&self.traffic));
        Ok(WatchedStream { stream: self.stream.try_clone()?, name, traffic, n_zeros: 0 })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        match self.stream.shutdown(how) {
            // The other side may be gone by then; that is no error.
            Err(error) if error.kind() == ErrorKind::NotConnected => Ok(()),
            shut => shut,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn zeros_at_the_end_are_counted_over_several_reads() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let mut stream = WatchedStream::new(stream, String::new(), Arc::default());
        for (bytes, n_zeros) in
            [(&[1, 0, 0][..], 2), (&[0; 3], 5), (&[], 5), (&[0, 1], 0), (&[0], 1), (&[2, 0], 1)]
        {
            stream.note_read(bytes);
            assert_eq!(stream.n_zeros, n_zeros, "{bytes:?}");
        }
    }
}
