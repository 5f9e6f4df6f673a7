//! Deciding which candidates of a run on disk are new, as all processes do together.
//!
//! The documentation of [`disk_store`](crate::cluster::disk_store) has the steps.

use std::fs;
use std::path::PathBuf;

use beget_engine::store::{CommitCounts, StoreError, TagBits, Totals};

use crate::cluster::checked::exchange_checked;
use crate::cluster::disk_candidates::{ArrivalReader, SentHead, SentHeadReader, SpreadCandidates};
use crate::cluster::link::{Messages, ProcessLink, RoundStep};
use crate::cluster::news::{
    BlockNews, NewsWidths, SpreadStructure, put_totals, read_news, take_totals,
};
use crate::cluster::wire::{BitSource, PackedBits};
use crate::disk::{
    BitCursor, CandidateMatching, ChunkBuilder, DiskError, OF_OTHERS, OWN, PartRecorder,
    RecordForm, SaveTime, Segment, SegmentWriter, put_other, trimmed,
};

/// The most candidates that a pair of rounds is for, unless one block has more. The head of one
/// takes two or three bytes of a message as a rule. Tests have a few blocks, and several rounds.
const MOST_HEADS: u64 = if cfg!(test) { 500 } else { 1 << 20 };

/// Details of rounds.
const MATCHED: u64 = u64::MAX;
const WRITTEN: u64 = u64::MAX - 1;

/// A block whose candidates are pending.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PendingBlock {
    /// The process that made it.
    pub(crate) maker: u8,
    /// The number of its candidates with a head.
    pub(crate) n_heads: u32,
}

/// The result of settling.
#[derive(Debug)]
pub(crate) struct SettledPart {
    pub(crate) counts: CommitCounts,
    /// The totals of the new structures of all processes.
    pub(crate) totals: Totals,
    /// The new structures; none if there are none.
    pub(crate) segment: Option<Segment>,
}

/// The parts of a store that settles.
#[derive(Clone, Copy)]
pub(crate) struct PartSettling<'s> {
    pub(crate) link: &'s ProcessLink,
    pub(crate) pending: &'s SpreadCandidates,
    pub(crate) recorder: &'s PartRecorder,
    pub(crate) tag_bits: TagBits,
}

