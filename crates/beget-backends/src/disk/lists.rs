//! Lists of bytes that grow until they are cleared: in memory, and in files when they are long.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::disk::error::{DiskError, read_exact_at};

/// Some lists, of which memory holds the last pieces.
#[derive(Debug)]
pub(crate) struct GrowingLists {
    dir: PathBuf,
    /// The bytes that are kept in memory.
    room: u64,
    /// The pieces in memory.
    lists: Vec<Vec<u8>>,
    spilled: Vec<SpilledPieces>,
    n_spilled_bytes: u64,
}

/// A piece of each list in a file, which is removed when it is dropped.
#[derive(Debug)]
struct SpilledPieces {
    path: PathBuf,
    file: File,
    places: Vec<PiecePlace>,
}

#[derive(Clone, Copy, Debug)]
struct PiecePlace {
    offset: u64,
    len: u64,
    sum: u64,
}

impl GrowingLists {
    /// Makes `n` empty lists. `room` bytes are kept in memory; the others go to files in `dir`.
    pub(crate) fn new(dir: &Path, room: u64, n: usize) -> Self {
        GrowingLists {
            dir: dir.to_owned(),
            room,
            lists: vec![Vec::new(); n],
            spilled: Vec::new(),
            n_spilled_bytes: 0,
        }
    }

    /// Returns the bytes that are kept in memory.
    pub(crate) fn room(&self) -> u64 {
        self.room
    }

    /// Returns the bytes of all lists.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.n_bytes_in_memory() + self.n_spilled_bytes
    }

    fn n_bytes_in_memory(&self) -> u64 {
        self.lists.iter().map(|list| list.len() as u64).sum()
    }

    /// Returns the memory that the lists take.
    pub(crate) fn memory(&self) -> u64 {
        self.lists.iter().map(|list| list.capacity() as u64).sum()
    }

    /// Returns the bytes in files.
    pub(crate) fn n_spilled_bytes(&self) -> u64 {
        self.n_spilled_bytes
    }

    /// Returns whether memory holds more than it should, and all lists take more than the `stored`
    /// bytes of structures that deciding on them would read.
    pub(crate) fn is_over(&self, stored: u64) -> bool {
        self.n_bytes_in_memory() >= self.room && self.n_bytes() >= stored
    }

    /// Empties all lists.
    pub(crate) fn clear(&mut self) {
        *self = GrowingLists::new(&self.dir, self.room, self.lists.len());
    }

    /// Writes the pieces in memory to a file if they take their room. Returns whether new pieces
    /// begin.
    pub(crate) fn make_room(&mut self) -> Result<bool, DiskError> {
        let n_bytes = self.n_bytes_in_memory();
        if n_bytes < self.room {
            return Ok(false);
        }
        let path = self.dir.join(format!("candidates-{}", self.spilled.len()));
        self.spilled.push(SpilledPieces::write(&path, &self.lists)?);
        self.n_spilled_bytes += n_bytes;
        // The allocations are used again.
        self.lists.iter_mut().for_each(Vec::clear);
        Ok(true)
    }

    /// Returns the pieces in memory, which may grow.
    pub(crate) fn open_pieces(&mut self) -> &mut [Vec<u8>] {
        &mut self.lists
    }

    /// Returns whether a list is empty.
    pub(crate) fn is_empty(&self, list: usize) -> bool {
        let is_spilled = |pieces: &SpilledPieces| pieces.places[list].len > 0;
        self.lists[list].is_empty() && !self.spilled.iter().any(is_spilled)
    }

    /// Reads the pieces of a list, in order.
    pub(crate) fn pieces(&self, list: usize) -> ListPieces<'_> {
        ListPieces { lists: self, list, next: 0 }
    }
}

/// The pieces of a list.
#[derive(Debug)]
pub(crate) struct ListPieces<'l> {
    lists: &'l GrowingLists,
    list: usize,
    next: usize,
}

impl<'l> Iterator for ListPieces<'l> {
    type Item = Result<Cow<'l, [u8]>, DiskError>;

    fn next(&mut self) -> Option<Self::Item> {
        let ListPieces { lists, list, next } = *self;
        self.next += 1;
        match lists.spilled.get(next) {
            Some(spilled) => Some(spilled.read(list).map(Cow::Owned)),
            None if next == lists.spilled.len() => {
                Some(Ok(Cow::Borrowed(lists.lists[list].as_slice())))
            }
            None => None,
        }
    }
}

impl SpilledPieces {
    fn write(path: &Path, lists: &[Vec<u8>]) -> Result<Self, DiskError> {
        let failed = |source| DiskError::io("write", path)(source);
        let file = File::options().read(true).write(true).create(true).truncate(true).open(path);
        let mut spilled = SpilledPieces {
            path: path.to_owned(),
            file: file.map_err(failed)?,
            places: Vec::new(),
        };
        let mut writer = BufWriter::with_capacity(1 << 20, &spilled.file);
        let mut offset = 0;
        for bytes in lists {
            writer.write_all(bytes).map_err(failed)?;
            let len = bytes.len() as u64;
            spilled.places.push(PiecePlace { offset, len, sum: xxh3_64(bytes) });
            offset += len;
        }
        writer.flush().map_err(failed)?;
        drop(writer);
        Ok(spilled)
    }

    fn read(&self, list: usize) -> Result<Vec<u8>, DiskError> {
        let PiecePlace { offset, len, sum } = self.places[list];
        let mut bytes = vec![0; len as usize];
        read_exact_at(&self.file, &mut bytes, offset)
            .map_err(|source| DiskError::io("read", &self.path)(source))?;
        match xxh3_64(&bytes) == sum {
            true => Ok(bytes),
            false => Err(DiskError::damaged(&self.path, "it does not hold what was written")),
        }
    }
}

impl Drop for SpilledPieces {
    fn drop(&mut self) {
        // If it stays, the next run in the directory removes it.
        let _ = std::fs::remove_file(&self.path);
    }
}
