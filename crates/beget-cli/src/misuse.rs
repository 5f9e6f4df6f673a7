use std::{error, fmt};

/// A call that broke a rule of its method. The published class throws an exception there.
///
/// It holds no heap memory, so a caller that drops the outcome pays nothing for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misuse {
    /// The call needs an element, and the structure has none.
    Empty,
    /// The structure has no room for another element.
    Full,
    /// The call cannot use the position that the index names.
    OutOfRange {
        /// The index that the caller passed or that the call found on its way. Some published
        /// classes store negative indices.
        index: i64,
        /// The number of positions, and so the least index beyond them.
        len: usize,
    },
    /// The method rejects this argument; the text states the broken rule.
    Argument(&'static str),
    /// The published class follows a null link here.
    MissingNode,
}

impl Misuse {
    pub(crate) fn out_of_range(index: usize, len: usize) -> Self {
        Misuse::OutOfRange { index: i64::try_from(index).unwrap_or(i64::MAX), len }
    }
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misuse::Empty => f.write_str("the structure is empty"),
            Misuse::Full => f.write_str("the structure is full"),
            Misuse::OutOfRange { index, len } => write!(f, "index {index} is outside of 0..{len}"),
            Misuse::Argument(rule) => write!(f, "illegal argument: {rule}"),
            Misuse::MissingNode => f.write_str("there is no node at the end of this link"),
        }
    }
}

impl error::Error for Misuse {}
