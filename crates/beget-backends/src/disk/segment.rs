//! Segments: structures that follow each other in the order of their discovery, in one file.
//!
//! The file has the forms by partition, in chunks, each in the order of discovery; then, for all
//! together, the sequence of partitions, and the origins. All of it is in blocks. An index at the
//! end has their places and checksums. A segment is written once and never changed.
//!
//! The index also has the segment's [place](SegmentPlace), and the manifest has the checksum of the
//! index ([`SegmentSeal`]). So a manifest fixes its segments down to the last byte, and a file of
//! another run, or of another place, is refused when it is opened.

use std::cell::RefCell;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use beget_engine::CallIdx;
use beget_engine::store::{Origin, StructureId};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;
use zstd::bulk::Compressor;

use crate::disk::codec::{OriginCoder, from_columns, to_columns};
use crate::disk::error::{DiskError, read_exact_at};
use crate::disk::partition::N_PARTITIONS;

/// The number of forms of a chunk.
pub(crate) const CHUNK: usize = 1024;

/// The number of structures of a block of the order.
const ORDER_BLOCK: usize = 1 << 14;

/// The number of structures of a block of origins.
pub(crate) const ORIGIN_BLOCK: usize = 1024;

/// The compression level, the least: columns of differences between neighbours compress easily.
const LEVEL: i32 = 1;

/// The least number of bytes that are worth compressing.
const LEAST: usize = 64;

/// The last bytes of a segment.
const MAGIC: [u8; 8] = *b"begetseg";

/// A block: its place in the file, and its checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct BlockAt {
    offset: u64,
    len: u32,
    sum: [u8; 8],
}

/// The place of a segment among those of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SegmentPlace {
    /// The [fingerprint](crate::disk::directory::Directory::fingerprint) of the run.
    pub(crate) run: u64,
    /// The number of the segment, from 0.
    pub(crate) number: u32,
    /// The number of its first structure.
    pub(crate) first: u64,
}

/// A segment as a manifest names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SegmentSeal {
    /// The number of structures.
    pub(crate) len: u32,
    /// The size of the file.
    n_bytes: u64,
    /// The checksum of its index, which has those of all blocks.
    sum: [u8; 8],
}

/// The place of some forms of a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ChunkAt {
    block: BlockAt,
    n: u16,
    stride: u32,
}

/// The places of all blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct SegmentIndex {
    place: SegmentPlace,
    len: u32,
    /// By partition.
    chunks: Vec<Vec<ChunkAt>>,
    order: Vec<BlockAt>,
    origins: Vec<BlockAt>,
}

/// Forms of a partition, compressed.
#[derive(Clone, Debug)]
pub(crate) struct EncodedChunk {
    bytes: Vec<u8>,
    n: u16,
    stride: u32,
}

/// New forms of a partition on their way into chunks.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChunkBuilder {
    forms: Vec<u8>,
    ends: Vec<u32>,
    done: Vec<EncodedChunk>,
}

impl ChunkBuilder {
    pub(crate) fn push(&mut self, form: &[u8]) {
        self.forms.extend_from_slice(form);
        self.ends.push(self.forms.len() as u32);
        if self.ends.len() == CHUNK {
            self.close();
        }
    }

    fn close(&mut self) {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let forms = starts.zip(&self.ends).map(|(start, &end)| start as usize..end as usize);
        let stride = forms.clone().map(|form| form.len()).max().unwrap_or(0);
        let mut padded = vec![0; stride * self.ends.len()];
        for (form, place) in forms.zip(padded.chunks_exact_mut(stride.max(1))) {
            place[..form.len()].copy_from_slice(&self.forms[form]);
        }
        let bytes = compress(to_columns(&padded, stride));
        let (n, stride) = (self.ends.len() as u16, stride as u32);
        self.done.push(EncodedChunk { bytes, n, stride });
        self.forms.clear();
        self.ends.clear();
    }

    /// Takes the chunks that are full.
    pub(crate) fn take_done(&mut self) -> Vec<EncodedChunk> {
        std::mem::take(&mut self.done)
    }

    pub(crate) fn finish(mut self) -> Vec<EncodedChunk> {
        if !self.ends.is_empty() {
            self.close();
        }
        self.done
    }
}

