//! Candidates of a run on disk that are not yet decided on, as one process has them.
//!
//! A process has two kinds: the *heads* of the candidates that its own blocks left, and the forms
//! that *arrived* at it, since it is their owner, from the blocks of all. Heads lie in the order of
//! the blocks. Forms lie by partition, and beside them the partition of each in the order of the
//! blocks. So both can be read block by block, in step with all other processes.

use std::borrow::Cow;
use std::path::Path;

use beget_engine::CallIdx;
use beget_engine::store::{Candidate, StoreError, StructureId};
use beget_engine::varint::{put, take, take_bytes, take_u32};
use xxhash_rust::xxh3::xxh3_64;

use crate::disk::{
    DiskError, GrowingLists, ListPieces, N_PARTITIONS, OriginCoder, own_partition_of, trimmed,
};

/// The lists behind those of forms by partition: the partitions of what arrived, ...
const ARRIVED: usize = N_PARTITIONS;
/// ... and the heads of the process's own candidates.
const HEADS: usize = N_PARTITIONS + 1;

/// The candidates since the store last settled.
#[derive(Debug)]
pub(crate) struct SpreadCandidates {
    /// The first [`N_PARTITIONS`] have the forms that arrived.
    pub(crate) lists: GrowingLists,
    coder: OriginCoder,
    /// Since the last head: a candidate without one began a call.
    has_begun_call: bool,
}

/// The data that its process keeps of a candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SentHead<'h> {
    /// The process that has its form.
    pub(crate) owner: u8,
    pub(crate) tag: u32,
    pub(crate) call: CallIdx,
    pub(crate) arguments: &'h [StructureId],
    /// True if the head before came from the same call.
    pub(crate) continues_call: bool,
}

impl SpreadCandidates {
    pub(crate) fn new(directory: &Path, room: u64) -> Self {
        let lists = GrowingLists::new(directory, room, N_PARTITIONS + 2);
        SpreadCandidates { lists, coder: OriginCoder::default(), has_begun_call: false }
    }

    pub(crate) fn clear(&mut self) {
        self.lists.clear();
        (self.coder, self.has_begun_call) = (OriginCoder::default(), false);
    }

    /// Writes what is in memory to a file if it takes its room. Called before a batch.
    pub(crate) fn make_room(&mut self) -> Result<(), DiskError> {
        if self.lists.make_room()? {
            self.coder = OriginCoder::default();
        }
        Ok(())
    }

    /// Passes over a candidate that is known not to be new.
    pub(crate) fn skip(&mut self, candidate: &Candidate<'_>) {
        self.has_begun_call |= !candidate.continues_call;
    }

    /// Notes the head of a candidate whose form goes to `owner`.
    pub(crate) fn push_head(&mut self, candidate: &Candidate<'_>, owner: u8, tag: u32) {
        let continues_call = candidate.continues_call && !self.has_begun_call;
        self.has_begun_call = false;
        let heads = &mut self.lists.open_pieces()[HEADS];
        heads.push(owner << 1 | u8::from(continues_call));
        put(heads, tag.into());
        self.coder.push(heads, candidate.call, candidate.arguments);
    }

    /// Takes the forms of a block from a message of the process that made it.
    pub(crate) fn take_block(&mut self, rest: &mut &[u8]) -> Option<()> {
        let lists = self.lists.open_pieces();
        let n_forms = take(rest)?;
        put(&mut lists[ARRIVED], n_forms);
        for _ in 0..n_forms {
            let before = *rest;
            let len = take_u32(rest)?;
            take_u32(rest)?;
            let form = take_bytes(rest, len as usize)?;
            let partition = own_partition_of(xxh3_64(trimmed(form)));
            lists[ARRIVED].push(partition);
            // The list has forms as messages do.
            lists[usize::from(partition)].extend_from_slice(&before[..before.len() - rest.len()]);
        }
        Some(())
    }

