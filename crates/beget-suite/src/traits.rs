//! The common traits of a type, with functions to use them after the type is erased.

use std::any::Any;
use std::cmp::Ordering;
use std::fmt;
use std::hash::Hasher;

/// The common traits that a type implements, each as a function over erased types; `None` for those
/// that it lacks.
///
/// The functions panic if a value has another type. [`type_traits!`](crate::type_traits) finds the
/// traits; the default, for a type described by hand, has none. `Clone` is
/// [`Type::clone`](crate::Type::clone).
#[derive(Clone, Copy, Debug, Default)]
pub struct TypeTraits {
    /// `PartialEq`.
    pub partial_eq: Option<EqFn>,
    /// `Eq`: the same function as `PartialEq`, with the promise that it is an equivalence.
    pub eq: Option<EqFn>,
    /// `PartialOrd`.
    pub partial_ord: Option<PartialOrdFn>,
    /// `Ord`.
    pub ord: Option<OrdFn>,
    /// `Hash`.
    pub hash: Option<HashFn>,
    /// `Debug`.
    pub debug: Option<DebugFn>,
    /// `Display`.
    pub display: Option<DebugFn>,
    /// `Default`.
    pub default: Option<fn() -> Box<dyn Any>>,
    /// Inequality by `PartialEq::ne`, which a type may implement by hand.
    pub ne: Option<EqFn>,
    /// `IntoIterator` for references to it, over items with `Debug`.
    pub iterate: Option<IterateFn>,
    /// The name of the type of these items, from the compiler.
    pub item_name: Option<fn() -> &'static str>,
    /// Like [`TypeTraits::iterate`], if its iterator is a `DoubleEndedIterator`.
    pub iterate_both: Option<IterateBothFn>,
    /// Like [`TypeTraits::iterate`], if its iterator is an `ExactSizeIterator`.
    pub iterate_exact: Option<IterateExactFn>,
    /// Like [`TypeTraits::iterate`], if its iterator is a `FusedIterator`.
    pub iterate_fused: Option<IterateFn>,
    /// `Borrow<str>`, or `Borrow<[E]>` if references to it iterate over `&E`.
    pub borrow: BorrowFns,
    /// `Serialize` and `Deserialize`, if the suite has `serde`.
    pub serde: Option<RoundTripFn>,
}

/// The traits of the borrowed form of a type.
#[derive(Clone, Copy, Debug, Default)]
pub struct BorrowFns {
    /// The borrowed type, as source: `str` or `[_]`.
    pub target: &'static str,
    /// `PartialEq` of the borrowed type.
    pub eq: Option<EqFn>,
    /// `Hash` of the borrowed type.
    pub hash: Option<HashFn>,
    /// `PartialOrd` of the borrowed type.
    pub cmp: Option<PartialOrdFn>,
}

