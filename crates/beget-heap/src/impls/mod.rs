//! Heaps of the standard library's types.

mod binary_heap;
mod cells;
mod collections;
mod net;
mod pointers;
mod primitives;
mod ranges;
mod texts;
mod time;
mod tuples;
mod wrappers;
