//! The arenas of a struct, and what their slots show.

use std::any::Any;

use crate::{ClassKey, Heap, Identity, Schema, Walker};

/// An arena whose slots show their numbers.
#[derive(Debug)]
pub struct NumberedArena<'a, E>(pub &'a Vec<E>);

impl<E> Clone for NumberedArena<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for NumberedArena<'_, E> {}

/// One arena of a set.
pub trait SlotSource<'a>: Copy {
    /// The type of its slots' contents.
    type Element: Heap;

    /// True if the slots show their numbers.
    const IS_NUMBERED: bool;

    /// The slots.
    fn elements(self) -> &'a Vec<Self::Element>;
}

impl<'a, E: Heap> SlotSource<'a> for &'a Vec<E> {
    type Element = E;
    const IS_NUMBERED: bool = false;

    #[inline(always)]
    fn elements(self) -> &'a Vec<E> {
        self
    }
}

impl<'a, E: Heap> SlotSource<'a> for NumberedArena<'a, E> {
    type Element = E;
    const IS_NUMBERED: bool = true;

    #[inline(always)]
    fn elements(self) -> &'a Vec<E> {
        self.0
    }
}

/// A slot that a link leads to.
#[derive(Clone, Copy, Debug)]
pub struct ArenaSlot<'a, T> {
    element: &'a T,
    is_numbered: bool,
}

impl<T: Heap> ArenaSlot<'_, T> {
    #[inline(always)]
    pub(super) fn identity(&self) -> Identity {
        Identity::Shared(std::ptr::from_ref(self.element).addr())
    }

    /// Shows the contents of slot number `slot`.
    #[inline(always)]
    pub(super) fn walk<W: Walker>(&self, slot: usize, walker: &mut W) {
        if self.is_numbered {
            walker.slot_number(slot);
        }
        self.element.walk_in_place(walker);
    }
}

/// The arenas that one struct owns, as a tuple of their slices' owners.
pub trait ArenaSet<'a>: Copy {
    /// Returns element number `slot` of the arena of `T`, or `None` if there is no such arena here.
    ///
    /// # Panics
    /// If the slot lies outside the arena: the link dangles.
    fn slot<T: Heap>(&self, slot: usize) -> Option<ArenaSlot<'a, T>>;

    /// The length of the arena of `T`, `None` if there is no such arena here.
    fn n_slots<T: Heap>(&self) -> Option<usize>;
}

/// The elements of an arena, if they are `T`s.
#[inline(always)]
fn elements_of<'a, A: SlotSource<'a>, T: Heap>(arena: A) -> Option<&'a Vec<T>> {
    (arena.elements() as &'a dyn Any).downcast_ref()
}

#[inline(always)]
fn slot_of<'a, A: SlotSource<'a>, T: Heap>(arena: A, slot: usize) -> Option<ArenaSlot<'a, T>> {
    let elements = elements_of::<A, T>(arena)?;
    match elements.get(slot) {
        Some(element) => Some(ArenaSlot { element, is_numbered: A::IS_NUMBERED }),
        None => panic!("a link to slot {slot} of an arena of {} slots dangles", elements.len()),
    }
}

macro_rules! arena_sets {
    ($(($($name:ident $index:tt),+))+) => {$(
        impl<'a, $($name: SlotSource<'a>),+> ArenaSet<'a> for ($($name,)+) {
            #[inline(always)]
            fn slot<T: Heap>(&self, slot: usize) -> Option<ArenaSlot<'a, T>> {
                None$(.or_else(|| slot_of::<$name, T>(self.$index, slot)))+
            }

            #[inline(always)]
            fn n_slots<T: Heap>(&self) -> Option<usize> {
                None$(.or_else(|| elements_of::<$name, T>(self.$index).map(Vec::len)))+
            }
        }
    )+};
}

arena_sets! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
}

/// Declares the arena of the field of that name, whose slots show their numbers. The contents of
/// slots that no link leads to are in no form.
pub fn describe_numbered<E: Heap>(field: &str, schema: &mut Schema) {
    schema.array(class_of::<E>());
    schema.not_decodable(format!(
        "what lies in slots of the arena `{field}` that no link leads to is not known"
    ));
}

fn class_of<E: 'static>() -> ClassKey {
    ClassKey::new::<Vec<E>>(std::any::type_name::<Vec<E>>())
}

/// Shows the length of an arena whose slots show their numbers. It is bounded like that of any
/// array.
#[inline(always)]
pub fn walk_length<E: Heap, W: Walker>(arena: &[E], walker: &mut W) {
    if walker.enter(class_of::<E>(), Identity::Unique) {
        walker.length(arena.len());
        walker.leave();
    }
}
