//! Checks that beget is exact.
//!
//! [`own`] is an enumerator that shares no code with beget. [`awkward`] has suites that were made
//! to be difficult, each a file with one idea, [`random`] suites that a generator wrote.
//! [`compare`] runs both sides on a suite, in every way of copying and on several numbers of
//! threads, and compares everything that beget reports: structures, their order, recipes, levels,
//! outcomes and failures.
//!
//! What it does not know: how beget goes about anything.
#![warn(missing_docs)]

pub mod awkward;
pub mod case;
pub mod compare;
mod dice;
pub mod outside;
pub mod own;
pub mod random;
pub mod recipes;
