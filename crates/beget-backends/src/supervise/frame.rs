//! Messages between supervisor and worker: frames of a kind and some bytes.

use std::io::{self, Read, Write};

/// To a worker: another search begins, with the integers that constructors leave, if they limit the
/// plan, and with the doubted bytes of memory.
pub(crate) const BEGIN: u8 = 1;
/// To a worker: a block to make; its number, whether panics are shown, and the length of the
/// message in the file.
pub(crate) const BLOCK: u8 = 2;
/// To a worker: the recipes it asked for, or none if they are not known.
pub(crate) const RECIPES: u8 = 3;
/// From a worker: it is ready, and its parts are at these addresses.
pub(crate) const READY: u8 = 4;
/// From a worker: a block is done; the length of the message in the file with its result.
pub(crate) const RESULT: u8 = 5;
/// From a worker: it needs the recipe of a structure.
pub(crate) const ASK: u8 = 6;

/// To a worker: structures that oracles are to be asked about; as with a block, its number, whether
/// panics are shown, and how long the message is that stands in the file.
pub(crate) const QUESTIONS: u8 = 7;
/// From a worker: it needs the form of a structure. The answer is one of recipes.
pub(crate) const ASK_FORM: u8 = 8;

const HEADER: usize = 5;

/// One frame.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct WireFrame {
    pub(crate) kind: u8,
    pub(crate) bytes: Vec<u8>,
}

/// Returns the bytes of the length of a message in the file.
pub(crate) fn len(bytes: &[u8]) -> io::Result<[u8; 4]> {
    let len = u32::try_from(bytes.len());
    len.map(u32::to_le_bytes).map_err(|_| io::Error::other("a message of more than 4 GiB"))
}

/// Writes a frame whose bytes come in two parts.
pub(crate) fn write(
    stream: &mut impl Write,
    kind: u8,
    head: &[u8],
    bytes: &[u8],
) -> io::Result<()> {
    let too_long = |_| io::Error::other("a message of more than 4 GiB");
    let len = u32::try_from(head.len() + bytes.len()).map_err(too_long)?;
    let mut frame = Vec::with_capacity(HEADER + head.len() + bytes.len());
    frame.push(kind);
    frame.extend(len.to_le_bytes());
    frame.extend(head);
    frame.extend(bytes);
    stream.write_all(&frame)
}

/// A frame that is being read.
#[derive(Debug, Default)]
pub(crate) struct FrameReader {
    header: [u8; HEADER],
    bytes: Vec<u8>,
    n_read: usize,
}

impl FrameReader {
    /// Continues to read a frame. Returns `None` if the stream has ended, even inside a frame.
    ///
    /// # Errors
    /// Those of the stream. After a timeout the frame can be read on.
    pub(crate) fn read(&mut self, stream: &mut impl Read) -> io::Result<Option<WireFrame>> {
        while self.n_read < HEADER {
            match stream.read(&mut self.header[self.n_read..])? {
                0 => return Ok(None),
                n => self.n_read += n,
            }
        }
        let [kind, len @ ..] = self.header;
        let len = u32::from_le_bytes(len) as usize;
        if self.bytes.len() < len {
            self.bytes.resize(len, 0);
        }
        while self.n_read < HEADER + len {
            match stream.read(&mut self.bytes[self.n_read - HEADER..]) {
                Ok(0) => return Ok(None),
                Ok(n) => self.n_read += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.n_read = 0;
        Ok(Some(WireFrame { kind, bytes: std::mem::take(&mut self.bytes) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time, with a timeout before each.
    struct Slow<'b>(&'b [u8], bool);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            let n = self.0.len().min(1);
            into[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    #[test]
    fn frames_come_out_as_they_went_in_however_slowly() {
        let mut bytes = Vec::new();
        write(&mut bytes, BLOCK, &[1, 2], &[3; 300]).unwrap();
        write(&mut bytes, READY, &[], &[]).unwrap();
        let mut stream = Slow(&bytes, false);
        let mut incoming = FrameReader::default();
        let mut next = || {
            loop {
                match incoming.read(&mut stream) {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    read => return read.unwrap(),
                }
            }
        };
        let block: Vec<u8> = [1, 2].into_iter().chain([3; 300]).collect();
        assert_eq!(next(), Some(WireFrame { kind: BLOCK, bytes: block }));
        assert_eq!(next(), Some(WireFrame { kind: READY, bytes: Vec::new() }));
        assert_eq!(next(), None);
    }

    /// Gives the header, then an error before the rest.
    struct Fails<'b>(&'b [u8], Option<io::ErrorKind>);

    impl Read for Fails<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            match self.1.take_if(|_| self.0.len() < 5) {
                Some(kind) => Err(kind.into()),
                None => self.0.read(into),
            }
        }
    }

    #[test]
    fn an_interrupted_frame_is_read_on_and_other_errors_are_passed_on() {
        let mut bytes = Vec::new();
        write(&mut bytes, RESULT, &[], &[7; 4]).unwrap();
        let read = |error| FrameReader::default().read(&mut Fails(&bytes, Some(error)));
        let whole = WireFrame { kind: RESULT, bytes: vec![7; 4] };
        assert_eq!(read(io::ErrorKind::Interrupted).unwrap(), Some(whole));
        let error = read(io::ErrorKind::ConnectionReset).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
    }

    #[test]
    fn the_length_of_a_message_is_in_four_bytes() {
        assert_eq!(len(&[0; 0x1234]).unwrap(), [0x34, 0x12, 0, 0]);
    }

    #[test]
    fn a_stream_that_ends_within_a_frame_has_no_frame() {
        let mut bytes = Vec::new();
        write(&mut bytes, RESULT, &[], &[7; 10]).unwrap();
        for end in 0..bytes.len() {
            assert_eq!(FrameReader::default().read(&mut &bytes[..end]).unwrap(), None);
        }
    }
}
