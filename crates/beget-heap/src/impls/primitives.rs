//! Types without objects: numbers, text, `Option`, `Result`, markers.

use std::marker::PhantomData;
use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8,
    NonZeroU16, NonZeroU32, NonZeroU64, NonZeroU128, NonZeroUsize,
};

use crate::{Decoder, Heap, Primitive, Schema, Undecodable, Walker, Wide};

macro_rules! integer {
    (@option Signed) => {
        #[inline(always)]
        fn walk_option_in_place<W: Walker>(this: Option<&Self>, walker: &mut W) {
            match this {
                Some(value) => {
                    let address = std::ptr::from_ref(value).addr();
                    walker.int_at(address, size_of::<Self>(), Primitive::PresentSigned(*value as i64));
                }
                None => walker.primitive(Primitive::Present(false)),
            }
        }

        #[inline(always)]
        fn walk_option<W: Walker>(this: Option<&Self>, walker: &mut W) {
            walker.primitive(match this {
                Some(value) => Primitive::PresentSigned(*value as i64),
                None => Primitive::Present(false),
            });
        }
    };
    (@option Unsigned) => {
        #[inline(always)]
        fn walk_option_in_place<W: Walker>(this: Option<&Self>, walker: &mut W) {
            walker.primitive(Primitive::Present(this.is_some()));
            if let Some(value) = this {
                value.walk_in_place(walker);
            }
        }
    };
    ($($ty:ty: $kind:ident $wide:ty, $read:ident);+ $(;)?) => {$(
        impl Heap for $ty {
            const IS_REGULAR: bool = true;
            const ORDER_IS_FORM: bool = true;

            fn describe(_: &mut Schema) {}

            #[inline(always)]
            fn walk<W: Walker>(&self, walker: &mut W) {
                walker.primitive(Primitive::$kind(*self as $wide));
            }

            #[inline(always)]
            fn walk_in_place<W: Walker>(&self, walker: &mut W) {
                let address = std::ptr::from_ref(self).addr();
                walker.int_at(address, size_of::<Self>(), Primitive::$kind(*self as $wide));
            }

            integer!(@option $kind);

            #[inline(always)]
            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
                Ok(decoder.$read() as $ty)
            }
        }
    )+};
}

integer! {
    i8: Signed i64, signed; i16: Signed i64, signed; i32: Signed i64, signed; i64: Signed i64, signed;
    isize: Signed i64, signed;
    u8: Unsigned u64, unsigned; u16: Unsigned u64, unsigned; u32: Unsigned u64, unsigned;
    u64: Unsigned u64, unsigned; usize: Unsigned u64, unsigned;
}

macro_rules! wide_integer {
    ($($ty:ty: $kind:ident),+) => {$(
        impl Heap for $ty {
            const IS_REGULAR: bool = true;
            const ORDER_IS_FORM: bool = true;

            fn describe(_: &mut Schema) {}

            #[inline(always)]
            fn walk<W: Walker>(&self, walker: &mut W) {
                walker.wide(Wide::$kind(*self));
            }

            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
                let low = <$ty>::from(decoder.unsigned());
                Ok(low | (decoder.unsigned() as $ty) << 64)
            }
        }
    )+};
}

wide_integer!(u128: Unsigned, i128: Signed);

macro_rules! converted {
    ($($ty:ty: |$value:ident| $there:expr, |$decoder:ident| $back:expr);+ $(;)?) => {$(
        impl Heap for $ty {
            const IS_REGULAR: bool = true;
            const ORDER_IS_FORM: bool = true;

            fn describe(_: &mut Schema) {}

            #[inline(always)]
            fn walk<W: Walker>(&self, walker: &mut W) {
                let $value = self;
                walker.primitive($there);
            }

            #[inline(always)]
            fn decode($decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
                $back
            }
        }
    )+};
}

fn unfit(_: impl Sized) -> Undecodable {
    Undecodable::new("the number does not fit its type")
}