/// Compresses the bytes, or leaves them if that is not shorter; their length shows which.
fn compress(bytes: Vec<u8>) -> Vec<u8> {
    thread_local! {
        static COMPRESSOR: RefCell<Compressor<'static>> =
            RefCell::new(Compressor::new(LEVEL).expect("there is memory for a context"));
    }
    if bytes.len() < LEAST {
        return bytes;
    }
    let compressed = COMPRESSOR.with_borrow_mut(|compressor| compressor.compress(&bytes));
    match compressed {
        Ok(compressed) if compressed.len() < bytes.len() => compressed,
        _ => bytes,
    }
}

/// Writes a segment: first the chunks of all partitions, then the order and the origins.
#[derive(Debug)]
pub(crate) struct SegmentWriter {
    path: PathBuf,
    file: BufWriter<File>,
    offset: u64,
    index: SegmentIndex,
    /// The open block of the order: the number of structures of each partition before it, and the
    /// partitions.
    positions: Vec<u32>,
    begun_at: Vec<u32>,
    order: Vec<u8>,
    origins: Vec<u8>,
    n_origins: usize,
    coder: OriginCoder,
}

impl SegmentWriter {
    pub(crate) fn create(path: &Path, place: SegmentPlace) -> Result<Self, DiskError> {
        let file = File::create_new(path).map_err(DiskError::io("write", path))?;
        let chunks = vec![Vec::new(); N_PARTITIONS];
        Ok(SegmentWriter {
            path: path.to_owned(),
            file: BufWriter::with_capacity(1 << 20, file),
            offset: 0,
            index: SegmentIndex { place, chunks, ..Default::default() },
            positions: vec![0; N_PARTITIONS],
            begun_at: vec![0; N_PARTITIONS],
            order: Vec::with_capacity(ORDER_BLOCK),
            origins: Vec::new(),
            n_origins: 0,
            coder: OriginCoder::default(),
        })
    }

    /// Appends forms of a partition.
    pub(crate) fn push_chunks(
        &mut self,
        partition: usize,
        chunks: Vec<EncodedChunk>,
    ) -> Result<(), DiskError> {
        for EncodedChunk { bytes, n, stride } in chunks {
            let block = self.push_block(&bytes)?;
            self.index.chunks[partition].push(ChunkAt { block, n, stride });
        }
        Ok(())
    }

    /// Appends the next structure.
    #[inline]
    pub(crate) fn push(
        &mut self,
        partition: u8,
        call: CallIdx,
        arguments: &[StructureId],
    ) -> Result<(), DiskError> {
        self.index.len = self.index.len.checked_add(1).ok_or(DiskError::Full)?;
        self.order.push(partition);
        self.positions[usize::from(partition)] += 1;
        self.coder.push(&mut self.origins, call, arguments);
        self.n_origins += 1;
        if self.n_origins == ORIGIN_BLOCK {
            self.close_origins()?;
        }
        if self.order.len() == ORDER_BLOCK {
            self.close_order()?;
        }
        Ok(())
    }

    fn close_origins(&mut self) -> Result<(), DiskError> {
        let origins = std::mem::take(&mut self.origins);
        // Unpacking needs the length.
        let mut block = (origins.len() as u32).to_le_bytes().to_vec();
        block.extend(compress(origins));
        let at = self.push_block(&block)?;
        self.index.origins.push(at);
        (self.n_origins, self.coder) = (0, OriginCoder::default());
        Ok(())
    }

    fn close_order(&mut self) -> Result<(), DiskError> {
        let mut block: Vec<u8> = self.begun_at.iter().flat_map(|at| at.to_le_bytes()).collect();
        block.append(&mut self.order);
        let at = self.push_block(&compress(block))?;
        self.index.order.push(at);
        self.begun_at.clone_from(&self.positions);
        Ok(())
    }

    fn push_block(&mut self, bytes: &[u8]) -> Result<BlockAt, DiskError> {
        let sum = xxh3_64(bytes).to_le_bytes();
        let at = BlockAt { offset: self.offset, len: bytes.len() as u32, sum };
        self.write(bytes)?;
        Ok(at)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), DiskError> {
        self.offset += bytes.len() as u64;
        self.file.write_all(bytes).map_err(DiskError::io("write", &self.path))
    }

