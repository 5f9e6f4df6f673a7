//! What a search leaves: its counters, why it stopped, what went wrong.

use std::time::Duration;

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchReport {
    /// Candidates that the repOK accepts, isomorphic ones counted once.
    pub generated: u64,
    /// Candidates in all.
    pub explored: u64,
    /// Accepted candidates that no value can be: an object with two owners, a null where the type has none.
    pub unrepresentable: u64,
    /// A hash of all canonical forms in their order; 0 if none were written.
    pub digest: u64,
    /// Why the search ended.
    pub stop: Stop,
    /// The ways in which the repOK misbehaved, in the order in which they were met first.
    pub findings: Vec<Finding>,
}

impl SearchReport {
    /// Whether every candidate was explored, and the repOK answered each.
    pub fn is_complete(&self) -> bool {
        self.stop == Stop::SpaceExhausted && self.findings.is_empty()
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// Every candidate was explored.
    SpaceExhausted,
    /// The budget of candidates was used up.
    Explored(u64),
    /// The budget of accepted candidates was used up.
    Generated(u64),
    /// The caller wanted it. Such a run is not reproducible.
    Asked,
    /// The time was up. Such a run is not reproducible.
    Time(Duration),
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stop::SpaceExhausted => f.write_str("space exhausted"),
            Stop::Explored(n) => write!(f, "stopped after {n} candidates"),
            Stop::Generated(n) => write!(f, "stopped after {n} structures"),
            Stop::Asked => f.write_str("stopped by the caller (not reproducible)"),
            Stop::Time(limit) => write!(f, "stopped after {limit:?} (not reproducible)"),
        }
    }
}

/// A way in which a repOK misbehaved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How.
    pub cause: Cause,
    /// How many candidates showed it.
    pub count: u64,
    /// The number of the first of these among the explored, from 1.
    pub first: u64,
    /// That candidate, object by object. Fields that were not read have the first value of their domain.
    pub candidate: String,
}

/// How a repOK misbehaved.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// It panicked. The candidate counts as rejected.
    Panic {
        /// The message.
        message: String,
        /// `file:line:column`.
        location: String,
    },
    /// It read more fields than [`Settings::max_reads`](crate::Settings::max_reads). The candidate counts as rejected.
    Endless,
    /// It read other fields, or answered otherwise, when asked again. The counts mean nothing.
    Unstable,
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Cause::Panic { message, location } => {
                write!(f, "repOK panicked at {location}: {message}")
            }
            Cause::Endless => f.write_str("repOK reads without end"),
            Cause::Unstable => f.write_str("repOK answers differently for the same heap"),
        }
    }
}
