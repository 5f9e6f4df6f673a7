//! A genetic search for the chromosomes by which random test cases cover most.
//!
//! Every decision of a random test case is a gene ([`Chromosome`](beget_run::random::Chromosome)): how
//! often each method is called, which values it may take again, how large integers are. This crate
//! searches genes by what their test cases [cover](PointSource), and keeps the best ones in a
//! [`ChromosomeFile`], by which `beget random` then draws.
//!
//! Source: Andrews, Li and Menzies, Nighthawk: a two-level genetic-random unit test data generator
//! (ASE 2007).
//!
//! It knows genes and test cases. It knows nothing of files, terminals and clocks, and how test
//! cases are run is [`random`](beget_run::random)'s affair.
//!
//! # How
//!
//! **Chromosomes** (`crates/beget-run/src/random/chromosome.rs`) are genes for every choice of a
//! random test case; drawing by them is a third policy of the random loop
//! (`crates/beget-run/src/random/policy/chromosome.rs`), so calls, misuse, failures and findings
//! are those of random runs. The search for them shares its loop with that for builders
//! (`crates/beget-search/src/genetic.rs`).
//!
//! - A test case begins with nothing and is not pooled. It goes on after a call that breaks a rule
//!   of use or leaves the scope, as it would after an exception of the paper's: the call is taken
//!   back from the sequence, what it changed is dropped, and what has the form that it had before
//!   stays.
//! - Marks are statics of the process. Threads that rate chromosomes note theirs apart
//!   (`CodeMarks::apart`): one thread-local word says where to. LLVM's counters cannot be told
//!   apart by threads, so with these one thread runs.
//! - Survivors are rated anew in each generation, and count by the mean. When they kept their first
//!   rating, those won that had been lucky with few calls, and fresh test cases covered less than
//!   the file said.
//! - `SuiteFile` (`crates/beget-search/src/suite_file.rs`) is what files of builders,
//!   repositories and chromosomes have in common: a version, the suite, its fingerprint, and what
//!   is said where one does not fit.
mod breed;
mod file;
mod limits;
mod points;
mod running;
mod search;

pub use breed::template;
pub use file::{
    BoundsV1, ChromosomeError, ChromosomeFile, ChromosomeOrigin, MethodV1, ParamV1, PoolBits,
    PoolV1,
};
pub use points::PointSource;
pub use running::RunningTests;
pub use search::{
    Evaluation, EvolveOptions, EvolveReport, EvolveWatcher, GenerationReport, evaluate, search,
};

#[cfg(test)]
mod tests;
