//! Suites of types of the standard library: collections, texts, numbers, cells, locks and others.
//!
//! `just std-suites` copies this file into a crate in `target/std` and writes the modules below it,
//! and their scopes, from the harnesses that `cargo beget init` makes for a crate with the signatures
//! of the standard library.
#![allow(unused_parens, reason = "closures that a program writes")]

pub mod suites;
pub mod types;

// Harnesses name the crate whose types they are for.
extern crate self as std_census;

pub use types::*;
