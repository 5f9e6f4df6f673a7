//! Bounded-exhaustive testing for Rust.
#![warn(missing_docs)]
