//! Deciding which candidates are new: partition by partition, then in order.
//!
//! The documentation of [`disk`](crate::disk) explains why the numbers are the same as if each
//! candidate had been decided on when it came.

use beget_engine::CallIdx;
use beget_engine::map_all;
use beget_engine::store::{Candidate, CommitCounts, Form, TagBits, Totals};
use hashbrown::HashTable;

use crate::disk::candidates::{LeftForm, Pending, for_each_form};
use crate::disk::error::DiskError;
use crate::disk::limit::SaveTime;
use crate::disk::lists::GrowingLists;
use crate::disk::partition::{N_PARTITIONS, hash_of, trimmed};
use crate::disk::segment::{ChunkBuilder, EncodedChunk, Segment, SegmentWriter, Unpacker};
use crate::disk::stored::StoredSegments;

/// The result of settling.
#[derive(Debug)]
pub(crate) struct Settlement {
    /// The new structures; none if there are none.
    pub(crate) segment: Option<Segment>,
    pub(crate) counts: CommitCounts,
    pub(crate) totals: Totals,
}

/// Finds the new candidates and writes them to the segment that follows those in `stored`.
pub(crate) fn settle(
    pending: &Pending,
    stored: &StoredSegments,
    tag_bits: TagBits,
    time: &SaveTime,
) -> Result<Settlement, DiskError> {
    let path = stored.next_path();
    let mut writer = SegmentWriter::create(&path, stored.next_place())?;
    let written = write(pending, stored.segments(), tag_bits, time, &mut writer);
    let finished = written.and_then(|(counts, totals)| match counts.new {
        0 => Ok(Settlement { segment: None, counts, totals }),
        _ => Ok(Settlement { segment: Some(writer.finish()?), counts, totals }),
    });
    if !matches!(finished, Ok(Settlement { segment: Some(_), .. })) {
        // If it stays, the next run in the directory removes it.
        let _ = std::fs::remove_file(path);
    }
    finished
}

fn write(
    pending: &Pending,
    segments: &[Segment],
    tag_bits: TagBits,
    time: &SaveTime,
    writer: &mut SegmentWriter,
) -> Result<(CommitCounts, Totals), DiskError> {
    let records = RecordForm { prefix: &[], tag_bits };
    let matching = CandidateMatching::of(&pending.lists, segments, records, time, writer)?;
    let mut next = matching.bits();
    let mut counts = CommitCounts::default();
    let mut is_call_counted = false;
    let mut step = 0_u32;
    pending.for_each_head(|head| {
        time.check_at(step)?;
        step = step.wrapping_add(1);
        is_call_counted &= head.continues_call;
        if !next[usize::from(head.partition)].next() {
            return Ok(());
        }
        counts.new += 1;
        counts.calls_with_new += u64::from(!is_call_counted);
        is_call_counted = true;
        writer.push(head.partition, head.call, head.arguments)
    })?;
    Ok((counts, matching.totals))
}

/// The form in which the segments hold forms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordForm {
    /// The bytes before each form.
    pub(crate) prefix: &'static [u8],
    pub(crate) tag_bits: TagBits,
}

/// The candidates of all partitions, decided on.
#[derive(Debug)]
pub(crate) struct CandidateMatching {
    is_new: Vec<Bits>,
    /// The totals of the new structures.
    pub(crate) totals: Totals,
}

impl CandidateMatching {
    /// Decides on the candidates whose forms are the first [`N_PARTITIONS`] of `lists`, and gives
    /// the new forms to `writer`.
    pub(crate) fn of(
        lists: &GrowingLists,
        segments: &[Segment],
        records: RecordForm,
        time: &SaveTime,
        writer: &mut SegmentWriter,
    ) -> Result<Self, DiskError> {
        let mut matching = CandidateMatching { is_new: Vec::new(), totals: Totals::default() };
        let at_once = 2 * rayon_core::current_num_threads();
        let partitions: Vec<usize> = (0..N_PARTITIONS).collect();
        for some in partitions.chunks(at_once) {
            let matched = map_all(some, |&partition| {
                PartitionOutcome::of(partition, lists, segments, records, time)
            });
            for (&partition, matched) in some.iter().zip(matched) {
                let PartitionOutcome { is_new, chunks, totals } = matched?;
                writer.push_chunks(partition, chunks)?;
                matching.totals.merge(&totals);
                matching.is_new.push(is_new);
            }
        }
        Ok(matching)
    }

    /// Returns the bits of each partition: one for each candidate, in order, set if it is new.
    pub(crate) fn bits(&self) -> Vec<BitCursor<'_>> {
        self.is_new.iter().map(Bits::cursor).collect()
    }
}

/// The candidates of a partition, decided on.
#[derive(Default)]
struct PartitionOutcome {
    is_new: Bits,
    /// The new forms.
    chunks: Vec<EncodedChunk>,
    totals: Totals,
}

