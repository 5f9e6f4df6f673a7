//! The heap view: a rooted heap as typed accessors, over which a repOK is plain Rust.
//!
//! Every heap is seen as one concrete [`Table`] of cells. A view is a position in it: `Copy`, equal
//! by identity, with one method per field. `#[derive(HeapView)]` on a struct `List` makes
//! `ListView<'_>`:
//!
//! | field | accessor gives |
//! | --- | --- |
//! | `Box<T>`, `Rc<T>`, `Arc<T>`, their `Weak`, raw pointers, links, and `Option` of these | `Option` of `T`'s view |
//! | an integer; an `Option` of one | `i64`; `Option<i64>` |
//! | `bool`, an enum without fields | itself |
//! | `Vec<T>` and other sequences | [`ArrayView`] |
//! | a struct stored in place | its own view |
//!
//! `RefCell`, `Cell` and locks are transparent. Even pointers that cannot be null give an `Option`:
//! a repOK is evaluated on heaps that no value can have, so it must state that the header exists.
//!
//! One table serves three uses: the canonical form of a live or a stored structure is laid out by
//! [`Viewer`]; a search changes the cells itself, and [`Table::n_read`] reports which ones a
//! predicate read, in order.
//!
//! Accessors read lazily: nothing is read before its method is called, so the order of reads is the
//! order of calls.

mod array;
mod fill;
mod impls;
mod listing;
mod pointers;
mod rep_ok;
mod scratch;
mod shape;
mod table;
mod text;
mod viewer;
mod walk;

use std::any::TypeId;

#[cfg(doc)]
use crate::Heap;

pub use array::ArrayView;
pub use fill::Filler;
pub use listing::list_broken;
pub use pointers::{LinkView, RawView};
pub use rep_ok::{BrokenClause, OrBroken, RepOk, Root, Verdict, clause};
pub use scratch::{NodeSet, Worklist};
pub use shape::{ClassId, ClassShape, Item, Maker, Shapes, Sharing};
pub use table::{Place, Table, TooManyReads};
pub use text::{to_shape, to_text};
pub use viewer::Viewer;
pub use walk::{Unrepresentable, walk};

/// A type whose heap can be seen through a view. Implement it by `#[derive(HeapView)]`.
///
/// [`Heap`] is no supertrait, because a raw pointer or a link has a view ([`RawView`],
/// [`LinkView`]) but no heap of its own.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no view for a repOK",
    label = "`beget::HeapView` is not derived for `{Self}`",
    note = "derive `beget::HeapView` for it beside `beget::Heap`; for a type of another crate mark the field `#[heap(with = function)]` or `#[heap(skip)]`"
)]
pub trait Viewed: 'static {
    /// The view of a value.
    type View<'h>: Copy;

    /// The view of an `Option` of it.
    type Optional<'h>: Copy;

    /// The number of cells that a value takes in place.
    const CELLS: u32;

    /// The content of the first cell that means "none"; `None` if an `Option` needs a cell more.
    const NULL: Option<i64>;

    /// The class of its objects. Transparent cells have the class of their content.
    fn object_id() -> TypeId
    where
        Self: Sized,
    {
        TypeId::of::<Self>()
    }

    /// Adds the meanings of its cells, in the order of the walk.
    fn shape(maker: &mut Maker);

    /// The view of the value at `place`.
    fn view(place: Place<'_>) -> Self::View<'_>;

    /// The view of the `Option` at `place`.
    fn view_optional(place: Place<'_>) -> Self::Optional<'_>;
}

/// A view of a struct: it has a place, which is its identity.
pub trait NodeView<'h>: Copy {
    /// The place.
    fn place(self) -> Place<'h>;

    /// The view at a place of an object of this class.
    fn at(place: Place<'h>) -> Self;
}