    /// Writes the index, and opens the segment for reading. It need not be on the disk yet.
    pub(crate) fn finish(mut self) -> Result<Segment, DiskError> {
        if self.n_origins > 0 {
            self.close_origins()?;
        }
        if !self.order.is_empty() {
            self.close_order()?;
        }
        let index = postcard::to_extend(&self.index, Vec::new()).expect("an index can be written");
        let at = self.push_block(&index)?;
        self.write(&at.offset.to_le_bytes())?;
        self.write(&at.len.to_le_bytes())?;
        self.write(&at.sum)?;
        self.write(&MAGIC)?;
        self.file.flush().map_err(DiskError::io("write", &self.path))?;
        Segment::open(&self.path)
    }
}

/// A segment that is written.
#[derive(Debug)]
pub(crate) struct Segment {
    path: PathBuf,
    file: File,
    index: SegmentIndex,
    /// The checksum of the index.
    sum: [u8; 8],
    n_bytes: u64,
}

/// The end of a segment: place, length and checksum of its index, and [`MAGIC`].
const TRAILER: usize = 8 + 4 + 8 + 8;

/// A block of the order, unpacked.
#[derive(Clone, Debug, Default)]
pub(crate) struct OrderBlock {
    /// The number of structures of each partition before the cursor in the segment.
    pub(crate) positions: Vec<u32>,
    /// The partitions of the structures of the block.
    pub(crate) partitions: Vec<u8>,
}

impl Segment {
    /// Opens a segment. [`Segment::require`] checks that it is the one that a manifest names.
    pub(crate) fn open(path: &Path) -> Result<Self, DiskError> {
        // Opening what is no file, as a pipe, may wait for ever.
        let is_file = path.metadata().map_err(DiskError::io("read", path))?.is_file();
        if !is_file {
            return Err(DiskError::damaged(path, "it is no file"));
        }
        let file = File::open(path).map_err(DiskError::io("read", path))?;
        let n_bytes = file.metadata().map_err(DiskError::io("read", path))?.len();
        let (index, sum) = Default::default();
        let mut segment = Segment { path: path.to_owned(), file, index, sum, n_bytes };
        let torn = || DiskError::damaged(path, "it does not end as it was written");
        let mut trailer = [0; TRAILER];
        let trailer_at = n_bytes.checked_sub(TRAILER as u64).ok_or_else(torn)?;
        segment.read_at(&mut trailer, trailer_at)?;
        let (offset, rest) = trailer.split_first_chunk().expect("a trailer is long enough");
        let (len, rest) = rest.split_first_chunk().expect("a trailer is long enough");
        let (sum, magic) = rest.split_first_chunk().expect("a trailer is long enough");
        if *magic != MAGIC {
            return Err(torn());
        }
        let (offset, len) = (u64::from_le_bytes(*offset), u32::from_le_bytes(*len));
        segment.sum = *sum;
        let index = segment.block(BlockAt { offset, len, sum: *sum })?;
        let index = postcard::from_bytes(&index).map_err(|_| segment.garbled())?;
        segment.index = index;
        if segment.index.chunks.len() != N_PARTITIONS {
            return Err(segment.garbled());
        }
        Ok(segment)
    }

    /// Returns the segment as a manifest names it.
    pub(crate) fn seal(&self) -> SegmentSeal {
        SegmentSeal { len: self.index.len, n_bytes: self.n_bytes, sum: self.sum }
    }

    /// Refuses a segment that is not the one that `manifest` names by `seal` at `place`.
    pub(crate) fn require(
        &self,
        place: SegmentPlace,
        seal: SegmentSeal,
        manifest: &Path,
    ) -> Result<(), DiskError> {
        let own = self.index.place;
        let what = if own.run != place.run {
            "it is of another run, or of another part of the run".to_owned()
        } else if own.number != place.number {
            format!("it was written as segment {}", own.number)
        } else if (own, self.seal()) != (place, seal) {
            "they were not saved together".to_owned()
        } else {
            return Ok(());
        };
        let (file, manifest) = (self.path.clone(), manifest.to_owned());
        Err(DiskError::Mixed { file, manifest, what })
    }

    /// Returns the number of structures.
    pub(crate) fn len(&self) -> u32 {
        self.index.len
    }

