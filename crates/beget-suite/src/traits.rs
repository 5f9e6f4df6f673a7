//! Which of the common traits a type has, and functions to use them though the type is forgotten.

use std::any::Any;
use std::cmp::Ordering;
use std::fmt;
use std::hash::Hasher;

/// The common traits that a type implements, each as a function over forgotten types; `None` where
/// it does not.
///
/// The functions panic if a value is of another type. [`type_traits!`](crate::type_traits) finds
/// them out; the default, for a type described by hand, has none. `Clone` is
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
    /// `Default`.
    pub default: Option<DefaultFn>,
}

/// Compares two values of one type.
pub type EqFn = fn(&dyn Any, &dyn Any) -> bool;
/// Orders two values of one type, if they can be.
pub type PartialOrdFn = fn(&dyn Any, &dyn Any) -> Option<Ordering>;
/// Orders two values of one type.
pub type OrdFn = fn(&dyn Any, &dyn Any) -> Ordering;
/// Feeds a value to a hasher.
pub type HashFn = fn(&dyn Any, &mut dyn Hasher);
/// Writes a value as its `Debug` does.
pub type DebugFn = fn(&dyn Any, &mut fmt::Formatter<'_>) -> fmt::Result;
/// Makes the default value.
pub type DefaultFn = fn() -> Box<dyn Any>;

impl TypeTraits {
    /// The names of the traits that the type has, in the order of the fields.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
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
        struct DebugValue<'v>(DebugFn, &'v dyn Any);
        impl fmt::Debug for DebugValue<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                (self.0)(self.1, f)
            }
        }
        self.debug.map(|debug| format!("{:?}", DebugValue(debug, value)))
    }
}

/// The [`TypeTraits`] of a type that is written out: it asks each trait by what
/// [`trait_probe`](crate::trait_probe) describes.
#[macro_export]
macro_rules! type_traits {
    ($ty:ty) => {{
        #[allow(unused_imports)]
        use $crate::trait_probe::{
            HasDebug as _, HasDefault as _, HasEq as _, HasHash as _, HasOrd as _,
            HasPartialEq as _, HasPartialOrd as _, LacksDebug as _, LacksDefault as _,
            LacksEq as _, LacksHash as _, LacksOrd as _, LacksPartialEq as _, LacksPartialOrd as _,
        };
        let probe = $crate::trait_probe::Probe::<$ty>::new();
        $crate::TypeTraits {
            partial_eq: (&probe).partial_eq_fn(),
            eq: (&probe).eq_fn(),
            partial_ord: (&probe).partial_ord_fn(),
            ord: (&probe).ord_fn(),
            hash: (&probe).hash_fn(),
            debug: (&probe).debug_fn(),
            default: (&probe).default_fn(),
        }
    }};
}

/// Finds out which traits a concrete type has, in emitted code that cannot ask by bounds.
///
/// `(&Probe::<T>::new()).debug_fn()` is the method of `HasDebug` where `T: Debug`, and that of
/// `LacksDebug` otherwise; [`Probe`](trait_probe::Probe) describes how.
pub mod trait_probe {
    use std::fmt::Debug;
    use std::hash::Hash;

    pub use beget_heap::probe::Probe;

    use super::{DebugFn, DefaultFn, EqFn, HashFn, OrdFn, PartialOrdFn};
    use crate::suite::downcast;

    macro_rules! probes {
        ($($bound:ident, $has:ident, $lacks:ident, $method:ident -> $function:ty: $found:expr;)+) => {$(
            #[doc = concat!("Chosen where `T: ", stringify!($bound), "`.")]
            pub trait $has {
                /// The function.
                fn $method(&self) -> Option<$function>;
            }

            impl<T: $bound + 'static> $has for Probe<T> {
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
        PartialEq, HasPartialEq, LacksPartialEq, partial_eq_fn -> EqFn:
            |left, right| downcast::<T>(left) == downcast::<T>(right);
        Eq, HasEq, LacksEq, eq_fn -> EqFn:
            |left, right| downcast::<T>(left) == downcast::<T>(right);
        PartialOrd, HasPartialOrd, LacksPartialOrd, partial_ord_fn -> PartialOrdFn:
            |left, right| downcast::<T>(left).partial_cmp(downcast(right));
        Ord, HasOrd, LacksOrd, ord_fn -> OrdFn:
            |left, right| downcast::<T>(left).cmp(downcast(right));
        Hash, HasHash, LacksHash, hash_fn -> HashFn:
            |value, mut hasher| downcast::<T>(value).hash(&mut hasher);
        Debug, HasDebug, LacksDebug, debug_fn -> DebugFn:
            |value, f| downcast::<T>(value).fmt(f);
        Default, HasDefault, LacksDefault, default_fn -> DefaultFn:
            || Box::new(T::default());
    }
}
