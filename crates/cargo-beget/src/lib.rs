//! A harness for a type of a crate that knows nothing of beget, from the crate's rustdoc JSON.
//!
//! [`Document`] reads the JSON, [`Harness`] chooses arguments for the type and its functions and
//! writes a suite and a scope. The crate knows documentation and the syntax of suites; it starts no
//! compiler and touches no file. The caller compiles the harness and passes the errors to
//! [`Harness::refuse`]. Every function that takes no part has a [`LeftOutReason`].
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
//! Functions that are `unsafe` or `async` are left out, and so are those that need a value that
//! neither a scope nor a constructor of the crate provides. Types with lifetimes cannot be under
//! test. Structures are compared by what they show, so those that show the same count as one.
//!
//! # Decisions
//!
//! - **The compiler decides, not this crate.** A signature does not show whether code compiles:
//!   bounds may not hold, inference may fail. So each function has a list of `Form`s, from the bare
//!   signature to a wrapper that drops the result, and the text records the purpose of each of its
//!   lines. A form that rustc rejects is replaced by the next one; after the last one the function
//!   is left out with rustc's message. Each rejection uses up a form, so this terminates. Only
//!   errors on lines of one function or field count: an error of the whole macro changes nothing.
//! - **The harness is text for people.** If a function fits unchanged, its signature alone is
//!   written; all choices (closures, constructors, how an iterator is driven) are small functions
//!   below it. No macro reads JSON: `suite!` runs at each build, whereas the documentation should
//!   be read, judged and edited once.
//! - **The state** is the `Debug` text if that is derived (every field is in it), else the items of
//!   `iter`, typed if they have literals, else the `Debug` text. It also has the observers without
//!   arguments that return numbers or booleans. If the first check finds that the text differs
//!   after equal calls, because an address or a counter is in it, the next way is taken, and at
//!   last the items of any other iteration. Capacities are excluded: reserved room is unbounded,
//!   and callers must not rely on it. `Primitive::Shown` is a text without a bound, because the
//!   length of a text does not reflect the size of the value; `len` and the like bound
//!   the space, by `fields` in the scope.
//! - **Keys** (`crates/beget-discover/src/keys.rs`): a type of the crate that functions take and
//!   calls by `&mut self` return, with `Clone` and `Debug`, without a constructor or `Default`, is
//!   a type of keys: structures are called with the keys that they returned, removed ones too. If
//!   it has a `Default`, the key at a position of an iteration is taken, and the default beyond its
//!   end. That leaves the canonical form unchanged, so there are fewer structures, but no key of a
//!   removed value.
//! - **References that live for ever** (`&'static str`) are to one of three literals: nothing that
//!   a call owns lives that long.
//! - **Long arrays** have too many values to list, so arrays of more than four integers are one of
//!   two: all zeros, or all ones.
//! - **Hashers** with random state would make every hash map nondeterministic. They are replaced by
//!   `BuildHasherDefault`, which loses the constructors that exist only for the default hasher.
//! - **Orders of atomic accesses** are `SeqCst`: loads and stores each panic for some other orders.
//! - **Expected panics** are found by running: if a function documents a panic, the message of its
//!   panic becomes a pattern, with the documented sentence beside it. Panics of the standard
//!   library's slices and of arithmetic are accepted only if the documentation mentions indices or
//!   lengths: otherwise `slab`'s `get2_mut` would hide its defect behind the documented panic for
//!   equal keys. A missing index is expected of any function that takes one. A pattern holds for
//!   all functions, so if nothing is found and a function panicked that announces no panic, those
//!   that do are left out of one more check.
//! - **Iterators of tracked elements** do not know their length, unless the function needs it:
//!   buffers with room for more show what is taken for an element there. Their `size_hint` may lie.
//! - **Formats**: each new number of rustdoc's format changes little. `Document` reads the used
//!   parts one by one and only one attribute, so that one version of `rustdoc-types` reads the
//!   formats 54 to 61; these differ in attributes, stability and external crates.
//!
//! `beget` does not depend on any of this. The test of this crate documents its fixture with the
//! current toolchain, `crates/cargo-beget/tests/it/foreign.rs` runs the whole process without the
//! network, and `just discover` does so for twelve crates of the registry. The example `harnesses`
//! writes those of many types of a crate at once, for the census of the standard library.
#![warn(missing_docs)]

mod error;
mod harness;
mod method;
mod refusal;
mod scope;
mod text;

mod discovery;
mod state;

mod planner;
mod subject;
mod vector;

mod closure;
mod constructor;
mod items;
mod keys;
mod parameter;
mod returned;

mod document;
mod lower;
mod names;
mod ty;

pub use document::{Document, FORMATS};
pub use error::DiscoverError;
pub use harness::Harness;
pub use method::{ApiFunction, FunctionFate, LeftOutReason, MethodForm};
pub use refusal::Refusal;
pub use scope::DocumentedPanic;
pub use subject::ElementKind;

/// Splits type arguments at commas outside of brackets.
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
