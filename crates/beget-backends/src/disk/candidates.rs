//! Candidates that are not yet decided on.

use std::path::Path;

use beget_engine::store::{Candidate, Candidates, StructureId};
use beget_engine::varint::{put, take_bytes, take_u32};
use beget_engine::{CallIdx, map_all};

use crate::disk::codec::OriginCoder;
use crate::disk::error::DiskError;
use crate::disk::lists::GrowingLists;
use crate::disk::partition::{N_PARTITIONS, hash_of, partition_of, trimmed};

/// The list of heads, behind those of forms by partition.
const HEADS: usize = N_PARTITIONS;

/// The data of a candidate besides its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CandidateHead<'h> {
    pub(crate) partition: u8,
    pub(crate) call: CallIdx,
    pub(crate) arguments: &'h [StructureId],
    /// True if the candidate before came from the same call.
    pub(crate) continues_call: bool,
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

impl<'b> LeftForm<'b> {
    /// Reads the next form of a partition; `None` if the bytes are malformed.
    #[inline]
    fn next(bytes: &mut &'b [u8]) -> Option<Self> {
        let len = take_u32(bytes)?;
        let objects = take_u32(bytes)? as u16;
        Some(LeftForm { bytes: take_bytes(bytes, len as usize)?, objects })
    }
}

/// Calls `take` with the candidates of a partition, piece by piece, in order.
pub(crate) fn for_each_form(
    lists: &GrowingLists,
    partition: usize,
    mut take: impl FnMut(LeftForm<'_>) -> Result<(), DiskError>,
) -> Result<(), DiskError> {
    for piece in lists.pieces(partition) {
        let piece = piece?;
        let mut bytes = &piece[..];
        while let Some(form) = LeftForm::next(&mut bytes) {
            take(form)?;
        }
    }
    Ok(())
}

/// The number of candidates at which they are decided on: a segment has room for 2^32, and no batch
/// has 2^31.
pub(crate) const DUE: u64 = 1 << 31;

/// All candidates since the store last settled: their forms by partition, and their heads.
#[derive(Debug)]
pub(crate) struct Pending {
    pub(crate) lists: GrowingLists,
    coder: OriginCoder,
    n: u64,
}

impl Pending {
    /// Makes an empty list. `room` bytes are kept in memory; the others go to files in `dir`.
    pub(crate) fn new(dir: &Path, room: u64) -> Self {
        let lists = GrowingLists::new(dir, room, N_PARTITIONS + 1);
        Pending { lists, coder: OriginCoder::default(), n: 0 }
    }

    /// Returns the number of candidates.
    pub(crate) fn n(&self) -> u64 {
        self.n
    }

    /// Returns whether memory holds more than it should, and all candidates take more than the
    /// `stored` bytes of structures that deciding on them would read; or whether there might soon
    /// be too many for a segment.
    pub(crate) fn is_over(&self, stored: u64) -> bool {
        self.n >= DUE || self.lists.is_over(stored)
    }

    /// Forgets all of them.
    pub(crate) fn clear(&mut self) {
        self.lists.clear();
        (self.coder, self.n) = (OriginCoder::default(), 0);
    }

    pub(crate) fn push_all(&mut self, blocks: &[Candidates]) -> Result<(), DiskError> {
        if self.lists.make_room()? {
            self.coder = OriginCoder::default();
        }
        let partitions: Vec<Vec<u8>> = map_all(blocks, partitions_of);
        let (forms, heads) = self.lists.open_pieces().split_at_mut(HEADS);
        // Each thread goes through all candidates, and takes those of its partitions.
        let share = N_PARTITIONS.div_ceil(rayon_core::current_num_threads());
        map_all(forms.chunks_mut(share).enumerate(), |(number, forms)| {
            let own = number * share..(number + 1) * share;
            for (block, partitions) in blocks.iter().zip(&partitions) {
                for (candidate, &partition) in block.iter().zip(partitions) {
                    if own.contains(&partition.into()) {
                        push_form(&mut forms[usize::from(partition) - own.start], &candidate);
                    }
                }
            }
        });
        let heads = &mut heads[0];
        for (block, partitions) in blocks.iter().zip(&partitions) {
            self.n += block.len() as u64;
            for (candidate, &partition) in block.iter().zip(partitions) {
                heads.push(partition);
                heads.push(candidate.continues_call.into());
                self.coder.push(heads, candidate.call, candidate.arguments);
            }
        }
        Ok(())
    }

    /// Calls `take` with the head of each candidate, in order.
    pub(crate) fn for_each_head(
        &self,
        mut take: impl FnMut(CandidateHead<'_>) -> Result<(), DiskError>,
    ) -> Result<(), DiskError> {
        for piece in self.lists.pieces(HEADS) {
            let piece = piece?;
            let mut heads = HeadReader::new(&piece);
            while let Some(head) = heads.next() {
                take(head)?;
            }
            debug_assert!(heads.is_at_end());
        }
        Ok(())
    }
}

/// Appends the form of a candidate to those of its partition.
fn push_form(bytes: &mut Vec<u8>, candidate: &Candidate<'_>) {
    put(bytes, candidate.form.len as u64);
    put(bytes, candidate.objects.into());
    candidate.form.append_to(bytes);
}

fn partitions_of(block: &Candidates) -> Vec<u8> {
    let mut bytes = Vec::new();
    let partition = |candidate: Candidate<'_>| {
        bytes.clear();
        candidate.form.append_to(&mut bytes);
        partition_of(hash_of(trimmed(&bytes))) as u8
    };
    block.iter().map(partition).collect()
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
