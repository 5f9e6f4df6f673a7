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
    use std::sync::mpsc::channel;

    use super::*;

    /// Reads from a connection that the other side has closed after some zeros; `None` if that is a
    /// loss.
    fn read_at_end(is_ending: bool, n_zeros: usize) -> Option<usize> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        drop(listener.accept().unwrap());
        let traffic = Arc::new(Traffic::default());
        traffic.is_ending.store(is_ending, Relaxed);
        let mut stream = WatchedStream::new(stream, "process 1".to_owned(), Arc::clone(&traffic));
        stream.n_zeros = n_zeros;
        let (sender, receiver) = channel();
        // It does not end where the connection is lost.
        std::thread::spawn(move || sender.send(stream.read(&mut [0; 9]).unwrap()));
        loop {
            if let Some(lost) = traffic.lost() {
                assert_eq!(lost, "process 1 is lost: it has closed the connection");
                return None;
            }
            if let Ok(n_read) = receiver.try_recv() {
                return Some(n_read);
            }
            std::thread::yield_now();
        }
    }

    /// A connection that the other side has broken: it has closed it with unread bytes.
    fn broken() -> (WatchedStream, Arc<Traffic>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (other, _) = listener.accept().unwrap();
        stream.write_all(&[1]).unwrap();
        other.peek(&mut [0]).unwrap();
        drop(other);
        let traffic = Arc::new(Traffic::default());
        (WatchedStream::new(stream, "process 1".to_owned(), Arc::clone(&traffic)), traffic)
    }

    /// Uses a broken connection until it is lost. Returns the evidence.
    fn loss_by(use_it: impl Fn(&mut WatchedStream) + Send + 'static) -> String {
        let (mut stream, traffic) = broken();
        std::thread::spawn(move || {
            loop {
                use_it(&mut stream);
            }
        });
        loop {
            match traffic.lost() {
                Some(lost) => return lost,
                None => std::thread::yield_now(),
            }
        }
    }

    #[test]
    fn a_connection_that_is_broken_is_lost_with_the_reason() {
        let read = loss_by(|stream| drop(stream.read(&mut [0; 9])));
        assert!(read.starts_with("process 1 is lost: Connection reset"), "{read}");
        let written = loss_by(|stream| drop(stream.write(&[1])));
        assert!(written.starts_with("process 1 is lost: "), "{written}");
    }

    #[test]
    fn a_connection_that_is_broken_can_be_closed() {
        let (stream, _) = broken();
        let error = stream.stream.shutdown(Shutdown::Both).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotConnected);
        stream.shutdown(Shutdown::Both).unwrap();
    }

    #[test]
    fn a_connection_ends_when_all_is_said_and_its_end_was_announced() {
        assert_eq!(read_at_end(true, FAREWELL), Some(0));
        assert_eq!(read_at_end(true, FAREWELL - 1), None);
        assert_eq!(read_at_end(false, FAREWELL), None);
        assert_eq!(read_at_end(false, 0), None);
    }

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