/// Compares two values of one type.
pub type EqFn = fn(&dyn Any, &dyn Any) -> bool;
/// Orders two values of one type, if they can be.
pub type PartialOrdFn = fn(&dyn Any, &dyn Any) -> Option<Ordering>;
/// Orders two values of one type.
pub type OrdFn = fn(&dyn Any, &dyn Any) -> Ordering;
/// Feeds a value to a hasher.
pub type HashFn = fn(&dyn Any, &mut dyn Hasher);
/// Writes a value as its `Debug` or `Display` does.
pub type DebugFn = fn(&dyn Any, &mut fmt::Formatter<'_>) -> fmt::Result;
/// Passes an iterator over a value's items to a function.
pub type IterateFn = fn(&dyn Any, &mut dyn FnMut(&mut dyn ItemSteps));
/// Writes a value by `Serialize` and reads it again by `Deserialize`, in a human-readable form or
/// not; returns the error's text otherwise.
pub type RoundTripFn = fn(&dyn Any, bool) -> Result<Box<dyn Any>, String>;
/// Like [`IterateFn`], from both ends.
pub type IterateBothFn = fn(&dyn Any, &mut dyn FnMut(&mut dyn ItemStepsBack));
/// Like [`IterateFn`], with the number of items left.
pub type IterateExactFn = fn(&dyn Any, &mut dyn FnMut(&mut dyn ExactItemSteps));

/// An iterator whose items are shown by their `Debug`.
pub trait ItemSteps {
    /// The next item.
    fn step(&mut self) -> Option<String>;

    /// Skips the next item; returns whether there was one.
    fn skip_one(&mut self) -> bool;

    /// `Iterator::size_hint`.
    fn hint(&self) -> (usize, Option<usize>);
}

/// [`ItemSteps`] of a `DoubleEndedIterator`.
pub trait ItemStepsBack: ItemSteps {
    /// The next item from the back.
    fn step_back(&mut self) -> Option<String>;

    /// Skips the next item from the back; returns whether there was one.
    fn skip_one_back(&mut self) -> bool;
}

/// [`ItemSteps`] of an `ExactSizeIterator`.
pub trait ExactItemSteps: ItemSteps {
    /// `ExactSizeIterator::len`.
    fn n_left(&self) -> usize;
}

impl<I: Iterator<Item: fmt::Debug>> ItemSteps for I {
    fn step(&mut self) -> Option<String> {
        self.next().map(|item| format!("{item:?}"))
    }

    fn skip_one(&mut self) -> bool {
        self.next().is_some()
    }

    fn hint(&self) -> (usize, Option<usize>) {
        self.size_hint()
    }
}

impl<I: DoubleEndedIterator<Item: fmt::Debug>> ItemStepsBack for I {
    fn step_back(&mut self) -> Option<String> {
        self.next_back().map(|item| format!("{item:?}"))
    }

    fn skip_one_back(&mut self) -> bool {
        self.next_back().is_some()
    }
}

impl<I: ExactSizeIterator<Item: fmt::Debug>> ExactItemSteps for I {
    fn n_left(&self) -> usize {
        self.len()
    }
}

impl TypeTraits {
    /// The names of the traits that the type has, in the order of the fields.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        let all = [
            (self.partial_eq.is_some(), "PartialEq"),
            (self.eq.is_some(), "Eq"),
            (self.partial_ord.is_some(), "PartialOrd"),
            (self.ord.is_some(), "Ord"),
            (self.hash.is_some(), "Hash"),
            (self.debug.is_some(), "Debug"),
            (self.default.is_some(), "Default"),
        ];
        all.into_iter().filter_map(|(has, name)| has.then_some(name))
    }

    /// A value as text by its `Debug`, if its type has it.
    pub fn debug_text(&self, value: &dyn Any) -> Option<String> {
        self.debug_of(value).map(|value| format!("{value:?}"))
    }

    /// A value with its `Debug`, if its type has it.
    pub fn debug_of<'v>(&self, value: &'v dyn Any) -> Option<impl fmt::Debug + use<'v>> {
        self.debug.map(|debug| DebugOf(debug, value))
    }

    /// A value with its `Display`, if its type has it.
    pub fn display_of<'v>(&self, value: &'v dyn Any) -> Option<impl fmt::Display + use<'v>> {
        self.display.map(|display| DisplayOf(display, value))
    }
}

/// A value with the `Display` of its type.
pub(crate) struct DisplayOf<'v>(pub(crate) DebugFn, pub(crate) &'v dyn Any);

impl fmt::Display for DisplayOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)(self.1, f)
    }
}

/// A value with the `Debug` of its type.
struct DebugOf<'v>(DebugFn, &'v dyn Any);

impl fmt::Debug for DebugOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)(self.1, f)
    }
}

