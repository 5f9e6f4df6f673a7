//! Images of memory: the bytes of a value and of the blocks that it leads to.
//!
//! Every word that reads as an address in a [tracked](crate::alloc::track) block is treated as a
//! pointer. It is followed and replaced by the number of the block in the order of discovery; an
//! address in the program or a library by its offset there. So the image does not depend on where
//! the value lies. All other bytes are kept, except distrusted ones.
//!
//! The module does not know types: only its user can find out, by comparing, which bytes are
//! padding, a number or an address.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::OnceLock;

use crate::alloc::checked::arena::{self, BlockMet};
use crate::alloc::{roots, thread};

const WORD: usize = size_of::<usize>();

/// The kind of a block. Blocks of one kind are assumed to hold values of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockKind {
    /// The place of the first pointer to it.
    pub place: BlockPlace,
    /// Its bytes.
    pub size: usize,
    /// The power of two that its address is a multiple of; 0 for the value, which is no block.
    pub align: usize,
}

/// The place of the first pointer to a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BlockPlace {
    /// Nowhere: it is the value itself.
    Root,
    /// At this offset in the value.
    InRoot(usize),
    /// In another block.
    Deeper,
}

/// Bytes that are not trusted, by kind of block and offset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByteMask(BTreeMap<BlockKind, BTreeSet<usize>>);

impl ByteMask {
    /// Distrusts a byte; returns whether it was trusted before.
    pub fn insert(&mut self, kind: BlockKind, offset: usize) -> bool {
        self.0.entry(kind).or_default().insert(offset)
    }

    /// Returns whether a byte is distrusted.
    pub fn contains(&self, kind: BlockKind, offset: usize) -> bool {
        self.0.get(&kind).is_some_and(|offsets| offsets.contains(&offset))
    }

    /// The kinds of blocks with distrusted bytes, and the bytes' offsets.
    pub fn kinds(&self) -> impl Iterator<Item = (BlockKind, &BTreeSet<usize>)> {
        self.0.iter().map(|(kind, offsets)| (*kind, offsets))
    }

    /// The number of distrusted bytes.
    pub fn len(&self) -> usize {
        self.0.values().map(BTreeSet::len).sum()
    }

    /// Returns whether all bytes are trusted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A value and the blocks that it leads to, in the order of discovery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryImage {
    /// The value first.
    pub blocks: Vec<ImageBlock>,
}

/// A block of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageBlock {
    /// Its kind.
    pub kind: BlockKind,
    /// Its words; the last may be partial.
    pub words: Vec<ImageWord>,
}

/// The content of a word of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageWord {
    /// Its bytes, and their number; `None` for distrusted ones.
    Bytes([Option<u8>; WORD], usize),
    /// An address in the image: the number of the block, and the offset in it.
    Block(usize, usize),
    /// An address in a freed block.
    Freed,
    /// An address of the program (0) or a library, and the offset in it.
    Loaded(usize, usize),
}

impl MemoryImage {
    /// The image of a value, without the bytes of `mask`.
    pub fn of(value: &dyn Any, mask: &ByteMask) -> Self {
        thread::unnoted(|| {
            let (start, size) = ((&raw const *value).expose_provenance(), size_of_val(value));
            let kind = BlockKind { place: BlockPlace::Root, size, align: 0 };
            let mut builder = ImageBuilder {
                queue: vec![(start, kind)],
                numbers: BTreeMap::from([(start, 0)]),
                root: start..start + size,
            };
            let mut blocks = Vec::new();
            while let Some(&(start, kind)) = builder.queue.get(blocks.len()) {
                let masked = mask.0.get(&kind);
                let offsets = (0..kind.size).step_by(WORD);
                let words = offsets.map(|offset| builder.word(start, kind, offset, masked));
                let words = words.collect();
                blocks.push(ImageBlock { kind, words });
            }
            MemoryImage { blocks }
        })
    }
}

/// Numbers blocks when a pointer to them is met.
struct ImageBuilder {
    /// By number.
    queue: Vec<(usize, BlockKind)>,
    /// By address.
    numbers: BTreeMap<usize, usize>,
    root: Range<usize>,
}

impl ImageBuilder {
    fn word(
        &mut self,
        start: usize,
        kind: BlockKind,
        offset: usize,
        masked: Option<&BTreeSet<usize>>,
    ) -> ImageWord {
        let mut bytes = [None; WORD];
        let n_bytes = WORD.min(kind.size - offset);
        for (byte, at) in bytes.iter_mut().zip(offset..offset + n_bytes) {
            let is_believed = masked.is_none_or(|masked| !masked.contains(&at));
            // SAFETY: the byte lies in the value, which is borrowed, or in a block that it leads
            // to, which is allocated, in an arena that stays mapped.
            *byte = is_believed.then(|| unsafe { load(start + at) });
        }
        let is_whole = bytes.iter().all(Option::is_some);
        let address = usize::from_ne_bytes(bytes.map(Option::unwrap_or_default));
        let place = match kind.place {
            BlockPlace::Root => BlockPlace::InRoot(offset),
            BlockPlace::InRoot(_) | BlockPlace::Deeper => BlockPlace::Deeper,
        };
        let pointer = if is_whole { self.pointer(address, place) } else { None };
        pointer.unwrap_or(ImageWord::Bytes(bytes, n_bytes))
    }

    /// The meaning of a word that may be an address, met at `place`.
    fn pointer(&mut self, address: usize, place: BlockPlace) -> Option<ImageWord> {
        if !self.root.is_empty() && (self.root.start..=self.root.end).contains(&address) {
            return Some(ImageWord::Block(0, address - self.root.start));
        }
        match arena::block_at(address) {
            Some(BlockMet::Live { start, layout }) => {
                let next = self.queue.len();
                let number = *self.numbers.entry(start).or_insert(next);
                if number == next {
                    let (size, align) = (layout.size(), layout.align());
                    self.queue.push((start, BlockKind { place, size, align }));
                }
                Some(ImageWord::Block(number, address - start))
            }
            Some(BlockMet::Freed) => Some(ImageWord::Freed),
            None => loaded_at(address),
        }
    }
}

/// # Safety
///
/// The byte is mapped.
unsafe fn load(address: usize) -> u8 {
    // Reads uninitialised bytes too; they are compared with others of their kind before they are
    // trusted. A volatile read takes what is there, as a debugger would.
    // SAFETY: the caller's promise.
    unsafe { std::ptr::with_exposed_provenance::<u8>(address).read_volatile() }
}

/// The program or library in which an address lies.
fn loaded_at(address: usize) -> Option<ImageWord> {
    static LOADED: OnceLock<Vec<Range<usize>>> = OnceLock::new();
    let loaded = LOADED.get_or_init(roots::loaded_objects);
    let number = loaded.iter().position(|object| object.contains(&address))?;
    Some(ImageWord::Loaded(number, address - loaded[number].start))
}
