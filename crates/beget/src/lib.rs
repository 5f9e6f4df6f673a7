//! Bounded-exhaustive testing for Rust.
//!
//! Given a type's public API and a scope `k`, beget makes **every** distinct object that calls can
//! build within the scope, breadth first, each with one shortest sequence of calls. One line in an
//! ordinary test runs it:
//!
//! ```
//! # mod example {
//! /// A stack of small numbers.
//! #[derive(Clone, beget::Heap)]
//! pub struct Stack {
//!     items: Vec<u8>,
//! }
//!
//! #[beget::api]
//! impl Stack {
//!     pub fn new() -> Self {
//!         Stack { items: Vec::new() }
//!     }
//!
//!     pub fn push(&mut self, value: u8) {
//!         self.items.push(value);
//!     }
//!
//!     pub fn pop(&mut self) -> Option<u8> {
//!         self.items.pop()
//!     }
//! }
//! # }
//! # use example::Stack;
//! # let directory = std::env::temp_dir().join(format!("beget-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&directory).unwrap();
//! # std::fs::write(directory.join("stack.ron"), r#"Scope(
//! #     suite: "Stack", k: 3, objects: {"*": "k"}, arrays: "k", ints: "0..k",
//! # )"#).unwrap();
//! # let scope = directory.join("stack.ron");
//! # let scope = scope.to_str().unwrap();
//! // Every stack of at most 3 numbers below 3: 1 + 3 + 9 + 27.
//! let stacks = beget::check!(Stack, scope);
//! assert_eq!(stacks.generated(), 40);
//! # std::fs::remove_dir_all(&directory).unwrap();
//! ```
//!
//! # What a crate writes
//!
//! 1. `#[derive(beget::Heap)]` on its types, so that two values can be told apart or known to be
//!    the same ([`heap`]);
//! 2. [`#[beget::api]`](api) on an impl block, or [`suite!`] for types of other crates: the
//!    methods;
//! 3. a scope file: how large, which literals, which methods ([`scope`]);
//! 4. [`check!`] in a test.
//!
//! # How to read a failure
//!
//! A call that panics is a failure, unless the scope lists its message as misuse; so is a structure
//! that a repOK of the type rejects ([`HasRepOks`]). The test fails with the shortest
//! sequence of calls that shows it, as a test to paste.
//!
//! # Limits
//!
//! Exhaustive means: within the scope, by the methods in use. A type whose state is not reached by
//! its fields (files, sockets, global variables) cannot be tested this way. A call that aborts,
//! faults, overflows its stack or does not return within a minute fails its test. On Linux the run
//! goes on without it and fails at its end.
#![warn(missing_docs)]

mod assert;
#[cfg(doctest)]
mod book;
pub mod check;
pub mod diff;
pub mod for_all;
#[cfg(feature = "random")]
pub mod random;
#[cfg(feature = "command-line")]
#[doc(hidden)]
pub mod registry;
#[cfg(feature = "serde")]
mod round_trip;
#[cfg(not(feature = "random"))]
mod without;

pub use beget_heap as heap;
pub use beget_plan::scope;
pub use beget_run as run;
pub use beget_suite as suites;
pub use beget_suite::elements;

/// RepOKs asked about structures, and with the feature `searches` the search for what they admit.
pub mod repok {
    pub use beget_oracle::rep_ok::{Cause, Checker, HasRepOks, Predicate, Subject};
    #[cfg(feature = "searches")]
    pub use beget_search::repok::*;
}

pub use assert::{assert_invariant, assert_memory, assert_property, assert_rep_ok};
pub use beget_heap::Heap;
pub use beget_macros::{Domain, Heap, HeapView, api, invariant, suite};
pub use beget_oracle::rep_ok::HasRepOks;
pub use beget_process::alloc::install as install_allocator;
pub use beget_suite::{Domain, HasSuite};
#[cfg(feature = "serde")]
pub use round_trip::{assert_serde_round_trip, assert_serde_same_heap, round_trip, round_trip_of};

// SAFETY: only `cargo beget` turns this on. Its manual says what the tests of a crate must keep to
// then, and how to do without.
#[cfg(feature = "region-allocator")]
beget_process::alloc::install!(unsafe);

/// Registers a suite for `cargo beget`; the macros emit it. The module's name is free where it
/// stands.
#[cfg(feature = "command-line")]
#[doc(hidden)]
#[macro_export]
macro_rules! register {
    ($module:ident, $ty:ty) => {
        $crate::registry::inventory::submit! {
            $crate::registry::Registered {
                suite: <$ty as $crate::HasSuite>::suite,
                subject: || {
                    #[allow(unused_imports)]
                    use $crate::check::probe::{IsWithRepOks as _, IsWithoutRepOks as _};
                    (&$crate::heap::probe::Probe::<$ty>::new()).subject()
                },
            }
        }

        #[cfg(test)]
        #[allow(unnameable_test_items, reason = "one test of all suites is enough")]
        mod $module {
            #[test]
            fn enter_beget_command_line() {
                $crate::registry::enter();
            }
        }
    };
}

/// Gives the round trip of a type in a suite with `serde;`; the macros emit it.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! serde_round_trip {
    ($ty:ty) => {
        ::core::option::Option::Some($crate::round_trip_of::<$ty> as $crate::suites::RoundTripFn)
    };
}

/// Without the feature there is no round trip.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! serde_round_trip {
    ($ty:ty) => {
        ::core::compile_error!(
            "`serde` in a suite needs the feature `serde` of `beget`: write `beget = { ..., \
             features = [\"serde\"] }` among the dev-dependencies"
        )
    };
}

/// Without the feature, suites are not registered.
#[cfg(not(feature = "command-line"))]
#[doc(hidden)]
#[macro_export]
macro_rules! register {
    ($module:ident, $ty:ty) => {};
}
