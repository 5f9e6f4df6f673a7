//! Invariants: the promises of a suite for every structure, checked on the value itself.

use std::any::Any;
use std::fmt::Debug;

use crate::TypeIdx;

/// A check that every structure of a type must pass, marked by `#[beget::invariant]`.
///
/// A search checks it on each structure that a call leaves, before the structure is walked. It must
/// not change the structure.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// The function's name.
    pub name: &'static str,
    /// The type whose structures it checks.
    pub ty: TypeIdx,
    /// Checks it. A panic means that it does not hold.
    pub check: InvariantFn,
}

/// Checks an invariant on a value with its type erased; an `Err` has the message, if there is one.
pub type InvariantFn = fn(&dyn Any) -> Result<(), String>;

/// The result of an invariant or a property: `bool`, `Result<_, impl Debug>`, or `()`, which fails
/// only by panics.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say whether something holds",
    label = "an invariant or a property returns `bool`, `Result` or `()`",
    note = "return `bool`, `Result<_, E>` with an `E: Debug`, or `()` and use `assert!`"
)]
pub trait Answer {
    /// The error message; empty if the check only returned `false`.
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