impl PartSettling<'_> {
    /// Decides on the candidates of all processes, and writes the new structures to the next
    /// segment of this one.
    pub(crate) fn settle(self, blocks: &[PendingBlock]) -> Result<SettledPart, StoreError> {
        let time = self.recorder.limit().begin();
        let file = NewFile { path: self.recorder.stored().next_path(), is_kept: false };
        let matched = self.match_own(&time);
        let (mut segment, matching) = self.all_go_on(MATCHED, matched)?;
        let mut rounds = BlockRounds::new(self, &matching);
        let mut counts = CommitCounts::default();
        let mut written = Ok(());
        let mut first = 0;
        while first < blocks.len() {
            let some = &blocks[first..first + n_at_once(&blocks[first..])];
            let ready = written.and_then(|()| Ok(time.check()?));
            let news = rounds.exchange(first as u64, some, ready)?;
            written = self.write(some, &news, (&mut segment, &mut rounds.own_new), &mut counts);
            first += some.len();
        }
        let finished = written.and_then(|()| match counts.new {
            0 => Ok(None),
            _ => Ok(Some(segment.finish()?)),
        });
        let (segment, totals) = self.share_totals(finished, &matching.totals)?;
        if segment.is_some() {
            file.keep();
        }
        Ok(SettledPart { counts, totals, segment })
    }

    /// Decides on the candidates that this process owns.
    fn match_own(&self, time: &SaveTime) -> Result<(NewSegment, CandidateMatching), StoreError> {
        let stored = self.recorder.stored();
        let mut writer = SegmentWriter::create(&stored.next_path(), stored.next_place())?;
        let records = RecordForm { prefix: &[OWN], tag_bits: self.tag_bits };
        let (lists, segments) = (&self.pending.lists, stored.segments());
        let matching = CandidateMatching::of(lists, segments, records, time, &mut writer)?;
        let (others, record) = (ChunkBuilder::default(), Vec::new());
        Ok((NewSegment { writer, others, record }, matching))
    }

    /// Goes on unless a process has failed.
    fn all_go_on<T>(&self, detail: u64, own: Result<T, StoreError>) -> Result<T, StoreError> {
        let message = own.as_ref().map(|_| vec![Vec::new(); self.link.n()]);
        let message = message.map_err(StoreError::clone);
        exchange_checked(self.link, (RoundStep::Kept, detail), message).and(own)
    }

    /// Writes the new structures of some blocks, in order.
    fn write(
        &self,
        blocks: &[PendingBlock],
        news: &[Vec<u8>],
        (segment, own_new): (&mut NewSegment, &mut Vec<u8>),
        counts: &mut CommitCounts,
    ) -> Result<(), StoreError> {
        let me = self.link.me();
        let mut own_new = own_new.drain(..);
        let mut rest: Vec<&[u8]> = news.iter().map(Vec::as_slice).collect();
        let mut written = Ok(());
        for block in blocks {
            let from = usize::from(block.maker);
            let read = read_news(&mut rest[from], self.widths(), &mut |new| {
                if written.is_err() {
                    return;
                }
                written = match usize::from(new.owner) == me {
                    true => own_new
                        .next()
                        .ok_or_else(|| self.link.garbled(from))
                        .and_then(|partition| Ok(segment.push(partition, new)?)),
                    false => segment.push_other(new).map_err(StoreError::from),
                };
            });
            let read = read.ok_or_else(|| self.link.garbled(from))?;
            counts.new += read.new;
            counts.calls_with_new += read.calls_with_new;
        }
        let odd = rest.iter().position(|rest| !rest.is_empty());
        match odd.or_else(|| own_new.next().map(|_| me)).filter(|_| written.is_ok()) {
            Some(from) => Err(self.link.garbled(from)),
            None => written,
        }
    }

    /// Adds the totals of all processes, if each has written its segment.
    fn share_totals<T>(
        &self,
        finished: Result<T, StoreError>,
        own: &Totals,
    ) -> Result<(T, Totals), StoreError> {
        let mut message = Vec::new();
        put_totals(&mut message, own);
        let messages = finished.as_ref().map(|_| vec![message; self.link.n()]);
        let messages = messages.map_err(StoreError::clone);
        let said = exchange_checked(self.link, (RoundStep::Kept, WRITTEN), messages)?;
        let mut totals = Totals::default();
        for (from, mut rest) in said.iter().map(Vec::as_slice).enumerate() {
            let read = take_totals(&mut rest, &mut totals).filter(|()| rest.is_empty());
            read.ok_or_else(|| self.link.garbled(from))?;
        }
        finished.map(|finished| (finished, totals))
    }

    fn widths(&self) -> NewsWidths {
        NewsWidths::new(self.link.n(), self.tag_bits)
    }
}

/// Returns the number of blocks, from the first on, that a pair of rounds is for.
fn n_at_once(blocks: &[PendingBlock]) -> usize {
    let mut n_heads = 0;
    let fits = |block: &&PendingBlock| {
        n_heads += u64::from(block.n_heads);
        n_heads <= MOST_HEADS
    };
    blocks.iter().take_while(fits).count().max(1)
}

/// The data that the processes send each other, block by block.
struct BlockRounds<'m> {
    settling: PartSettling<'m>,
    arrivals: ArrivalReader<'m>,
    heads: SentHeadReader<'m>,
    /// By partition: which of its candidates are new.
    bits: Vec<BitCursor<'m>>,
    /// The partitions of this process's own new structures in the last blocks.
    own_new: Vec<u8>,
}

