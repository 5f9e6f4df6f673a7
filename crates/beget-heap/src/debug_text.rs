//! The `Debug` text of a value whose fields nobody can see.

use std::fmt::Debug;

use crate::{Heap, Primitive, Schema, Walker};

/// What a value shows of itself by `Debug`, for abstractions of types of other crates: two
/// values that show the same count as one.
///
/// A derived `Debug` shows all fields; one by hand may leave out what matters. No bound of a scope
/// holds for its length. Two values are told apart in time linear in their texts.
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
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DebugText(Box<str>);

impl DebugText {
    /// The text of `{value:?}`.
    ///
    /// # Panics
    /// If the value's `Debug` does.
    pub fn of(value: &(impl Debug + ?Sized)) -> Self {
        DebugText(format!("{value:?}").into_boxed_str())
    }
}

impl Heap for DebugText {
    fn describe(schema: &mut Schema) {
        schema.not_decodable("a value cannot be made of its `Debug` text");
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        walker.primitive(Primitive::Shown(&self.0));
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
