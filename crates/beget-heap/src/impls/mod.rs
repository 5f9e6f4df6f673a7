//! Heaps of the standard library's types.

mod cells;
mod collections;
mod pointers;
mod primitives;
mod tuples;
