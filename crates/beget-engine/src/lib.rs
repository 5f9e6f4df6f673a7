//! Breadth-first generation of every structure of a scope.
#![warn(missing_docs)]
