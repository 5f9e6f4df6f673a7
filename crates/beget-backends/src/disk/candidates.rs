//! Candidates that are not yet decided on: in memory, and in files when they are many.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use beget_engine::store::{Candidates, StructureId};
use beget_engine::varint::{put, take_bytes, take_u32};
use beget_engine::{CallIdx, map_all};
use xxhash_rust::xxh3::xxh3_64;

use crate::disk::codec::OriginCoder;
use crate::disk::error::{DiskError, read_exact_at};
use crate::disk::partition::{N_PARTITIONS, hash_of, partition_of, trimmed};

/// Candidates in order: their forms by partition, and their heads.
#[derive(Debug)]
pub(crate) struct CandidateBatch {
    /// By partition: length, objects and bytes of each form.
    pub(crate) forms: Vec<Vec<u8>>,
    heads: Vec<u8>,
    coder: OriginCoder,
}

impl Default for CandidateBatch {
    fn default() -> Self {
        let forms = vec![Vec::new(); N_PARTITIONS];
        CandidateBatch { forms, heads: Vec::new(), coder: OriginCoder::default() }
    }
}

/// The data of a candidate besides its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CandidateHead<'h> {
    pub(crate) partition: u8,
    pub(crate) call: CallIdx,
    pub(crate) arguments: &'h [StructureId],
    /// True if the candidate before came from the same call.
    pub(crate) continues_call: bool,
}

impl CandidateBatch {
    pub(crate) fn n_bytes(&self) -> u64 {
        let forms: usize = self.forms.iter().map(Vec::len).sum();
        (forms + self.heads.len()) as u64
    }

    fn push_all(&mut self, blocks: &[Candidates]) {
        let partitions: Vec<Vec<u8>> = map_all(blocks, partitions_of);
        // Each thread goes through all candidates, and takes those of its partitions.
        let share = N_PARTITIONS.div_ceil(rayon_core::current_num_threads());
        map_all(self.forms.chunks_mut(share).enumerate(), |(number, forms)| {
            let own = number * share..(number + 1) * share;
            for (block, partitions) in blocks.iter().zip(&partitions) {
                for (candidate, &partition) in block.iter().zip(partitions) {
                    if own.contains(&partition.into()) {
                        let bytes = &mut forms[usize::from(partition) - own.start];
                        put(bytes, candidate.form.len as u64);
                        put(bytes, candidate.objects.into());
                        candidate.form.append_to(bytes);
                    }
                }
            }
        });
        for (block, partitions) in blocks.iter().zip(&partitions) {
            for (candidate, &partition) in block.iter().zip(partitions) {
                self.heads.push(partition);
                self.heads.push(candidate.continues_call.into());
                self.coder.push(&mut self.heads, candidate.call, candidate.arguments);
            }
        }
    }
}

fn partitions_of(block: &Candidates) -> Vec<u8> {
    let mut bytes = Vec::new();
    let partition = |candidate: beget_engine::store::Candidate<'_>| {
        bytes.clear();
        candidate.form.append_to(&mut bytes);
        partition_of(hash_of(trimmed(&bytes))) as u8
    };
    block.iter().map(partition).collect()
}

/// Reads heads as they were written.
#[derive(Debug)]
pub(crate) struct HeadReader<'b> {
    bytes: &'b [u8],
    coder: OriginCoder,
    arguments: Vec<StructureId>,
}

impl<'b> HeadReader<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        HeadReader { bytes, coder: OriginCoder::default(), arguments: Vec::new() }
    }

    /// Returns the next head; `None` at the end, or if the bytes are malformed.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<CandidateHead<'_>> {
        let &[partition, continues_call] = take_bytes(&mut self.bytes, 2)? else { return None };
        let call = self.coder.next(&mut self.bytes, &mut self.arguments)?;
        Some(CandidateHead {
            partition,
            call,
            arguments: &self.arguments,
            continues_call: continues_call != 0,
        })
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }
}

/// A form of a partition's candidates, as it was left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeftForm<'b> {
    /// Its length is that of the encoder's output.
    pub(crate) bytes: &'b [u8],
    pub(crate) objects: u16,
}

/// Reads the next form of a partition; `None` if the bytes are malformed.
#[inline]
fn next_form<'b>(bytes: &mut &'b [u8]) -> Option<LeftForm<'b>> {
    let len = take_u32(bytes)?;
    let objects = take_u32(bytes)? as u16;
    Some(LeftForm { bytes: take_bytes(bytes, len as usize)?, objects })
}

/// The number of candidates at which they are decided on: a segment has room for 2^32, and no batch
/// has 2^31.
const DUE: u64 = 1 << 31;

/// All candidates since the store last settled.
#[derive(Debug)]
pub(crate) struct Pending {
    dir: PathBuf,
    /// The bytes of candidates that are kept in memory.
    room: u64,
    batch: CandidateBatch,
    spilled: Vec<SpilledBatch>,
    n: u64,
    n_spilled_bytes: u64,
}

/// A batch in a file, which is removed when it is dropped.
#[derive(Debug)]
struct SpilledBatch {
    path: PathBuf,
    file: File,
    /// The parts by partition, and last the heads.
    parts: Vec<SpilledPart>,
}

#[derive(Clone, Copy, Debug)]
struct SpilledPart {
    offset: u64,
    len: u64,
    sum: u64,
}

