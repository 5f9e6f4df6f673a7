//! Searches other than breadth first.
//!
//! - [`random`]: sequences of calls drawn by chance, directed by what earlier ones left.
//! - [`builders`]: the smallest set of methods that builds every structure of a scope, with a
//!   certificate.
//! - [`evolve`]: a genetic search for the chromosomes by which random test cases cover most, over
//!   the loop of [`genetic`].
//! - [`heuristic`]: a successful call of every method, with repair from the messages of panics.
//! - [`repok`]: every structure that a repOK admits, and the comparison of two sets.
//! - [`estimate`]: counts taken at small scopes, extrapolated with an error bar.
//!
//! A user's test has only the first, and files of builders by the feature `builder-files`; the
//! others come with `searches`.
//!
//! The crate knows plans, calls and structures. It knows nothing of files, terminals and clocks:
//! [`beget-run`](https://docs.rs/beget-run) reads scopes, keeps limits and hands results on.
#![warn(missing_docs)]

#[cfg(feature = "searches")]
pub mod builders;
#[cfg(feature = "builder-files")]
pub mod builders_file;
#[cfg(feature = "searches")]
pub mod estimate;
#[cfg(feature = "searches")]
pub mod evolve;
#[cfg(feature = "searches")]
pub mod genetic;
#[cfg(feature = "searches")]
pub mod heuristic;
pub mod random;
#[cfg(feature = "searches")]
pub mod repok;
