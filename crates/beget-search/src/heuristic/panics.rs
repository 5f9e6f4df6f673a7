//! The information in a panic's message: its family, and its numbers.
//!
//! The messages are those of the standard library and of arithmetic; a test pins those of the
//! current toolchain. A crate's own messages are recognised by the same words.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::heuristic::numbers::numbers;

/// The cause of a panic, as far as its message shows: it determines how to repair the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PanicFamily {
    /// An index beyond the end.
    Index,
    /// A range that ends beyond the end.
    SliceEnd,
    /// A range whose start is behind its end.
    SliceOrder,
    /// A missing position to insert at, remove from or split at.
    Position,
    /// A byte index within a character, or beyond a text.
    CharBoundary,
    /// `unwrap` of a `None`, or an `expect`.
    NoValue,
    /// `unwrap` of an `Err`.
    ErrorValue,
    /// Arithmetic that overflows.
    Overflow,
    /// Division by zero.
    ZeroDivisor,
    /// More memory than there can be.
    Capacity,
    /// A `RefCell` that is borrowed.
    Borrowed,
    /// A size that must not be zero.
    ZeroSize,
    /// Two lengths that must be equal.
    UnequalLengths,
    /// A range of keys whose start is behind its end.
    KeyRange,
    /// An invalid radix or digit.
    Radix,
    /// A least value above the largest one.
    Clamp,
    /// A key that is not in the map.
    MissingKey,
    /// An argument of a mathematical function outside of its domain.
    MathDomain,
    /// An equality that does not hold.
    Inequality,
    /// A condition that does not hold.
    Condition,
    /// No room for more.
    Full,
    /// Nothing there.
    Empty,
    /// Anything else.
    Other,
}

/// The parts of messages of each family: all of them must occur.
const PATTERNS: &[(PanicFamily, &[&str])] = &[
    (PanicFamily::CharBoundary, &["char boundary"]),
    (PanicFamily::CharBoundary, &["char_boundary"]),
    (PanicFamily::CharBoundary, &["character boundary"]),
    (PanicFamily::CharBoundary, &["byte index", "out of bounds"]),
    (PanicFamily::CharBoundary, &["byte range", "out of bounds"]),
    (PanicFamily::SliceOrder, &["slice index starts at", "but ends at"]),
    (PanicFamily::SliceOrder, &["begin > end", "when slicing"]),
    (PanicFamily::SliceEnd, &["out of range for slice of length"]),
    (PanicFamily::SliceEnd, &["range", "out of bounds"]),
    (PanicFamily::Position, &["index (is", "len (is"]),
    (PanicFamily::Position, &["should be <", "len"]),
    (PanicFamily::Position, &["index", "greater than length"]),
    (PanicFamily::Position, &["< self.len()"]),
    (PanicFamily::Position, &["<= self.len()"]),
    (PanicFamily::Index, &["index out of bounds"]),
    (PanicFamily::Index, &["Out of bounds access"]),
    (PanicFamily::Position, &["mid", "len"]),
    (PanicFamily::MissingKey, &["no entry found for key"]),
    (PanicFamily::NoValue, &["`Option::unwrap()` on a `None` value"]),
    (PanicFamily::ErrorValue, &["on an `Err` value"]),
    (PanicFamily::ErrorValue, &["on an `Ok` value"]),
    (PanicFamily::ZeroDivisor, &["divide by zero"]),
    (PanicFamily::ZeroDivisor, &["divisor of zero"]),
    (PanicFamily::Overflow, &["with overflow"]),
    (PanicFamily::Capacity, &["capacity overflow"]),
    (PanicFamily::Capacity, &["allocation", "failed"]),
    (PanicFamily::Borrowed, &["already", "borrowed"]),
    (PanicFamily::ZeroSize, &["must be non-zero"]),
    (PanicFamily::ZeroSize, &["must not be zero"]),
    (PanicFamily::ZeroSize, &["!= 0"]),
    (PanicFamily::UnequalLengths, &["source slice length", "destination slice length"]),
    (PanicFamily::UnequalLengths, &["different lengths"]),
    (PanicFamily::UnequalLengths, &["same length"]),
    (PanicFamily::KeyRange, &["range start is greater than range end"]),
    (PanicFamily::KeyRange, &["range start and end are equal and excluded"]),
    (PanicFamily::Radix, &["radix"]),
    (PanicFamily::Clamp, &["min <= max"]),
    (PanicFamily::Clamp, &["min > max"]),
    (PanicFamily::MathDomain, &["logarithm"]),
    (PanicFamily::MathDomain, &["square root"]),
    (PanicFamily::MathDomain, &["Duration", "float"]),
    (PanicFamily::MathDomain, &["negative"]),
    (PanicFamily::Inequality, &["assertion `left == right` failed"]),
    (PanicFamily::Full, &["full"]),
    (PanicFamily::Full, &["capacity"]),
    (PanicFamily::Empty, &["empty"]),
    (PanicFamily::Position, &["out of bounds"]),
    (PanicFamily::Position, &["out of range"]),
    (PanicFamily::Condition, &["assertion"]),
];