    /// Returns the size of the file.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// Returns the memory that the index takes.
    pub(crate) fn index_bytes(&self) -> u64 {
        let chunks: usize = self.index.chunks.iter().map(Vec::capacity).sum();
        let blocks = self.index.order.capacity() + self.index.origins.capacity();
        (chunks * size_of::<ChunkAt>() + blocks * size_of::<BlockAt>()) as u64
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the file to the disk.
    pub(crate) fn sync(&self) -> Result<(), DiskError> {
        self.file.sync_all().map_err(DiskError::io("write", &self.path))
    }

    fn read_at(&self, bytes: &mut [u8], offset: u64) -> Result<(), DiskError> {
        read_exact_at(&self.file, bytes, offset).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => {
                DiskError::damaged(&self.path, "it does not end as it was written")
            }
            _ => DiskError::io("read", &self.path)(error),
        })
    }

    pub(crate) fn garbled(&self) -> DiskError {
        DiskError::damaged(&self.path, "its index is not one of this version")
    }

    /// Reads a block, and checks that it is as it was written.
    fn block(&self, at: BlockAt) -> Result<Vec<u8>, DiskError> {
        let mut bytes = Vec::new();
        self.read_block(at, &mut bytes)?;
        Ok(bytes)
    }

    fn read_block(&self, at: BlockAt, bytes: &mut Vec<u8>) -> Result<(), DiskError> {
        let past = at.offset.checked_add(u64::from(at.len));
        if past.is_none_or(|past| past > self.n_bytes) {
            return Err(self.garbled());
        }
        bytes.clear();
        bytes.resize(at.len as usize, 0);
        self.read_at(bytes, at.offset)?;
        if xxh3_64(bytes).to_le_bytes() != at.sum {
            let what = format!("{} bytes from {} on have changed", at.len, at.offset);
            return Err(DiskError::damaged(&self.path, what));
        }
        Ok(())
    }

    /// Returns the number of chunks of a partition.
    pub(crate) fn n_chunks(&self, partition: usize) -> usize {
        self.index.chunks[partition].len()
    }

    /// Reads the forms of a chunk into `forms`, one after another. Returns their stride.
    pub(crate) fn read_chunk(
        &self,
        partition: usize,
        chunk: usize,
        unpacker: &mut Unpacker,
        forms: &mut Vec<u8>,
    ) -> Result<usize, DiskError> {
        let at = self.index.chunks[partition][chunk];
        let stride = at.stride as usize;
        let n_bytes = usize::from(at.n) * stride;
        self.read_block(at.block, &mut unpacker.packed)?;
        let columns = unpacker.unpack(n_bytes).ok_or_else(|| self.garbled())?;
        forms.clear();
        forms.resize(n_bytes, 0);
        from_columns(columns, stride, forms);
        Ok(stride)
    }

    /// Returns the number of forms of a chunk.
    pub(crate) fn chunk_len(&self, partition: usize, chunk: usize) -> usize {
        self.index.chunks[partition][chunk].n.into()
    }

    /// Reads the part of the order that has structure number `within`. Returns it with the number
    /// of its first structure.
    pub(crate) fn order_block(&self, within: u32) -> Result<(u32, OrderBlock), DiskError> {
        let number = within as usize / ORDER_BLOCK;
        let &at = self.index.order.get(number).ok_or_else(|| self.garbled())?;
        let mut unpacker = Unpacker::new();
        self.read_block(at, &mut unpacker.packed)?;
        let n = ORDER_BLOCK.min((self.len() as usize).saturating_sub(number * ORDER_BLOCK));
        let bytes = unpacker.unpack(4 * N_PARTITIONS + n).ok_or_else(|| self.garbled())?;
        let (positions, partitions) = bytes.split_at(4 * N_PARTITIONS);
        let positions = positions.as_chunks::<4>().0.iter();
        let positions = positions.map(|position| u32::from_le_bytes(*position)).collect();
        let partitions = partitions.to_vec();
        Ok(((number * ORDER_BLOCK) as u32, OrderBlock { positions, partitions }))
    }

    /// Returns the number in the segment of structure `index` of a partition.
    pub(crate) fn within(&self, partition: usize, index: u32) -> Result<u32, DiskError> {
        let (mut first, mut end) = (0, self.index.order.len());
        while end - first > 1 {
            let middle = first + (end - first) / 2;
            let (_, block) = self.order_block((middle * ORDER_BLOCK) as u32)?;
            if block.positions[partition] <= index {
                first = middle;
            } else {
                end = middle;
            }
        }
        let (start, block) = self.order_block((first * ORDER_BLOCK) as u32)?;
        let own = block.partitions.iter().enumerate();
        let mut own = own.filter(|&(_, &of)| usize::from(of) == partition);
        let skipped = index - block.positions[partition];
        let found = own.nth(skipped as usize).ok_or_else(|| self.garbled())?;
        Ok(start + found.0 as u32)
    }

    /// Returns how structure number `within` of the segment was made.
    pub(crate) fn origin(&self, within: u32) -> Result<Origin, DiskError> {
        let (number, index) = (within as usize / ORIGIN_BLOCK, within as usize % ORIGIN_BLOCK);
        let bytes = self.origin_block(number)?;
        OriginCoder::nth(&bytes, index).ok_or_else(|| self.garbled())
    }

    /// Like [`Segment::origin_block`], if there is room in `unpacker` for it.
    pub(crate) fn unpack_origins<'u>(
        &self,
        number: usize,
        unpacker: &'u mut Unpacker,
    ) -> Result<Option<&'u [u8]>, DiskError> {
        let &at = self.index.origins.get(number).ok_or_else(|| self.garbled())?;
        if at.len as usize > unpacker.packed.capacity() {
            return Ok(None);
        }
        self.read_block(at, &mut unpacker.packed)?;
        let len = unpacker.packed.first_chunk().ok_or_else(|| self.garbled())?;
        let n_bytes = u32::from_le_bytes(*len) as usize;
        if n_bytes > unpacker.unpacked.capacity() {
            return Ok(None);
        }
        unpacker.packed.drain(..4);
        unpacker.unpack(n_bytes).map(Some).ok_or_else(|| self.garbled())
    }

    /// Reads the origins of a block, for [`OriginCoder`]. There are [`ORIGIN_BLOCK`], fewer in the
    /// last.
    pub(crate) fn origin_block(&self, number: usize) -> Result<Vec<u8>, DiskError> {
        let &at = self.index.origins.get(number).ok_or_else(|| self.garbled())?;
        let block = self.block(at)?;
        let (len, packed) = block.split_first_chunk().ok_or_else(|| self.garbled())?;
        let mut unpacker = Unpacker::new();
        unpacker.packed = packed.to_vec();
        let origins = unpacker.unpack(u32::from_le_bytes(*len) as usize);
        origins.map(<[u8]>::to_vec).ok_or_else(|| self.garbled())
    }
}

