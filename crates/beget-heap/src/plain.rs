//! Pointers taken as plain values: `#[heap(plain)]`.
//!
//! A `Box<i32>` or an `Rc<str>`-like field whose identity does not matter is shown by content
//! alone: it is neither counted nor numbered, so sharing it or not makes no difference.

use crate::{ClassKey, Heap, Identity, Primitive, Schema, Walker};

/// Declares a plain field: the classes below it are no objects.
pub fn describe<T: Heap>(schema: &mut Schema) {
    schema.plain();
}

/// Walks a value without its objects' identities. The value must not be cyclic.
#[inline]
pub fn walk<T: Heap, W: Walker>(value: &T, walker: &mut W) {
    // Behind a pointer to the walker, so that nesting plain values does not nest types.
    value.walk(&mut Plain { primitive: &mut |value| walker.primitive(value) });
}

struct Plain<'w> {
    primitive: &'w mut dyn FnMut(Primitive<'_>),
}

impl Walker for Plain<'_> {
    fn primitive(&mut self, value: Primitive<'_>) {
        (self.primitive)(value);
    }

    fn enter(&mut self, _: ClassKey, _: Identity) -> bool {
        true
    }

    fn leave(&mut self) {}

    fn field(&mut self, _: ClassKey, _: usize) -> bool {
        true
    }
}
