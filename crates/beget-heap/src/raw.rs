//! Raw pointers, by explicit opt-in: `#[heap(unsafe(pointer))]`.
//!
//! Following a raw pointer needs a promise that only the author of a type can give. The promise of
//! the attribute is: *whenever the value is walked, the field is null or points to a live value of
//! its target type, that was allocated as `Box` allocates and belongs to this structure*. That of
//! `#[heap(unsafe(buffer = len))]` is: *it points to `len` live values beside each other*. The
//! functions that rely on these are `unsafe`, and are the only ones of the crate.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::marker::PhantomData;
use std::ptr::NonNull;

use crate::decode::{ObjectId, PointerTarget};
use crate::{ClassKey, Decoder, Heap, Identity, Primitive, Schema, Undecodable, Walker};

/// A raw pointer type that may be walked.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a raw pointer that can be walked",
    note = "`#[heap(unsafe(pointer))]` is for `*mut T`, `*const T`, `NonNull<T>` and `Option<NonNull<T>>`"
)]
pub trait RawPointer: Sized {
    /// The type it points at.
    type Target: Heap;

    /// True if it can be null.
    const NULLABLE: bool;

    /// The address, null for none.
    fn as_ptr(&self) -> *const Self::Target;

    /// A pointer of this type; `pointer` is null only if the type is nullable.
    fn from_ptr(pointer: *mut Self::Target) -> Self;
}

macro_rules! raw_pointers {
    ($($ty:ty, $nullable:literal, |$this:ident| $there:expr, |$pointer:ident| $back:expr);+ $(;)?) => {$(
        impl<T: Heap> RawPointer for $ty {
            type Target = T;

            const NULLABLE: bool = $nullable;

            #[inline(always)]
            fn as_ptr(&self) -> *const T {
                let $this = self;
                $there
            }

            fn from_ptr($pointer: *mut T) -> Self {
                $back
            }
        }
    )+};
}

raw_pointers! {
    *mut T, true, |this| this.cast_const(), |pointer| pointer;
    *const T, true, |this| *this, |pointer| pointer;
    NonNull<T>, false, |this| NonNull::as_ptr(*this), |pointer| NonNull::new(pointer).expect("not null");
    Option<NonNull<T>>, true, |this| this.map_or(std::ptr::null(), |p| p.as_ptr().cast_const()),
        |pointer| NonNull::new(pointer);
}

/// The class of the target of a pointer to several elements.
#[derive(Debug)]
pub struct Buffer<T>(PhantomData<T>);

fn class_of_buffer<T: 'static>() -> ClassKey {
    ClassKey::new::<Buffer<T>>(std::any::type_name::<Buffer<T>>())
}

/// A pointer that may lead to several elements.
pub trait BufferPointer {
    /// The address of the first element.
    fn first<T>(&self) -> *const T;
}

macro_rules! buffer_pointers {
    ($($ty:ty, |$this:ident| $there:expr);+ $(;)?) => {$(
        impl<E> BufferPointer for $ty {
            #[inline(always)]
            fn first<T>(&self) -> *const T {
                let $this = self;
                $there
            }
        }
    )+};
}

buffer_pointers! {
    *mut E, |this| this.cast_const().cast();
    *const E, |this| this.cast();
    NonNull<E>, |this| this.as_ptr().cast_const().cast();
    Option<NonNull<E>>, |this| this.map_or(std::ptr::null(), |p| p.as_ptr().cast_const().cast());
}

impl<E, const N: usize> BufferPointer for [E; N] {
    #[inline(always)]
    fn first<T>(&self) -> *const T {
        self.as_ptr().cast()
    }
}

macro_rules! owned_buffers {
    ($([$($parameters:tt)*] $ty:ty),+ $(,)?) => {$(
        impl<$($parameters)*> BufferPointer for $ty {
            #[inline(always)]
            fn first<T>(&self) -> *const T {
                self.as_ptr().cast()
            }
        }

        impl<$($parameters)*> BufferRoom for $ty {
            #[inline(always)]
            fn capacity(&self) -> usize {
                self.len()
            }
        }
    )+};
}

