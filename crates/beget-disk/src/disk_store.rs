//! The store whose structures are on disk and nowhere else.

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;

use beget_engine::CallIdx;
use beget_engine::store::{
    Candidates, CommitCounts, FormRef, Origin, Store, StoreError, StructureId, TagBits, Totals,
    Unsettled,
};

use crate::candidates::Pending;
use crate::codec::OriginCoder;
use crate::directory::{Directory, StoreForm};
use crate::error::DiskError;
use crate::lookup::find_all;
use crate::partition::{N_PARTITIONS, hash_of, partition_of, trimmed};
use crate::segment::{CHUNK, ORIGIN_BLOCK, OrderBlock, Segment, Unpacker};
use crate::settling::settle;

/// The most structures, as [`Store::len`] promises.
const MOST: u64 = (1 << 31) - 1;

/// Exact, on disk, in bounded memory: which candidates are new is decided when a level ends, or
/// when there are more candidates than structures.
///
/// A structure takes what its form is compressed to, a byte of order, and what its origin is
/// compressed to. Reading one by its number takes two logarithmic searches and the unpacking of
/// 1024 forms, and of as many origins; scans unpack each form once. [`find`](Store::find) reads a
/// whole partition, and [`find_all`](Store::find_all) each partition once.
pub struct DiskStore {
    directory: Directory,
    segments: Vec<Segment>,
    /// The number of the first structure of each segment, and of the one after the last.
    firsts: Vec<u32>,
    pending: Pending,
    totals: Totals,
    tag_bits: TagBits,
    /// Where the last scan ended.
    cursor: Mutex<Option<Box<ScanCursor>>>,
}

impl fmt::Debug for DiskStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("DiskStore");
        shown.field("directory", &self.directory).field("len", &self.len());
        shown.finish_non_exhaustive()
    }
}

/// The share of the memory that candidates may take before they go to files: lists grow to twice
/// their size, and tables need room too.
const ROOM: u64 = 3;

impl DiskStore {
    /// An empty store for forms with type tags of so many bits. It is to take about `memory` bytes.
    pub fn new(directory: Directory, tag_bits: TagBits, memory: u64) -> Self {
        let pending = Pending::new(directory.path(), memory / ROOM);
        DiskStore {
            directory,
            segments: Vec::new(),
            firsts: vec![0],
            pending,
            totals: Totals::default(),
            tag_bits,
            cursor: Mutex::default(),
        }
    }

    /// The store that was saved in a directory, with the rest of the run.
    ///
    /// # Errors
    /// If its files are damaged.
    pub fn open(
        directory: Directory,
        tag_bits: TagBits,
        memory: u64,
    ) -> Result<(Self, Vec<u8>), DiskError> {
        let manifest = directory.manifest()?;
        let mut store = Self::new(directory, tag_bits, memory);
        for number in 0..manifest.n_segments {
            store.push_segment(store.directory.open_segment(number)?);
        }
        store.totals = manifest.totals;
        Ok((store, manifest.state))
    }

