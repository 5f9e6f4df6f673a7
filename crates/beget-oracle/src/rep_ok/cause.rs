//! How a repOK can misbehave.

use beget_plan::finding::{Kind, Problem};
use beget_process::guard::short_place;

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
    /// It read more fields than the search or the [`Checker`](super::Checker) allows. The
    /// candidate counts as rejected.
    Endless,
    /// It read other fields, or answered otherwise, when asked again. The counts mean nothing.
    Unstable,
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Cause::Panic { message, location } => {
                write!(f, "repOK panicked at {}: {message}", short_place(location))
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
                Problem::new(Kind::RepOkPanic, text).of_panic(message, location)
            }
            Cause::Endless => Problem::new(Kind::RepOkEndless, text),
            Cause::Unstable => Problem::new(Kind::RepOkUnstable, text),
        }
    }
}
