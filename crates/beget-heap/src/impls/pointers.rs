//! Owning and counting pointers of the standard library.

use std::rc::{Rc, Weak as RcWeak};
use std::sync::{Arc, Weak as ArcWeak};

use beget_process::guard::stop_with;

use crate::decode::{ObjectId, PointerTarget};
use crate::walk::{enter_present_target, enter_target};
use crate::{ClassKey, Decoder, Heap, Identity, Primitive, Schema, Undecodable, Walker};

#[inline(always)]
fn identity_of_owned<T>(target: &T) -> Identity {
    match size_of::<T>() {
        // A box of a zero-sized value has no address of its own.
        0 => Identity::Unique,
        _ => Identity::Owned(std::ptr::from_ref(target).addr()),
    }
}

impl<T: Heap> Heap for Box<T> {
    const IS_REGULAR: bool = true;
    const ORDER_IS_FORM: bool = T::ORDER_IS_FORM;
    const COUNTS_ITSELF: bool = T::COUNTS_ITSELF;

    fn class() -> ClassKey {
        T::class()
    }

    fn describe(schema: &mut Schema) {
        schema.object::<T>();
    }

    #[inline(always)]
    fn walk<W: Walker>(&self, walker: &mut W) {
        if enter_target::<T, W>(walker, identity_of_owned(&**self)) {
            (**self).walk_in_place(walker);
            walker.leave();
        }
    }

    #[inline(always)]
    fn walk_option<W: Walker>(this: Option<&Self>, walker: &mut W) {
        let Some(this) = this else { return walker.primitive(Primitive::Present(false)) };
        if enter_present_target::<T, W>(walker, identity_of_owned(&**this)) {
            (**this).walk_in_place(walker);
            walker.leave();
        }
    }

    /// A separate function, so that the `Option` around a link is read inline: half of the links of
    /// a tree lead nowhere.
    #[inline(never)]
    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        if size_of::<T>() == 0 {
            decoder.begin_object();
            let value = T::decode(decoder)?;
            decoder.leave();
            return Ok(Box::new(value));
        }
        let PointerTarget::New(id) = decoder.reach() else {
            return Err(Undecodable::new(
                "a raw pointer was met before the box that owns its target",
            ));
        };
        // The address must be known before the contents, which may point back at it.
        let mut place = Box::<T>::new_uninit();
        decoder.register_address(id, place.as_mut_ptr().expose_provenance());
        let value = T::decode(decoder)?;
        decoder.leave();
        Ok(Box::write(place, value))
    }
}

macro_rules! counted {
    ($($strong:ident, $weak:ident);+) => {$(
        impl<T: Heap> Heap for $strong<T> {
            const IS_REGULAR: bool = true;

            fn class() -> ClassKey {
                T::class()
            }

            fn describe(schema: &mut Schema) {
                schema.counted_object::<T>();
            }

            #[inline(always)]
            fn walk<W: Walker>(&self, walker: &mut W) {
                if enter_target::<T, W>(walker, Identity::Shared($strong::as_ptr(self).addr())) {
                    (**self).walk_in_place(walker);
                    walker.leave();
                }
            }

            #[inline(always)]
            fn walk_option<W: Walker>(this: Option<&Self>, walker: &mut W) {
                let Some(this) = this else { return walker.primitive(Primitive::Present(false)) };
                if enter_present_target::<T, W>(walker, Identity::Shared($strong::as_ptr(this).addr())) {
                    (**this).walk_in_place(walker);
                    walker.leave();
                }
            }

            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
                match decoder.reach() {
                    PointerTarget::New(id) => Self::make(decoder, id),
                    PointerTarget::Known(id) => decoder
                        .handle::<$strong<T>>(id)
                        .cloned()
                        .ok_or_else(|| Undecodable::new("strong pointers form a cycle")),
                }
            }
        }

        impl<T: Heap> Heap for $weak<T> {
            const IS_REGULAR: bool = true;

            fn class() -> ClassKey {
                T::class()
            }

            fn describe(schema: &mut Schema) {
                schema.counted_object::<T>();
            }

            #[inline(always)]
            fn walk<W: Walker>(&self, walker: &mut W) {
                <$strong<T>>::walk_option(self.upgrade().as_ref(), walker);
            }

            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
                if !decoder.bit() {
                    return Ok($weak::new());
                }
                match decoder.reach() {
                    // The decoder holds the strong pointer until the one that keeps it is read.
                    PointerTarget::New(id) => <$strong<T>>::make(decoder, id).map(|made| $strong::downgrade(&made)),
                    PointerTarget::Known(id) => decoder
                        .handle::<$weak<T>>(id)
                        .cloned()
                        .or_else(|| decoder.handle::<$strong<T>>(id).map($strong::downgrade))
                        .ok_or_else(|| Undecodable::new("a weak pointer into a pointer of another kind")),
                }
            }
        }

        impl<T: Heap> Make<$strong<T>> for $strong<T> {
            fn make(decoder: &mut Decoder<'_>, id: ObjectId) -> Result<$strong<T>, Undecodable> {
                let made = $strong::new_cyclic(|weak: &$weak<T>| {
                    decoder.register_handle(id, weak.clone());
                    let value = T::decode(decoder);
                    // `new_cyclic` has no way to fail; `decode_value` waits for it.
                    value.unwrap_or_else(|reason: Undecodable| stop_with(reason))
                });
                decoder.leave();
                decoder.register_handle(id, made.clone());
                Ok(made)
            }
        }
    )+};
}

/// Makes a counted pointer whose contents may hold weak pointers to it.
trait Make<P> {
    fn make(decoder: &mut Decoder<'_>, id: ObjectId) -> Result<P, Undecodable>;
}

counted!(Rc, RcWeak; Arc, ArcWeak);
