//! The macros of beget: derive(Heap), derive(Domain), suite! and api.
#![warn(missing_docs)]