impl PartitionOutcome {
    fn of(
        partition: usize,
        lists: &GrowingLists,
        segments: &[Segment],
        records: RecordForm,
        time: &SaveTime,
    ) -> Result<Self, DiskError> {
        let mut matched = PartitionOutcome::default();
        if lists.is_empty(partition) {
            return Ok(matched);
        }
        let RecordForm { prefix, tag_bits } = records;
        let mut known = PartitionForms::of(partition, segments, prefix.len(), time)?;
        let mut builder = ChunkBuilder::default();
        let mut words = Vec::new();
        let mut record = Vec::new();
        for_each_form(lists, partition, |left| {
            time.check_at(matched.is_new.len as u32)?;
            let is_new = known.insert(left.bytes).ok_or(DiskError::Full)?;
            matched.is_new.push(is_new);
            if is_new {
                record.clear();
                record.extend_from_slice(prefix);
                record.extend_from_slice(left.bytes);
                builder.push(&record);
                count(left, &mut words, &mut matched.totals, tag_bits);
            }
            Ok(())
        })?;
        matched.chunks = builder.finish();
        Ok(matched)
    }
}

fn count(left: LeftForm<'_>, words: &mut Vec<u64>, totals: &mut Totals, tag_bits: TagBits) {
    words.clear();
    let (whole, rest) = left.bytes.as_chunks::<8>();
    words.extend(whole.iter().map(|word| u64::from_le_bytes(*word)));
    if !rest.is_empty() {
        words.push(rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)));
    }
    let form = Form { words, len: left.bytes.len() };
    let (call, arguments, objects) = (CallIdx::new(0), &[][..], left.objects);
    totals.add(&Candidate { form, call, arguments, objects, continues_call: false }, tag_bits);
}

/// The forms of a partition, each once.
///
/// Forms lie one behind another, each after its length; the table holds where they begin.
struct PartitionForms {
    bytes: Vec<u8>,
    table: HashTable<u32>,
}

/// Returns the hash of a form in the table of its partition. A table compares seven bits of it, the
/// highest, before it compares forms; those of [`hash_of`] name the partition, so others are there.
#[inline]
fn table_hash(form: &[u8]) -> u64 {
    hash_of(form).rotate_left(40)
}

/// Stands for a length that follows in four bytes.
const LONG: u8 = u8::MAX;

impl PartitionForms {
    /// Reads the forms of a partition, each behind the prefix of its record.
    fn of(
        partition: usize,
        segments: &[Segment],
        prefix: usize,
        time: &SaveTime,
    ) -> Result<Self, DiskError> {
        let n: usize = segments
            .iter()
            .map(|segment| {
                let chunks = 0..segment.n_chunks(partition);
                chunks.map(|chunk| segment.chunk_len(partition, chunk)).sum::<usize>()
            })
            .sum();
        let mut forms = PartitionForms { bytes: Vec::new(), table: HashTable::with_capacity(n) };
        let (mut unpacker, mut read) = (Unpacker::new(), Vec::new());
        for segment in segments {
            for chunk in 0..segment.n_chunks(partition) {
                time.check()?;
                let stride = segment.read_chunk(partition, chunk, &mut unpacker, &mut read)?;
                for index in 0..segment.chunk_len(partition, chunk) {
                    let record = trimmed(&read[index * stride..][..stride]);
                    let form = record.get(prefix..).ok_or_else(|| segment.garbled())?;
                    forms.push(table_hash(form), form).ok_or(DiskError::Full)?;
                }
            }
        }
        Ok(forms)
    }

    /// Adds a form unless it is there already. Returns whether it did, or `None` if there is no
    /// room.
    #[inline]
    fn insert(&mut self, form: &[u8]) -> Option<bool> {
        let form = trimmed(form);
        let hash = table_hash(form);
        let PartitionForms { bytes, table } = self;
        if table.find(hash, |&at| form_at(bytes, at) == form).is_some() {
            return Some(false);
        }
        self.push(hash, form)?;
        Some(true)
    }

    /// Adds a form that is not there; `None` if those of the partition take 2^32 bytes already.
    #[inline]
    fn push(&mut self, hash: u64, form: &[u8]) -> Option<()> {
        let PartitionForms { bytes, table } = self;
        let at = u32::try_from(bytes.len()).ok()?;
        match u8::try_from(form.len()) {
            Ok(len) if len != LONG => bytes.push(len),
            _ => {
                bytes.push(LONG);
                bytes.extend((form.len() as u32).to_le_bytes());
            }
        }
        bytes.extend_from_slice(form);
        table.insert_unique(hash, at, |&at| table_hash(form_at(bytes, at)));
        Some(())
    }
}

#[inline]
fn form_at(bytes: &[u8], at: u32) -> &[u8] {
    let at = at as usize;
    match bytes[at] {
        LONG => {
            let len: [u8; 4] = bytes[at + 1..][..4].try_into().expect("four bytes");
            &bytes[at + 5..][..u32::from_le_bytes(len) as usize]
        }
        len => &bytes[at + 1..][..usize::from(len)],
    }
}

/// A bit for each candidate of a partition.
#[derive(Clone, Debug, Default)]
struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    #[inline]
    fn push(&mut self, bit: bool) {
        if self.len.is_multiple_of(64) {
            self.words.push(0);
        }
        let last = self.words.last_mut().expect("there is a word for the bit");
        *last |= u64::from(bit) << (self.len % 64);
        self.len += 1;
    }

    fn cursor(&self) -> BitCursor<'_> {
        BitCursor { bits: self, at: 0 }
    }
}

pub(crate) struct BitCursor<'b> {
    bits: &'b Bits,
    at: usize,
}

impl BitCursor<'_> {
    #[inline]
    pub(crate) fn next(&mut self) -> bool {
        let bit = self.bits.words[self.at / 64] >> (self.at % 64) & 1;
        self.at += 1;
        bit != 0
    }
}
