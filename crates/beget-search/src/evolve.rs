//! A genetic search for the chromosomes by which random test cases cover most.
//!
//! Every decision of a random test case is a gene ([`Chromosome`](crate::random::Chromosome)): how
//! often each method is called, which values it may take again, how large integers are. This crate
//! searches genes by what their test cases [cover](PointSource), and keeps the best ones in a
//! [`ChromosomeFile`], by which `beget random` then draws.
//!
//! Source: Andrews, Li and Menzies, Nighthawk: a two-level genetic-random unit test data generator
//! (ASE 2007).
//!
//! It knows genes and test cases. It knows nothing of files, terminals and clocks, and how test
//! cases are run is [`random`](crate::random)'s affair.
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