impl PanicFamily {
    /// All families, in the order of the list.
    pub const ALL: [PanicFamily; 23] = [
        PanicFamily::Index,
        PanicFamily::SliceEnd,
        PanicFamily::SliceOrder,
        PanicFamily::Position,
        PanicFamily::CharBoundary,
        PanicFamily::NoValue,
        PanicFamily::ErrorValue,
        PanicFamily::Overflow,
        PanicFamily::ZeroDivisor,
        PanicFamily::Capacity,
        PanicFamily::Borrowed,
        PanicFamily::ZeroSize,
        PanicFamily::UnequalLengths,
        PanicFamily::KeyRange,
        PanicFamily::Radix,
        PanicFamily::Clamp,
        PanicFamily::MissingKey,
        PanicFamily::MathDomain,
        PanicFamily::Inequality,
        PanicFamily::Condition,
        PanicFamily::Full,
        PanicFamily::Empty,
        PanicFamily::Other,
    ];

    /// Its name in summaries and files.
    pub fn name(self) -> &'static str {
        match self {
            PanicFamily::Index => "index",
            PanicFamily::SliceEnd => "slice_end",
            PanicFamily::SliceOrder => "slice_order",
            PanicFamily::Position => "position",
            PanicFamily::CharBoundary => "char_boundary",
            PanicFamily::NoValue => "no_value",
            PanicFamily::ErrorValue => "error_value",
            PanicFamily::Overflow => "overflow",
            PanicFamily::ZeroDivisor => "zero_divisor",
            PanicFamily::Capacity => "capacity",
            PanicFamily::Borrowed => "borrowed",
            PanicFamily::ZeroSize => "zero_size",
            PanicFamily::UnequalLengths => "unequal_lengths",
            PanicFamily::KeyRange => "key_range",
            PanicFamily::Radix => "radix",
            PanicFamily::Clamp => "clamp",
            PanicFamily::MissingKey => "missing_key",
            PanicFamily::MathDomain => "math_domain",
            PanicFamily::Inequality => "inequality",
            PanicFamily::Condition => "condition",
            PanicFamily::Full => "full",
            PanicFamily::Empty => "empty",
            PanicFamily::Other => "other",
        }
    }
}

impl fmt::Display for PanicFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The information in a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clue {
    /// The family.
    pub family: PanicFamily,
    /// The integers of the message, from left to right, except those in quoted text.
    pub numbers: Vec<i128>,
}

impl Clue {
    /// Reads a message.
    pub fn read(message: &str) -> Clue {
        let fits = |parts: &&[&str]| parts.iter().all(|part| message.contains(part));
        let found = PATTERNS.iter().find(|(_, parts)| fits(parts));
        let family = found.map_or(PanicFamily::Other, |(family, _)| *family);
        Clue { family, numbers: numbers(message) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_is_listed_once_and_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<_> =
            PanicFamily::ALL.iter().map(|family| family.name()).collect();
        assert_eq!(names.len(), PanicFamily::ALL.len());
        assert!(PATTERNS.iter().all(|(family, _)| PanicFamily::ALL.contains(family)));
    }
}
