//! Values seen through a function: `#[heap(with = function)]`.
//!
//! The function makes a value for the walk alone. Nothing in the heap can point into that value, so
//! what it owns has no identity: a box made for one field and freed may stand at the address of the
//! next. Counted pointers in it keep their identity: they should be clones of ones that the
//! structure holds.

use crate::{ClassKey, Heap, Identity, Primitive, Schema, Walker};

/// Declares a field of type `F` that is shown as `see` makes it.
pub fn describe<F, S: Heap>(see: fn(&F) -> S, schema: &mut Schema) {
    let _ = see;
    S::describe(schema);
    schema.seen_through_function("a field is seen through a function (`with`)");
}

/// Walks what `see` makes of `value`.
#[inline]
pub fn walk<F, S: Heap, W: Walker>(see: fn(&F) -> S, value: &F, walker: &mut W) {
    see(value).walk(&mut SeenWalker { walker });
}

struct SeenWalker<'w, W> {
    walker: &'w mut W,
}

impl<W: Walker> Walker for SeenWalker<'_, W> {
    #[inline(always)]
    fn primitive(&mut self, value: Primitive<'_>) {
        self.walker.primitive(value);
    }

    #[inline(always)]
    fn enter(&mut self, class: ClassKey, identity: Identity) -> bool {
        let identity = match identity {
            Identity::Owned(_) => Identity::Unique,
            other => other,
        };
        self.walker.enter(class, identity)
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.walker.leave();
    }

    #[inline(always)]
    fn field(&mut self, class: ClassKey, index: usize) -> bool {
        self.walker.field(class, index)
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
    fn element(&mut self, index: usize) {
        self.walker.element(index);
    }

    #[inline(always)]
    fn link<T: Heap>(&mut self, slot: usize) {
        self.walker.link::<T>(slot);
    }
}