    /// Reads the partitions of what arrived.
    pub(crate) fn arrivals(&self) -> ArrivalReader<'_> {
        ArrivalReader(PieceReader::new(&self.lists, ARRIVED))
    }

    /// Reads the heads.
    pub(crate) fn heads(&self) -> SentHeadReader<'_> {
        let (coder, arguments) = (OriginCoder::default(), Vec::new());
        SentHeadReader { pieces: PieceReader::new(&self.lists, HEADS), coder, arguments }
    }
}

/// The forms of a block on their way to their owner.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockForms {
    n: u64,
    forms: Vec<u8>,
}

impl BlockForms {
    /// Appends the form of a candidate.
    pub(crate) fn push(&mut self, candidate: &Candidate<'_>) {
        self.n += 1;
        put(&mut self.forms, candidate.form.len as u64);
        put(&mut self.forms, candidate.objects.into());
        candidate.form.append_to(&mut self.forms);
    }

    /// Writes the block behind those before it, for [`SpreadCandidates::take_block`].
    pub(crate) fn write_to(&mut self, message: &mut Vec<u8>) {
        put(message, self.n);
        message.append(&mut self.forms);
        self.n = 0;
    }
}

/// Reads a list from piece to piece.
struct PieceReader<'l> {
    pieces: ListPieces<'l>,
    piece: Cow<'l, [u8]>,
    at: usize,
}

impl<'l> PieceReader<'l> {
    fn new(lists: &'l GrowingLists, list: usize) -> Self {
        PieceReader { pieces: lists.pieces(list), piece: Cow::Borrowed(&[]), at: 0 }
    }

    /// Goes to the next piece if this one is at its end. Returns whether it did.
    fn advance(&mut self) -> Result<bool, StoreError> {
        let is_at_end = self.at == self.piece.len();
        while self.at == self.piece.len() {
            self.piece = self.pieces.next().ok_or_else(missing)??;
            self.at = 0;
        }
        Ok(is_at_end)
    }

    /// Reads by `read` what comes next in the piece.
    fn read<R>(&mut self, read: impl FnOnce(&mut &[u8]) -> Option<R>) -> Result<R, StoreError> {
        let mut rest = &self.piece[self.at..];
        let read = read(&mut rest).ok_or_else(missing)?;
        self.at = self.piece.len() - rest.len();
        Ok(read)
    }
}

/// Pieces have checksums, so nothing can be missing unless processes are not in step.
fn missing() -> StoreError {
    StoreError::Failed("candidates are missing".to_owned())
}

/// Reads the partitions of the forms that arrived, block by block.
pub(crate) struct ArrivalReader<'l>(PieceReader<'l>);

impl ArrivalReader<'_> {
    /// Calls `visit` with the partition of each form of the next block.
    pub(crate) fn next_block(&mut self, mut visit: impl FnMut(u8)) -> Result<(), StoreError> {
        self.0.advance()?;
        self.0.read(|rest| {
            let n_forms = take(rest).and_then(|n| usize::try_from(n).ok())?;
            take_bytes(rest, n_forms)?.iter().for_each(|&partition| visit(partition));
            Some(())
        })
    }
}

/// Reads heads, one by one.
pub(crate) struct SentHeadReader<'l> {
    pieces: PieceReader<'l>,
    coder: OriginCoder,
    arguments: Vec<StructureId>,
}

impl SentHeadReader<'_> {
    pub(crate) fn next(&mut self) -> Result<SentHead<'_>, StoreError> {
        if self.pieces.advance()? {
            self.coder = OriginCoder::default();
        }
        let (coder, arguments) = (&mut self.coder, &mut self.arguments);
        let (mark, tag, call) = self.pieces.read(|rest| {
            let &[mark] = take_bytes(rest, 1)? else { return None };
            Some((mark, take_u32(rest)?, coder.next(rest, arguments)?))
        })?;
        let (owner, continues_call) = (mark >> 1, mark & 1 == 1);
        Ok(SentHead { owner, tag, call, arguments: &self.arguments, continues_call })
    }
}