/// The [`TypeTraits`] of a type that is written out: it probes each trait as
/// [`trait_probe`](crate::trait_probe) describes.
#[macro_export]
macro_rules! type_traits {
    ($ty:ty) => {{
        #[allow(unused_imports)]
        use $crate::trait_probe::{
            BorrowsNoSliceEq as _, BorrowsNoSliceHash as _, BorrowsNoSliceOrd as _,
            BorrowsNoText as _, BorrowsSliceEq as _, BorrowsSliceHash as _, BorrowsSliceOrd as _,
            BorrowsText as _, HasDebug as _, HasDefault as _, HasDisplay as _, HasDoubleEnded as _,
            HasEq as _, HasExactSize as _, HasFused as _, HasHash as _, HasIntoIterator as _,
            HasItemName as _, HasNe as _, HasOrd as _, HasPartialEq as _, HasPartialOrd as _,
            LacksDebug as _, LacksDefault as _, LacksDisplay as _, LacksDoubleEnded as _,
            LacksEq as _, LacksExactSize as _, LacksFused as _, LacksHash as _,
            LacksIntoIterator as _, LacksItemName as _, LacksNe as _, LacksOrd as _,
            LacksPartialEq as _, LacksPartialOrd as _,
        };
        let probe = $crate::trait_probe::Probe::<$ty>::new();
        $crate::TypeTraits {
            partial_eq: (&probe).partial_eq_fn(),
            eq: (&probe).eq_fn(),
            partial_ord: (&probe).partial_ord_fn(),
            ord: (&probe).ord_fn(),
            hash: (&probe).hash_fn(),
            debug: (&probe).debug_fn(),
            display: (&probe).display_fn(),
            default: (&probe).default_fn(),
            ne: (&probe).ne_fn(),
            iterate: (&probe).iterate_fn(),
            item_name: (&probe).item_name_fn(),
            iterate_both: (&probe).iterate_both_fn(),
            iterate_exact: (&probe).iterate_exact_fn(),
            iterate_fused: (&probe).iterate_fused_fn(),
            borrow: (&probe).text_fns().unwrap_or($crate::BorrowFns {
                target: "[_]",
                eq: (&probe).slice_eq_fn(),
                hash: (&probe).slice_hash_fn(),
                cmp: (&probe).slice_ord_fn(),
            }),
            serde: None,
        }
    }};
}

/// Finds out which traits a concrete type has, in emitted code that cannot ask by bounds.
///
/// `(&Probe::<T>::new()).debug_fn()` is the method of `HasDebug` where `T: Debug`, and that of
/// `LacksDebug` otherwise; [`Probe`](trait_probe::Probe) describes how.
pub mod trait_probe {
    use std::any::{Any, type_name};
    use std::borrow::Borrow;
    use std::fmt::{Debug, Display};
    use std::hash::Hash;
    use std::iter::FusedIterator;
    use std::ops::Deref;

    pub use beget_heap::probe::Probe;

    use super::{
        BorrowFns, DebugFn, EqFn, HashFn, IterateBothFn, IterateExactFn, IterateFn, OrdFn,
        PartialOrdFn,
    };
    use crate::downcast::downcast;

    /// The slice of the items that references to `T` iterate over.
    type SliceOf<T> = [<<&'static T as IntoIterator>::Item as Deref>::Target];

    fn borrowed<T: Borrow<B> + 'static, B: ?Sized>(value: &dyn Any) -> &B {
        downcast::<T>(value).borrow()
    }

    macro_rules! probes {
        ($($name:literal, $has:ident, $lacks:ident, $method:ident -> $function:ty:
            ($($bounds:tt)+) $found:expr;)+) => {$(
            #[doc = concat!("Chosen where `", $name, "`.")]
            pub trait $has {
                /// The function.
                fn $method(&self) -> Option<$function>;
            }

            impl<T: 'static> $has for Probe<T>
            where
                $($bounds)+
            {
                fn $method(&self) -> Option<$function> {
                    Some($found)
                }
            }

            /// Chosen otherwise.
            pub trait $lacks {
                /// `None`.
                fn $method(&self) -> Option<$function>;
            }

            impl<T> $lacks for &Probe<T> {
                fn $method(&self) -> Option<$function> {
                    None
                }
            }
        )+};
    }

