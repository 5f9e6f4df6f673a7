//! Interior mutability: a cell adds no object, it shows what it holds.

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::atomic::{
    AtomicBool, AtomicI32, AtomicI64, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering,
};
use std::sync::{Mutex, OnceLock, RwLock};

use crate::{ClassKey, Decoder, Heap, Schema, Undecodable, Walker};

impl<T: Heap + Copy> Heap for Cell<T> {
    const IS_REGULAR: bool = true;

    fn class() -> ClassKey {
        T::class()
    }

    fn describe(schema: &mut Schema) {
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
    const IS_REGULAR: bool = true;

    fn class() -> ClassKey {
        T::class()
    }

    fn describe(schema: &mut Schema) {
        schema.part::<T>();
    }

    /// # Panics
    /// If the value is mutably borrowed: a method leaked its guard.
    #[inline(always)]
    fn walk<W: Walker>(&self, walker: &mut W) {
        self.borrow().walk(walker);
    }

    #[inline]
    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        T::decode(decoder).map(RefCell::new)
    }
}

macro_rules! locks {
    ($($lock:ident . $read:ident),+) => {$(
        impl<T: Heap> Heap for $lock<T> {
            const IS_REGULAR: bool = true;

            fn class() -> ClassKey {
                T::class()
            }

            fn describe(schema: &mut Schema) {
                schema.part::<T>();
            }

            /// Shows the value even if the lock is poisoned.
            ///
            /// # Panics
            /// If the lock is held: a method leaked its guard.
            fn walk<W: Walker>(&self, walker: &mut W) {
                match self.$read() {
                    Ok(guard) => guard.walk(walker),
                    Err(std::sync::TryLockError::Poisoned(poisoned)) => poisoned.into_inner().walk(walker),
                    Err(std::sync::TryLockError::WouldBlock) => panic!("a lock is still held after the call"),
                }
            }

            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
                T::decode(decoder).map($lock::new)
            }
        }
    )+};
}

locks!(Mutex.try_lock, RwLock.try_read);

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
                    value.walk(walker);
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

            fn describe(_: &mut Schema) {}

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
    AtomicU32(u32),
    AtomicU64(u64),
    AtomicUsize(usize),
    AtomicI32(i32),
    AtomicI64(i64)
);