/// Unpacks blocks.
pub(crate) struct Unpacker {
    packed: Vec<u8>,
    unpacked: Vec<u8>,
    decompressor: zstd::bulk::Decompressor<'static>,
}

impl Unpacker {
    pub(crate) fn new() -> Self {
        let decompressor = zstd::bulk::Decompressor::new().expect("there is memory for a context");
        Unpacker { packed: Vec::new(), unpacked: Vec::new(), decompressor }
    }

    /// Makes room for blocks of `n_bytes`, so that unpacking them allocates nothing.
    pub(crate) fn with_room(n_bytes: usize) -> Self {
        let (packed, unpacked) = (Vec::with_capacity(n_bytes), Vec::with_capacity(n_bytes));
        Unpacker { packed, unpacked, ..Unpacker::new() }
    }

    /// Unpacks the bytes read last to `n_bytes`; `None` if that fails.
    fn unpack(&mut self, n_bytes: usize) -> Option<&[u8]> {
        if self.packed.len() == n_bytes {
            return Some(&self.packed);
        }
        self.unpacked.clear();
        self.unpacked.resize(n_bytes, 0);
        let unpacked = self.decompressor.decompress_to_buffer(&self.packed, &mut self.unpacked[..]);
        (unpacked.ok() == Some(n_bytes)).then_some(&self.unpacked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_has_fewer_than_four_billion_structures_and_a_place_beyond_them() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("segment");
        let place = SegmentPlace { run: 1, number: 2, first: 1 << 40 };
        let mut writer = SegmentWriter::create(&path, place).unwrap();
        let mut push = |len| {
            writer.index.len = len;
            writer.push(7, CallIdx::new(0), &[StructureId::new(1 << 40)])
        };
        assert!(matches!(push(u32::MAX), Err(DiskError::Full)));
        assert!(push(0).is_ok());
        let segment = writer.finish().unwrap();
        assert_eq!(segment.origin(0).unwrap().arguments, [StructureId::new(1 << 40)]);
        assert!(segment.require(place, segment.seal(), Path::new("")).is_ok());
        let other = SegmentPlace { first: (1 << 40) + (1 << 32), ..place };
        assert!(segment.require(other, segment.seal(), Path::new("")).is_err());
    }
}
