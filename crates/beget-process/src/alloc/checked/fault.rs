//! What can be wrong with how memory is used, in words.

use std::alloc::Layout;
use std::fmt;

/// A misuse of memory. Distances and places are counted in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryFault {
    /// A block is freed or resized with another layout than it was allocated with.
    WrongLayout {
        /// The layout at its allocation.
        allocated: Layout,
        /// That at its end.
        freed: Layout,
    },
    /// A block is freed that is freed already.
    FreedTwice {
        /// Its size.
        size: usize,
    },
    /// What is freed was never allocated.
    FreedNoBlock(NoBlock),
    /// Something is written in front of a block, so many bytes before its first.
    WrittenBefore {
        /// Its size.
        size: usize,
        /// How far off the farthest byte is.
        distance: usize,
    },
    /// Something is written behind a block, so many bytes after its last.
    WrittenBehind {
        /// Its size.
        size: usize,
        /// How far off the nearest byte is.
        distance: usize,
    },
    /// Something is written into a block that is freed.
    WrittenAfterFree {
        /// Its size.
        size: usize,
        /// Where in it.
        at: usize,
    },
}

/// What is freed though it is no block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoBlock {
    /// A place within a block, or beside one.
    Place,
    /// A local variable, a static, or a constant.
    Variable,
}

impl fmt::Display for MemoryFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            MemoryFault::WrongLayout { allocated, freed } => {
                let (size, align) = (allocated.size(), allocated.align());
                let (freed_size, freed_align) = (freed.size(), freed.align());
                let (what, one, other) = match size == freed_size {
                    true => ("alignment", align, freed_align),
                    false => ("size", size, freed_size),
                };
                write!(f, "a block is allocated with the {what} {one} and freed with {other}")
            }
            MemoryFault::FreedTwice { size } => {
                write!(f, "a block of {size} bytes is freed twice")
            }
            MemoryFault::FreedNoBlock(NoBlock::Place) => {
                f.write_str("memory is freed in the middle of a block, or beside one")
            }
            MemoryFault::FreedNoBlock(NoBlock::Variable) => {
                f.write_str("a local variable, a static or a constant is freed")
            }
            MemoryFault::WrittenBefore { size, distance } => {
                let bytes = bytes(distance);
                write!(f, "something is written {bytes} in front of a block of {size}")
            }
            MemoryFault::WrittenBehind { size, distance } => {
                let bytes = bytes(distance);
                write!(f, "something is written {bytes} behind a block of {size}")
            }
            MemoryFault::WrittenAfterFree { size, at } => {
                write!(f, "something is written at {at} into a block of {size} bytes that is freed")
            }
        }
    }
}

fn bytes(count: usize) -> String {
    match count {
        1 => "1 byte".to_owned(),
        count => format!("{count} bytes"),
    }
}
