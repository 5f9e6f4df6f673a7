//! Pointers taken as plain values: `#[heap(plain)]`.
//!
//! A `Box<i32>` or an `Rc<str>`-like field whose identity does not matter is shown by content
//! alone: it is neither counted nor numbered, so sharing it or not makes no difference.

use crate::{ClassKey, Heap, Identity, Primitive, Schema, Walker};

/// Declares a plain field: the classes below it are no objects.
pub fn describe<T: Heap>(schema: &mut Schema) {
    schema.plain();
}

/// Walks a value without the identities of its objects. The value must not be cyclic.
#[inline]
pub fn walk<T: Heap, W: Walker>(value: &T, walker: &mut W) {
    // Behind a pointer to the walker, so that nested plain values do not nest types.
    value.walk(&mut Plain { walker });
}

/// The walker below, for a plain value.
trait PlainWalker {
    fn primitive(&mut self, value: Primitive<'_>);
    fn ties(&mut self);
    fn begin_contents(&mut self);
    fn begin_entry(&mut self, rank: Option<&[u8]>);
    fn end_entry(&mut self);
    fn end_contents(&mut self);
}

impl<W: Walker> PlainWalker for W {
    fn primitive(&mut self, value: Primitive<'_>) {
        Walker::primitive(self, value);
    }

    fn ties(&mut self) {
        Walker::ties(self);
    }

    fn begin_contents(&mut self) {
        Walker::begin_contents(self);
    }

    fn begin_entry(&mut self, rank: Option<&[u8]>) {
        Walker::begin_entry(self, rank);
    }

    fn end_entry(&mut self) {
        Walker::end_entry(self);
    }

    fn end_contents(&mut self) {
        Walker::end_contents(self);
    }
}

struct Plain<'w> {
    walker: &'w mut dyn PlainWalker,
}

impl Walker for Plain<'_> {
    fn primitive(&mut self, value: Primitive<'_>) {
        self.walker.primitive(value);
    }

    fn enter(&mut self, _: ClassKey, _: Identity) -> bool {
        true
    }

    fn leave(&mut self) {}

    fn field(&mut self, _: ClassKey, _: usize) -> bool {
        true
    }

    fn ties(&mut self) {
        self.walker.ties();
    }

    fn begin_contents(&mut self) {
        self.walker.begin_contents();
    }

    fn begin_entry(&mut self, rank: Option<&[u8]>) {
        self.walker.begin_entry(rank);
    }

    fn end_entry(&mut self) {
        self.walker.end_entry();
    }

    fn end_contents(&mut self) {
        self.walker.end_contents();
    }
}
