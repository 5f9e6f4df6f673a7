//! Faults in the use of memory, in words.

use std::alloc::Layout;
use std::fmt;

/// A misuse of memory. Distances and places are counted in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryFault {
    /// A block is freed or resized with another layout than it was allocated with.
    WrongLayout {
        /// The layout at its allocation.
        allocated: Layout,
        /// The layout at its end.
        freed: Layout,
    },
    /// A block is freed a second time.
    FreedTwice {
        /// Its size.
        size: usize,
    },
    /// Something that was never allocated is freed.
    FreedNoBlock(NoBlock),
    /// Memory in front of a block is written to.
    WrittenBefore {
        /// Its size.
        size: usize,
        /// The distance of the farthest byte from the block's first.
        distance: usize,
    },
    /// Memory behind a block is written to.
    WrittenBehind {
        /// Its size.
        size: usize,
        /// The distance of the nearest byte from the block's last.
        distance: usize,
    },
    /// A freed block is written to.
    WrittenAfterFree {
        /// Its size.
        size: usize,
        /// The place in it.
        at: usize,
    },
}

/// The kinds of addresses that are freed although they are no block.
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