macro_rules! non_zero {
    ($($ty:ident of $primitive:ty),+ $(,)?) => {$(
        impl Heap for $ty {
            const IS_REGULAR: bool = true;
            const ORDER_IS_FORM: bool = true;

            fn describe(_: &mut Schema) {}

            #[inline(always)]
            fn walk<W: Walker>(&self, walker: &mut W) {
                self.get().walk(walker);
            }

            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
                <$primitive>::decode(decoder)?.try_into().map_err(unfit)
            }
        }
    )+};
}

non_zero! {
    NonZeroU8 of u8, NonZeroU16 of u16, NonZeroU32 of u32, NonZeroU64 of u64, NonZeroU128 of u128,
    NonZeroUsize of usize, NonZeroI8 of i8, NonZeroI16 of i16, NonZeroI32 of i32,
    NonZeroI64 of i64, NonZeroI128 of i128, NonZeroIsize of isize,
}

converted! {
    bool: |value| Primitive::Bool(*value), |decoder| Ok(decoder.bit());
    char: |value| Primitive::Word(u64::from(u32::from(*value))),
        |decoder| char::from_u32(decoder.unsigned() as u32).ok_or_else(|| unfit(()));
    f32: |value| Primitive::Float(u64::from(value.to_bits()), 32),
        |decoder| Ok(f32::from_bits(decoder.float(32) as u32));
    f64: |value| Primitive::Float(value.to_bits(), 64), |decoder| Ok(f64::from_bits(decoder.float(64)));
    String: |value| Primitive::Text(value), |decoder| decoder.text();
}

impl Heap for () {
    const IS_REGULAR: bool = true;
    const ORDER_IS_FORM: bool = true;

    fn describe(_: &mut Schema) {}

    #[inline(always)]
    fn walk<W: Walker>(&self, _: &mut W) {}

    fn decode(_: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        Ok(())
    }
}

impl<T: ?Sized + 'static> Heap for PhantomData<T> {
    const IS_REGULAR: bool = true;
    const ORDER_IS_FORM: bool = true;

    fn describe(_: &mut Schema) {}

    #[inline(always)]
    fn walk<W: Walker>(&self, _: &mut W) {}

    fn decode(_: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        Ok(PhantomData)
    }
}

impl Heap for &'static str {
    const IS_REGULAR: bool = true;
    const ORDER_IS_FORM: bool = true;

    fn describe(schema: &mut Schema) {
        schema.not_decodable("a borrowed string cannot be made from its text");
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        walker.primitive(Primitive::Text(self));
    }
}

impl<T: Heap> Heap for Option<T> {
    const IS_REGULAR: bool = true;
    const ORDER_IS_FORM: bool = T::ORDER_IS_FORM;

    fn class() -> crate::ClassKey {
        T::class()
    }

    fn describe(schema: &mut Schema) {
        schema.part::<T>();
    }

    #[inline(always)]
    fn walk<W: Walker>(&self, walker: &mut W) {
        T::walk_option(self.as_ref(), walker);
    }

    #[inline(always)]
    fn walk_in_place<W: Walker>(&self, walker: &mut W) {
        T::walk_option_in_place(self.as_ref(), walker);
    }

    #[inline(always)]
    fn walk_option_in_place<W: Walker>(this: Option<&Self>, walker: &mut W) {
        walker.primitive(Primitive::Present(this.is_some()));
        if let Some(value) = this {
            value.walk_in_place(walker);
        }
    }

    #[inline(always)]
    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        if decoder.bit() { T::decode(decoder).map(Some) } else { Ok(None) }
    }
}

impl<T: Heap, E: Heap> Heap for Result<T, E> {
    const IS_REGULAR: bool = true;
    const ORDER_IS_FORM: bool = T::ORDER_IS_FORM && E::ORDER_IS_FORM;

    fn describe(schema: &mut Schema) {
        schema.part::<T>();
        schema.part::<E>();
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let variant = |index, name| Primitive::Variant { index, of: 2, name };
        match self {
            Ok(value) => {
                walker.primitive(variant(0, "Ok"));
                value.walk_in_place(walker);
            }
            Err(error) => {
                walker.primitive(variant(1, "Err"));
                error.walk_in_place(walker);
            }
        }
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        match decoder.variant(2) {
            0 => T::decode(decoder).map(Ok),
            _ => E::decode(decoder).map(Err),
        }
    }
}
