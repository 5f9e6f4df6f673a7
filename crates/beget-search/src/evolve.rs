//! A genetic search for the chromosomes whose random test cases cover most.
//!
//! Every decision of a random test case is a gene ([`Chromosome`](crate::random::Chromosome)): how
//! often each method is called, which values it may take again, how large integers are. This module
//! searches genes by the [coverage](PointSource) of their test cases, and keeps the best ones in a
//! [`ChromosomeFile`], which `beget random` then uses.
//!
//! Source: Andrews, Li and Menzies, Nighthawk: a two-level genetic-random unit test data generator
//! (ASE 2007).
//!
//! It knows genes and test cases. It knows nothing of files, terminals and clocks;
//! [`random`](crate::random) runs the test cases.
//!
//! # How
//!
//! **Chromosomes** (`crates/beget-search/src/random/chromosome.rs`) are genes for every choice of a
//! random test case. Drawing by them is a third policy of the random loop
//! (`crates/beget-search/src/random/policy/chromosome.rs`), so calls, misuse, failures and findings
//! are those of random runs. The search shares its loop with that for builders
//! (`crates/beget-search/src/genetic.rs`).
//!
//! - A test case begins with nothing and is not pooled. It goes on after a call that is misuse or
//!   leaves the scope, as the paper's does after an exception: the call is removed from the
//!   sequence, changed structures are dropped, and structures with the same form as before stay.
//! - Marks are statics of the process. Threads that rate chromosomes note theirs separately
//!   (`CodeMarks::apart`): a thread-local word has the place. LLVM's counters do not distinguish
//!   threads, so with these a single thread runs.
//! - Survivors are rated again in each generation, and count by the mean. When they kept their
//!   first rating, those won that had been lucky with few calls, and fresh test cases covered less
//!   than the file stated.
//! - `SuiteFile` (`crates/beget-plan/src/scope/suite_file.rs`) has the common parts of the files of
//!   builders, repositories and chromosomes: a version, the suite, its fingerprint, and the
//!   messages for a mismatch.
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
