//! Rooted heaps: a value and everything reachable from it, seen as a labelled graph.
//!
//! This crate answers one question exactly: *are these two values the same structure?* It walks a
//! value depth first, numbers each object on its first visit, and writes the result as a compact
//! byte string, the [canonical form](encode). Two rooted heaps have the same canonical form exactly
//! when they are isomorphic: the same classes, values, sharing and cycles, whatever the addresses.
//!
//! ```
//! use beget_heap::{canonical_form, Bounds};
//! use std::rc::Rc;
//!
//! let shared = Rc::new(7);
//! let sharing = (shared.clone(), shared);
//! let apart = (Rc::new(7), Rc::new(7));
//! let bounds = Bounds::unlimited();
//! assert_ne!(canonical_form(&sharing, &bounds), canonical_form(&apart, &bounds));
//! ```
//!
//! A type shows its heap through [`Heap`], usually by `#[derive(Heap)]`. One walk yields the bytes
//! ([`Encoder`]) or the graph ([`HeapGraph`]). If its type allows it, a value can be reconstructed
//! from the bytes ([`Decoder`]).
//!
//! The crate knows nothing of methods, scope files or searches. Its definitions follow
//! Politano et al., "Efficient Bounded Exhaustive Input Generation from Program APIs" (FASE 2023),
//! section 3.2: rooted heaps are its Definition 1, the linearization is its Figure 3.
#![warn(missing_docs)]

mod class;
mod walk;

pub mod arena;
mod bits;
pub mod decode;
pub mod encode;
pub mod form;
pub mod graph;
pub mod hash;
mod ids;
mod impls;
pub mod laws;
mod layout;
mod path;
pub mod plain;
#[doc(hidden)]
pub mod probe;
pub mod raw;
mod root;
pub mod seen;
pub mod template;
mod ties;
pub mod unordered;
pub mod view;

pub use class::{Class, ClassKey, Field, Schema};
pub use decode::{Decoder, DecoderRoom, Undecodable, decode_form};
pub use encode::{Encoder, EncoderRoom, OutOfScope, PassedBound, canonical_form};
pub use form::{CanonicalForm, Form, FormCoding, FormRef, TagBits};
pub use graph::{HeapChange, HeapGraph};
pub use layout::{Bounds, Doubts, EXTREME_INTS, Layout};
pub use root::WalkRoot;
pub use seen::DebugText;
pub use template::{Change, ExchangedInt, Template};
pub use walk::{Heap, Identity, Primitive, Walker, Wide};
