//! Coverage of a program's executions, read in the process that makes them.
//!
//! After each execution, a search guided by coverage asks whether something new was covered. Two
//! sources answer: [`CodeMarks`], which a subject sets by hand, each with a fingerprint of what it
//! saw there, and [`counters`], LLVM's own, in programs compiled with `-C instrument-coverage`.
//! Both are a [`Coverage`].
//!
//! This crate knows nothing of the rest of beget. Its main invariant: noting a mark allocates
//! nothing, takes no lock and leaves no pointer anywhere, so that it may be done in the middle of a
//! call whose memory is to be restored.
#![warn(missing_docs)]

pub mod counters;
mod marks;

pub use crate::marks;
#[doc(hidden)]
pub use marks::MarkedSource;
pub use marks::{Blocks, CodeMarks, MarkPlace, MarksApart, Predicates, Session};

/// A measure of code that executions cover more and more of.
///
/// It counts for the whole process, whichever threads execute.
pub trait Coverage {
    /// The unit counted, in the plural: `blocks`, `predicates`, `regions`.
    fn unit(&self) -> &'static str;

    /// The number covered.
    fn covered(&self) -> usize;

    /// The total number, if known.
    fn known(&self) -> Option<usize>;

    /// Resets the coverage to nothing.
    fn reset(&self);
}
