//! How values of the standard library are seen.

use std::any::TypeId;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::marker::PhantomData;
use std::rc::{Rc, Weak};
use std::sync::{Arc, Mutex, RwLock, Weak as ArcWeak};
use std::time::Duration;

use super::{Sight, Token};

/// A type whose values can be looked at.
pub trait Show: 'static {
    /// Whether it is an array or collection, in place.
    const IS_ARRAY: bool = false;

    /// The class that objects of this type count as, with its name.
    fn class() -> (TypeId, &'static str)
    where
        Self: Sized,
    {
        (TypeId::of::<Self>(), std::any::type_name::<Self>())
    }

    /// Writes the value, in place.
    fn show(&self, sight: &mut Sight<'_>);
}

macro_rules! ints {
    ($($signed:ty),+; $($unsigned:ty),+) => {
        $(impl Show for $signed {
            fn show(&self, sight: &mut Sight<'_>) {
                sight.int(*self < 0, self.unsigned_abs() as u128);
            }
        })+
        $(impl Show for $unsigned {
            fn show(&self, sight: &mut Sight<'_>) {
                sight.int(false, *self as u128);
            }
        })+
    };
}

ints!(i8, i16, i32, i64, i128, isize; u8, u16, u32, u64, u128, usize);

macro_rules! simple {
    ($($ty:ty: |$value:ident| $token:expr);+ $(;)?) => {$(
        impl Show for $ty {
            fn show(&self, sight: &mut Sight<'_>) {
                let $value = self;
                sight.put($token);
            }
        }
    )+};
}

simple! {
    bool: |value| Token::Flag(*value);
    char: |value| Token::Char(*value);
    f32: |value| Token::Float(value.to_bits().into());
    f64: |value| Token::Float(value.to_bits());
    Duration: |value| Token::Plus(value.as_nanos());
    std::num::NonZeroU8: |value| Token::Plus(value.get().into());
    std::num::NonZeroU64: |value| Token::Plus(value.get().into());
}

macro_rules! texts {
    ($($ty:ty: |$value:ident| $bytes:expr);+ $(;)?) => {$(
        impl Show for $ty {
            fn show(&self, sight: &mut Sight<'_>) {
                let $value = self;
                sight.text($bytes);
            }
        }
    )+};
}

texts! {
    String: |text| text.as_bytes();
    std::ffi::OsString: |text| text.as_encoded_bytes();
    std::path::PathBuf: |path| path.as_os_str().as_encoded_bytes();
    std::ffi::CString: |text| text.as_bytes();
}

impl Show for () {
    fn show(&self, _: &mut Sight<'_>) {}
}

impl<T: ?Sized + 'static> Show for PhantomData<T> {
    fn show(&self, _: &mut Sight<'_>) {}
}

impl<T: Show> Show for Option<T> {
    fn class() -> (TypeId, &'static str) {
        T::class()
    }

    fn show(&self, sight: &mut Sight<'_>) {
        sight.put(Token::Flag(self.is_some()));
        if let Some(value) = self {
            value.show(sight);
        }
    }
}

impl<T: Show, E: Show> Show for Result<T, E> {
    fn show(&self, sight: &mut Sight<'_>) {
        sight.put(Token::Variant(self.is_err().into()));
        match self {
            Ok(value) => value.show(sight),
            Err(error) => error.show(sight),
        }
    }
}

/// A box of a value without size has no address of its own.
fn address_of<T>(target: &T) -> Option<usize> {
    (size_of::<T>() > 0).then(|| std::ptr::from_ref(target).addr())
}

impl<T: Show> Show for Box<T> {
    const IS_ARRAY: bool = T::IS_ARRAY;

    fn class() -> (TypeId, &'static str) {
        T::class()
    }

    fn show(&self, sight: &mut Sight<'_>) {
        sight.object(address_of(&**self), &**self);
    }
}

macro_rules! counted {
    ($($strong:ident $weak:ident),+) => {$(
        impl<T: Show> Show for $strong<T> {
            fn class() -> (TypeId, &'static str) {
                T::class()
            }

            fn show(&self, sight: &mut Sight<'_>) {
                sight.object(Some($strong::as_ptr(self).addr()), &**self);
            }
        }

        impl<T: Show> Show for $weak<T> {
            fn class() -> (TypeId, &'static str) {
                T::class()
            }

            fn show(&self, sight: &mut Sight<'_>) {
                self.upgrade().show(sight);
            }
        }
    )+};
}

counted!(Rc Weak, Arc ArcWeak);

impl<T: Show + Copy> Show for Cell<T> {
    const IS_ARRAY: bool = T::IS_ARRAY;

    fn class() -> (TypeId, &'static str) {
        T::class()
    }

    fn show(&self, sight: &mut Sight<'_>) {
        self.get().show(sight);
    }
}

impl<T: Show> Show for RefCell<T> {
    const IS_ARRAY: bool = T::IS_ARRAY;

    fn class() -> (TypeId, &'static str) {
        T::class()
    }

    fn show(&self, sight: &mut Sight<'_>) {
        match self.try_borrow() {
            Ok(value) => value.show(sight),
            Err(_) => panic!("a `RefCell` is still borrowed after the call"),
        }
    }
}

impl<T: Show> Show for OnceCell<T> {
    fn class() -> (TypeId, &'static str) {
        T::class()
    }

    fn show(&self, sight: &mut Sight<'_>) {
        sight.put(Token::Flag(self.get().is_some()));
        if let Some(value) = self.get() {
            value.show(sight);
        }
    }
}

impl<T: Show> Show for Mutex<T> {
    const IS_ARRAY: bool = T::IS_ARRAY;

    fn class() -> (TypeId, &'static str) {
        T::class()
    }

    fn show(&self, sight: &mut Sight<'_>) {
        match self.lock() {
            Ok(value) => value.show(sight),
            Err(poisoned) => poisoned.into_inner().show(sight),
        }
    }
}

impl<T: Show> Show for RwLock<T> {
    const IS_ARRAY: bool = T::IS_ARRAY;

    fn class() -> (TypeId, &'static str) {
        T::class()
    }

    fn show(&self, sight: &mut Sight<'_>) {
        match self.read() {
            Ok(value) => value.show(sight),
            Err(poisoned) => poisoned.into_inner().show(sight),
        }
    }
}

impl<T: Show, const N: usize> Show for [T; N] {
    fn show(&self, sight: &mut Sight<'_>) {
        self.iter().for_each(|element| element.show(sight));
    }
}

macro_rules! sequences {
    ($($ty:ty $(where $bound:ident)?),+) => {$(
        impl<T: Show $(+ $bound)?> Show for $ty {
            const IS_ARRAY: bool = true;

            fn show(&self, sight: &mut Sight<'_>) {
                sight.array::<Self>(self.len());
                self.iter().for_each(|element| element.show(sight));
            }
        }
    )+};
}

sequences!(Vec<T>, VecDeque<T>, LinkedList<T>, Box<[T]>, BTreeSet<T> where Ord);

/// A heap is what its elements are, in the order of `Ord`.
impl<T: Show + Ord> Show for BinaryHeap<T> {
    const IS_ARRAY: bool = true;

    fn show(&self, sight: &mut Sight<'_>) {
        sight.array::<Self>(self.len());
        let mut elements: Vec<&T> = self.iter().collect();
        elements.sort();
        elements.into_iter().for_each(|element| element.show(sight));
    }
}

impl<T: Show + Ord> Show for HashSet<T> {
    const IS_ARRAY: bool = true;

    fn show(&self, sight: &mut Sight<'_>) {
        sight.array::<Self>(self.len());
        let mut elements: Vec<&T> = self.iter().collect();
        elements.sort();
        elements.into_iter().for_each(|element| element.show(sight));
    }
}

impl<K: Show + Ord, V: Show> Show for BTreeMap<K, V> {
    const IS_ARRAY: bool = true;

    fn show(&self, sight: &mut Sight<'_>) {
        sight.array::<Self>(self.len());
        for (key, value) in self {
            key.show(sight);
            value.show(sight);
        }
    }
}

impl<K: Show + Ord, V: Show> Show for HashMap<K, V> {
    const IS_ARRAY: bool = true;

    fn show(&self, sight: &mut Sight<'_>) {
        sight.array::<Self>(self.len());
        let mut entries: Vec<_> = self.iter().collect();
        entries.sort_by_key(|(key, _)| *key);
        for (key, value) in entries {
            key.show(sight);
            value.show(sight);
        }
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),+))+) => {$(
        impl<$($name: Show),+> Show for ($($name,)+) {
            fn show(&self, sight: &mut Sight<'_>) {
                $(self.$index.show(sight);)+
            }
        }
    )+};
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
}
