//! Ranges, their bounds, and the small enums of the standard library.

use std::cmp::Ordering;
use std::ops::{
    Bound, ControlFlow, Range, RangeBounds, RangeFrom, RangeFull, RangeInclusive, RangeTo,
    RangeToInclusive,
};
use std::task::Poll;

use crate::{Decoder, Heap, Primitive, Schema, Undecodable, Walker};

macro_rules! structs {
    ($($name:ident<$parameter:ident> { $($field:ident),+ });+ $(;)?) => {$(
        impl<$parameter: Heap> Heap for $name<$parameter> {
            const IS_REGULAR: bool = true;

            fn describe(schema: &mut Schema) {
                schema.part::<$parameter>();
            }

            #[inline(always)]
            fn walk<W: Walker>(&self, walker: &mut W) {
                walker.begin_elements();
                structs!(@walk self, walker, 0, $($field),+);
                walker.end_elements();
            }

            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
                $(let $field = $parameter::decode(decoder)?;)+
                Ok($name { $($field),+ })
            }
        }
    )+};
    (@walk $this:ident, $walker:ident, $index:expr, $field:ident $(, $more:ident)*) => {
        $walker.element($index);
        $this.$field.walk_in_place($walker);
        structs!(@walk $this, $walker, $index + 1 $(, $more)*);
    };
    (@walk $this:ident, $walker:ident, $index:expr) => {};
}

structs! {
    Range<T> { start, end };
    RangeFrom<T> { start };
    RangeTo<T> { end };
    RangeToInclusive<T> { end };
}

impl Heap for RangeFull {
    const IS_REGULAR: bool = true;

    fn describe(_: &mut Schema) {}

    fn walk<W: Walker>(&self, _: &mut W) {}

    fn decode(_: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        Ok(RangeFull)
    }
}

/// Also shows whether iteration has ended, which the range remembers.
impl<T: Heap> Heap for RangeInclusive<T> {
    const IS_REGULAR: bool = true;

    fn describe(schema: &mut Schema) {
        schema.part::<T>();
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        // The bound of an exhausted range is excluded.
        walker.primitive(Primitive::Bool(matches!(self.end_bound(), Bound::Excluded(_))));
        walker.begin_elements();
        for (index, end) in [self.start(), self.end()].into_iter().enumerate() {
            walker.element(index);
            end.walk_in_place(walker);
        }
        walker.end_elements();
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        if decoder.bit() {
            return Err(Undecodable::new("only iteration makes an exhausted range"));
        }
        Ok(RangeInclusive::new(T::decode(decoder)?, T::decode(decoder)?))
    }
}

macro_rules! enums {
    ($($name:ident [$($parameter:ident),*] of $of:literal {
        $($index:literal: $variant:ident $(($value:ident: $ty:ident))?),+ $(,)?
    })+) => {$(
        impl<$($parameter: Heap),*> Heap for $name<$($parameter),*> {
            const IS_REGULAR: bool = true;

            #[allow(unused_variables, reason = "without parameters there are no parts")]
            fn describe(schema: &mut Schema) {
                $(schema.part::<$parameter>();)*
            }

            fn walk<W: Walker>(&self, walker: &mut W) {
                match self {$(
                    $name::$variant $(($value))? => {
                        let name = stringify!($variant);
                        walker.primitive(Primitive::Variant { index: $index, of: $of, name });
                        $($value.walk_in_place(walker);)?
                    }
                )+}
            }

            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
                match decoder.variant($of) {
                    $($index => Ok($name::$variant $(({
                        let $value = $ty::decode(decoder)?;
                        $value
                    }))?),)+
                    _ => Err(Undecodable::new("there is no such variant")),
                }
            }
        }
    )+};
}

enums! {
    Ordering [] of 3 { 0: Less, 1: Equal, 2: Greater }
    Bound [T] of 3 { 0: Included(value: T), 1: Excluded(value: T), 2: Unbounded }
    ControlFlow [B, C] of 2 { 0: Continue(value: C), 1: Break(value: B) }
    Poll [T] of 2 { 0: Ready(value: T), 1: Pending }
}
