//! Results common to runs of all kinds: findings with witnesses, progress, limits, and stop
//! reasons.
//!
//! The engine, the search from a repOK, the search for builders and the outputs share these types.
//! A [`Problem`] is plain data: its [`Kind`] is a name, so another crate can add a kind of problem
//! without a change here, and every output shows it.
//!
//! This module knows nothing of searches. It reads no clock: callers pass their measurements to
//! [`Limits`].
#![warn(missing_docs)]

mod limits;
mod problem;
mod progress;
mod sightings;
mod stop;
mod triage;
mod witness;

pub use limits::Limits;
pub use problem::{
    ELEMENTS_SURVIVE_LIES, Kind, MEMORY_FREED, MEMORY_SOUND, Problem, USABLE_AFTER_PANIC,
};
pub use progress::{Control, LevelProgress, Progress};
pub use sightings::{ShownProblem, Sightings};
pub use stop::StopReason;
pub use triage::{Priority, Signature};
pub use witness::{Finding, Witness};