owned_buffers!([E] Box<[E]>, [E, const N: usize] Box<[E; N]>, [E] Vec<E>);

/// A buffer that knows its number of slots.
#[diagnostic::on_unimplemented(
    message = "how many slots `{Self}` has is not known",
    note = "say it: `#[heap(unsafe(buffer = len, start = head, capacity = cap))]`"
)]
pub trait BufferRoom {
    /// The number of slots.
    fn capacity(&self) -> usize;
}

impl<E, const N: usize> BufferRoom for [E; N] {
    #[inline(always)]
    fn capacity(&self) -> usize {
        N
    }
}

/// A field that holds a number of elements or the index of a slot.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no number of elements",
    note = "the numbers of `unsafe(buffer = ..)` are integers, also in a `Cell` or an atomic one"
)]
pub trait SlotNumber {
    /// The bits of its type, after which a counter starts again at 0.
    const BITS: u32;

    /// The number.
    fn number(&self) -> usize;
}

macro_rules! slot_numbers {
    ($($ty:ty),+) => {$(
        impl SlotNumber for $ty {
            const BITS: u32 = <$ty>::BITS;

            #[inline(always)]
            fn number(&self) -> usize {
                *self as usize
            }
        }
    )+};
}

slot_numbers!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);

impl<T: SlotNumber + Copy> SlotNumber for Cell<T> {
    const BITS: u32 = T::BITS;

    #[inline(always)]
    fn number(&self) -> usize {
        self.get().number()
    }
}

macro_rules! atomic_slot_numbers {
    ($($ty:ident: $number:ty),+) => {$(
        impl SlotNumber for std::sync::atomic::$ty {
            const BITS: u32 = <$number>::BITS;

            #[inline(always)]
            fn number(&self) -> usize {
                self.load(std::sync::atomic::Ordering::Relaxed) as usize
            }
        }
    )+};
}

atomic_slot_numbers!(AtomicU8: u8, AtomicU16: u16, AtomicU32: u32, AtomicU64: u64, AtomicUsize: usize);

/// The number of live elements between slot `start` and slot `end`, which is the first after them.
/// The counters grow without end, or start again at the capacity.
#[inline]
pub fn slots_between<S: SlotNumber, E: SlotNumber>(start: &S, end: &E, capacity: usize) -> usize {
    let unused = usize::BITS.saturating_sub(S::BITS.max(E::BITS));
    let (start, end) = (start.number(), end.number());
    if end < start && start < capacity {
        return end + capacity - start;
    }
    // One that grows without end wraps around at the end of its type.
    end.wrapping_sub(start) & (usize::MAX >> unused)
}

/// The live slots of a buffer: a consecutive run that wraps around to slot 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveSlots {
    /// The slot of the first live element.
    pub start: usize,
    /// The number of live elements.
    pub length: usize,
    /// The number of slots.
    pub capacity: usize,
}

/// Declares a buffer. Memory allocated behind its elements is in no form.
pub fn describe_buffer<T: Heap>(schema: &mut Schema) {
    schema.array(class_of_buffer::<T>());
    schema.part::<T>();
    // Its length is an integer that is shown.
    schema.irregular();
    schema.not_decodable("the room of a buffer is not known from its elements");
}

/// Walks the first `length` elements that a raw pointer leads to.
///
/// # Safety
/// If `length` is not 0, the pointer must lead to as many live `T`s beside each other, which are
/// not being changed during the walk.
#[inline(always)]
pub unsafe fn walk_buffer<P: BufferPointer, T: Heap, W: Walker>(
    pointer: &P,
    length: usize,
    walker: &mut W,
) {
    if !walker.enter(class_of_buffer::<T>(), Identity::Unique) {
        return;
    }
    if walker.length(length) && length > 0 {
        // SAFETY: as many live elements, by the caller's promise.
        let elements = unsafe { std::slice::from_raw_parts(pointer.first::<T>(), length) };
        for (index, element) in elements.iter().enumerate() {
            walker.element(index);
            element.walk_in_place(walker);
        }
    }
    walker.leave();
}

