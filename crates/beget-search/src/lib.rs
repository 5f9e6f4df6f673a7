//! Searches that only programs make, and their runs.
//!
//! - [`builders`]: the smallest set of methods that builds every structure of a scope, with a
//!   certificate.
//! - [`evolve`]: a genetic search for the chromosomes by which random test cases cover most, over
//!   the loop of [`genetic`].
//! - [`heuristic`]: a successful call of every method, with repair from the messages of panics.
//! - [`repok`]: every structure that a repOK admits, and the comparison of two sets.
//! - [`estimate`]: counts taken at small scopes, extrapolated with an error bar.
//! - [`extensions`], [`sequence_data`]: the field extensions of a heap, and sequences as plain
//!   data.
//! - [`run`]: each of these as a run of a scope file; behaviors, recordings and calls on request.
//!
//! Every structure, a check, a comparison of two suites and random runs are in
//! [`beget-run`](https://docs.rs/beget-run): a test has those.
//!
//! The crate knows plans, calls, structures and the files that belong to a suite, as text. It knows
//! nothing of arguments, terminals and clocks; it reads no file by itself.
#![warn(missing_docs)]

pub mod builders;
pub mod builders_file;
pub mod estimate;
pub mod evolve;
pub mod extensions;
pub mod genetic;
pub mod heuristic;
pub mod repok;
pub mod run;
pub mod sequence_data;
pub mod suite_file;
