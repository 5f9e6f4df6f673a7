//! The choice of the next calls: levels, the rounds of closures, and the tuples of both.

pub(crate) mod effects;
pub(crate) mod levels;
pub(crate) mod proposal;
pub(crate) mod rounds;
pub(crate) mod tuples;

#[cfg(test)]
mod tests;
