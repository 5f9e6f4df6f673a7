//! The structures in segments that follow each other: finding them, and reading them in order.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use beget_engine::CallIdx;
use beget_engine::store::{FormRef, Origin, StructureId};

use crate::disk::codec::OriginCoder;
use crate::disk::directory::{Directory, Manifest, fingerprint_of, segment_path};
use crate::disk::error::DiskError;
use crate::disk::origin_cache::OriginCache;
use crate::disk::partition::{N_PARTITIONS, trimmed};
use crate::disk::segment::{CHUNK, ORIGIN_BLOCK, OrderBlock, Segment, SegmentPlace, Unpacker};

/// The segments of a directory.
#[derive(Debug)]
pub(crate) struct StoredSegments {
    path: PathBuf,
    /// The fingerprint of the run.
    run: u64,
    segments: Vec<Segment>,
    /// The number of the first structure of each segment, and of the one after the last.
    firsts: Vec<u64>,
}

impl StoredSegments {
    /// Makes a list without segments.
    pub(crate) fn new(directory: &Directory) -> Self {
        StoredSegments::of(directory.path(), directory.fingerprint())
    }

    fn of(directory: &Path, run: u64) -> Self {
        let path = directory.to_owned();
        StoredSegments { path, run, segments: Vec::new(), firsts: vec![0] }
    }

    /// Opens the segments that a manifest of the directory names.
    ///
    /// # Errors
    /// If one of them is damaged, missing, or another one.
    pub(crate) fn open(directory: &Path, manifest: &Manifest) -> Result<Self, DiskError> {
        let mut stored = StoredSegments::of(directory, fingerprint_of(manifest));
        let manifest_path = manifest.file.path(directory);
        for &seal in &manifest.segments {
            let place = stored.next_place();
            let file = segment_path(directory, place.number);
            if !file.exists() {
                return Err(DiskError::Missing { file, manifest: manifest_path });
            }
            let segment = Segment::open(&file)?;
            segment.require(place, seal, &manifest_path)?;
            stored.push(segment);
        }
        Ok(stored)
    }

    /// Counts the structures from `first` on: no test can make as many as there may be.
    #[cfg(test)]
    pub(crate) fn counted_from(self, first: u64) -> Self {
        StoredSegments { firsts: vec![first], ..self }
    }

    pub(crate) fn push(&mut self, segment: Segment) {
        self.firsts.push(self.len() + u64::from(segment.len()));
        self.segments.push(segment);
    }

    /// Returns the directory.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of the next segment.
    pub(crate) fn next_path(&self) -> PathBuf {
        segment_path(&self.path, self.next_place().number)
    }

    /// Returns the place of the next segment.
    pub(crate) fn next_place(&self) -> SegmentPlace {
        SegmentPlace { run: self.run, number: self.segments.len() as u32, first: self.len() }
    }

    pub(crate) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Returns each segment with the number of its first structure.
    pub(crate) fn with_firsts(&self) -> impl Iterator<Item = (&Segment, u64)> {
        self.segments.iter().zip(self.firsts.iter().copied())
    }

    /// Returns the number of structures.
    pub(crate) fn len(&self) -> u64 {
        *self.firsts.last().expect("the first is 0")
    }

    pub(crate) fn n_bytes(&self) -> u64 {
        self.segments.iter().map(Segment::n_bytes).sum()
    }

    /// Returns the memory that the indices take.
    pub(crate) fn index_bytes(&self) -> u64 {
        self.segments.iter().map(Segment::index_bytes).sum()
    }

    pub(crate) fn origin(
        &self,
        id: StructureId,
        cache: &mut OriginCache,
    ) -> Result<Origin, DiskError> {
        let (segment, within) = self.locate(id)?;
        cache.origin(&self.segments[segment], segment, within)
    }

    /// Finds the structure whose form is stored as `record` in a partition, by reading all of the
    /// partition.
    pub(crate) fn find(
        &self,
        partition: usize,
        record: &[u8],
    ) -> Result<Option<StructureId>, DiskError> {
        let (mut unpacker, mut forms) = (Unpacker::new(), Vec::new());
        for (segment, first) in self.with_firsts() {
            for chunk in 0..segment.n_chunks(partition) {
                let stride = segment.read_chunk(partition, chunk, &mut unpacker, &mut forms)?;
                let mut known = (0..segment.chunk_len(partition, chunk))
                    .map(|index| trimmed(&forms[index * stride..][..stride]));
                if let Some(index) = known.position(|known| known == record) {
                    let within = segment.within(partition, (chunk * CHUNK + index) as u32)?;
                    return Ok(Some(StructureId::new(first + u64::from(within))));
                }
            }
        }
        Ok(None)
    }

    /// Returns the segment of a structure, and its number there.
    fn locate(&self, id: StructureId) -> Result<(usize, u32), DiskError> {
        let segment = self.firsts.partition_point(|&first| first <= id.number()) - 1;
        match segment < self.segments.len() {
            true => Ok((segment, (id.number() - self.firsts[segment]) as u32)),
            false => {
                let what = format!("there is no structure {}", id.number());
                Err(DiskError::damaged(&self.path, what))
            }
        }
    }
}

/// Reads forms with their origins, in order.
pub(crate) struct StructureReader<'s> {
    stored: &'s StoredSegments,
    forms: ScanCursor,
    next: u64,
    /// The origins of the block that has `next`, and the number of bytes read.
    origins: Vec<u8>,
    at: usize,
    coder: OriginCoder,
    arguments: Vec<StructureId>,
}

