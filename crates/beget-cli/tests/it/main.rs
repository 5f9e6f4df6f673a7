//! Commands: what they print, write and refuse.

pub mod additions;
pub mod builders;
pub mod call;
pub mod check;
pub mod ci;
#[path = "../common/mod.rs"]
mod common;
pub mod compare;
pub mod cut_output;
pub mod deepening;
pub mod diff;
pub mod documents;
pub mod emit;
pub mod estimate;
pub mod evolve;
pub mod explore;
pub mod generate;
pub mod help;
pub mod layout;
pub mod mixed_files;
pub mod output;
pub mod pasted_tests;
pub mod pictures;
pub mod prose;
pub mod random;
pub mod repok;
pub mod report;
pub mod same_as_check;
pub mod show;
pub mod steps;
pub mod tampering;
pub mod verify;
