//! A harness for a type of a crate that knows nothing of beget, from the crate's rustdoc JSON.
//!
//! [`Document`] reads the JSON, [`Harness`] chooses arguments for the type and its functions and
//! writes a suite and a scope. It knows what documentation says and how a suite is written; it
//! starts no compiler and touches no file: who compiles the harness tells it what was
//! [refused](Harness::refuse), and every function that takes no part has a [`LeftOutReason`].
//!
//! ```
//! use beget_discover::{DiscoverError, Document};
//!
//! let error = Document::read(r#"{"format_version": 3}"#).unwrap_err();
//! assert!(matches!(error, DiscoverError::Format(3)));
//! ```
//!
//! # Limits
//!
//! Functions that are `unsafe` or `async` are left out, and those that need a value that neither a
//! scope nor a constructor of the crate gives. Types with lifetimes cannot be under test.
//! Structures are compared by what they show, so those that show the same count as one.
#![warn(missing_docs)]

mod error;
mod harness;
mod method;
mod scope;
mod text;

mod discovery;
mod state;

mod planner;
mod subject;

mod closure;
mod constructor;
mod keys;
mod parameter;
mod returned;

mod document;
mod lower;
mod names;
mod ty;

pub use document::{Document, FORMATS};
pub use error::DiscoverError;
pub use harness::{Harness, Refusal};
pub use method::{ApiFunction, FunctionFate, LeftOutReason, MethodForm};
pub use scope::DocumentedPanic;

/// Type arguments as a user writes them, separated by commas that stand in no brackets.
pub fn split_arguments(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut depth = 0;
    for letter in text.chars() {
        match letter {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth -= 1,
            _ => {}
        }
        match letter {
            ',' if depth == 0 => all.push(String::new()),
            letter => all.last_mut().expect("it is not empty").push(letter),
        }
    }
    let all = all.into_iter().map(|word| word.trim().to_owned());
    all.filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::split_arguments;

    #[test]
    fn arguments_are_split_outside_brackets() {
        assert_eq!(
            split_arguments("u8, (u8, u8),Vec<[u8; 2]>"),
            ["u8", "(u8, u8)", "Vec<[u8; 2]>"]
        );
        assert!(split_arguments("").is_empty());
    }
}
