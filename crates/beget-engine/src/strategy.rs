//! What to call next: levels, the rounds of closures, and the tuples of both.

pub(crate) mod effects;
pub(crate) mod levels;
pub(crate) mod proposal;
pub(crate) mod rounds;
pub(crate) mod tuples;
