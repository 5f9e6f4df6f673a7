use std::{error, fmt};

/// A call that broke a rule of the method it called.
///
/// It holds no heap memory, so a caller that drops the outcome pays nothing for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misuse {
    /// The call needs an element, and the structure has none.
    Empty,
    /// The index names no element.
    OutOfRange {
        /// The index that was passed.
        index: usize,
        /// The number of elements, hence the least index out of range.
        len: usize,
    },
    /// The method does not take this argument; the text states the rule it breaks.
    Argument(&'static str),
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misuse::Empty => f.write_str("the structure is empty"),
            Misuse::OutOfRange { index, len } => {
                write!(f, "index {index} is out of range for {len} elements")
            }
            Misuse::Argument(rule) => write!(f, "illegal argument: {rule}"),
        }
    }
}

impl error::Error for Misuse {}
