//! Views of a type's values: the functions that make the heap by which they are identified.
//!
//! A type has one view at a time, which the suite chooses; a scope may name another one that the
//! suite has. The module defines no view itself: the maker of a type supplies them.
//!
//! # Choosing the state
//!
//! **The identity of values** is a `StateKind`: their fields, an abstraction, everything that they
//! show (`crates/beget-suite/src/shown.rs`), or their memory. A type has one and may have more,
//! each a `StateView`: the four functions by which a type is described, walked, drawn and decoded.
//! A scope chooses while its plan is made, by exchanging these functions in the suite
//! (`Suite::seen_by`), so the choice is invisible after that. The shown state of a type is a class
//! like any other: its fields are texts and numbers, so bounds, digests, pictures and messages need
//! no extra code.

use std::any::Any;
use std::fmt;

use beget_heap::{Class, Decoder, Encoder, HeapGraph, Layout, Schema, Undecodable};

use crate::{Method, Suite, Type};

/// The identity of a type's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StateKind {
    /// Their fields, by an implementation of [`Heap`](beget_heap::Heap).
    Fields,
    /// An abstraction that the suite has for them.
    Abstraction,
    /// Everything that they show: see [`Showing`](crate::Showing).
    Shown,
    /// Their memory: see [`bytes_view`](crate::bytes_view).
    Bytes,
}

impl StateKind {
    /// All kinds, with their names in scope files.
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

/// Writes the heap of a value with its type erased.
pub(crate) type WalkFn = fn(&dyn Any, &mut Encoder<'_>);

/// Makes the graph of such a heap.
pub(crate) type GraphFn = fn(&dyn Any, &Schema, &Layout) -> HeapGraph;

/// One view of a type's values, with the type erased. The functions are those of [`Type`].
#[derive(Clone, Copy, Debug)]
pub struct StateView {
    /// The kind of state.
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

impl Type {
    /// The current view of the values.
    pub fn view(&self) -> StateView {
        StateView {
            state: self.state,
            describe: self.describe,
            walk: self.walk,
            graph: self.graph,
            decode: self.decode_own,
        }
    }

    /// The type with another view of its values, if there is one.
    pub fn with_view(mut self, view: Option<StateView>) -> Self {
        self.further_views.extend(view);
        self
    }

    /// All available views of the values, in the order of [`StateKind::ALL`].
    pub fn states(&self) -> Vec<StateKind> {
        let further = self.further_views.iter().map(|view| view.state);
        let mut states: Vec<StateKind> = further.chain([self.state]).collect();
        states.sort();
        states
    }

    /// Returns whether values show anything at all.
    pub fn shows_anything(&self) -> bool {
        let mut schema = Schema::default();
        self.describe_in(&mut schema);
        let is_empty = |class: &Class| class.fields.is_empty() && !class.is_object;
        !schema.classes().iter().all(is_empty)
    }

    /// The type with values identified by `state`; `None` if it has no such view.
    pub fn seen_by(&self, state: StateKind) -> Option<Type> {
        if self.state == state {
            return Some(self.clone());
        }
        let mut further_views = self.further_views.clone();
        let view = further_views.iter_mut().find(|view| view.state == state)?;
        let StateView { state, describe, walk, graph, decode } =
            std::mem::replace(view, self.view());
        Some(Type {
            state,
            describe,
            walk,
            graph,
            decode_own: decode,
            further_views,
            ..self.clone()
        })
    }
}

impl Suite {
    /// The suite with values of the main type identified by `state`; `None` if it has no such view.
    pub fn seen_by(&self, state: StateKind) -> Option<Suite> {
        let mut types = self.types.clone();
        let main = types.first_mut()?;
        *main = main.seen_by(state)?;
        let methods = match state {
            StateKind::Bytes => self.methods.iter().map(Method::tracked).collect(),
            _ => self.methods.clone(),
        };
        Some(Suite { types, methods, ..self.clone() })
    }
}
