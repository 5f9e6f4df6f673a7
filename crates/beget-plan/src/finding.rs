//! What runs of all kinds tell: findings with witnesses, progress, limits, and why they ended.
//!
//! The engine, the search from a repOK and the search for builders have these words in common, and
//! so have the outputs. A [`Problem`] is plain data: its [`Kind`] is a name, so a crate that looks
//! for problems of another kind adds one without a change here, and every output shows it.
//!
//! The crate knows nothing of searches. It reads no clock: [`Limits`] are asked with what the
//! caller has measured.
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
pub use sightings::{Sighted, Sightings};
pub use stop::StopReason;
pub use triage::{Priority, Signature};
pub use witness::{Finding, Witness};
