//! Runs: the loop that makes the calls of a strategy, its observer, and the corpus that it leaves.

pub(crate) mod abstraction;
pub(crate) mod closure;
pub(crate) mod corpus;
pub(crate) mod executor;
pub(crate) mod generate;
pub(crate) mod interim;
pub(crate) mod merged;
pub(crate) mod probe;
pub(crate) mod state;
