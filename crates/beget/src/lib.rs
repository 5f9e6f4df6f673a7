//! Bounded-exhaustive testing for Rust.
//!
//! Many bugs of a type with state need one particular sequence of calls, and both tests by hand and
//! random inputs may miss it. beget builds **every** value that the public methods of a type can
//! build, up to a size, and makes every call on each of them. A bug comes back as the shortest
//! failing test, ready to paste. There is no generator, no model and no property to write.
//!
//! # Example
//!
//! This editor's history keeps the last three versions of a text. Mark the type and its methods,
//! and check it in a test:
//!
//! ```should_panic
//! # mod example {
//! /// The last three versions of a text, one of them current.
//! #[derive(Clone, Debug)]
//! #[derive(beget::Heap)]
//! pub struct History {
//!     versions: Vec<u8>,
//!     current: usize,
//! }
//!
//! #[beget::api]
//! impl History {
//!     pub fn new() -> Self {
//!         History { versions: vec![0], current: 0 }
//!     }
//!
//!     /// A new version after the current one; those that were undone are gone.
//!     pub fn edit(&mut self, version: u8) {
//!         self.versions.truncate(self.current + 1);
//!         self.versions.push(version);
//!         self.current += 1;
//!         if self.versions.len() > 3 {
//!             self.versions.remove(0);
//!         }
//!     }
//!
//!     pub fn undo(&mut self) {
//!         self.current = self.current.saturating_sub(1);
//!     }
//!
//!     pub fn redo(&mut self) {
//!         self.current = (self.current + 1).min(self.versions.len() - 1);
//!     }
//!
//!     pub fn current(&self) -> u8 {
//!         self.versions[self.current]
//!     }
//! }
//! # }
//! # use example::History;
//!
//! // In a test:
//! beget::check!(History);
//! ```
//!
//! In your crate, `#[cfg_attr(test, derive(beget::Heap))]` and `#[cfg_attr(test, beget::api)]` keep
//! beget a dev-dependency. The test fails with
//!
//! ```text
//!     /// panicked at src/lib.rs:34:22: index out of bounds: the len is 3 but the index is 3
//!     #[test]
//!     fn panic_1_new_edit_0_edit_0_edit_0_current() {
//!         use crate::*;
//!         let mut history = History::new();
//!         history.edit(0);
//!         history.edit(0);
//!         history.edit(0);
//!         let _ = history.current();
//!     }
//!
//! after the last call
//!     History#0 { current: 3, versions: #1 }
//!     Vec<u8>#1 { 0: 0, 1: 0, 2: 0, length: 3 }
//! ```
//!
//! # How to read a failure
//!
//! The comment has the problem and its place. The test has the calls that show it; no shorter
//! sequence of calls does. The lines below are the heap: `Vec<u8>#1` is object 1, and
//! `versions: #1` refers to it.
//!
//! A failure is a call that panics, crashes or hangs; a broken contract of a trait (`Eq`, `Hash`,
//! `Clone`, ...) or of methods that must agree (`len`, `contains`, iteration); a value that an
//! [`invariant`](macro@invariant) or a repOK ([`HasRepOks`]) rejects. A panic that is a documented
//! rule of use goes into the scope as misuse, with its message.
//!
//! # Scopes
//!
//! A *scope* limits the values: the number of objects of each class, the length of arrays, the
//! literals for parameters, mostly by a number `k`. Without one, `check!(History)` tries k = 1, 2,
//! 3, ... for five seconds. `check!(History, k = 3)` fixes k, and a [scope
//! file](beget_plan::scope) everything:
//!
//! ```
//! # mod example {
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
//! # Items
//!
//! | to | use |
//! | --- | --- |
//! | mark a type | [`derive(Heap)`](derive@Heap), [`derive(Domain)`](derive@Domain) for parameters |
//! | name its methods | [`#[api]`](macro@api), [`suite!`] for a type of another crate |
//! | check all its values | [`check!`], [`try_check!`] to inspect the findings |
//! | check a property of each | [`for_all!`], [`#[invariant]`](macro@invariant), [`HasRepOks`] with [`derive(HeapView)`](derive@HeapView) |
//! | compare it with a model | [`diff!`] |
//! | go beyond a scope by chance | [`random!`] |
//! | check memory in unsafe code | [`install_allocator!`], [`elements`] |
//! | keep a finding as a test | [`assert_invariant`], [`assert_property`], [`assert_rep_ok`], [`assert_memory`] |
//! | write a `Heap`, a repOK or a `Domain` by hand | [`heap`], [`heap::view`], [`suites`] |
//!
//! # Limits
//!
//! A pass means: no failure within the scope, by the methods in use. A type whose state is not
//! reached through its fields (files, sockets, global variables) cannot be tested this way. A call
//! that aborts, faults, overflows its stack or does not return within a minute fails its test. On
//! Linux the run continues without it and fails at its end.
#![warn(missing_docs)]

mod assert;
#[cfg(doctest)]
mod book;
pub mod check;
pub mod diff;
pub mod for_all;
mod macros;
pub mod random;
#[cfg(feature = "command-line")]
#[doc(hidden)]
pub mod registry;
#[cfg(feature = "serde")]
mod round_trip;

/// Heaps: their classes, objects and fields.
pub mod heap {
    pub use beget_heap::laws;
    pub use beget_heap::{
        Bounds, ClassKey, DebugText, Field, Heap, HeapGraph, Primitive, Schema, Walker,
        canonical_form,
    };

    /// Heaps as repOKs read them.
    pub mod view {
        pub use beget_heap::view::{
            ArrayView, BrokenClause, LinkView, NodeSet, NodeView, OrBroken, RawView, RepOk, Root,
            Shapes, Table, Verdict, Viewed, Viewer, Worklist, clause, to_text,
        };
    }
}

/// Suites, and the literals of their parameters.
pub mod suites {
    pub use beget_suite::{
        Absence, Answer, Domain, DomainError, DomainKind, Extent, HasSuite, Literal, Pools, Suite,
        to_source,
    };
}

/// Elements that notice how a collection treats them.
pub mod elements {
    pub use beget_suite::elements::{
        Census, ElementItems, ElementWatch, Tracked, TrackedUnit, exact_items, items,
    };
}

/// Items that the code of the macros refers to. They change with every release.
#[doc(hidden)]
pub mod __private {
    pub use beget_heap as heap;
    pub use beget_suite as suites;
}

/// RepOKs asked about structures.
pub mod repok {
    pub use beget_oracle::rep_ok::{Cause, Checker, HasRepOks, Predicate, Subject};
}

pub use assert::{assert_invariant, assert_memory, assert_property, assert_rep_ok};
pub use beget_heap::Heap;
pub use beget_oracle::rep_ok::HasRepOks;
pub use beget_process::alloc::install as install_allocator;
pub use beget_suite::{Domain, HasSuite};
pub use macros::{Domain, Heap, HeapView, api, invariant, suite};
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
            $crate::registry::RegisteredSuite {
                suite: <$ty as $crate::HasSuite>::suite,
                subject: || {
                    #[allow(unused_imports)]
                    use $crate::check::probe::{IsWithRepOks as _, IsWithoutRepOks as _};
                    (&$crate::__private::heap::probe::Probe::<$ty>::new()).subject()
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
        ::core::option::Option::Some(
            $crate::round_trip_of::<$ty> as $crate::__private::suites::RoundTripFn,
        )
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
