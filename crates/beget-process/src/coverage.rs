//! What executions of a program cover, read in the process that makes them.
//!
//! A search that is led by coverage asks after each execution whether something new was covered.
//! Two sources answer: [`CodeMarks`], which a subject sets by hand, each with a fingerprint of what
//! it saw there, and [`counters`], LLVM's own, in programs compiled with `-C instrument-coverage`.
//! Both are a [`Coverage`].
//!
//! This crate knows nothing of the rest of beget. Its main invariant: to note a mark allocates
//! nothing, takes no lock and leaves no pointer anywhere, so that it may be done in the middle of a
//! call whose memory is to be restored.
#![warn(missing_docs)]

pub mod counters;
mod marks;

pub use crate::marks;
pub use marks::{Blocks, CodeMarks, MarksApart, Predicates, Session};

/// Something of which executions cover more and more.
///
/// What is covered is counted for the whole process, whichever threads execute.
pub trait Coverage {
    /// What is counted, in the plural: `blocks`, `predicates`, `regions`.
    fn unit(&self) -> &'static str;

    /// How many are covered.
    fn covered(&self) -> usize;

    /// How many there are, if that is known.
    fn known(&self) -> Option<usize>;

    /// Forgets what was covered.
    fn reset(&self);
}
