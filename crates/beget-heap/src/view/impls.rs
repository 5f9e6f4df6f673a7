//! Views of values without identity, and of sequences.

use std::any::TypeId;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, BinaryHeap, LinkedList, VecDeque};
use std::marker::PhantomData;
use std::sync::{Mutex, RwLock};

use super::{ArrayView, Item, Maker, Place, Viewed};
use crate::Heap;

macro_rules! integers {
    ($item:ident: $($ty:ty),+) => {$(
        impl Viewed for $ty {
            type View<'h> = i64;
            type Optional<'h> = Option<i64>;
            const CELLS: u32 = 1;
            const NULL: Option<i64> = Some(i64::MIN);

            fn shape(maker: &mut Maker) {
                maker.cell(Item::$item);
            }

            #[inline(always)]
            fn view(place: Place<'_>) -> i64 {
                place.read()
            }

            #[inline(always)]
            fn view_optional(place: Place<'_>) -> Option<i64> {
                let value = place.read();
                (value != i64::MIN).then_some(value)
            }
        }
    )+};
}

integers!(Signed: i8, i16, i32, i64, isize);
integers!(Unsigned: u8, u16, u32, u64, usize);

/// The optional view of a type whose `Option` keeps its presence in a separate cell.
#[inline(always)]
fn view_after_presence<T: Viewed>(place: Place<'_>) -> Option<T::View<'_>> {
    (place.read() != 0).then(|| T::view(place.offset(1)))
}

macro_rules! one_cell {
    ($($ty:ty => $view:ty, $null:expr, $item:expr, |$place:ident| $see:expr);+ $(;)?) => {$(
        impl Viewed for $ty {
            type View<'h> = $view;
            type Optional<'h> = Option<$view>;
            const CELLS: u32 = 1;
            const NULL: Option<i64> = $null;

            fn shape(maker: &mut Maker) {
                maker.cell($item);
            }

            #[inline(always)]
            fn view($place: Place<'_>) -> Self::View<'_> {
                $see
            }

            #[inline(always)]
            fn view_optional(place: Place<'_>) -> Self::Optional<'_> {
                match Self::NULL {
                    Some(null) if place.table().peek(place.cell()) == null => {
                        place.read();
                        None
                    }
                    Some(_) => Some(Self::view(place)),
                    None => view_after_presence::<Self>(place),
                }
            }
        }
    )+};
}

one_cell! {
    bool => bool, Some(-1), Item::Bool, |place| place.read() != 0;
    char => char, Some(-1), Item::Char, |place| char::from_u32(place.read() as u32).unwrap_or_default();
    f32 => f32, None, |cell| Item::Float(cell, 32), |place| f32::from_bits(place.read() as u32);
    f64 => f64, None, |cell| Item::Float(cell, 64), |place| f64::from_bits(place.read() as u64);
}

impl Viewed for String {
    type View<'h> = &'h str;
    type Optional<'h> = Option<&'h str>;
    const CELLS: u32 = 1;
    const NULL: Option<i64> = None;

    fn shape(maker: &mut Maker) {
        maker.cell(Item::Text);
    }

    fn view(place: Place<'_>) -> &str {
        place.table().text(place.read())
    }

    fn view_optional(place: Place<'_>) -> Option<&str> {
        view_after_presence::<Self>(place)
    }
}

macro_rules! nothing {
    ($([$($generics:tt)*] $ty:ty),+) => {$(
        impl<$($generics)*> Viewed for $ty {
            type View<'h> = ();
            type Optional<'h> = Option<()>;
            const CELLS: u32 = 0;
            const NULL: Option<i64> = None;

            fn shape(_: &mut Maker) {}

            fn view(_: Place<'_>) {}

            fn view_optional(place: Place<'_>) -> Option<()> {
                view_after_presence::<Self>(place)
            }
        }
    )+};
}

nothing!([] (), [T: ?Sized + 'static] PhantomData<T>);

impl<T: Viewed> Viewed for Option<T> {
    type View<'h> = T::Optional<'h>;
    type Optional<'h> = Option<T::Optional<'h>>;
    const CELLS: u32 = T::CELLS + if T::NULL.is_some() { 0 } else { 1 };
    const NULL: Option<i64> = None;

    fn shape(maker: &mut Maker) {
        maker.optional::<T>();
    }

    #[inline(always)]
    fn view(place: Place<'_>) -> Self::View<'_> {
        T::view_optional(place)
    }

    #[inline(always)]
    fn view_optional(place: Place<'_>) -> Self::Optional<'_> {
        view_after_presence::<Self>(place)
    }
}

macro_rules! looked_through {
    ($($cell:ident $(+ $bound:ident)?),+) => {$(
        impl<T: Viewed $(+ $bound)?> Viewed for $cell<T> {
            type View<'h> = T::View<'h>;
            type Optional<'h> = T::Optional<'h>;
            const CELLS: u32 = T::CELLS;
            const NULL: Option<i64> = T::NULL;

            fn object_id() -> TypeId {
                T::object_id()
            }

            fn shape(maker: &mut Maker) {
                T::shape(maker);
            }

            #[inline(always)]
            fn view(place: Place<'_>) -> Self::View<'_> {
                T::view(place)
            }

            #[inline(always)]
            fn view_optional(place: Place<'_>) -> Self::Optional<'_> {
                T::view_optional(place)
            }
        }
    )+};
}

looked_through!(Cell + Copy, RefCell, Mutex, RwLock);

macro_rules! sequences {
    ($($collection:ty $(where $bound:ident)?),+ $(,)?) => {$(
        impl<T: Heap + Viewed $(+ $bound)?> Viewed for $collection {
            type View<'h> = ArrayView<'h, T>;
            type Optional<'h> = Option<ArrayView<'h, T>>;
            const CELLS: u32 = 1;
            const NULL: Option<i64> = Some(0);

            fn shape(maker: &mut Maker) {
                maker.array::<Self, T>();
            }

            #[inline(always)]
            fn view(place: Place<'_>) -> Self::View<'_> {
                ArrayView::new(place.follow().expect("a sequence stored in place is never null"))
            }

            #[inline(always)]
            fn view_optional(place: Place<'_>) -> Self::Optional<'_> {
                place.follow().map(ArrayView::new)
            }
        }
    )+};
}

sequences!(
    Vec<T>,
    Box<[T]>,
    VecDeque<T>,
    LinkedList<T>,
    BTreeSet<T> where Ord,
    BinaryHeap<T> where Ord,
);

impl<T: Viewed, const N: usize> Viewed for [T; N] {
    type View<'h> = InPlace<'h, T, N>;
    type Optional<'h> = Option<InPlace<'h, T, N>>;
    const CELLS: u32 = T::CELLS * N as u32;
    const NULL: Option<i64> = None;

    fn shape(maker: &mut Maker) {
        (0..N).for_each(|index| maker.element::<T>(index));
    }

    #[inline(always)]
    fn view(place: Place<'_>) -> Self::View<'_> {
        InPlace { place, element: PhantomData }
    }

    #[inline(always)]
    fn view_optional(place: Place<'_>) -> Self::Optional<'_> {
        view_after_presence::<Self>(place)
    }
}

/// The view of an array `[T; N]`, which is stored in place.
#[derive(Debug)]
pub struct InPlace<'h, T, const N: usize> {
    place: Place<'h>,
    element: PhantomData<fn() -> T>,
}

impl<T, const N: usize> Clone for InPlace<'_, T, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const N: usize> Copy for InPlace<'_, T, N> {}

impl<'h, T: Viewed, const N: usize> InPlace<'h, T, N> {
    /// Element number `index`.
    ///
    /// # Panics
    /// If there is no such element.
    #[inline(always)]
    pub(crate) fn at(self, index: usize) -> T::View<'h> {
        assert!(index < N, "the array has {N} elements, there is none at {index}");
        T::view(self.place.offset(index as u32 * T::CELLS))
    }

    /// The elements in order, each read when it is asked for.
    pub fn iter(self) -> impl Iterator<Item = T::View<'h>> {
        (0..N).map(move |index| self.at(index))
    }
}