impl<'s> StructureReader<'s> {
    pub(crate) fn new(stored: &'s StoredSegments) -> Self {
        StructureReader {
            stored,
            forms: ScanCursor::new(),
            next: 0,
            origins: Vec::new(),
            coder: OriginCoder::default(),
            at: 0,
            arguments: Vec::new(),
        }
    }

    /// Calls `visit` with the next `n` structures, or fewer at the end.
    pub(crate) fn read(
        &mut self,
        n: u64,
        visit: &mut dyn FnMut(FormRef<'_>, CallIdx, &[StructureId]),
    ) -> Result<(), DiskError> {
        let end = self.next.saturating_add(n).min(self.stored.len());
        while self.next < end {
            let (segment, within) = self.stored.locate(StructureId::new(self.next))?;
            let of = &self.stored.segments[segment];
            if within.is_multiple_of(ORIGIN_BLOCK as u32) {
                self.origins = of.origin_block(within as usize / ORIGIN_BLOCK)?;
                (self.coder, self.at) = (OriginCoder::default(), 0);
            }
            let left = (ORIGIN_BLOCK as u32 - within % ORIGIN_BLOCK as u32).min(of.len() - within);
            let ids = self.next..end.min(self.next + u64::from(left));
            self.next = ids.end;
            let Self { stored, forms, origins, at, coder, arguments, .. } = self;
            let mut rest = &origins[*at..];
            let mut is_whole = true;
            forms.scan(stored, ids, &mut |_, form| match coder.next(&mut rest, arguments) {
                Some(call) => visit(form, call, arguments),
                None => is_whole = false,
            })?;
            *at = origins.len() - rest.len();
            if !is_whole {
                return Err(DiskError::damaged(of.path(), "origins are missing"));
            }
        }
        Ok(())
    }
}

/// The end of the last scan of a store, where the next one goes on as a rule.
pub(crate) struct LastScan(Mutex<Option<Box<ScanCursor>>>);

impl LastScan {
    pub(crate) fn new() -> Self {
        LastScan(Mutex::default())
    }

    pub(crate) fn scan(
        &self,
        stored: &StoredSegments,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), DiskError> {
        if ids.is_empty() {
            return Ok(());
        }
        // `visit` may read the store too: it finds no cursor then and makes one.
        let kept = self.cursor().take();
        let mut cursor = kept.unwrap_or_else(|| Box::new(ScanCursor::new()));
        let scanned = cursor.scan(stored, ids, visit);
        *self.cursor() = Some(cursor);
        scanned
    }

    /// Returns the bytes that the cursor holds.
    pub(crate) fn memory(&self) -> u64 {
        self.cursor().as_ref().map_or(0, |cursor| cursor.memory())
    }

    fn cursor(&self) -> MutexGuard<'_, Option<Box<ScanCursor>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads forms in the order of their numbers. One chunk of each partition stays unpacked.
pub(crate) struct ScanCursor {
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
    pub(crate) fn new() -> Self {
        ScanCursor {
            segment: 0,
            next: 0,
            start: 0,
            block: OrderBlock::default(),
            chunks: vec![OpenChunk::default(); N_PARTITIONS],
            unpacker: Unpacker::new(),
        }
    }

    pub(crate) fn scan(
        &mut self,
        stored: &StoredSegments,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), DiskError> {
        let (segment, within) = stored.locate(StructureId::new(ids.start))?;
        self.seek(stored, segment, within)?;
        for id in ids {
            if self.next == stored.segments[self.segment].len() {
                self.seek(stored, self.segment + 1, 0)?;
            } else if self.next == self.start + self.block.partitions.len() as u32 {
                self.open(stored, self.next)?;
            }
            let partition = usize::from(self.block.partitions[(self.next - self.start) as usize]);
            let position = &mut self.block.positions[partition];
            let index = *position as usize;
            *position += 1;
            self.next += 1;
            let form = self.form(stored, partition, index)?;
            visit(StructureId::new(id), form);
        }
        Ok(())
    }

    /// Moves to structure number `within` of a segment.
    fn seek(
        &mut self,
        stored: &StoredSegments,
        segment: usize,
        within: u32,
    ) -> Result<(), DiskError> {
        let end = self.start + self.block.partitions.len() as u32;
        let is_near = self.segment == segment && (self.start..end).contains(&within);
        if !is_near {
            if segment >= stored.segments.len() {
                let what = "structures are missing at its end";
                return Err(DiskError::damaged(&stored.path, what));
            }
            self.segment = segment;
            self.open(stored, within)?;
        }
        let OrderBlock { positions, partitions } = &mut self.block;
        let (from, to) = ((self.next - self.start) as usize, (within - self.start) as usize);
        // The same forms may be read again; their chunks are still open as a rule.
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
    fn open(&mut self, stored: &StoredSegments, within: u32) -> Result<(), DiskError> {
        let (start, block) = stored.segments[self.segment].order_block(within)?;
        (self.start, self.next, self.block) = (start, start, block);
        Ok(())
    }

    /// Returns the form at `index` of a partition of the segment.
    #[inline]
    fn form(
        &mut self,
        stored: &StoredSegments,
        partition: usize,
        index: usize,
    ) -> Result<FormRef<'_>, DiskError> {
        let chunk = &mut self.chunks[partition];
        let of = (self.segment, index / CHUNK);
        if chunk.of != Some(of) {
            // If reading fails, the old chunk must not stay under the new number.
            chunk.of = None;
            let segment = &stored.segments[of.0];
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

    /// Returns the bytes that the cursor holds.
    pub(crate) fn memory(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.forms.capacity() as u64).sum()
    }
}
