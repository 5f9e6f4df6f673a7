//! How values of a type can be seen: by which function the heap is made that tells them apart.
//!
//! A type is seen in one way at a time, which the suite says; a scope may name another one that the
//! suite has. The module knows no way by itself: who makes a type hands them over.
//!
//! # Where it is chosen
//!
//! **What values are told apart by** is a `StateKind`: fields, an abstraction, what they show
//! (`crates/beget-suite/src/shown.rs`), or their memory. A type has one and may have more, each a
//! `StateView`: the four functions by which a type is described, walked, drawn and decoded. A scope
//! chooses while its plan is made, by exchanging these functions in the suite (`Suite::seen_by`),
//! so nothing behind the plan knows that there was a choice. What a type shows is a class like any
//! other: its fields are texts and numbers, so bounds, digests, pictures and messages need nothing
//! of their own.

use std::any::Any;
use std::fmt;

use beget_heap::{Decoder, Encoder, HeapGraph, Layout, Schema, Undecodable};

/// What tells the values of a type apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StateKind {
    /// Their fields, by an implementation of [`Heap`](beget_heap::Heap).
    Fields,
    /// An abstraction that the suite has for them.
    Abstraction,
    /// All that they show: see [`Showing`](crate::Showing).
    Shown,
    /// Their memory: see [`bytes_view`](crate::bytes_view).
    Bytes,
}

impl StateKind {
    /// All of them, with their names in scope files.
    pub const ALL: [(StateKind, &'static str); 4] = [
        (StateKind::Fields, "Fields"),
        (StateKind::Abstraction, "Abstraction"),
        (StateKind::Shown, "Shown"),
        (StateKind::Bytes, "Bytes"),
    ];
}

impl fmt::Display for StateKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, name) = StateKind::ALL[*self as usize];
        f.write_str(name)
    }
}

/// Writes the heap of a value whose type is forgotten.
pub(crate) type WalkFn = fn(&dyn Any, &mut Encoder<'_>);

/// Makes the graph of such a heap.
pub(crate) type GraphFn = fn(&dyn Any, &Schema, &Layout) -> HeapGraph;

/// One way of seeing the values of a type, though their type is forgotten. The functions are those
/// of [`Type`].
#[derive(Clone, Copy, Debug)]
pub struct StateView {
    /// What they are told apart by.
    pub state: StateKind,
    /// Adds the classes to a schema.
    pub describe: fn(&mut Schema),
    /// Writes a value's heap.
    pub walk: fn(&dyn Any, &mut Encoder<'_>),
    /// The heap as a graph.
    pub graph: fn(&dyn Any, &Schema, &Layout) -> HeapGraph,
    /// Makes a value from a form.
    pub decode: fn(&mut Decoder<'_>) -> Result<Box<dyn Any>, Undecodable>,
}