    probes! {
        "T: PartialEq", HasPartialEq, LacksPartialEq, partial_eq_fn -> EqFn: (T: PartialEq)
            |left, right| downcast::<T>(left) == downcast::<T>(right);
        "T: PartialEq", HasNe, LacksNe, ne_fn -> EqFn: (T: PartialEq)
            |left, right| downcast::<T>(left) != downcast::<T>(right);
        "T: Eq", HasEq, LacksEq, eq_fn -> EqFn: (T: Eq)
            |left, right| downcast::<T>(left) == downcast::<T>(right);
        "T: PartialOrd", HasPartialOrd, LacksPartialOrd, partial_ord_fn -> PartialOrdFn:
            (T: PartialOrd) |left, right| downcast::<T>(left).partial_cmp(downcast(right));
        "T: Ord", HasOrd, LacksOrd, ord_fn -> OrdFn: (T: Ord)
            |left, right| downcast::<T>(left).cmp(downcast(right));
        "T: Hash", HasHash, LacksHash, hash_fn -> HashFn: (T: Hash)
            |value, mut hasher| downcast::<T>(value).hash(&mut hasher);
        "T: Debug", HasDebug, LacksDebug, debug_fn -> DebugFn: (T: Debug)
            |value, f| downcast::<T>(value).fmt(f);
        "T: Display", HasDisplay, LacksDisplay, display_fn -> DebugFn: (T: Display)
            |value, f| downcast::<T>(value).fmt(f);
        "T: Borrow<str>", BorrowsText, BorrowsNoText, text_fns -> BorrowFns: (T: Borrow<str>)
            BorrowFns {
                target: "str",
                eq: Some(|left, right| borrowed::<T, str>(left) == borrowed::<T, str>(right)),
                hash: Some(|value, mut hasher| borrowed::<T, str>(value).hash(&mut hasher)),
                cmp: Some(|left, right| {
                    borrowed::<T, str>(left).partial_cmp(borrowed::<T, str>(right))
                }),
            };
        "T: Borrow<[E]>, E: PartialEq", BorrowsSliceEq, BorrowsNoSliceEq, slice_eq_fn -> EqFn:
            (T: Borrow<SliceOf<T>>, &'static T: IntoIterator<Item: Deref<Target: Sized>>,
             SliceOf<T>: PartialEq)
            |left, right| borrowed::<T, SliceOf<T>>(left) == borrowed::<T, SliceOf<T>>(right);
        "T: Borrow<[E]>, E: Hash", BorrowsSliceHash, BorrowsNoSliceHash, slice_hash_fn -> HashFn:
            (T: Borrow<SliceOf<T>>, &'static T: IntoIterator<Item: Deref<Target: Sized>>,
             SliceOf<T>: Hash)
            |value, mut hasher| borrowed::<T, SliceOf<T>>(value).hash(&mut hasher);
        "T: Borrow<[E]>, E: PartialOrd", BorrowsSliceOrd, BorrowsNoSliceOrd,
            slice_ord_fn -> PartialOrdFn:
            (T: Borrow<SliceOf<T>>, &'static T: IntoIterator<Item: Deref<Target: Sized>>,
             SliceOf<T>: PartialOrd)
            |left, right| {
                borrowed::<T, SliceOf<T>>(left).partial_cmp(borrowed::<T, SliceOf<T>>(right))
            };
        "T: Default", HasDefault, LacksDefault, default_fn -> fn() -> Box<dyn Any>: (T: Default)
            || Box::new(T::default());
        "&T: IntoIterator<Item: Debug>", HasIntoIterator, LacksIntoIterator,
            iterate_fn -> IterateFn: (for<'a> &'a T: IntoIterator<Item: Debug>)
            |value, show| show(&mut downcast::<T>(value).into_iter());
        "&T: IntoIterator<Item: Debug>", HasItemName, LacksItemName,
            item_name_fn -> fn() -> &'static str: (for<'a> &'a T: IntoIterator<Item: Debug>)
            type_name::<<&'static T as IntoIterator>::Item>;
        "&T: IntoIterator<Item: Debug, IntoIter: DoubleEndedIterator>", HasDoubleEnded,
            LacksDoubleEnded, iterate_both_fn -> IterateBothFn:
            (for<'a> &'a T: IntoIterator<Item: Debug, IntoIter: DoubleEndedIterator>)
            |value, show| show(&mut downcast::<T>(value).into_iter());
        "&T: IntoIterator<Item: Debug, IntoIter: ExactSizeIterator>", HasExactSize,
            LacksExactSize, iterate_exact_fn -> IterateExactFn:
            (for<'a> &'a T: IntoIterator<Item: Debug, IntoIter: ExactSizeIterator>)
            |value, show| show(&mut downcast::<T>(value).into_iter());
        "&T: IntoIterator<Item: Debug, IntoIter: FusedIterator>", HasFused, LacksFused,
            iterate_fused_fn -> IterateFn:
            (for<'a> &'a T: IntoIterator<Item: Debug, IntoIter: FusedIterator>)
            |value, show| show(&mut downcast::<T>(value).into_iter());
    }
}
