//! Interior mutability: a cell adds no object, it shows its content.

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::atomic::{
    AtomicBool, AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicU8, AtomicU16,
    AtomicU32, AtomicU64, AtomicUsize, Ordering,
};
use std::sync::{Mutex, OnceLock, RwLock, TryLockError};

use crate::{ClassKey, Decoder, Heap, Schema, Undecodable, Walker};

impl<T: Heap + Copy> Heap for Cell<T> {
    const COUNTS_ITSELF: bool = T::COUNTS_ITSELF;
    const IS_REGULAR: bool = true;

    fn class() -> ClassKey {
        T::class()
    }

    fn describe(schema: &mut Schema) {
        schema.copied();
        schema.part::<T>();
    }

    #[inline(always)]
    fn walk<W: Walker>(&self, walker: &mut W) {
        self.get().walk(walker);
    }

    #[inline]
    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        T::decode(decoder).map(Cell::new)
    }
}

impl<T: Heap> Heap for RefCell<T> {
    const COUNTS_ITSELF: bool = T::COUNTS_ITSELF;
    const IS_REGULAR: bool = true;

    fn class() -> ClassKey {
        T::class()
    }

    fn describe(schema: &mut Schema) {
        schema.part::<T>();
    }

    /// # Panics
    /// If the value is borrowed: a method leaked its guard. No form records borrows.
    #[inline(always)]
    fn walk<W: Walker>(&self, walker: &mut W) {
        match self.try_borrow_mut() {
            Ok(guard) => guard.walk_in_place(walker),
            Err(_) => walker.held("a `RefCell` is still borrowed"),
        }
    }

    #[inline]
    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        T::decode(decoder).map(RefCell::new)
    }
}

#[cold]
fn poisoned(what: &str) -> ! {
    panic!("{what} is poisoned after the call")
}

macro_rules! locks {
    ($($lock:ident . $lock_it:ident),+) => {$(
        impl<T: Heap> Heap for $lock<T> {
            const COUNTS_ITSELF: bool = T::COUNTS_ITSELF;
            const IS_REGULAR: bool = true;

            fn class() -> ClassKey {
                T::class()
            }

            fn describe(schema: &mut Schema) {
                schema.part::<T>();
            }

            /// # Panics
            /// If the lock is held, even for reading: a method leaked its guard. If it is poisoned:
            /// a method caught a panic. No form records either.
            fn walk<W: Walker>(&self, walker: &mut W) {
                match self.$lock_it() {
                    Ok(guard) => guard.walk_in_place(walker),
                    Err(TryLockError::Poisoned(_)) => poisoned("a lock"),
                    Err(TryLockError::WouldBlock) => walker.held("a lock is still held"),
                }
            }

            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
                T::decode(decoder).map($lock::new)
            }
        }
    )+};
}

locks!(Mutex.try_lock, RwLock.try_write);

macro_rules! once {
    ($($once:ident),+) => {$(
        impl<T: Heap> Heap for $once<T> {
            const IS_REGULAR: bool = true;

            fn class() -> ClassKey {
                T::class()
            }

            fn describe(schema: &mut Schema) {
                schema.part::<T>();
            }

            fn walk<W: Walker>(&self, walker: &mut W) {
                walker.primitive(crate::Primitive::Present(self.get().is_some()));
                if let Some(value) = self.get() {
                    value.walk_in_place(walker);
                }
            }

            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
                Ok(match Option::<T>::decode(decoder)? {
                    Some(value) => $once::from(value),
                    None => $once::new(),
                })
            }
        }
    )+};
}

once!(OnceCell, OnceLock);

macro_rules! atomics {
    ($($atomic:ident($value:ty)),+) => {$(
        impl Heap for $atomic {
            const IS_REGULAR: bool = true;

            fn describe(schema: &mut Schema) {
                schema.copied();
            }

            fn walk<W: Walker>(&self, walker: &mut W) {
                self.load(Ordering::Relaxed).walk(walker);
            }

            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
                <$value>::decode(decoder).map($atomic::new)
            }
        }
    )+};
}

atomics!(
    AtomicBool(bool),
    AtomicU8(u8),
    AtomicU16(u16),
    AtomicU32(u32),
    AtomicU64(u64),
    AtomicUsize(usize),
    AtomicI8(i8),
    AtomicI16(i16),
    AtomicI32(i32),
    AtomicI64(i64),
    AtomicIsize(isize)
);