/// Walks the live elements of a buffer, from the start on.
///
/// # Safety
/// The buffer must lead to `live.capacity` slots beside each other, of which those that `live`
/// names hold live `T`s, which are not being changed during the walk.
///
/// # Panics
/// If there are more elements than slots: a ring in which elements would be shown twice.
#[inline(always)]
pub unsafe fn walk_ring<P: BufferPointer, T: Heap, W: Walker>(
    buffer: &P,
    live: LiveSlots,
    walker: &mut W,
) {
    let LiveSlots { start, length, capacity } = live;
    assert!(length <= capacity, "a buffer with room for {capacity} elements has {length}");
    if !walker.enter(class_of_buffer::<T>(), Identity::Unique) {
        return;
    }
    if walker.length(length) {
        for index in 0..length {
            let slot = (start % capacity + index) % capacity;
            // SAFETY: less than the capacity, so one of the slots, and a live one by the caller's
            // promise.
            let element = unsafe { &*buffer.first::<T>().add(slot) };
            walker.element(index);
            element.walk_in_place(walker);
        }
    }
    walker.leave();
}

/// Declares a raw pointer.
pub fn describe<P: RawPointer>(schema: &mut Schema) {
    schema.raw_object::<P::Target>();
}

/// Walks a raw pointer.
///
/// # Safety
/// The pointer must be null (where its type allows it) or point to a live `P::Target` that is not
/// being changed during the walk.
#[inline(always)]
pub unsafe fn walk<P: RawPointer, W: Walker>(pointer: &P, walker: &mut W) {
    let target = pointer.as_ptr();
    let identity = Identity::Shared(target.addr());
    let is_new = match P::NULLABLE {
        true if target.is_null() => return walker.primitive(Primitive::Present(false)),
        true => crate::walk::enter_present_target::<P::Target, W>(walker, identity),
        false => crate::walk::enter_target::<P::Target, W>(walker, identity),
    };
    if is_new {
        // SAFETY: not null, and live by the caller's promise.
        let target = unsafe { &*target };
        target.walk_in_place(walker);
        walker.leave();
    }
}

/// Reads what [`walk`] wrote: allocates the target as `Box` does, or points at the one read before.
///
/// # Errors
/// The errors of `P::Target::decode`; the allocation of the unfinished target is leaked.
#[inline(always)]
pub fn decode<P: RawPointer>(decoder: &mut Decoder<'_>) -> Result<P, Undecodable> {
    if P::NULLABLE && !decoder.bit() {
        return Ok(P::from_ptr(std::ptr::null_mut()));
    }
    let target = match decoder.reach() {
        PointerTarget::Known(id) => std::ptr::with_exposed_provenance_mut(decoder.address(id)?),
        PointerTarget::New(id) => decode_target(decoder, id)?,
    };
    Ok(P::from_ptr(target))
}

/// Reads a target that is met for the first time. A separate function, so that null pointers and
/// pointers to known objects are read inline.
#[inline(never)]
fn decode_target<T: Heap>(decoder: &mut Decoder<'_>, id: ObjectId) -> Result<*mut T, Undecodable> {
    let target = Box::into_raw(Box::<T>::new_uninit()).cast::<T>();
    decoder.register_address(id, target.expose_provenance());
    let value = T::decode(decoder)?;
    // SAFETY: allocated above for this type, not yet read by anyone: decoders only copy addresses.
    unsafe { target.write(value) };
    decoder.leave();
    Ok(target)
}
