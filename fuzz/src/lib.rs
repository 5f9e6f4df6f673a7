//! Mutated input files and command lines, read under limits of time and memory.
//!
//! Every input has a number. Its content depends on the seed and the number alone, so a finding is
//! seen again by giving both. What is asked of each: it is taken or refused with a message; it
//! never panics, never overflows the stack, takes less than a second of CPU time and less than 1
//! GiB of memory.
//!
//! Nothing is run: the inputs go as far as the plan and the spaces of repOKs.
#![warn(missing_docs)]

mod corpus;
mod mutate;
mod target;
mod trial;

pub use corpus::Corpus;
pub use target::{Kind, Outcome};
pub use trial::{Finding, Totals, install_panic_hook, show_input, try_input};

/// The allocator of every program that links this crate. It counts, and refuses what goes beyond
/// the limit, upon which the process aborts.
#[global_allocator]
pub static MEMORY: cap::Cap<std::alloc::System> = cap::Cap::new(std::alloc::System, usize::MAX);

/// The most memory that the process may hold at any time.
pub const MOST_MEMORY: usize = 1 << 30;

/// The most CPU time that an input may take, in seconds.
pub const MOST_SECONDS: f64 = 1.0;