impl<'m> BlockRounds<'m> {
    fn new(settling: PartSettling<'m>, matching: &'m CandidateMatching) -> Self {
        let (arrivals, heads) = (settling.pending.arrivals(), settling.pending.heads());
        BlockRounds { settling, arrivals, heads, bits: matching.bits(), own_new: Vec::new() }
    }

    /// Makes the rounds for some blocks, of which `first` is the number of the first. Returns the
    /// new structures that each process made.
    fn exchange(
        &mut self,
        first: u64,
        blocks: &[PendingBlock],
        ready: Result<(), StoreError>,
    ) -> Result<Messages, StoreError> {
        let link = self.settling.link;
        let bits = ready.and_then(|()| self.bits_of(blocks));
        let answers = exchange_checked(link, (RoundStep::New, first), bits)?;
        let news = self.news_of(blocks, &answers).map(|news| vec![news; link.n()]);
        exchange_checked(link, (RoundStep::Origins, first), news)
    }

    /// Returns for each process which of its candidates are new, among those owned by this one.
    fn bits_of(&mut self, blocks: &[PendingBlock]) -> Result<Messages, StoreError> {
        let mut answers: Vec<PackedBits> =
            (0..self.settling.link.n()).map(|_| PackedBits::default()).collect();
        for block in blocks {
            self.arrivals.next_block(|partition| {
                let is_new = self.bits[usize::from(partition)].next();
                answers[usize::from(block.maker)].push(is_new.into(), 1);
                if is_new {
                    self.own_new.push(partition);
                }
            })?;
        }
        Ok(answers.into_iter().map(PackedBits::into_bytes).collect())
    }

    /// Returns the new structures that the blocks of this process have left.
    fn news_of(
        &mut self,
        blocks: &[PendingBlock],
        answers: &[Vec<u8>],
    ) -> Result<Vec<u8>, StoreError> {
        let PartSettling { link, .. } = self.settling;
        let mut bits: Vec<BitSource<'_>> =
            answers.iter().map(|bits| BitSource::new(bits)).collect();
        let mut message = Vec::new();
        for block in blocks.iter().filter(|block| usize::from(block.maker) == link.me()) {
            let mut news = BlockNews::new(self.settling.widths());
            for _ in 0..block.n_heads {
                let head = self.heads.next()?;
                let owner = usize::from(head.owner);
                let bit = bits[owner].take(1).ok_or_else(|| link.garbled(owner))?;
                news.begin_candidate(head.continues_call);
                if bit == 1 {
                    let SentHead { owner, tag, call, arguments, .. } = head;
                    news.push(&SpreadStructure { owner, tag, call, arguments });
                }
            }
            news.write_to(&mut message);
        }
        Ok(message)
    }
}

/// The file of a segment, which is removed unless it is kept.
struct NewFile {
    path: PathBuf,
    is_kept: bool,
}

impl NewFile {
    fn keep(mut self) {
        self.is_kept = true;
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.is_kept {
            // If it stays, the next run in the directory removes it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A segment to which the new structures of all processes are written.
struct NewSegment {
    writer: SegmentWriter,
    /// The types of those that other processes keep.
    others: ChunkBuilder,
    record: Vec<u8>,
}

impl NewSegment {
    /// Appends a structure of a partition; its form is written already.
    #[inline]
    fn push(&mut self, partition: u8, new: &SpreadStructure<'_>) -> Result<(), DiskError> {
        self.writer.push(partition, new.call, new.arguments)
    }

    /// Appends a structure that another process keeps.
    #[inline]
    fn push_other(&mut self, new: &SpreadStructure<'_>) -> Result<(), DiskError> {
        let partition = put_other(new.tag, &mut self.record);
        self.others.push(trimmed(&self.record));
        self.writer.push_chunks(partition.into(), self.others.take_done())?;
        self.push(partition, new)
    }

    fn finish(mut self) -> Result<Segment, DiskError> {
        self.writer.push_chunks(OF_OTHERS.into(), self.others.finish())?;
        self.writer.finish()
    }
}
