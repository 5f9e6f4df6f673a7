//! Invariants: what a suite promises of every structure, asked of the value itself.

use std::any::Any;
use std::fmt::Debug;

use crate::TypeIdx;

/// A check that every structure of a type must pass, as `#[beget::invariant]` marks it.
///
/// A search asks it about each structure that a call leaves, before the structure is walked. It
/// must not change what it looks at.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// The function's name.
    pub name: &'static str,
    /// The type whose structures it is asked about.
    pub ty: TypeIdx,
    /// Asks it. It may panic, which means that it does not hold.
    pub check: InvariantFn,
}

/// Asks an invariant about a value whose type is forgotten; an `Err` says what is wrong, as far as
/// it is known.
pub type InvariantFn = fn(&dyn Any) -> Result<(), String>;

/// What an invariant or a property returns: `bool`, `Result<_, impl Debug>`, or `()`, which leaves
/// it to panics.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say whether something holds",
    label = "an invariant or a property returns `bool`, `Result` or `()`",
    note = "return `bool`, `Result<_, E>` with an `E: Debug`, or `()` and use `assert!`"
)]
pub trait Answer {
    /// What is wrong; empty if only that something is.
    ///
    /// # Errors
    /// If it does not hold.
    fn verdict(self) -> Result<(), String>;
}

impl Answer for () {
    fn verdict(self) -> Result<(), String> {
        Ok(())
    }
}

impl Answer for bool {
    fn verdict(self) -> Result<(), String> {
        if self { Ok(()) } else { Err(String::new()) }
    }
}

impl<T, E: Debug> Answer for Result<T, E> {
    fn verdict(self) -> Result<(), String> {
        self.map(drop).map_err(|error| format!("{error:?}"))
    }
}