impl Pending {
    /// Makes an empty list. `room` bytes are kept in memory; the others go to files in `dir`.
    pub(crate) fn new(dir: &Path, room: u64) -> Self {
        Pending {
            dir: dir.to_owned(),
            room,
            batch: CandidateBatch::default(),
            spilled: Vec::new(),
            n: 0,
            n_spilled_bytes: 0,
        }
    }

    /// Returns the bytes of candidates that are kept in memory.
    pub(crate) fn room(&self) -> u64 {
        self.room
    }

    /// Returns the number of candidates.
    pub(crate) fn n(&self) -> u64 {
        self.n
    }

    /// Returns the bytes of all candidates.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.batch.n_bytes() + self.n_spilled_bytes
    }

    /// Returns the bytes of candidates in memory.
    pub(crate) fn memory(&self) -> u64 {
        let forms: usize = self.batch.forms.iter().map(Vec::capacity).sum();
        (forms + self.batch.heads.capacity()) as u64
    }

    /// Returns the bytes of candidates in files.
    pub(crate) fn n_spilled_bytes(&self) -> u64 {
        self.n_spilled_bytes
    }

    /// Returns whether memory holds more than it should, and all candidates take more than the
    /// `stored` bytes of structures that deciding on them would read; or whether there might soon
    /// be too many for a segment.
    pub(crate) fn is_over(&self, stored: u64) -> bool {
        self.n >= DUE || self.batch.n_bytes() >= self.room && self.n_bytes() >= stored
    }

    /// Forgets all of them.
    pub(crate) fn clear(&mut self) {
        *self = Pending::new(&self.dir, self.room);
    }

    pub(crate) fn push_all(&mut self, blocks: &[Candidates]) -> Result<(), DiskError> {
        let n: usize = blocks.iter().map(Candidates::len).sum();
        if self.batch.n_bytes() >= self.room {
            self.spill()?;
        }
        self.batch.push_all(blocks);
        self.n += n as u64;
        Ok(())
    }

    /// Writes the candidates in memory to a file.
    fn spill(&mut self) -> Result<(), DiskError> {
        let path = self.dir.join(format!("candidates-{}", self.spilled.len()));
        let spilled = SpilledBatch::write(&path, &self.batch)?;
        self.n_spilled_bytes += self.batch.n_bytes();
        self.spilled.push(spilled);
        // The allocations are used again.
        self.batch.forms.iter_mut().for_each(Vec::clear);
        self.batch.heads.clear();
        self.batch.coder = OriginCoder::default();
        Ok(())
    }

    /// Calls `take` with the candidates of a partition, piece by piece, in order.
    pub(crate) fn for_each_form(
        &self,
        partition: usize,
        mut take: impl FnMut(LeftForm<'_>) -> Result<(), DiskError>,
    ) -> Result<(), DiskError> {
        let mut take_all = |mut bytes: &[u8]| {
            while let Some(form) = next_form(&mut bytes) {
                take(form)?;
            }
            Ok(())
        };
        for spilled in &self.spilled {
            take_all(&spilled.read(partition)?)?;
        }
        take_all(&self.batch.forms[partition])
    }

    /// Calls `take` with the head of each candidate, in order.
    pub(crate) fn for_each_head(
        &self,
        mut take: impl FnMut(CandidateHead<'_>) -> Result<(), DiskError>,
    ) -> Result<(), DiskError> {
        let mut take_all = |bytes: &[u8]| {
            let mut heads = HeadReader::new(bytes);
            while let Some(head) = heads.next() {
                take(head)?;
            }
            debug_assert!(heads.is_at_end());
            Ok(())
        };
        for spilled in &self.spilled {
            take_all(&spilled.read(N_PARTITIONS)?)?;
        }
        take_all(&self.batch.heads)
    }
}

impl SpilledBatch {
    fn write(path: &Path, batch: &CandidateBatch) -> Result<Self, DiskError> {
        let failed = |source| DiskError::io("write", path)(source);
        let file = File::options().read(true).write(true).create(true).truncate(true).open(path);
        let mut spilled =
            SpilledBatch { path: path.to_owned(), file: file.map_err(failed)?, parts: Vec::new() };
        let mut writer = BufWriter::with_capacity(1 << 20, &spilled.file);
        let mut offset = 0;
        for bytes in batch.forms.iter().chain([&batch.heads]) {
            writer.write_all(bytes).map_err(failed)?;
            let len = bytes.len() as u64;
            spilled.parts.push(SpilledPart { offset, len, sum: xxh3_64(bytes) });
            offset += len;
        }
        writer.flush().map_err(failed)?;
        drop(writer);
        Ok(spilled)
    }

    /// Reads the candidates of a partition, or the heads.
    fn read(&self, part: usize) -> Result<Vec<u8>, DiskError> {
        let SpilledPart { offset, len, sum } = self.parts[part];
        let mut bytes = vec![0; len as usize];
        read_exact_at(&self.file, &mut bytes, offset)
            .map_err(|source| DiskError::io("read", &self.path)(source))?;
        match xxh3_64(&bytes) == sum {
            true => Ok(bytes),
            false => Err(DiskError::damaged(&self.path, "it does not hold what was written")),
        }
    }
}

impl Drop for SpilledBatch {
    fn drop(&mut self) {
        // If it stays, the next run in the directory removes it.
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However much room there is, and however many bytes the structures take.
    #[test]
    fn candidates_are_decided_on_before_they_are_too_many_for_a_segment() {
        let is_over = |n| Pending { n, ..Pending::new(Path::new(""), u64::MAX) }.is_over(u64::MAX);
        assert_eq!([DUE - 1, DUE, DUE + 1].map(is_over), [false, true, true]);
    }
}
