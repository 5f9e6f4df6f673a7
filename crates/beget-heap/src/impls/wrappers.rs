//! Wrappers, which show their content.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::num::{Saturating, Wrapping};

use crate::{ClassKey, Decoder, Heap, Primitive, Schema, Undecodable, Walker};

macro_rules! transparent {
    ($($wrapper:ident),+) => {$(
        impl<T: Heap> Heap for $wrapper<T> {
            const IS_REGULAR: bool = true;
            const ORDER_IS_FORM: bool = T::ORDER_IS_FORM;
            const COUNTS_ITSELF: bool = T::COUNTS_ITSELF;

            fn class() -> ClassKey {
                T::class()
            }

            fn describe(schema: &mut Schema) {
                schema.part::<T>();
            }

            #[inline(always)]
            fn walk<W: Walker>(&self, walker: &mut W) {
                self.0.walk_in_place(walker);
            }

            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
                T::decode(decoder).map($wrapper)
            }
        }
    )+};
}

transparent!(Reverse, Saturating, Wrapping);

/// Shows the variant, as an enum does: a `match` can distinguish the two.
impl<T: ?Sized + ToOwned<Owned: Heap> + 'static> Heap for Cow<'static, T> {
    const IS_REGULAR: bool = false;

    fn describe(schema: &mut Schema) {
        schema.part::<T::Owned>();
        schema.not_decodable("a borrowed value cannot be made from its contents");
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let variant = |index, name| Primitive::Variant { index, of: 2, name };
        match self {
            Cow::Borrowed(value) => {
                walker.primitive(variant(0, "Borrowed"));
                crate::plain::walk(&(*value).to_owned(), walker);
            }
            Cow::Owned(value) => {
                walker.primitive(variant(1, "Owned"));
                value.walk_in_place(walker);
            }
        }
    }
}