    /// Calls `visit` with each structure's form and origin, in order.
    pub(crate) fn for_each(
        &self,
        visit: &mut dyn FnMut(FormRef<'_>, CallIdx, &[StructureId]),
    ) -> Result<(), DiskError> {
        let mut cursor = ScanCursor::new();
        for (segment, &first) in self.segments.iter().zip(&self.firsts) {
            for (number, start) in (0..segment.len()).step_by(ORIGIN_BLOCK).enumerate() {
                let end = segment.len().min(start + ORIGIN_BLOCK as u32);
                let block = segment.origin_block(number)?;
                let (mut bytes, mut coder) = (&block[..], OriginCoder::default());
                let mut arguments = Vec::new();
                let mut is_whole = true;
                cursor.scan(self, first + start..first + end, &mut |_, form| match coder
                    .next(&mut bytes, &mut arguments)
                {
                    Some(call) => visit(form, call, &arguments),
                    None => is_whole = false,
                })?;
                if !is_whole {
                    return Err(DiskError::damaged(segment.path(), "origins are missing"));
                }
            }
        }
        Ok(())
    }

    pub(crate) fn directory_path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn into_parts(self) -> (Directory, Vec<Segment>) {
        (self.directory, self.segments)
    }

    fn push_segment(&mut self, segment: Segment) {
        self.firsts.push(self.len() + segment.len());
        self.segments.push(segment);
    }

    /// The segment of a structure, and its number there.
    fn locate(&self, id: StructureId) -> Result<(usize, u32), DiskError> {
        let segment = self.firsts.partition_point(|&first| first <= id.0) - 1;
        match segment < self.segments.len() {
            true => Ok((segment, id.0 - self.firsts[segment])),
            false => Err(DiskError::damaged(
                self.directory.path(),
                format!("there is no structure {}", id.0),
            )),
        }
    }
}

impl Store for DiskStore {
    fn commit(&mut self, blocks: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError> {
        self.pending.push_all(blocks)?;
        Ok(vec![CommitCounts::default(); blocks.len()])
    }

    fn settle(&mut self) -> Result<CommitCounts, StoreError> {
        let path = self.directory.segment_path(self.segments.len() as u32);
        let settled = settle(&self.pending, &self.segments, self.tag_bits, &path)?;
        if u64::from(self.len()) + settled.counts.new > MOST {
            // Nobody knows of it yet.
            let _ = std::fs::remove_file(&path);
            return Err(StoreError::Full);
        }
        self.pending.clear();
        if let Some(segment) = settled.segment {
            self.push_segment(segment);
        }
        self.totals.merge(&settled.totals);
        Ok(settled.counts)
    }

    fn unsettled(&self) -> Unsettled {
        let stored: u64 = self.segments.iter().map(Segment::n_bytes).sum();
        Unsettled { candidates: self.pending.n(), is_due: self.pending.is_over(stored) }
    }

    fn lasts(&self) -> bool {
        true
    }

    fn save(&mut self, state: &[u8]) -> Result<(), StoreError> {
        let form = StoreForm::Disk;
        Ok(self.directory.save(&self.segments, &self.totals, form, state)?)
    }

    fn scan(
        &self,
        ids: Range<u32>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        if ids.is_empty() {
            return Ok(());
        }
        // `visit` may read the store, too: it finds no cursor then and makes one.
        let kept = self.cursor.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
        let mut cursor = kept.unwrap_or_else(|| Box::new(ScanCursor::new()));
        let scanned = cursor.scan(self, ids, visit);
        *self.cursor.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(cursor);
        Ok(scanned?)
    }

    fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        let form = trimmed(form.as_bytes());
        let partition = partition_of(hash_of(form));
        let (mut unpacker, mut forms) = (Unpacker::new(), Vec::new());
        for (segment, &first) in self.segments.iter().zip(&self.firsts) {
            for chunk in 0..segment.n_chunks(partition) {
                let stride = segment.read_chunk(partition, chunk, &mut unpacker, &mut forms)?;
                let mut known = (0..segment.chunk_len(partition, chunk))
                    .map(|index| trimmed(&forms[index * stride..][..stride]));
                if let Some(index) = known.position(|known| known == form) {
                    let within = segment.within(partition, (chunk * CHUNK + index) as u32)?;
                    return Ok(Some(StructureId(first + within)));
                }
            }
        }
        Ok(None)
    }

    fn find_all(&self, forms: &[FormRef<'_>]) -> Result<Vec<Option<StructureId>>, StoreError> {
        Ok(find_all(&self.segments, forms)?)
    }

    fn lookup_bytes(&self) -> u64 {
        self.pending.room()
    }

    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        let (segment, within) = self.locate(id)?;
        Ok(self.segments[segment].origin(within)?)
    }

    fn totals(&self) -> Totals {
        self.totals.clone()
    }

    fn len(&self) -> u32 {
        *self.firsts.last().expect("the first is 0")
    }

    fn bytes(&self) -> u64 {
        let indices: u64 = self.segments.iter().map(Segment::index_bytes).sum();
        let cursor = self.cursor.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let cursor = cursor.as_ref().map_or(0, |cursor| cursor.memory());
        indices + self.pending.memory() + cursor
    }

