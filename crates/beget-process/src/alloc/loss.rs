//! Reasons to give up a region, or an image in it.

use std::fmt;

use crate::alloc::{range::SLOT_BYTES, roots::Escape, thread};

/// The reason why a region cannot go on. Its memory is never reused, so pointers into it stay
/// valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RegionLoss {
    /// A static or a thread-local variable points into the region. The results of calls since the
    /// last clean scan may depend on one another.
    Escape(Escape),
    /// The call freed or resized memory from outside the region, which a static holds or the frame
    /// should not have held. The frame cannot be restored.
    Foreign,
    /// The structure, or the call, needs more memory than the region's 8 MiB. Each such region
    /// stays resident, so a caller gives a type up after a few.
    Overflow,
    /// The closure that ran in the region unwound.
    Unwound,
    /// No further region is available: the process has lost too many.
    Exhausted,
}

impl RegionLoss {
    /// The loss that the marks of a run in the region report. At least one is set.
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

/// The reason why there is no image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildError<E> {
    /// The frame could not be made; this is the error of the code that makes it.
    Make(E),
    /// The region could not hold it.
    Region(RegionLoss),
}

impl<E> From<RegionLoss> for BuildError<E> {
    fn from(lost: RegionLoss) -> Self {
        BuildError::Region(lost)
    }
}
