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
//!
//! # Decisions
//!
//! - **The compiler decides, not we.** A signature says too little about what compiles: bounds hold
//!   or do not, inference ends or does not. So each function has a list of `Form`s, from the bare
//!   signature to a wrapper that drops what it returns, and the text knows what each of its lines
//!   is for. What rustc refuses gets its next form, and is left out with rustc's message after the
//!   last one. Each refusal uses up a form, so this ends. Only lines that belong to one function or
//!   field count: an error of the whole macro changes nothing.
//! - **The harness is text for people.** Where a function fits as it is, its signature alone stands
//!   there; all choices (closures, constructors, how an iterator is driven) are small functions
//!   below it. No macro reads JSON: `suite!` runs at each build, and what a documentation says is
//!   to be seen, judged and changed once.
//! - **The state** is the `Debug` text if that is derived (every field is in it), else what `iter`
//!   gives, typed where its items have literals, else the `Debug` text; with it observers without
//!   arguments that return numbers or truth values. Not capacities: reserved room has no end, and
//!   decides nothing that a caller may rely on. `Primitive::Shown` is a text to which no bound
//!   applies, since how long a text is says nothing of how large the value is; what bounds the
//!   space are `len` and its like, by `fields` in the scope.
//! - **Keys** (`crates/beget-discover/src/keys.rs`): a type of the crate that functions take and
//!   calls by `&mut self` return, with `Clone` and `Debug`, which neither a constructor nor
//!   `Default` gives, is one of keys by provenance: structures are called with what they returned,
//!   removed ones too. Where there is a `Default`, the key at a position of an iteration is taken,
//!   and the default beyond its end: that leaves the structure alone in the canonical form, so
//!   there are fewer structures, but no key of a removed value.
//! - **Hashers** of a random state would make every hash map nondeterministic. They are replaced by
//!   `BuildHasherDefault`, at the price of the constructors that exist for the default alone.
//! - **Expected panics** are found by running: of a panic whose function announces one in its
//!   documentation the message becomes a pattern, with the sentence beside it. What slices of the
//!   standard library and the checks of arithmetic say is believed only where the documentation
//!   speaks of indices and lengths, or else `slab`'s `get2_mut` would hide its defect behind the
//!   documented panic for equal keys. An index that is not there is expected of any function that
//!   takes one.
//! - **Formats**: each number that rustdoc gives its format changes little. `Document` reads the
//!   parts it uses one by one and no attributes but one, so that one version of `rustdoc-types`
//!   reads the formats 54 to 61; their differences are in attributes, stability and external
//!   crates.
//!
//! `beget` does not depend on any of this; the test of `crates/beget-discover` documents its
//! fixture with the toolchain of the day, `crates/beget-cli/tests/it/foreign.rs` goes all the way
//! without the network, and `just discover` does twelve crates of the registry.
//!
//! The test of this crate documents its fixture with the toolchain of the day,
//! `crates/beget-cli/tests/it/foreign.rs` goes all the way without the network, and `just discover`
//! does twelve crates of the registry.
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
