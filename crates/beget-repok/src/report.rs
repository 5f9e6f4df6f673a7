//! What a search leaves: its counters, why it stopped, what went wrong.

#[cfg(feature = "search")]
use beget_plan::finding::{Finding, StopReason};
use beget_plan::finding::{Kind, Problem};

/// The result of a search.
#[cfg(feature = "search")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchReport {
    /// Candidates that the repOK accepts, isomorphic ones counted once.
    pub generated: u64,
    /// Candidates in all.
    pub explored: u64,
    /// Accepted candidates that no value can be: an object with two owners, a null where the type
    /// has none.
    pub unrepresentable: u64,
    /// A hash of all canonical forms in their order; 0 if none were written.
    pub digest: u64,
    /// Why the search ended.
    pub stop_reason: StopReason,
    /// The ways in which the repOK misbehaved, in the order in which they were met first.
    pub findings: Vec<Finding>,
}

#[cfg(feature = "search")]
impl SearchReport {
    /// Whether every candidate was explored, and the repOK answered each.
    pub fn is_complete(&self) -> bool {
        self.stop_reason.is_exhausted() && self.findings.is_empty()
    }
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
    /// It read more fields than the search or the [`Checker`](crate::Checker) allows. The
    /// candidate counts as rejected.
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

impl From<Cause> for Problem {
    fn from(cause: Cause) -> Self {
        let text = cause.to_string();
        match cause {
            Cause::Panic { message, location } => {
                Problem::new(Kind::REPOK_PANIC, text).of_panic(message, location)
            }
            Cause::Endless => Problem::new(Kind::REPOK_ENDLESS, text),
            Cause::Unstable => Problem::new(Kind::REPOK_UNSTABLE, text),
        }
    }
}
