//! Bounded-exhaustive testing for Rust.
#![warn(missing_docs)]

pub use beget_heap as heap;
pub use beget_suite as suites;

pub use beget_heap::Heap;
pub use beget_macros::{Domain, Heap, HeapView, api, suite};
pub use beget_suite::{Domain, HasSuite};
