//! Why a region, or an image in it, is given up.

use std::fmt;

use crate::{range::SLOT_BYTES, roots::Escape, thread};

/// Why a region cannot go on. Its memory is never used again, so all that points there stays valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lost {
    /// A static or a thread-local variable points into the region. What the calls since the last
    /// clean scan returned may depend on one another.
    Escape(Escape),
    /// The call freed or resized memory from outside the region: something that a static holds, or
    /// that the frame should not have held. The frame cannot be put back.
    Foreign,
    /// The structure, or the call, needs more memory than the region has, which is 8 MiB. Each
    /// such region stays resident, so a caller gives a type up after a few.
    Overflow,
    /// The closure that ran in the region unwound.
    Unwound,
    /// No further region can be had: the process has lost too many.
    Exhausted,
}

impl Lost {
    /// What the marks say that a run in the region has left. At least one is set.
    pub(crate) fn by_marks(marks: u8) -> Self {
        if marks & thread::OVERFLOWED != 0 { Lost::Overflow } else { Lost::Foreign }
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lost::Escape(escape) => escape.fmt(f),
            Lost::Foreign => f.write_str("a call freed or resized memory that is not its own"),
            Lost::Overflow => write!(f, "a call needs more than {SLOT_BYTES} bytes of memory"),
            Lost::Unwound => f.write_str("a panic left the region"),
            Lost::Exhausted => f.write_str("too many regions were lost"),
        }
    }
}

impl std::error::Error for Lost {}

/// Why there is no image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildError<E> {
    /// The frame could not be made; this is its maker's error.
    Make(E),
    /// The region could not hold it.
    Lost(Lost),
}

impl<E> From<Lost> for BuildError<E> {
    fn from(lost: Lost) -> Self {
        BuildError::Lost(lost)
    }
}