    fn disk_bytes(&self) -> u64 {
        let stored: u64 = self.segments.iter().map(Segment::n_bytes).sum();
        stored + self.pending.n_spilled_bytes()
    }
}

/// Reads forms in the order of their numbers: the chunk of each partition that is being read stays
/// unpacked.
struct ScanCursor {
    segment: usize,
    /// The number in the segment of the next structure.
    next: u32,
    /// The number in the segment of the first structure of the block.
    start: u32,
    block: OrderBlock,
    chunks: Vec<OpenChunk>,
    unpacker: Unpacker,
}

/// A chunk of a partition, unpacked.
#[derive(Clone, Default)]
struct OpenChunk {
    /// Segment and number of the chunk.
    of: Option<(usize, usize)>,
    stride: usize,
    forms: Vec<u8>,
}

impl ScanCursor {
    fn new() -> Self {
        ScanCursor {
            segment: 0,
            next: 0,
            start: 0,
            block: OrderBlock::default(),
            chunks: vec![OpenChunk::default(); N_PARTITIONS],
            unpacker: Unpacker::new(),
        }
    }

    fn scan(
        &mut self,
        store: &DiskStore,
        ids: Range<u32>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), DiskError> {
        let (segment, within) = store.locate(StructureId(ids.start))?;
        self.seek(store, segment, within)?;
        for id in ids {
            if self.next == store.segments[self.segment].len() {
                self.seek(store, self.segment + 1, 0)?;
            } else if self.next == self.start + self.block.partitions.len() as u32 {
                self.open(store, self.next)?;
            }
            let partition = usize::from(self.block.partitions[(self.next - self.start) as usize]);
            let position = &mut self.block.positions[partition];
            let index = *position as usize;
            *position += 1;
            self.next += 1;
            let form = self.form(store, partition, index)?;
            visit(StructureId(id), form);
        }
        Ok(())
    }

    /// Goes to structure number `within` of a segment.
    fn seek(&mut self, store: &DiskStore, segment: usize, within: u32) -> Result<(), DiskError> {
        let end = self.start + self.block.partitions.len() as u32;
        let is_near = self.segment == segment && (self.start..end).contains(&within);
        if !is_near {
            if segment >= store.segments.len() {
                let what = "structures are missing at its end";
                return Err(DiskError::damaged(store.directory.path(), what));
            }
            self.segment = segment;
            self.open(store, within)?;
        }
        let OrderBlock { positions, partitions } = &mut self.block;
        let (from, to) = ((self.next - self.start) as usize, (within - self.start) as usize);
        // What was read may be read again: its chunks are still open, as a rule.
        for &partition in &partitions[to.min(from)..from] {
            positions[usize::from(partition)] -= 1;
        }
        for &partition in &partitions[from.min(to)..to] {
            positions[usize::from(partition)] += 1;
        }
        self.next = within;
        Ok(())
    }

    /// Reads the part of the order that has structure number `within`.
    fn open(&mut self, store: &DiskStore, within: u32) -> Result<(), DiskError> {
        let (start, block) = store.segments[self.segment].order_block(within)?;
        (self.start, self.next, self.block) = (start, start, block);
        Ok(())
    }

    /// The form at `index` of a partition of the segment.
    #[inline]
    fn form(
        &mut self,
        store: &DiskStore,
        partition: usize,
        index: usize,
    ) -> Result<FormRef<'_>, DiskError> {
        let chunk = &mut self.chunks[partition];
        let of = (self.segment, index / CHUNK);
        if chunk.of != Some(of) {
            // Not the old one, should the new one not be read.
            chunk.of = None;
            let segment = &store.segments[of.0];
            if of.1 >= segment.n_chunks(partition) {
                return Err(DiskError::damaged(segment.path(), "its order does not fit its forms"));
            }
            let OpenChunk { forms, .. } = chunk;
            chunk.stride = segment.read_chunk(partition, of.1, &mut self.unpacker, forms)?;
            chunk.of = Some(of);
        }
        let start = index % CHUNK * chunk.stride;
        Ok(FormRef::new(&chunk.forms[start..start + chunk.stride]))
    }

    fn memory(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.forms.capacity() as u64).sum()
    }
}
