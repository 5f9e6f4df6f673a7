//! Views of pointers: always an `Option` of the target's view.

use std::marker::PhantomData;
use std::rc::{Rc, Weak as RcWeak};
use std::sync::{Arc, Weak as ArcWeak};

use super::{Maker, Place, Sharing, Viewed};
use crate::Heap;
use crate::raw::RawPointer;

/// The view of what a reference at `place` leads to.
#[inline(always)]
fn target<T: Viewed>(place: Place<'_>) -> Option<T::View<'_>> {
    place.follow().map(T::view)
}

macro_rules! pointers {
    ($($pointer:ident, $sharing:expr);+ $(;)?) => {$(
        impl<T: Heap + Viewed> Viewed for $pointer<T> {
            type View<'h> = Option<T::View<'h>>;
            type Optional<'h> = Option<T::View<'h>>;
            const CELLS: u32 = 1;
            const NULL: Option<i64> = Some(0);

            fn shape(maker: &mut Maker) {
                maker.pointer::<T>($sharing);
            }

            #[inline(always)]
            fn view(place: Place<'_>) -> Self::View<'_> {
                target::<T>(place)
            }

            #[inline(always)]
            fn view_optional(place: Place<'_>) -> Self::Optional<'_> {
                target::<T>(place)
            }
        }
    )+};
}

pointers! {
    // Same as in the walk: a box of a zero-sized value has no address of its own.
    Box, if size_of::<T>() == 0 { Sharing::Unique } else { Sharing::Owned };
    Rc, Sharing::Shared;
    Arc, Sharing::Shared;
}

macro_rules! unoptioned {
    ([$($generics:tt)*] $pointer:ty, $target:ty, |$maker:ident| $shape:expr) => {
        impl<$($generics)*> Viewed for $pointer {
            type View<'h> = Option<<$target as Viewed>::View<'h>>;
            type Optional<'h> = Option<Self::View<'h>>;
            const CELLS: u32 = 1;
            const NULL: Option<i64> = None;

            fn shape($maker: &mut Maker) {
                $shape
            }

            #[inline(always)]
            fn view(place: Place<'_>) -> Self::View<'_> {
                target::<$target>(place)
            }

            #[inline(always)]
            fn view_optional(place: Place<'_>) -> Self::Optional<'_> {
                (place.read() != 0).then(|| Self::view(place.offset(1)))
            }
        }
    };
}

unoptioned!([T: Heap + Viewed] RcWeak<T>, T, |maker| shared::<T>(maker, true));
unoptioned!([T: Heap + Viewed] ArcWeak<T>, T, |maker| shared::<T>(maker, true));

/// The view of a field `#[heap(unsafe(pointer))]` of type `P`.
#[derive(Debug)]
pub struct RawView<P>(PhantomData<fn() -> P>);

unoptioned!(
    [P: RawPointer<Target: Viewed> + 'static] RawView<P>, P::Target,
    |maker| shared::<P::Target>(maker, P::NULLABLE)
);

/// The view of a field `#[heap(link = T)]`.
#[derive(Debug)]
pub struct LinkView<T, const NULLABLE: bool>(PhantomData<fn() -> T>);

unoptioned!(
    [T: Heap + Viewed, const NULLABLE: bool] LinkView<T, NULLABLE>, T,
    |maker| shared::<T>(maker, NULLABLE)
);

fn shared<T: Heap + Viewed>(maker: &mut Maker, is_nullable: bool) {
    if is_nullable {
        maker.nullable(|maker| maker.pointer::<T>(Sharing::Shared));
    } else {
        maker.pointer::<T>(Sharing::Shared);
    }
}
