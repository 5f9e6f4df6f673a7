//! Roots: the values that walks begin at.
//!
//! Code that is generic over roots is compiled again for each type under test, in the user's own
//! crate. So all that is rarely run, or does not depend on the type, is written against
//! [`AnyRoot`]: of each type it needs only the walks themselves.

use std::any::TypeId;

use crate::encode::{Encoder, FieldEncoder};
use crate::graph::GraphBuilder;
use crate::ties::WalkRecorder;
use crate::{ClassKey, Heap, Walker};

/// A value that walks begin at. Every [`Heap`] is one; others have a class that is known only when
/// the program runs, which they declare with
/// [`Schema::add_record_root`](crate::Schema::add_record_root).
pub trait WalkRoot {
    /// The class that it counts as.
    fn root_class(&self) -> ClassKey;

    /// Returns whether it is itself an object of that class, and not a pointer to one or a cell.
    fn is_object(&self) -> bool {
        true
    }

    /// Shows it to the walker.
    fn walk_root<W: Walker>(&self, walker: &mut W);
}

impl<T: Heap> WalkRoot for T {
    #[inline(always)]
    fn root_class(&self) -> ClassKey {
        T::class()
    }

    #[inline(always)]
    fn is_object(&self) -> bool {
        T::class().id == TypeId::of::<T>()
    }

    #[inline(always)]
    fn walk_root<W: Walker>(&self, walker: &mut W) {
        self.walk(walker);
    }
}

/// A root without its type.
pub(crate) trait AnyRoot {
    /// Its class, and whether it is an object of it.
    fn class(&self) -> (ClassKey, bool);

    fn encode(&self, walker: &mut Encoder<'_>);

    fn encode_fields(&self, walker: &mut FieldEncoder<'_, '_>);

    fn record(&self, walker: &mut WalkRecorder<'_>);

    fn draw(&self, walker: &mut GraphBuilder<'_>);
}

impl<R: WalkRoot> AnyRoot for R {
    fn class(&self) -> (ClassKey, bool) {
        (self.root_class(), self.is_object())
    }

    fn encode(&self, walker: &mut Encoder<'_>) {
        self.walk_root(walker);
    }

    fn encode_fields(&self, walker: &mut FieldEncoder<'_, '_>) {
        self.walk_root(walker);
    }

    fn record(&self, walker: &mut WalkRecorder<'_>) {
        self.walk_root(walker);
    }

    fn draw(&self, walker: &mut GraphBuilder<'_>) {
        self.walk_root(walker);
    }
}
