//! Suites of the standard library's collections, texts and language types.
//!
//! `benchmarks/std_census.py write` writes the modules below this one and the scopes in
//! `scopes/std`, from what `cargo beget init` makes of a crate that has the signatures of the
//! standard library; this file and the program are by hand.
#![allow(unused_parens, reason = "closures that a program writes")]

pub mod suites;
pub mod types;

// Harnesses name the crate whose types they are for.
extern crate self as std_census;

pub use types::*;
