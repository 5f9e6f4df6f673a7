//! Values seen through a function: `#[heap(with = function)]`.
//!
//! The function makes a value for the walk alone. Nothing in the heap can point into that value, so
//! its own objects have no identity: a box made for one field and freed may stand at the address of
//! the next. Counted pointers in it keep their identity: they should be clones of ones that the
//! structure holds.
//!
//! `#[heap(debug)]` is such a function that the derive writes: [`debug_text`], or [`debug_texts`]
//! for a `Vec`.

use std::fmt::Debug;

use crate::{ClassKey, Heap, Identity, Primitive, Schema, Walker, Wide};

/// Declares a field of type `F` that is shown as the result of `see`.
pub fn describe<F, S: Heap>(see: fn(&F) -> S, schema: &mut Schema) {
    let _ = see;
    S::describe(schema);
    schema.unseen::<F>();
    schema.seen_through_function("a field is seen through a function (`with`)");
}

/// Walks the result of `see` for `value`.
#[inline]
pub fn walk<F, S: Heap, W: Walker>(see: fn(&F) -> S, value: &F, walker: &mut W) {
    see(value).walk(&mut SeenWalker { walker });
}

/// A value as its `Debug` writes it, of any length. It also abstracts types whose fields are
/// hidden. A derived `Debug` shows all fields; a handwritten one may leave out what matters.
///
/// ```
/// use beget_heap::{Bounds, DebugText, canonical_form};
///
/// let form = |value: &Option<u8>| {
///     canonical_form(&DebugText::of(value), &Bounds::unlimited()).unwrap()
/// };
/// assert_eq!(form(&Some(1)), form(&Some(1)));
/// assert_ne!(form(&Some(1)), form(&Some(2)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugText(String);

impl DebugText {
    /// The text of `{value:?}`.
    ///
    /// # Panics
    /// If the value's `Debug` does.
    pub fn of<T: Debug + ?Sized>(value: &T) -> Self {
        DebugText(format!("{value:?}"))
    }
}

impl Heap for DebugText {
    fn describe(schema: &mut Schema) {
        schema.not_decodable("a value cannot be made from the text of its `Debug`");
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        walker.primitive(Primitive::Shown(&self.0));
    }
}

/// A value by its `Debug`.
pub fn debug_text<T: Debug + ?Sized>(value: &T) -> DebugText {
    DebugText::of(value)
}

/// The elements of a list, each by its `Debug`.
pub fn debug_texts<T: Debug>(values: &[T]) -> Vec<DebugText> {
    values.iter().map(debug_text).collect()
}

struct SeenWalker<'w, W> {
    walker: &'w mut W,
}

/// Removes the identity of objects owned by a value that is made for the walk alone.
#[inline(always)]
fn without_owner(identity: Identity) -> Identity {
    match identity {
        Identity::Owned(_) => Identity::Unique,
        other => other,
    }
}

impl<W: Walker> Walker for SeenWalker<'_, W> {
    #[inline(always)]
    fn primitive(&mut self, value: Primitive<'_>) {
        self.walker.primitive(value);
    }

    #[inline(always)]
    fn enter(&mut self, class: ClassKey, identity: Identity) -> bool {
        self.walker.enter(class, without_owner(identity))
    }

    #[inline(always)]
    fn enter_around(&mut self, class: ClassKey, identity: Identity) -> bool {
        self.walker.enter_around(class, without_owner(identity))
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.walker.leave();
    }

    #[inline(always)]
    fn length(&mut self, length: usize) -> bool {
        self.walker.length(length)
    }

    #[inline(always)]
    fn field(&mut self, class: ClassKey, index: usize) -> bool {
        self.walker.field(class, index)
    }

    #[inline(always)]
    fn ties(&mut self) {
        self.walker.ties();
    }

    #[inline(always)]
    fn begin_contents(&mut self) {
        self.walker.begin_contents();
    }

    #[inline(always)]
    fn begin_entry(&mut self, rank: Option<&[u8]>) {
        self.walker.begin_entry(rank);
    }

    #[inline(always)]
    fn end_entry(&mut self) {
        self.walker.end_entry();
    }

    #[inline(always)]
    fn end_contents(&mut self) {
        self.walker.end_contents();
    }

    #[inline(always)]
    fn begin_record(&mut self, class: ClassKey) {
        self.walker.begin_record(class);
    }

    #[inline(always)]
    fn end_record(&mut self) {
        self.walker.end_record();
    }

    #[inline(always)]
    fn begin_elements(&mut self) {
        self.walker.begin_elements();
    }

    #[inline(always)]
    fn end_elements(&mut self) {
        self.walker.end_elements();
    }

    #[inline(always)]
    fn wide(&mut self, value: Wide) {
        self.walker.wide(value);
    }

    #[inline(always)]
    fn element(&mut self, index: usize) {
        self.walker.element(index);
    }

    #[inline(always)]
    fn map_key(&mut self, index: usize) {
        self.walker.map_key(index);
    }

    #[inline(always)]
    fn map_value(&mut self) {
        self.walker.map_value();
    }

    #[inline(always)]
    fn slot_number(&mut self, slot: usize) {
        self.walker.slot_number(slot);
    }

    #[inline(always)]
    fn n_slots<T: Heap>(&self) -> Option<usize> {
        self.walker.n_slots::<T>()
    }

    #[inline(always)]
    fn link<T: Heap>(&mut self, slot: usize) {
        self.walker.link::<T>(slot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, canonical_form};

    /// A text of the same length is out of scope, what a value shows is not.
    #[test]
    fn no_bound_holds_for_what_a_value_shows() {
        let narrow = Bounds { text: 1, ..Bounds::unlimited() };
        let shown = DebugText::of(&[1, 2, 3]);
        assert!(canonical_form(&"[1, 2, 3]".to_owned(), &narrow).is_err());
        let form = |shown: &DebugText| canonical_form(shown, &narrow).unwrap();
        assert_eq!(form(&shown), form(&shown.clone()));
        assert_ne!(form(&shown), form(&DebugText::of(&[1, 2, 4])));
        assert_ne!(form(&shown), form(&DebugText::of(&[1, 2])));
        crate::laws::check(&shown).unwrap();
    }
}
