//! The command line of beget as it is typed: its arguments with their help, the exit codes, and the
//! first scope files that `init` writes.
//!
//! Two programs read it: the one with the suites (`beget_program`), which runs the command, and
//! `cargo beget`, which builds that one and reports mistakes before the build. So this crate knows
//! scope files, and no run, search or backend: to install `cargo beget` compiles none of them.
//!
//! [`cli`] defines the arguments, [`cargo`] those that `cargo beget` adds, and the agreement of
//! both programs; [`name`] gives the words that start a program, [`style`] the looks of messages.
#![allow(missing_docs, reason = "an argument is documented by its help")]

pub mod cargo;
pub mod cli;
mod exit;
mod init;
pub mod name;
pub mod style;

pub use exit::{Exit, show_usage};
pub use init::{FirstScopes, InitError, first_scopes};
