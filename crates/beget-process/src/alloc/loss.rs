//! Why a region, or an image in it, is given up.

use std::fmt;

use crate::alloc::{range::SLOT_BYTES, roots::Escape, thread};

/// Why a region cannot go on. Its memory is never used again, so all that points there stays valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RegionLoss {
    /// A static or a thread-local variable points into the region. What the calls since the last
    /// clean scan returned may depend on one another.
    Escape(Escape),
    /// The call freed or resized memory from outside the region: something that a static holds, or
    /// that the frame should not have held. The frame cannot be restored.
    Foreign,
    /// The structure, or the call, needs more memory than the region has, which is 8 MiB. Each
    /// such region stays resident, so a caller gives a type up after a few.
    Overflow,
    /// The closure that ran in the region unwound.
    Unwound,
    /// No further region can be had: the process has lost too many.
    Exhausted,
}

impl RegionLoss {
    /// What the marks say that a run in the region has left. At least one is set.
    pub(crate) fn by_marks(marks: u8) -> Self {
        if marks & thread::OVERFLOWED != 0 { RegionLoss::Overflow } else { RegionLoss::Foreign }
    }
}

impl fmt::Display for RegionLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RegionLoss::Escape(escape) => escape.fmt(f),
            RegionLoss::Foreign => {
                f.write_str("a call freed or resized memory that is not its own")
            }
            RegionLoss::Overflow => {
                write!(f, "a call needs more than {SLOT_BYTES} bytes of memory")
            }
            RegionLoss::Unwound => f.write_str("a panic left the region"),
            RegionLoss::Exhausted => f.write_str("too many regions were lost"),
        }
    }
}

impl std::error::Error for RegionLoss {}

/// Why there is no image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildError<E> {
    /// The frame could not be made; this is its maker's error.
    Make(E),
    /// The region could not hold it.
    Region(RegionLoss),
}

impl<E> From<RegionLoss> for BuildError<E> {
    fn from(lost: RegionLoss) -> Self {
        BuildError::Region(lost)
    }
}
