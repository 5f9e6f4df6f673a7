//! The page in which a worker notes its calls: a file that the worker maps and its supervisor
//! reads. Long messages are behind it, since a file takes them at once; with a socket both sides
//! would wait for each other.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use beget_process::alloc::SHARED_WORDS;
use beget_process::guard::NOTE_WORDS;

/// The place of long messages in the file of a page: those to the worker, and those from it. The
/// gap between them takes no room.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MessageWay {
    ToWorker,
    FromWorker,
}

impl MessageWay {
    fn start(self) -> u64 {
        match self {
            MessageWay::ToWorker => 1 << 12,
            MessageWay::FromWorker => 1 << 36,
        }
    }
}

/// Writes a message.
pub(crate) fn put(file: &File, direction: MessageWay, bytes: &[u8]) -> io::Result<()> {
    file.write_all_at(bytes, direction.start())
}

/// Reads a message of `len` bytes into `bytes`.
pub(crate) fn get(
    file: &File,
    direction: MessageWay,
    len: usize,
    bytes: &mut Vec<u8>,
) -> io::Result<()> {
    bytes.resize(len, 0);
    file.read_exact_at(bytes, direction.start())
}

/// A worker's note: the number of its block, and the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotedCall {
    pub(crate) block: u32,
    pub(crate) call: [u32; NOTE_WORDS],
}

impl NotedCall {
    /// Returns whether the note is of work on structures, not of a call of the subject.
    pub(crate) fn is_own_work(&self) -> bool {
        beget_process::guard::notes_own_work(&self.call)
    }
}

/// The page on the supervisor's side.
#[derive(Debug)]
pub(crate) struct NotePage {
    file: File,
    path: Option<PathBuf>,
}

impl NotePage {
    /// Makes a page, in memory where the system has a place for that.
    pub(crate) fn new() -> io::Result<NotePage> {
        let memory = Path::new("/dev/shm");
        let dir = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let (file, path) = NotePage::create_in(&dir)?;
        file.set_len((SHARED_WORDS * size_of::<u32>()) as u64)?;
        Ok(NotePage { file, path: Some(path) })
    }

    /// Makes a file with a free name: a killed process may have left files, and may have had the
    /// number that this process has now.
    fn create_in(dir: &Path) -> io::Result<(File, PathBuf)> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = NEXT.fetch_add(1, Relaxed);
            let path = dir.join(format!("beget-{}-{number}.page", std::process::id()));
            match File::options().read(true).write(true).create_new(true).open(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                created => return created.map(|file| (file, path)),
            }
        }
    }

    /// Returns the path by which the worker finds it, until it is
    /// [forgotten](NotePage::forget_name).
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Removes the name once the worker has opened the file, so that a kill leaves no file.
    pub(crate) fn forget_name(&mut self) {
        if let Some(path) = self.path.take() {
            // A file that cannot be removed has no user.
            let _ = fs::remove_file(path);
        }
    }

    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Reads the worker's last note. It may be half of one note and half of the next, if calls go
    /// on meanwhile.
    pub(crate) fn read(&self) -> io::Result<NotedCall> {
        let mut bytes = [0; size_of::<u32>() * (NOTE_WORDS + 1)];
        self.file.read_exact_at(&mut bytes, 0)?;
        let mut words = bytes.as_chunks::<4>().0.iter().map(|&word| u32::from_ne_bytes(word));
        let call = std::array::from_fn(|_| words.next().expect("as many words"));
        Ok(NotedCall { block: words.next().expect("one word more"), call })
    }
}

impl Drop for NotePage {
    fn drop(&mut self) {
        self.forget_name();
    }
}

/// Maps the page on the worker's side: the guard writes its notes there. Returns the word for the
/// number of the block, and the file.
pub(crate) fn map(path: &Path) -> io::Result<(&'static AtomicU32, File)> {
    let file = File::options().read(true).write(true).open(path)?;
    let unsupported = || io::Error::from(io::ErrorKind::Unsupported);
    let words = beget_process::alloc::share(&file).ok_or_else(unsupported)?;
    let (note, rest) = words.split_first_chunk::<NOTE_WORDS>().expect("there are more words");
    beget_process::guard::share_note(note);
    Ok((&rest[0], file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_somebody_left_is_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        let (_, first) = NotePage::create_in(dir.path()).unwrap();
        let number: u64 = {
            let name = first.file_stem().unwrap().to_str().unwrap();
            name.rsplit('-').next().unwrap().parse().unwrap()
        };
        // Other tests may take numbers meanwhile: a hundred of them are left.
        for left in number + 1..number + 100 {
            let name = format!("beget-{}-{left}.page", std::process::id());
            File::create(dir.path().join(name)).unwrap();
        }
        let (_, next) = NotePage::create_in(dir.path()).unwrap();
        assert_ne!(first, next);
    }

    #[test]
    fn a_page_needs_a_directory() {
        let dir = tempfile::tempdir().unwrap();
        let error = NotePage::create_in(&dir.path().join("none")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_page_without_a_name_can_still_be_read() {
        let mut page = NotePage::new().unwrap();
        let path = page.path().unwrap().to_owned();
        page.forget_name();
        assert!(!path.exists() && page.path().is_none());
        assert_eq!(page.read().unwrap(), NotedCall { block: 0, call: [0; NOTE_WORDS] });
    }
}
