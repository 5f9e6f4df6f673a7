//! The case studies: data structures of the Korat, Kiasan, ROOPS and FAJITA benchmarks.
//!
//! Each module rebuilds one published class with ownership that suits Rust, so that the same calls reach
//! the same rooted heaps as the original. Defects that belong to the published class are kept, and the
//! module says which. A call that the original answers with an exception answers with [`Misuse`].
#![warn(missing_docs)]

pub mod kiasan;
pub mod korat;
pub mod ours;
pub mod roops;

mod misuse;
#[cfg(test)]
mod testing;

pub use misuse::Misuse;
