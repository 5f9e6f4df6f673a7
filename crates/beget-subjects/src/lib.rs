//! The case studies: data structures of the Korat, Kiasan, ROOPS and FAJITA benchmarks.
//!
//! Each benchmark is a module, each case study a module below it. They are rebuilt in Rust from
//! their published behaviour, defects included: a case study whose defect is mended no longer
//! reaches the published numbers. Every module says which defects it keeps. What two benchmarks
//! have in common lives in [`shared`].
#![warn(missing_docs)]

pub mod fajita;
pub mod kiasan;
pub mod korat;
pub mod roops;
pub mod shared;
#[cfg(test)]
mod testing_b;
