//! The one error type of the case studies.

use std::fmt;

/// Why an operation refused to work. The published classes raise an exception in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The operation needs an element and there is none.
    Empty,
    /// There is no room for another element.
    Full,
    /// A position that the structure does not have.
    IndexOutOfRange {
        /// The position asked for.
        index: i64,
        /// How many positions there are.
        len: usize,
    },
    /// An argument that the operation's precondition excludes; the text says which.
    IllegalArgument(&'static str),
    /// The published class follows an absent link here.
    MissingNode,
}

impl Error {
    pub(crate) fn index(index: usize, len: usize) -> Self {
        Self::IndexOutOfRange { index: i64::try_from(index).unwrap_or(i64::MAX), len }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the structure is empty"),
            Self::Full => write!(f, "the structure is full"),
            Self::IndexOutOfRange { index, len } => {
                write!(f, "position {index} is outside of 0..{len}")
            }
            Self::IllegalArgument(why) => write!(f, "illegal argument: {why}"),
            Self::MissingNode => write!(f, "there is no node at the end of this link"),
        }
    }
}

impl std::error::Error for Error {}
